"""AMemGym (Cheng et al. 2026): a user whose life changes talks with the system, which is asked after every period."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.card import CARD
from recollect.benchmarks.amemgym.paper_figures import PAPER
from recollect.benchmarks.amemgym.users import USERS
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues, Figure, Statistics, StepSettings
from recollect.contracts.sheets import Sheet
from recollect.domain.exchange import Reply
from recollect.domain.histories import History
from recollect.domain.messages import Message
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Step
from recollect.worlds.sizes import twinned

SIZES = twinned(("small", "base", "extra"))


def _steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterable[Step]:
    from recollect.benchmarks.amemgym.protocol import steps

    return steps(history, settings, talk)


def _score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    from recollect.benchmarks.amemgym.score import score

    return score(question, key, reply, verdict, shared)


def _load(path: Path) -> Dataset:
    from recollect.benchmarks.amemgym.load import load

    return load(path)


def _write(dataset: Dataset, path: Path) -> None:
    from recollect.benchmarks.amemgym.write import write

    write(dataset, path)


def _generate(size: str, seed: int) -> Dataset:
    from recollect.benchmarks.amemgym.generate import generate

    return generate(size, seed)


def _statistics(dataset: Dataset, talks: Dialogues) -> Sequence[Figure]:
    from recollect.benchmarks.amemgym.statistics import statistics

    return statistics(dataset, talks)


def _sheets(dataset: Dataset, talks: Dialogues) -> Sequence[Sheet]:
    from recollect.benchmarks.amemgym.sheets import sheets

    return sheets(dataset, talks)


BENCHMARK = Benchmark(
    card=CARD,
    steps=_steps,
    score=_score,
    load=_load,
    write=_write,
    generate=_generate,
    sizes=SIZES,
    users=USERS,
    statistics=Statistics(of=_statistics, paper=PAPER),
    sheets=_sheets,
)
