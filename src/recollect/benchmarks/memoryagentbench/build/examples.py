"""Multi-class classification made anew: balanced examples under shuffled numbers, and 100 balanced questions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.examples import example, labelled
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.records.data_files import text_of

QUESTIONS = 100


def build_examples(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources.

    Raises:
        DataError: The source data are not there.
    """
    made, origins = [], []
    for task in tasks:
        rng = Random(f"{task} {seed}")
        train, test = CORPORA[task](folder, rng)
        made.append(_row(task, train, test, rng))
        origins.append(f"{task} ({len(train)} train, {len(test)} test)")
    return made, ", ".join(origins)


def _row(task: str, train: Sequence[Item], test: Sequence[Item], rng: Random) -> Keyed:
    source = SOURCES[task]
    numbers = _numbers(train, rng)
    shown = balanced(train, source.examples or len(train), rng)
    texts = [example(item.text, numbers[item.label]) for item in shown]
    asked = balanced([item for item in test if item.label in numbers], QUESTIONS, rng)
    return keyed(source, 0, texts, labelled(texts, [(item.text, numbers[item.label]) for item in asked]))


def _numbers(items: Sequence[Item], rng: Random) -> dict[str, int]:
    """Label -> a number that says nothing."""
    labels = sorted({item.label for item in items})
    numbers = list(range(len(labels)))
    rng.shuffle(numbers)
    return dict(zip(labels, numbers, strict=True))


def balanced(items: Sequence[Item], size: int, rng: Random) -> list[Item]:
    """Items in rounds, each of which has every label once in a new order; cut at *size*.

    A label's items come without repetition until all were there, then again.

    Source:
        HELMET (Yen et al. 2024), balanced demonstrations of its in-context learning tasks.
    """
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(item.label, []).append(item)
    drawn = {label: _passes(by_label[label], rng) for label in sorted(by_label)}
    rounds = -(-size // len(drawn))
    return list(chain.from_iterable(_round(drawn, rng) for _ in range(rounds)))[:size]


def _passes(items: Sequence[Item], rng: Random) -> Iterator[Item]:
    return chain.from_iterable(rng.sample(items, len(items)) for _ in repeat(None))


def _round(drawn: dict[str, Iterator[Item]], rng: Random) -> list[Item]:
    one_each = [next(items) for items in drawn.values()]
    rng.shuffle(one_each)
    return one_each


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
        parts: Mapping[str, Any] = json.loads(text_of(path, fix=_FIX))
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
    lines = io.StringIO(text_of(path, fix=_FIX), newline="")
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
