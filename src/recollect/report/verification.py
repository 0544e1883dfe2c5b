"""Compares a report with the records that it was made from: every number is computed again."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where a report differs from its records."""

    file: str
    place: str
    """A path in JSON, row and column in CSV; empty for the whole file."""
    said: str
    recomputed: str


def verify(report: Path, made: Mapping[str, bytes]) -> list[Difference]:
    """Where the files in *report* differ from those *made* from the records."""
    return [difference for name, wanted in made.items() for difference in _file(report / name, wanted)]


def name_in(report: Path) -> str | None:
    """The run name in a report; `None` where it has none."""
    try:
        name = json.loads((report / NUMBERS).read_bytes())["summary"]["run"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None


def _file(file: Path, wanted: bytes) -> Iterator[Difference]:
    name, recomputed = file.name, f"{len(wanted)} bytes"
    if not file.is_file():
        yield Difference(file=name, place="", said="(the file is missing)", recomputed=recomputed)
        return
    there = file.read_bytes()
    found: list[Difference] = []
    if there == wanted:
        return
    try:
        if name == NUMBERS:
            found += _values(name, json.loads(there), json.loads(wanted), "")
        elif name.endswith(".csv"):
            rows = (list(csv.reader(io.StringIO(data.decode()))) for data in (there, wanted))
            found += _rows(name, *rows)
        elif name == PAGE:
            found += _lines(name, there.decode(), wanted.decode())
    except ValueError as error:
        found.append(Difference(file=name, place="", said=f"cannot be read ({error})", recomputed=recomputed))
    whole = "the bytes differ, the values do not" if name != PAGE else "the page differs"
    yield from found or [Difference(file=name, place="", said=whole, recomputed=recomputed)]


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


def _difference(name: str, place: str, said: object, recomputed: object) -> Difference:
    short = []
    for value in (said, recomputed):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
        short.append(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
    return Difference(file=name, place=place, said=short[0], recomputed=short[1])
