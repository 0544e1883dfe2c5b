"""SubtleMemory (Wang et al. 2026): statements that complete, qualify or contradict each other, in a long history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.benchmarks.subtlememory.card import CARD
from recollect.benchmarks.subtlememory.generate.settings import KNOBS, SIZES
from recollect.benchmarks.subtlememory.paper_figures import PAPER
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues, Figure, Statistics, StepSettings
from recollect.domain.exchange import Reply
from recollect.domain.histories import History
from recollect.domain.messages import Message
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Step


def _steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterable[Step]:
    from recollect.benchmarks.subtlememory.protocol import steps

    return steps(history, settings, talk)


def _score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    from recollect.benchmarks.subtlememory.score import score

    return score(question, key, reply, verdict, shared)


def _load(path: Path) -> Dataset:
    from recollect.benchmarks.subtlememory.load import load

    return load(path)


def _write(dataset: Dataset, path: Path) -> None:
    from recollect.benchmarks.subtlememory.write import write

    write(dataset, path)


def _generate(size: str, seed: int) -> Dataset:
    from recollect.benchmarks.subtlememory.generate import generate

    return generate(size, seed)


def _statistics(dataset: Dataset, talks: Dialogues) -> Sequence[Figure]:
    from recollect.benchmarks.subtlememory.statistics import statistics

    return statistics(dataset, talks)


BENCHMARK = Benchmark(
    card=CARD,
    steps=_steps,
    score=_score,
    load=_load,
    write=_write,
    generate=_generate,
    sizes=tuple(SIZES.named),
    knobs=KNOBS,
    statistics=Statistics(of=_statistics, paper=PAPER),
)
