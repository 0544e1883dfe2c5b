"""Waterfalls by label on the page: bars for every row and value, tables, and leaks with their links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.supplement import LeakName, SplitPart, SplitRow
from recollect.report.charts.bars import stage_bars
from recollect.report.tables import Record, Value
from recollect.report.text import Asked, asked_of, link_to, question_names

ALL = "all"
LINKED = 24
"""Questions of one leak that the page links; `report.json` names them all."""
LEAKS: Mapping[LeakName, str] = {
    "right_without_oracle": "right by its own search, wrong with the evidence itself",
    "right_without_readback": "right by its own search, wrong from what was stored of the evidence",
}


class LeakLine(NamedTuple):
    meaning: str
    answers: int
    links: Sequence[tuple[str, str]]
    more: int
    """Questions without a link."""


class PartLine(NamedTuple):
    name: str
    part: SplitPart
    leaks: Sequence[LeakLine]


class RowLine(NamedTuple):
    row: SplitRow
    group: str
    score: Estimate
    bars: Sequence[Markup]
    """Of all questions, then of each value; without the pure readback."""
    parts: Sequence[PartLine]


class SplitSection(NamedTuple):
    task: str
    label: str
    values: Sequence[str]
    lines: Sequence[RowLine]
    no_bars: Mapping[str, Sequence[str]]
    """Reason -> the rows without bars."""


def split_sections(rows: Iterable[SplitRow], cells: Iterable[CellOutcome]) -> list[SplitSection]:
    """One for each task, with rows as they come: the best first."""
    listed = list(rows)
    asked = list(dict.fromkeys(map(asked_of, cells))) if listed else []
    names = dict(zip(asked, question_names(asked), strict=True))
    sections = []
    for task in dict.fromkeys(row.task for row in listed):
        mine = [row for row in listed if row.task == task]
        values = list(dict.fromkeys(said(part) for row in mine for part in row.parts))
        lines: list[RowLine] = []
        no_bars: dict[str, list[str]] = {}
        for row in mine:
            why = row.parts[0].waterfall.why
            if why:
                no_bars.setdefault(why, []).append(row.row)
            else:
                lines.append(_line(row, values, names))
        sections.append(SplitSection(task, mine[0].label, values, lines, no_bars))
    return sections


def said(part: SplitPart) -> str:
    return ALL if part.value is None else part.value


def _line(row: SplitRow, values: Sequence[str], names: Mapping[Asked, str]) -> RowLine:
    falls = {said(part): part.waterfall for part in row.parts if part.waterfall.variant == "readback"}
    bars = [
        stage_bars(f"{row.row}, {value}", falls[value].preservation, falls[value].retrieval)
        if value in falls
        else Markup("–")
        for value in values
    ]
    parts = []
    for part in row.parts:
        leaks = []
        for leak in part.leaks:
            found = [names[one.history, one.checkpoint, one.question] for one in leak.questions[:LINKED]]
            links = [(name, link_to(task=row.task, row=row.row, q=name)) for name in found]
            leaks.append(LeakLine(LEAKS[leak.name], leak.count, links, len(leak.questions) - len(links)))
        parts.append(PartLine(said(part), part, leaks))
    return RowLine(row, "reference" if row.reference else "system", row.parts[0].score, bars, parts)


def waterfalls_table(rows: Iterable[SplitRow]) -> list[Record]:
    """One line for each task, row, readback and value: shares with interval and denominator, corners, leaks."""
    records: list[Record] = []
    parts = [(row, part) for row in rows for part in row.parts]
    for row, part in parts:
        fall = part.waterfall
        shares: dict[str, Value] = {}
        for name, one in (
            ("score", part.score),
            ("reading", fall.reading),
            ("p_preserve", fall.preservation),
            ("p_retrieve", fall.retrieval),
        ):
            shares |= {name: one.estimate, f"{name}_low": one.low, f"{name}_high": one.high}
            shares |= {f"{name}_of": one.n, f"{name}_why": one.why}
        record: Record = {
            "task": row.task,
            "row": row.row,
            "reference": row.reference,
            "variant": fall.variant,
            "label": row.label,
            "value": said(part),
            **shares,
            "answers": fall.n,
            "dropped": fall.dropped,
            **{f"corner_{corner(*key)}": count for key, count in corners(part).items()},
            **{leak.name: leak.count for leak in part.leaks},
            "why": fall.why,
        }
        records.append(record)
    return records


def corners(part: SplitPart) -> dict[tuple[bool, bool, bool], int]:
    """Oracle, readback and system, right or not -> answers; empty where an arm is missing."""
    return {(cell.oracle, cell.readback, cell.system): cell.count for cell in part.waterfall.table}


def corner(oracle: bool, readback: bool, system: bool) -> str:
    """A corner in three signs: `+-+` is right under the oracle and with its own search only."""
    return "".join("+" if right else "-" for right in (oracle, readback, system))
