"""The end of a run on the terminal: numbers, path of the report, exit code; or the plan of a dry run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Literal

import typer

from recollect.cli.inspect.headline import print_scores
from recollect.cli.output import print_json, print_table, remark
from recollect.runs.results.findings import FAULT_BOUND, result_of
from recollect.runs.results.wording import Amount, RunEstimate, RunFolder, encode
from recollect.runs.setup.config import RunConfig
from recollect.runs.start import Part

UNKNOWN = "?"
_COLUMNS = ("calls", "tokens in", "tokens out", "$")


def end_part(folder: RunFolder, part: Part) -> None:
    """Print that a part is done; the report needs the whole run."""
    remark(f"part {part[0]}/{part[1]} of {folder.path} is done. `recollect merge` merges the parts.")


def finish(folder: RunFolder, *, as_json: bool) -> None:
    """Write the report and print the numbers, then the path of the report."""
    result = result_of(folder)
    summary, page = result.found.summary, result.write_report()
    if as_json:
        print_json({"summary": encode(summary), "beside": encode(result.found.beside), "report": str(page)})
    else:
        print_scores(result.found)
        print(page)
    if summary.total.unfinished:
        remark(
            f"{summary.total.unfinished} of {summary.total.planned} cells are not done; `recollect resume` continues."
        )
        raise typer.Exit(1)
    if summary.fault_share > FAULT_BOUND:
        remark(
            f"{summary.fault_share:.1%} of the cells are faults: no headline. `recollect diagnose` names the causes."
        )
        raise typer.Exit(1)


def dry_run(config: RunConfig, *, runs_dir: Path, as_json: bool, prices: Path | None = None) -> None:
    """Print the planned trials, questions and records, and the expected cost of models."""
    from recollect.runs.start import plan_of

    plan = plan_of(config, runs_dir, prices)
    if as_json:
        print_json({**plan.counts, "forecast": asdict(plan.estimate)})
        return
    for name, value in plan.counts.items():
        if value != {}:
            print(f"{name:10} {', '.join(value) if isinstance(value, list | dict) else value}")
    print()
    forecast = plan.estimate
    rows = [
        [role.role, role.model, *_cells(role.expected), *_cells(role.most)]
        for role in sorted(forecast.roles, key=lambda role: role.role)
    ]
    columns = ["role", "played by", *_COLUMNS, *(f"{name} at most" for name in _COLUMNS)]
    print_table("what it would take", columns, rows)
    for role in forecast.roles:
        if role.why:
            print(f"{role.role}: {role.why}")
    print(f"cost: {_cost(forecast, 'expected')} expected, {_cost(forecast, 'most')} at most")


def _cost(forecast: RunEstimate, which: Literal["expected", "most"]) -> str:
    """The sum of the known costs, and the roles whose cost is unknown."""
    amounts = {role.role: role.expected if which == "expected" else role.most for role in forecast.roles}
    known = [amount.money for amount in amounts.values() if amount is not None and amount.money is not None]
    missing = [role for role, amount in amounts.items() if amount is None or amount.money is None]
    if not missing:
        return _dollars(sum(known))
    rest = f"what {', '.join(missing)} will take"
    return f"{_dollars(sum(known))} and {rest}" if known and sum(known) else f"not known: {rest}"


def _cells(amount: Amount | None) -> list[str]:
    if amount is None:
        return [UNKNOWN] * len(_COLUMNS)
    counts = (amount.calls, amount.input, amount.output)
    return [*(UNKNOWN if count is None else f"{count:,}" for count in counts), _dollars(amount.money)[1:] or UNKNOWN]


def _dollars(money: float | None) -> str:
    return UNKNOWN if money is None else f"${money:,.4f}" if 0 < money < 1 else f"${money:,.2f}"
