"""A topic and a kind as they stand in their files, to be broken one rule at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from recollect.worlds.catalogues import catalogue

FOLDER = catalogue("subtlememory")

Row = dict[str, Any]
Change = Callable[[Row], Any]
ROOMS, FERRIES = "interior_design.json", "river_ferry_line.json"


def read(*way: str) -> Row:
    """What a file of the catalogue holds."""
    row: Row = json.loads(FOLDER.joinpath(*way).read_text(encoding="utf-8"))
    return row


def topic_row(file: str = ROOMS) -> Row:
    """A topic with its threads and with what shows its values."""
    row, shown = read("user", file) | read("threads", "user", file), read("showings", file)
    for trait in row["traits"]:
        for value in trait["values"]:
            value.update(shown[trait["name"]][value["value"]])
    return row


def kind_row(file: Path = FOLDER / "world" / FERRIES) -> Row:
    """A kind with threads; those of ferries, for talk that tells nothing fits anything."""
    row: Row = json.loads(file.read_text(encoding="utf-8"))
    return row | read("threads", "world", FERRIES)


def put(path: str, new: Any) -> Change:
    """Put *new* at a place such as `traits 0 values 1 facts 2`; where *new* can be called, what it makes of the old."""
    *way, last = [int(part) if part.isdigit() else part for part in path.split()]

    def change(row: Row) -> None:
        place: Any = row
        for part in way:
            place = place[part]
        place[last] = new(place[last]) if callable(new) else new

    return change


def less(listed: Sequence[Any]) -> Sequence[Any]:
    """All but the last."""
    return listed[:-1]
