"""Novels of a folder as items of the pipeline, and what the pipeline made of them as rows."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.build.event_rows import Distractor, Event, event_row
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.events import (
    FAMILY,
    MADE,
    QUESTIONS_PER_ROW,
    SIZES,
    context_of,
    texts_of,
)
from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.benchmarks.memoryagentbench.make.event_rules import QUESTIONS, Book
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.making.steps import Item, Sight

TASKS = tuple(source for source in SOURCES if source.startswith(f"{FAMILY.name}_") and source != MADE)
READ_TOKENS = 3_000
"""What a model reads at once."""
AMPLE = 1.5
"""So many more events than are wanted are asked for, since some are duplicates or of minor people."""
MOST_PER_CHUNK = 12
ENDINGS = (".txt", ".txt.xz")


def items(source: Path, tasks: Sequence[str]) -> list[Item]:
    """An item for each book and task, named after both.

    Args:
        source: A novel as plain text, `.txt` or `.txt.xz`, or a folder of such.
        tasks: Which cuts of each book.

    Raises:
        DataError: There is no novel, or one cannot be read.
    """
    books = {title: texts_of(whole) for title, whole in _novels(source)}
    return [
        Item(key=f"{task}:{title}", data=_book(title, _cut(passages, SIZES[_size(task)])))
        for task in tasks
        for title, passages in books.items()
    ]


def _size(task: str) -> str:
    return task.removeprefix(f"{FAMILY.name}_")


def _novels(source: Path) -> Iterator[tuple[str, str]]:
    files = [source] if source.is_file() else sorted(one for one in source.iterdir() if one.name.endswith(ENDINGS))
    if not files:
        raise DataError(f"the folder has no file that ends in {' or '.join(ENDINGS)}", source)
    for file in files:
        title = file.name.removesuffix(".xz").removesuffix(".txt")
        try:
            data = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
            whole = data.decode("utf-8").replace("\r\n", "\n").strip()
        except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
            raise DataError(f"it cannot be read ({error})", file, fix="It must be plain text in UTF-8.") from None
        if not whole:
            raise DataError("it is empty", file)
        yield title, whole


def _cut(passages: Sequence[str], tokens: int | None) -> tuple[str, ...]:
    """The passages from the beginning, up to *tokens*."""
    from recollect.text.tokens import count

    if tokens is None:
        return tuple(passages)
    kept, used = [], 0
    for passage in passages:
        used += count(passage)
        if used > tokens:
            break
        kept.append(passage)
    return tuple(kept)


def _book(title: str, passages: tuple[str, ...]) -> Book:
    from recollect.text.chunking import chunk_units

    found = chunk_units(list(passages), READ_TOKENS, separator="")
    chunks = tuple(dict.fromkeys((chunk.units[0], chunk.units[-1] + 1) for chunk in found))
    wanted = QUESTIONS_PER_ROW + 1
    per_chunk = min(MOST_PER_CHUNK, -(-round(AMPLE * wanted) // max(1, len(chunks))))
    return Book(title=title, passages=passages, chunks=chunks, wanted=wanted, per_chunk=per_chunk)


def dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The rows of all books that were made; the origin says what was asked and what was reached.

    Raises:
        DataError: Nothing was made.
    """
    if not made:
        raise DataError("no book was made; the log of rejects says why", of[0].key if of else NAME)
    rows = [_row(item, row, made[item.key], seed) for row, item in _numbered(of) if item.key in made]
    told = "; ".join(_told(item, made.get(item.key)) for item in of)
    origin = f"made with seed {seed} by {maker} from {told}"
    return Dataset(benchmark=NAME, histories=tuple(rows), origin=origin)


def _numbered(of: Sequence[Item]) -> Iterator[tuple[int, Item]]:
    """Each item with its number in its task: a book that was rejected leaves a gap, and moves no other."""
    counts: dict[str, int] = {}
    for item in of:
        task = item.key.partition(":")[0]
        yield counts.setdefault(task, 0), item
        counts[task] += 1


def _row(item: Item, row: int, sight: Sight, seed: int) -> Keyed:
    book: Book = item.data
    found = sight.of(QUESTIONS)
    asked: list[dict[str, Any]] = found["asked"]
    wrong = [[Distractor(text=text, altered=True) for text in event["options"]] for event in asked]
    source = SOURCES[item.key.partition(":")[0]]
    chain = [_event(event) for event in (found["first"], *asked)]
    return event_row(source, row, book.passages, chain, wrong, rng=Random(f"{seed}:{item.key}"))


def _event(event: Mapping[str, Any]) -> Event:
    return Event(text=event["text"], places=tuple(event["places"]), character=event["characters"][0])


def _told(item: Item, sight: Sight | None) -> str:
    book: Book = item.data
    digest = sha256(context_of(book.passages).encode()).hexdigest()[:16]
    reached = len(sight.of(QUESTIONS)["asked"]) if sight is not None else 0
    return f"{item.key} (sha256:{digest}, {reached} of {book.wanted - 1} questions)"
