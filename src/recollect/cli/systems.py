"""What is printed of the systems behind the rows: whether each ran, what with, how long it took, what broke."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from recollect.domain.steps import Arm
from recollect.records.provenance import RAN

if TYPE_CHECKING:
    from recollect.records.tables.costs import Costs
    from recollect.records.tables.summary import RowFacts, Summary

NO_VERSIONS = frozenset({"adapter", "source", "traits"})
"""Inputs of a system that are digests or descriptions; all else is the version of a package."""
COLUMNS = ("row", "ran", "with", "its model", "writing, s", "a search, ms")
COSTS = ("calls", "tokens", "cost")
ENDS = ("faults", "card")
LONGEST = 60
"""Characters of the versions."""


def with_ran(
    summary: Summary, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """A table in which each row says, right after its name, whether its system ran."""
    from recollect.report.status import provenance_by_row

    stood, at = provenance_by_row(summary), columns.index("row")
    words = {row: ran.word for row, ran in stood.items()}
    told = [[*row[: at + 1], words.get(row[at], ""), *row[at + 1 :]] for row in rows]
    return [*columns[: at + 1], "ran", *columns[at + 1 :]], told


def print_systems(summary: Summary) -> None:
    """A line for each memory, where one is more than a part of Recollect; nothing where none is."""
    from recollect.cli.output import print_table

    rows = [row for row in summary.rows if row.kind == "memory"]
    if any(_is_of_others(row) for row in rows):
        columns = (*COLUMNS, *(COSTS if summary.costs else ()), *ENDS)
        print_table("systems", columns, [_line(summary, row) for row in rows])


def standing_lines(summary: Summary) -> Iterator[str]:
    """Why rows show no score, and what the scores of those are worth whose model was rules."""
    from recollect.report.status import PLUMBING, rule_based_rows

    for row in summary.rows:
        if row.ran != RAN:
            yield f"{row.ran}: {row.row}: {row.ran_why}"
    rows = rule_based_rows(summary)
    if rows:
        yield f"plumbing: {', '.join(rows)}: {PLUMBING}."
    if summary.costs is None and any(_is_of_others(row) for row in summary.rows):
        yield "cost: nothing; no model was called but rules and the embedder of this machine"


def versions_of(row: RowFacts) -> dict[str, str]:
    """Packages of the system, with their versions."""
    inputs = row.system.get("inputs", {})
    return {name: str(version) for name, version in inputs.items() if name not in NO_VERSIONS}


def _is_of_others(row: RowFacts) -> bool:
    return row.ran != RAN or bool(row.system.get("inputs"))


def _line(summary: Summary, row: RowFacts) -> list[str]:
    from recollect.report.status import card_of

    faults = [number.counts.fault for number in summary.numbers if number.row == row.row]
    versions = ", ".join(f"{name} {version}" for name, version in versions_of(row).items())
    return [
        row.row,
        row.ran,
        versions if len(versions) <= LONGEST else f"{versions[: LONGEST - 1]}…",
        _model(row),
        *_seconds(summary, row.row),
        *(_costs(summary.costs, row.row) if summary.costs else ()),
        str(sum(faults)) if faults else "-",
        card_of(summary, row.row) or "-",
    ]


def _seconds(summary: Summary, row: str) -> tuple[str, str]:
    """All writing and settling, and the mean search; a search waits for its turn where many are asked at once."""
    mine = [one for one in summary.timings if one.row == row]
    written = [one.total_s for one in mine if one.stage in ("state", "settle")]
    searched = [(one.total_s, one.calls) for one in mine if one.stage == "recall" and one.arm == Arm.SYSTEM]
    calls = sum(many for _, many in searched)
    mean = f"{1000 * sum(total for total, _ in searched) / calls:.0f}" if calls else "-"
    return f"{sum(written):.1f}" if written else "-", mean


def _model(row: RowFacts) -> str:
    from recollect.report.status import RULES

    model = str(row.system.get("model", ""))
    return "rules" if model.startswith(RULES) else model.partition("+")[0][:LONGEST] or "-"


def _costs(costs: Costs, row: str) -> tuple[str, str, str]:
    """Calls, tokens and money from the run's ledger; rules leave nothing on it."""
    from recollect.report.numbers import money

    lines = [line.sums for line in costs.lines if line.row == row]
    if not lines:
        return "-", "-", "-"
    calls, tokens = sum(one.calls for one in lines), sum(one.input_tokens + one.output_tokens for one in lines)
    unpriced = sum(one.unpriced for one in lines)
    known = "at least " if unpriced else ""
    return f"{calls:,}", f"{tokens:,}", f"{known}{money(sum(one.money for one in lines))}"
