"""Cells, what was found for them, and calls of models as Parquet files with fixed types."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.domain.errors import MissingExtraError
from recollect.records.calls import CallLine
from recollect.records.tables.summary import Recalled
from recollect.report.exports.material import Material, Written
from recollect.report.recalls import Recalls
from recollect.report.tables import cells_table

Cell = str | int | float | bool | Sequence[str] | None
Row = Mapping[str, Cell]

_USAGE = ("input", "output", "cached", "reasoning")
_NUMBERS = frozenset({"value", "score", "money", "seconds", "waited"})
_COUNTS = frozenset(
    {*_USAGE, "evidence_found", "items_found", "items_read", "context_tokens", "recall", "place", "replicate", "tries"}
)
_FLAGS = frozenset({"raw", "verbatim", "estimated", "truncated", "reference"})
_LISTS = frozenset({"gold", "sources", "covers", "causes"})


def check() -> None:
    """Refuse where pyarrow is missing.

    Raises:
        MissingExtraError: With the install line.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("`--to parquet`", "pyarrow", "pip install 'recollect[parquet]'")


def write(material: Material, folder: Path) -> Sequence[Written]:
    """Write `cells.parquet`, `recalls.parquet` and `calls.parquet`."""
    numbers: dict[int, int] = {}
    kept: list[Recalled] = []
    for cell in material.cells:
        if cell.recall is not None and id(cell.recall) not in numbers:
            numbers[id(cell.recall)] = len(kept)
            kept.append(cell.recall)
    tables = {
        "cells": list(_cells(material, numbers)),
        "recalls": [row for number, recall in enumerate(kept) for row in _items(number, recall)],
        "calls": [_call(line) for line in material.calls],
    }
    for name, rows in tables.items():
        _write(folder / f"{name}.parquet", rows, _COLUMNS[name])
    return [Written(f"{name}.parquet", len(rows)) for name, rows in tables.items()]


def _cells(material: Material, numbers: Mapping[int, int]) -> Iterator[Row]:
    """Every planned cell with its question and key, and the number of its recall."""
    recalls = Recalls()
    for cell, told in zip(material.cells, cells_table(material.cells, recalls), strict=True):
        question = material.question(cell)
        yield {
            **told,
            "question_text": question.text,
            "options": "\n".join(f"{option.letter}. {option.text}" for option in question.options) or None,
            "asked_at": question.asked_at,
            "gold": material.key(cell).gold,
            "recall": None if cell.recall is None else numbers[id(cell.recall)],
            "items_read": recalls.whole(cell),
            "rendered": None if cell.recall is None else cell.recall.rendered,
        }


def _items(number: int, recall: Recalled) -> Iterator[Row]:
    for place, item in enumerate(recall.items):
        yield {
            "recall": number,
            "place": place,
            "order": recall.order,
            "text": item.text,
            "score": item.score,
            "said_at": item.said_at,
            "speaker": item.speaker,
            "channel": item.channel,
            "raw": item.raw,
            "verbatim": item.verbatim,
            "sources": item.sources,
            "covers": item.covers,
        }


def _call(line: CallLine) -> Row:
    told = {name: getattr(line, name) for name in CallLine.__slots__ if name != "usage"}
    return {**told, **{name: None if line.usage is None else getattr(line.usage, name) for name in _USAGE}}


_OF_ITEMS = ("recall", "place", "order", "text", "score", "said_at", "speaker", "channel", "raw", "verbatim")
_COLUMNS: Mapping[str, Sequence[str]] = {
    "cells": (),
    "recalls": (*_OF_ITEMS, "sources", "covers"),
    "calls": (*(name for name in CallLine.__slots__ if name != "usage"), *_USAGE),
}
"""Of tables that may have no row."""


def _write(file: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    import pyarrow
    import pyarrow.parquet

    names = list(dict.fromkeys([*columns, *(name for row in rows for name in row)]))
    table = pyarrow.table({name: _column(name, [row.get(name) for row in rows]) for name in names})
    pyarrow.parquet.write_table(table, file, compression="zstd")


def _column(name: str, values: Sequence[Cell]) -> Any:
    import pyarrow

    return pyarrow.array([_writable(value) for value in values], type=_type(name, values))


def _type(name: str, values: Iterable[Cell]) -> Any:
    """By name where a column may be all empty, so that tables of several runs fit together; else by its values."""
    import pyarrow

    if name in _LISTS:
        return pyarrow.list_(pyarrow.string())
    found = {type(value) for value in values if value is not None}
    if name in _NUMBERS or float in found:
        return pyarrow.float64()
    if name in _FLAGS or found == {bool}:
        return pyarrow.bool_()
    return pyarrow.int64() if name in _COUNTS or found == {int} else pyarrow.string()


def _writable(value: Cell) -> Any:
    """Text without lone surrogates, which UTF-8 cannot say."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return [_writable(one) for one in value] if isinstance(value, Sequence) else value
