"""Label sheets: a seeded sample of items as a table for people, and beside it the key that they must not see.

A sheet is CSV in UTF-8 with one row an item: opaque id, text, question, scale, an empty column for each rater, notes.
Its key has the same ids, and says what the items are, their scale, the right label and that of the rules.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from recollect.contracts.sheets import Scale, Sheet, SheetItem
from recollect.records.digests import opaque
from recollect.text.spreadsheets import guarded

ID, TEXT, QUESTION, SCALE, NOTES = "id", "text", "question", "scale", "notes"
RATER = "rater_"
"""Begins the name of each rater's column."""
KEY_COLUMNS = (ID, "sheet", "item", "group", "cluster", "points", "best", "gold", "rules")
MORE_KEY_COLUMNS = ("judge", "origin", "stratum")
"""Only where they say anything."""
BETWEEN = "|"
"""Stands between the points of a scale in the key."""
SUFFIX, KEY_SUFFIX = ".csv", ".key.csv"


class Drawn(NamedTuple):
    """A sheet as it is handed out."""

    sheet: str
    groups: int
    population: int
    """Groups there are."""
    items: int
    table: bytes
    key: bytes


def draw(sheet: Sheet, *, seed: int, sample: int | None = None, raters: int = 2) -> Drawn:
    """A sample of whole groups in an order that the seed shuffles; the same bytes for the same items and seed.

    Args:
        sheet: All items there are.
        seed: Decides who is drawn.
        sample: Groups to draw, all if there are fewer; as many as the sheet says if not given.
        raters: Columns to be filled.
    """
    return lay_out(sheet, choose_items(sheet, seed=seed, sample=sample), raters=raters)


def choose_items(sheet: Sheet, *, seed: int, sample: int | None = None) -> list[SheetItem]:
    """The items of the groups that are drawn; of each stratum as many as of the others, as long as it has some."""
    groups: dict[str, list[SheetItem]] = {}
    for item in sheet.items:
        groups.setdefault(item.group, []).append(item)
    wanted = min(sheet.sample if sample is None else sample, len(groups))
    strata: dict[str, list[str]] = {}
    for group, mine in groups.items():
        strata.setdefault(mine[0].stratum, []).append(group)
    draw = Random(f"{seed}:sheet:{sheet.name}")
    takes = _shares({name: len(mine) for name, mine in sorted(strata.items())}, wanted)
    drawn = [group for name, many in takes.items() for group in draw.sample(strata[name], many)]
    if len(strata) > 1:
        draw.shuffle(drawn)
    return [item for group in drawn for item in groups[group]]


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many to take of each: one in turn, as long as there are any."""
    takes = dict.fromkeys(sizes, 0)
    while sum(takes.values()) < wanted:
        for name in [name for name in sizes if takes[name] < sizes[name]][: wanted - sum(takes.values())]:
            takes[name] += 1
    return takes


def lay_out(sheet: Sheet, items: Sequence[SheetItem], *, raters: int = 2) -> Drawn:
    """*items* of a sheet as table and key."""
    named = [(_name(sheet, item), item) for item in items]
    columns = [f"{RATER}{number}" for number in range(1, raters + 1)]
    more = [name for name in MORE_KEY_COLUMNS if any(getattr(item, name) for item in items)]
    return Drawn(
        sheet=sheet.name,
        groups=len({item.group for item in items}),
        population=len({item.group for item in sheet.items}),
        items=len(items),
        table=_csv(
            [ID, TEXT, QUESTION, SCALE, *columns, NOTES],
            ([name, item.text, item.question, scale_text(item.scale), *([""] * (raters + 1))] for name, item in named),
        ),
        key=_csv(
            [*KEY_COLUMNS, *more],
            ([*_key(sheet, name, item), *(getattr(item, column) for column in more)] for name, item in named),
        ),
    )


def scale_text(scale: Scale) -> str:
    """A scale as raters read it."""
    return "; ".join(f"{point} {meaning}".rstrip() for point, meaning in scale.points.items())


def _name(sheet: Sheet, item: SheetItem) -> str:
    """Says nothing, and is another one where anything that is judged differs."""
    return opaque("l", sheet.name, item.item, item.text, item.question)


def _key(sheet: Sheet, name: str, item: SheetItem) -> list[str]:
    points = BETWEEN.join(item.scale.points)
    return [name, sheet.name, item.item, item.group, item.cluster, points, item.scale.best, item.gold, item.rules]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8", "backslashreplace")
