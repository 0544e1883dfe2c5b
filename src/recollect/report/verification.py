"""Holds a report against the records that it was made from: every number is computed again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from recollect.report.writer import NUMBERS, PAGE

LONGEST = 60
"""Letters of a value that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where a report does not say what its records say."""

    file: str
    place: str
    """A path in JSON, row and column in CSV; empty for the whole file."""
    said: str
    recomputed: str


def verify(report: Path, made: Mapping[str, bytes]) -> list[Difference]:
    """Where the files in *report* differ from those just *made* from the records."""
    return [difference for name, wanted in made.items() for difference in _file(report / name, wanted)]


def name_in(report: Path) -> str | None:
    """The name that a report gives its run; `None` where it says none."""
    try:
        name = json.loads((report / NUMBERS).read_bytes())["summary"]["run"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None


def _file(file: Path, wanted: bytes) -> Iterator[Difference]:
    if not file.is_file():
        yield Difference(file=file.name, place="", said="(the file is missing)", recomputed=f"{len(wanted)} bytes")
        return
    there = file.read_bytes()
    if there != wanted:
        found = list(_inside(file.name, there, wanted))
        whole = "the bytes differ, the values do not" if file.name != PAGE else "the page differs"
        yield from found or [Difference(file=file.name, place="", said=whole, recomputed=f"{len(wanted)} bytes")]


def _inside(name: str, there: bytes, wanted: bytes) -> Iterator[Difference]:
    try:
        if name == NUMBERS:
            yield from _values(name, json.loads(there), json.loads(wanted), "")
        elif name.endswith(".csv"):
            yield from _rows(name, _table(there), _table(wanted))
        elif name == PAGE:
            yield from _lines(name, there.decode(), wanted.decode())
    except ValueError as error:
        yield Difference(file=name, place="", said=f"cannot be read ({error})", recomputed=f"{len(wanted)} bytes")


def _values(name: str, there: Any, wanted: Any, path: str) -> Iterator[Difference]:
    if isinstance(there, dict) and isinstance(wanted, dict):
        for key in sorted({*there, *wanted}):
            yield from _values(name, there.get(key), wanted.get(key), f"{path}.{key}" if path else key)
    elif isinstance(there, list) and isinstance(wanted, list):
        for number, (one, other) in enumerate(zip_longest(there, wanted)):
            yield from _values(name, one, other, f"{path}[{number}]")
    elif there != wanted or isinstance(there, bool) != isinstance(wanted, bool):
        yield _difference(name, path, there, wanted)


def _rows(name: str, there: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> Iterator[Difference]:
    columns = wanted[0] if wanted else ()
    for number, (row, other) in enumerate(zip_longest(there, wanted, fillvalue=()), start=1):
        for place, (said, right) in enumerate(zip_longest(row, other, fillvalue="")):
            if said != right:
                column = columns[place] if place < len(columns) else f"column {place + 1}"
                yield _difference(name, f"line {number}, {column}", said, right)


def _lines(name: str, there: str, wanted: str) -> Iterator[Difference]:
    for number, (said, right) in enumerate(zip_longest(there.split("\n"), wanted.split("\n"), fillvalue=""), start=1):
        if said != right:
            at = next((i for i, (a, b) in enumerate(zip(said, right, strict=False)) if a != b), 0)
            begin = max(0, at - LONGEST // 3)
            yield _difference(name, f"line {number}", said[begin:], right[begin:])


def _table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode())))


def _difference(name: str, place: str, said: object, recomputed: object) -> Difference:
    return Difference(file=name, place=place, said=_short(said), recomputed=_short(recomputed))


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
