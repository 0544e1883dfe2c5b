"""What the page says of waterfalls by label: bars for every row and value, tables, and leaks with their links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.summary import CellOutcome, Estimate
from recollect.records.tables.supplement import LeakName, LeakPlace, SplitPart, SplitRow
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
Names = Mapping[Asked, str]
"""Question as it was asked -> its name on the page."""


class LeakLine(NamedTuple):
    """One leak, with the pages of its questions."""

    meaning: str
    answers: int
    links: Sequence[tuple[str, str]]
    """Name and link of each."""
    more: int
    """Questions without a link."""


class PartLine(NamedTuple):
    """One line of the table."""

    name: str
    part: SplitPart
    leaks: Sequence[LeakLine]


class RowLine(NamedTuple):
    """One row of the chart, with all that stands below it."""

    row: SplitRow
    group: str
    score: Estimate
    bars: Sequence[Markup]
    """Of the whole, then of each value; of the readback that is not pure."""
    parts: Sequence[PartLine]


class SplitSection(NamedTuple):
    """One task."""

    task: str
    label: str
    values: Sequence[str]
    lines: Sequence[RowLine]
    no_bars: Mapping[str, Sequence[str]]
    """Why there are none -> the rows that it concerns."""


def split_sections(rows: Iterable[SplitRow], cells: Iterable[CellOutcome]) -> list[SplitSection]:
    """One for each task, with rows as they come: the best first."""
    listed = list(rows)
    asked = list(dict.fromkeys(map(asked_of, cells))) if listed else []
    names = dict(zip(asked, question_names(asked), strict=True))
    return [
        _section([row for row in listed if row.task == task], names) for task in dict.fromkeys(r.task for r in listed)
    ]


def _section(rows: Sequence[SplitRow], names: Names) -> SplitSection:
    values = list(dict.fromkeys(said(part) for row in rows for part in row.parts))
    told = [row for row in rows if not row.parts[0].waterfall.why]
    why: dict[str, list[str]] = {}
    for row in rows:
        if row.parts[0].waterfall.why:
            why.setdefault(row.parts[0].waterfall.why, []).append(row.row)
    return SplitSection(rows[0].task, rows[0].label, values, [_line(row, values, names) for row in told], why)


def said(part: SplitPart) -> str:
    """Which questions a part is about."""
    return ALL if part.value is None else part.value


def _line(row: SplitRow, values: Sequence[str], names: Names) -> RowLine:
    plain = {said(part): part for part in row.parts if part.waterfall.variant == "readback"}
    bars = [
        stage_bars(f"{row.row}, {value}", plain[value].waterfall.preservation, plain[value].waterfall.retrieval)
        if value in plain
        else Markup("–")
        for value in values
    ]
    parts = [PartLine(said(part), part, list(_leaks(row, part, names))) for part in row.parts]
    return RowLine(row, "reference" if row.reference else "system", row.parts[0].score, bars, parts)


def _leaks(row: SplitRow, part: SplitPart, names: Names) -> Iterator[LeakLine]:
    for leak in part.leaks:
        links = [(name, link_to(task=row.task, row=row.row, q=name)) for name in _named(leak.questions, names)]
        yield LeakLine(LEAKS[leak.name], leak.count, links, len(leak.questions) - len(links))


def _named(places: Iterable[LeakPlace], names: Names) -> list[str]:
    found = [names[place.history, place.checkpoint, place.question] for place in places]
    return found[:LINKED]


def waterfalls_table(rows: Iterable[SplitRow]) -> list[Record]:
    """One line for each task, row, readback and value: shares with interval and denominator, corners, leaks."""
    return [_record(row, part) for row in rows for part in row.parts]


def _record(row: SplitRow, part: SplitPart) -> Record:
    fall = part.waterfall
    shares = {
        "score": part.score,
        "reading": fall.reading,
        "p_preserve": fall.preservation,
        "p_retrieve": fall.retrieval,
    }
    return {
        "task": row.task,
        "row": row.row,
        "reference": row.reference,
        "variant": fall.variant,
        "label": row.label,
        "value": said(part),
        **{name: value for share, one in shares.items() for name, value in _share(share, one).items()},
        "answers": fall.n,
        "dropped": fall.dropped,
        **{f"corner_{corner(*key)}": count for key, count in corners(part).items()},
        **{leak.name: leak.count for leak in part.leaks},
        "why": fall.why,
    }


def _share(name: str, one: Estimate) -> dict[str, Value]:
    return {
        name: one.estimate,
        f"{name}_low": one.low,
        f"{name}_high": one.high,
        f"{name}_of": one.n,
        f"{name}_why": one.why,
    }


def corners(part: SplitPart) -> dict[tuple[bool, bool, bool], int]:
    """Oracle, readback and system, right or not -> answers; empty where an arm is missing."""
    return {(cell.oracle, cell.readback, cell.system): cell.count for cell in part.waterfall.table}


def corner(oracle: bool, readback: bool, system: bool) -> str:
    """A corner in three signs: `+-+` is right by the oracle and by its own search alone."""
    return "".join("+" if right else "-" for right in (oracle, readback, system))
