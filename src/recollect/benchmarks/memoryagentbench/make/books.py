"""Novels of a folder as items of the pipeline, and what the pipeline made of them as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families import events as novels
from recollect.benchmarks.memoryagentbench.generate.event_rows import Distractor, Event, event_row
from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.benchmarks.memoryagentbench.make.event_rules import QUESTIONS, Book
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.making.steps import Item, Sight
from recollect.records.data_files import files_of, text_of

TASKS = tuple(source for source in SOURCES if source.startswith(f"{novels.FAMILY.name}_") and source != novels.MADE)
READ_TOKENS = 3_000
AMPLE = 1.5
"""Requested events per wanted one, since some are duplicates or of minor people."""
MOST_PER_CHUNK = 12
ENDINGS = (".txt", ".txt.xz")


def items(source: Path, tasks: Sequence[str]) -> list[Item]:
    """An item for each book of *source*, a file or a folder of plain text, and for each task.

    Raises:
        DataError: There is no novel, or one cannot be read.
    """
    from recollect.text.chunking import chunk_units

    books = {}
    for file in files_of(source, ENDINGS):
        text = text_of(file, fix="It must be plain text in UTF-8.").replace("\r\n", "\n").strip()
        if not text:
            raise DataError("it is empty", file)
        books[file.name.removesuffix(".xz").removesuffix(".txt")] = novels.texts_of(text)
    made = []
    wanted = novels.QUESTIONS_PER_ROW + 1
    for task, (title, whole) in product(tasks, books.items()):
        passages = novels.first_passages(whole, SOURCES[task].context_tokens)
        found = chunk_units(list(passages), READ_TOKENS, separator="")
        chunks = tuple(dict.fromkeys((chunk.units[0], chunk.units[-1] + 1) for chunk in found))
        per_chunk = min(MOST_PER_CHUNK, -(-round(AMPLE * wanted) // max(1, len(chunks))))
        book = Book(title=title, passages=passages, chunks=chunks, wanted=wanted, per_chunk=per_chunk)
        made.append(Item(key=f"{task}:{title}", data=book))
    return made


def dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The rows of all books that were made; the origin says what was asked and what was reached.

    A row has the number of its book in the task, so that a rejected book leaves a gap and moves no other.

    Raises:
        DataError: Nothing was made.
    """
    if not made:
        raise DataError("no book was made; the log of rejects says why", of[0].key if of else NAME)
    rows: list[Keyed] = []
    origins = []
    numbers: Counter[str] = Counter()
    for item in of:
        book: Book = item.data
        task = item.key.partition(":")[0]
        reached = 0
        if item.key in made:
            rows.append(_row(item, numbers[task], made[item.key], seed))
            reached = len(rows[-1].history.questions)
        numbers[task] += 1
        digest = sha256(novels.context_of(book.passages).encode()).hexdigest()[:16]
        origins.append(f"{item.key} (sha256:{digest}, {reached} of {book.wanted - 1} questions)")
    origin = f"made with seed {seed} by {maker} from {'; '.join(origins)}"
    return Dataset(benchmark=NAME, histories=tuple(rows), origin=origin)


def _row(item: Item, row: int, sight: Sight, seed: int) -> Keyed:
    book: Book = item.data
    found = sight.of(QUESTIONS)
    asked: list[dict[str, Any]] = found["asked"]
    wrong = [[Distractor(text=text, altered=True) for text in event["options"]] for event in asked]
    source = SOURCES[item.key.partition(":")[0]]
    chain = [
        Event(text=event["text"], places=tuple(event["places"]), character=event["characters"][0])
        for event in (found["first"], *asked)
    ]
    return event_row(source, row, book.passages, chain, wrong, rng=Random(f"{seed}:{item.key}"))
