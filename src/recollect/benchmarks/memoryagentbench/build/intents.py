"""The five corpora of utterances with a label."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from recollect.domain.errors import DataError

HELD_OUT = 0.1
"""Share of the home-assistant utterances that the questions are drawn from."""
_FIX = "Copy it again from the source that the folder's README names."


class Item(NamedTuple):
    """An utterance and what it is an example of."""

    text: str
    label: str


Corpus = Callable[[Path, Random], tuple[list[Item], list[Item]]]
"""(folder of source data, generator) -> train and test; only a corpus without a split of its own draws one."""


def _banking(folder: Path, _: Random) -> tuple[list[Item], list[Item]]:
    where = folder / "banking77"
    return _items(where / "train.csv", "category"), _items(where / "test.csv", "category")


def _clinc(folder: Path, _: Random) -> tuple[list[Item], list[Item]]:
    """Train and validation, the out-of-scope utterances as one more label."""
    path = folder / "clinc150" / "data_full.json.gz"
    try:
        parts: Mapping[str, Any] = json.loads(_unpacked(path))
        train = [_item(text, label) for part in ("train", "oos_train") for text, label in parts[part]]
        test = [_item(text, label) for part in ("val", "oos_val") for text, label in parts[part]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"it is not the full CLINC150 file ({error!r})", path, fix=_FIX) from None
    return train, test


def _home(folder: Path, rng: Random) -> tuple[list[Item], list[Item]]:
    items = _items(folder / "nlu_hwu64" / "utterances.csv.gz", "scenario", "intent")
    rng.shuffle(items)
    cut = round(len(items) * HELD_OUT)
    return items[cut:], items[:cut]


def _trec(folder: Path, *, coarse: bool) -> tuple[list[Item], list[Item]]:
    train, test = (_items(folder / "trec" / f"{part}.tsv", "label") for part in ("train_5500", "TREC_10"))
    if not coarse:
        return train, test
    return [_coarse(item) for item in train], [_coarse(item) for item in test]


def _coarse(item: Item) -> Item:
    return Item(item.text, item.label.partition(":")[0])


CORPORA: dict[str, Corpus] = {
    "icl_banking77_5900shot_balance": _banking,
    "icl_clinic150_7050shot_balance": _clinc,
    "icl_nlu_8296shot_balance": _home,
    "icl_trec_coarse_6600shot_balance": lambda folder, _: _trec(folder, coarse=True),
    "icl_trec_fine_6400shot_balance": lambda folder, _: _trec(folder, coarse=False),
}


def _item(text: str, label: str) -> Item:
    """On one line, as the examples need it."""
    return Item(" ".join(text.split()), label)


def _items(path: Path, *labels: str) -> list[Item]:
    return [_item(row["text"], "_".join(row[label] for label in labels)) for row in _table(path, ("text", *labels))]


def _table(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """A table with a header line: commas with quotes, or tabs without."""
    lines = io.StringIO(_unpacked(path), newline="")
    try:
        if path.suffix == ".tsv":
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        else:
            rows = list(csv.DictReader(lines))
    except csv.Error as error:
        raise DataError(f"it is no table ({error})", path, fix=_FIX) from None
    missing = [column for column in columns if not rows or rows[0].get(column) is None]
    if missing:
        raise DataError(f"there is no column {' or '.join(f'`{name}`' for name in missing)} with rows", path, fix=_FIX)
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise DataError("the row has another number of columns than the header", path, line=number, fix=_FIX)
    return rows


def _unpacked(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix=_FIX) from None
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 ({error})", path, fix=_FIX) from None
