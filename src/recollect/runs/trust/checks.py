"""Measures judges on the shipped probes; has a model check which of the newest states agents remember."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.contracts.call_context import CallContext, in_context
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.states.policies import judged, pages_of, recalls
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
    """Have the judge of `--judge` rate the shipped probes; the check is stored in the cache of the runs.

    Args:
        judge: As on the command line.
        spending: Limit of the cost of its calls.
        runs_dir: The folder of runs.
        out: Another file for the check.
    """
    cache = cache_of(runs_dir)
    config, _ = resolve(None, {"benchmark": "own", "judge": model_choice(judge)})
    players = players_of(config, cache)
    # One ledger per judge: the cost of another judge does not count towards the limit of this one.
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
    """Recall of agents, according to a model, and the file that stores it."""

    checker: str
    recalls: Sequence[ModelRecall]
    file: Path

    def as_data(self) -> dict[str, Any]:
        return {"checker": self.checker, "recall": [encode(one) for one in self.recalls]}


def factual_recall_of(run: str, judge: str, spending: Spending, *, runs_dir: Path) -> Recalled:
    """Have a model check what agents that follow a policy remember of the newest states; stored with the report."""
    folder = find(run, runs_dir)
    pages, seed = pages_of(folder, benchmark_of(folder))
    if not pages:
        raise UsageError(f"`{run}` has no row that follows a policy and is asked about states: nothing to check.")
    cache = cache_of(runs_dir)
    config, _ = resolve(None, {"benchmark": "own", "memory_model": model_choice(judge)})
    players = players_of(config, cache)
    model = players.supplies.model
    if model is None or players.client is None:
        raise UsageError(f"--judge {judge}: a model must check this. Name one: `openai:model=NAME,base_url=URL`.")
    checker = ClaimChecker(model)
    ledger = RunFolder(cache / "factual_recall" / digest(checker.fingerprint)[3:15])
    with calling(players, ledger, cache, spending), in_context(CallContext(stage="check", key=checker.fingerprint)):
        found = list(judged(pages, checker.check))
    numbers = list(recalls(found, Estimator(seed=seed)))
    made = Recalled(checker.fingerprint, numbers, folder.report / RECALL_FILE)
    write_whole(made.file, f"{canonical(made.as_data())}\n".encode())
    return made
