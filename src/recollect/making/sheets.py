"""Label sheets: a seeded sample of items as a table for people, and the key that they must not see.

A sheet is CSV in UTF-8 with one row per item: opaque id, text, question, scale, an empty column for each rater, notes.
Its key has the same ids with the items, their scale, the right label and that of the rules.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from recollect.contracts.sheets import Sheet, SheetItem
from recollect.records.digests import opaque
from recollect.text.spreadsheets import guarded

ID, TEXT, QUESTION, SCALE, NOTES = "id", "text", "question", "scale", "notes"
RATER = "rater_"
"""Begins the name of each rater's column."""
KEY_COLUMNS = (ID, "sheet", "item", "group", "cluster", "points", "best", "gold", "rules")
MORE_KEY_COLUMNS = ("judge", "origin", "stratum")
"""Only where an item has one."""
BETWEEN = "|"
"""Separates the points of a scale in the key."""
SUFFIX, KEY_SUFFIX = ".csv", ".key.csv"


class Drawn(NamedTuple):
    """A drawn sheet."""

    sheet: str
    groups: int
    population: int
    items: int
    table: bytes
    key: bytes


def choose_items(sheet: Sheet, *, seed: int, sample: int | None = None) -> list[SheetItem]:
    """The items of a seeded sample of whole groups, with equal numbers of each stratum as long as it has some."""
    groups: dict[str, list[SheetItem]] = {}
    for item in sheet.items:
        groups.setdefault(item.group, []).append(item)
    wanted = min(sheet.sample if sample is None else sample, len(groups))
    strata: dict[str, list[str]] = {}
    for group, mine in groups.items():
        strata.setdefault(mine[0].stratum, []).append(group)
    sizes = {name: len(strata[name]) for name in sorted(strata)}
    takes = dict.fromkeys(sizes, 0)
    while sum(takes.values()) < wanted:  # one of each in turn
        for name in [name for name in sizes if takes[name] < sizes[name]][: wanted - sum(takes.values())]:
            takes[name] += 1
    rng = Random(f"{seed}:sheet:{sheet.name}")
    drawn = [group for name, count in takes.items() for group in rng.sample(strata[name], count)]
    if len(strata) > 1:
        rng.shuffle(drawn)
    return [item for group in drawn for item in groups[group]]


def lay_out(sheet: Sheet, items: Sequence[SheetItem], *, raters: int = 2) -> Drawn:
    """*items* of a sheet as table and key."""
    # The opaque id changes with anything that is judged.
    named = [(opaque("l", sheet.name, item.item, item.text, item.question), item) for item in items]
    columns = [f"{RATER}{number}" for number in range(1, raters + 1)]
    more = [name for name in MORE_KEY_COLUMNS if any(getattr(item, name) for item in items)]
    table: list[Sequence[str]] = [[ID, TEXT, QUESTION, SCALE, *columns, NOTES]]
    key: list[Sequence[str]] = [[*KEY_COLUMNS, *more]]
    for name, item in named:
        scale = "; ".join(f"{point} {meaning}".rstrip() for point, meaning in item.scale.points.items())
        table.append([name, item.text, item.question, scale, *([""] * (raters + 1))])
        points = BETWEEN.join(item.scale.points)
        labels = (item.scale.best, item.gold, item.rules, *(getattr(item, column) for column in more))
        key.append([name, sheet.name, item.item, item.group, item.cluster, points, *labels])
    return Drawn(
        sheet=sheet.name,
        groups=len({item.group for item in items}),
        population=len({item.group for item in sheet.items}),
        items=len(items),
        table=_csv(table),
        key=_csv(key),
    )


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8", "backslashreplace")
