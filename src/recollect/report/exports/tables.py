"""Cells, what was found for them, and calls of models as Parquet files with fixed types."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.domain.errors import MissingExtraError
from recollect.records.calls import CallLine
from recollect.records.tables.cells import Recalled
from recollect.report.exports.material import Material, Written
from recollect.report.recalls import Recalls
from recollect.report.tables import cells_table, writable

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
    """Raise an error if pyarrow is not installed."""
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
    calls: list[Row] = []
    for line in material.calls:
        usage = {name: None if line.usage is None else getattr(line.usage, name) for name in _USAGE}
        calls.append({name: getattr(line, name) for name in CallLine.__slots__ if name != "usage"} | usage)
    recalls: list[Row] = []
    for number, recall in enumerate(kept):
        for place, item in enumerate(recall.items):
            of_item = {name: getattr(item, name) for name in _OF_ITEMS}
            recalls.append({"recall": number, "place": place, "order": recall.order, **of_item})
    tables: Mapping[str, Sequence[Row]] = {
        "cells": list(_cells(material, numbers)),
        "recalls": recalls,
        "calls": calls,
    }
    for name, rows in tables.items():
        _write(folder / f"{name}.parquet", rows, _COLUMNS[name])
    return [Written(f"{name}.parquet", len(rows)) for name, rows in tables.items()]


def _cells(material: Material, numbers: Mapping[int, int]) -> Iterator[Row]:
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


_OF_ITEMS = ("text", "score", "said_at", "speaker", "channel", "raw", "verbatim", "sources", "covers")
_COLUMNS: Mapping[str, Sequence[str]] = {
    "cells": (),
    "recalls": ("recall", "place", "order", *_OF_ITEMS),
    "calls": (*(name for name in CallLine.__slots__ if name != "usage"), *_USAGE),
}
"""Of tables that may be empty."""


def _write(file: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    import pyarrow
    import pyarrow.parquet

    names = list(dict.fromkeys([*columns, *(name for row in rows for name in row)]))
    columns_by_name = {name: [row.get(name) for row in rows] for name in names}
    table = pyarrow.table(
        {
            name: pyarrow.array([writable(value) for value in values], type=_type(name, values))
            for name, values in columns_by_name.items()
        }
    )
    pyarrow.parquet.write_table(table, file, compression="zstd")


def _type(name: str, values: Iterable[Cell]) -> Any:
    """By name where a column may be empty, so that tables of several runs have the same types; else by its values."""
    import pyarrow

    if name in _LISTS:
        return pyarrow.list_(pyarrow.string())
    found = {type(value) for value in values if value is not None}
    if name in _NUMBERS or float in found:
        return pyarrow.float64()
    if name in _FLAGS or found == {bool}:
        return pyarrow.bool_()
    return pyarrow.int64() if name in _COUNTS or found == {int} else pyarrow.string()
