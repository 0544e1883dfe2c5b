"""Measures judges: on the shipped probes, and by asking a model what agents held of the newest states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.contracts.call_context import CallContext, in_context
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.states.model_recall import Judged, Page, judged, pages_of, recalls
from recollect.domain.errors import UsageError
from recollect.judging.check import FOLDER, CheckResult, check_file, run_check
from recollect.judging.claims.check import ClaimChecker
from recollect.judging.probes import shipped
from recollect.records.codec import encode
from recollect.records.digests import canonical, digest
from recollect.records.tables.policies import ModelRecall
from recollect.runs.progress import bar
from recollect.runs.results.findings import benchmark_of
from recollect.runs.setup.calls import Spending, calling
from recollect.runs.setup.config import model_choice, resolve
from recollect.runs.setup.folders import cache_of, find
from recollect.runs.setup.models import players_of
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder

RECALL_FILE = "factual_recall.json"


def judge_checked(judge: str, spending: Spending, *, runs_dir: Path, out: Path | None = None) -> CheckResult:
    """Have the judge that a run with `--judge` would have weigh the shipped probes; the check is kept beside the runs.

    Args:
        judge: As the command line names it.
        spending: What its calls may cost.
        runs_dir: Where runs are.
        out: Another file for the check, with every verdict.
    """
    cache = cache_of(runs_dir)
    config, _ = resolve(None, {"benchmark": "own", "judge": model_choice(judge)})
    players = players_of(config, cache)
    # a ledger for each judge: what another one cost is no part of what this one may cost
    ledger = RunFolder(check_file(cache, players.judge.fingerprint).with_suffix(""))
    with (
        calling(players, ledger, cache, spending),
        in_context(CallContext(stage="check", key=FOLDER)),
        bar(len(shipped()), "verdict") as tick,
    ):
        result = run_check(players.judge, watch=tick)
    for file in (check_file(cache, result.judge), out):
        if file is not None:
            write_whole(file, f"{canonical(encode(result))}\n".encode())
    return result


class Recalled(NamedTuple):
    """What agents held, by a model, and the file that says it."""

    checker: str
    recalls: Sequence[ModelRecall]
    file: Path

    def as_data(self) -> dict[str, Any]:
        """As JSON."""
        return {"checker": self.checker, "recall": [encode(one) for one in self.recalls]}


def factual_recall_of(run: str, judge: str, spending: Spending, *, runs_dir: Path) -> Recalled:
    """Have a model check what agents that follow a policy held of the newest states; kept beside the report.

    Raises:
        UsageError: No row follows a policy and is asked about states, or no model is named.
    """
    folder = find(run, runs_dir)
    pages, seed = pages_of(folder, benchmark_of(folder))
    if not pages:
        raise UsageError(f"`{run}` has no row that follows a policy and is asked about states: nothing to check.")
    checker, found = _judged(pages, judge, cache_of(runs_dir), spending)
    made = Recalled(checker, list(recalls(found, Estimator(seed=seed))), folder.report / RECALL_FILE)
    write_whole(made.file, f"{canonical(made.as_data())}\n".encode())
    return made


def _judged(pages: tuple[Page, ...], spec: str, cache: Path, spending: Spending) -> tuple[str, list[Judged]]:
    """Name of the checker and the verdicts; the calls of a checker have a ledger of their own."""
    config, _ = resolve(None, {"benchmark": "own", "memory_model": model_choice(spec)})
    players = players_of(config, cache)
    model = players.supplies.model
    if model is None or players.client is None:
        raise UsageError(f"--judge {spec}: rules check nothing here; name a model: `openai:model=NAME,base_url=URL`.")
    checker = ClaimChecker(model)
    ledger = RunFolder(cache / "factual_recall" / digest(checker.fingerprint)[3:15])
    with calling(players, ledger, cache, spending), in_context(CallContext(stage="check", key=checker.fingerprint)):
        return checker.fingerprint, list(judged(pages, checker.check))
