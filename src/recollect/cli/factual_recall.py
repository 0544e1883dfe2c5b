"""`recollect factual-recall`: a model says which of the states told in a period an agent held at its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, RunName, RunsDir

if TYPE_CHECKING:
    from recollect.cli.purse import Purse
    from recollect.diagnose.states.model_recall import Judged, Page
    from recollect.records.tables.policies import ModelRecall

FILE = "factual_recall.json"
COLUMNS = ("task", "row", "period", "held, by the model", "states", "undecided")
JudgeName = Annotated[str, typer.Option("--judge", help=f"The model that checks: {MODEL}.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="A YAML file with prices; they go before ours.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before more than this is spent.")]


def factual_recall(  # noqa: PLR0917  # a flag each
    run: RunName,
    judge: JudgeName,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Have a model check what agents that follow a policy held of the newest states; a reply is paid for once."""
    from recollect import registry
    from recollect.cli.output import print_json, print_table
    from recollect.cli.purse import Purse
    from recollect.cli.reports import show
    from recollect.cli.runs import cache_of, find
    from recollect.diagnose.estimates import Estimator
    from recollect.diagnose.states.model_recall import pages_of, recalls
    from recollect.domain.errors import UsageError
    from recollect.records.codec import encode
    from recollect.records.digests import canonical
    from recollect.store.files import write_whole

    folder = find(run, runs_dir)
    pages, seed = pages_of(folder, registry.benchmark(folder.settings()["asked"]["benchmark"]))
    if not pages:
        raise UsageError(f"`{run}` has no row that follows a policy and is asked about states: nothing to check.")
    checker, found = _judged(pages, judge, cache_of(runs_dir), Purse(max_cost=max_cost, prices=prices))
    made = recalls(found, Estimator(seed=seed))
    said = {"checker": checker, "recall": [encode(one) for one in made]}
    write_whole(folder.report / FILE, f"{canonical(said)}\n".encode())
    if as_json:
        print_json(said)
        return
    print_table(f"{run}: memory factual recall by {judge}", COLUMNS, [_line(one, show(one.recall)) for one in made])
    print(folder.report / FILE)


def _judged(pages: tuple[Page, ...], spec: str, cache: Path, purse: Purse) -> tuple[str, list[Judged]]:
    """Name of the checker and the verdicts; the calls of a checker have a ledger of their own."""
    from recollect.cli.calling import calling
    from recollect.cli.config import model_choice, resolve
    from recollect.cli.models import players_of
    from recollect.contracts.call_context import CallContext, in_context
    from recollect.diagnose.states.model_recall import judged
    from recollect.domain.errors import UsageError
    from recollect.judging.claims.check import ClaimChecker
    from recollect.records.digests import digest
    from recollect.store.run_folder import RunFolder

    config, _ = resolve(None, {"benchmark": "own", "memory_model": model_choice(spec)})
    players = players_of(config, cache)
    model = players.supplies.model
    if model is None or players.client is None:
        raise UsageError(f"--judge {spec}: rules check nothing here; name a model: `openai:model=NAME,base_url=URL`.")
    checker = ClaimChecker(model)
    ledger = RunFolder(cache / "factual_recall" / digest(checker.fingerprint)[3:15])
    with calling(players, ledger, cache, purse), in_context(CallContext(stage="check", key=checker.fingerprint)):
        return checker.fingerprint, list(judged(pages, checker.check))


def _line(one: ModelRecall, shown: str) -> list[str]:
    period = "all" if one.period is None else str(one.period)
    return [one.task, one.row, period, shown, str(one.recall.n), str(one.undecided)]
