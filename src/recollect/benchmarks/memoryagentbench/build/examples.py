"""Multi-class classification rebuilt: balanced examples under shuffled numbers, and 100 balanced questions."""

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
    """The rows of the named sources."""
    made, origins = [], []
    for task in tasks:
        source, rng = SOURCES[task], Random(f"{task} {seed}")
        train, test = CORPORA[task](folder, rng)
        labels = sorted({item.label for item in train})
        shuffled = list(range(len(labels)))
        rng.shuffle(shuffled)
        numbers = dict(zip(labels, shuffled, strict=True))
        shown = balanced(train, source.examples or len(train), rng)
        texts = [example(item.text, numbers[item.label]) for item in shown]
        asked = balanced([item for item in test if item.label in numbers], QUESTIONS, rng)
        questions = labelled(texts, [(item.text, numbers[item.label]) for item in asked])
        made.append(keyed(source, 0, texts, questions))
        origins.append(f"{task} ({len(train)} train, {len(test)} test)")
    return made, ", ".join(origins)


def balanced(items: Sequence[Item], size: int, rng: Random) -> list[Item]:
    """Items in rounds, each of which has every label once in a new order; cut at *size*.

    A label's items come without repetition until all were used, then again.

    Source:
        HELMET (Yen et al. 2024), balanced demonstrations of its in-context learning tasks.
    """
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(item.label, []).append(item)
    waiting = {label: _passes(by_label[label], rng) for label in sorted(by_label)}
    drawn: list[Item] = []
    for _ in range(-(-size // len(waiting))):
        one_each = [next(label_items) for label_items in waiting.values()]
        rng.shuffle(one_each)
        drawn += one_each
    return drawn[:size]


def _passes(items: Sequence[Item], rng: Random) -> Iterator[Item]:
    return chain.from_iterable(rng.sample(items, len(items)) for _ in repeat(None))


HELD_OUT = 0.1
"""Share of the home-assistant utterances that the questions are drawn from."""
_FIX = "Copy it again from the source that the folder's README names."


class Item(NamedTuple):
    """An utterance and its label."""

    text: str
    label: str


Corpus = Callable[[Path, Random], tuple[list[Item], list[Item]]]
"""(folder of source data, generator) -> train and test; only a corpus without a split of its own draws one."""


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
    first, second = ([Item(text, label.partition(":")[0]) for text, label in part] for part in (train, test))
    return first, second


CORPORA: dict[str, Corpus] = {
    "icl_banking77_5900shot_balance": lambda folder, _: (
        _items(folder / "banking77" / "train.csv", "category"),
        _items(folder / "banking77" / "test.csv", "category"),
    ),
    "icl_clinic150_7050shot_balance": _clinc,
    "icl_nlu_8296shot_balance": _home,
    "icl_trec_coarse_6600shot_balance": lambda folder, _: _trec(folder, coarse=True),
    "icl_trec_fine_6400shot_balance": lambda folder, _: _trec(folder, coarse=False),
}


def _item(text: str, label: str) -> Item:
    return Item(" ".join(text.split()), label)


def _items(path: Path, *labels: str) -> list[Item]:
    """The rows of a table with a header line: commas with quotes, or tabs without."""
    lines = io.StringIO(text_of(path, fix=_FIX), newline="")
    try:
        if path.suffix == ".tsv":
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        else:
            rows = list(csv.DictReader(lines))
    except csv.Error as error:
        raise DataError(f"it is not a table ({error})", path, fix=_FIX) from None
    missing = [column for column in ("text", *labels) if not rows or rows[0].get(column) is None]
    if missing:
        raise DataError(f"there is no column {' or '.join(f'`{name}`' for name in missing)} with rows", path, fix=_FIX)
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise DataError("the row has another number of columns than the header", path, line=number, fix=_FIX)
    return [_item(row["text"], "_".join(row[label] for label in labels)) for row in rows]
