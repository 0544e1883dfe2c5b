"""EventQA made anew from novels, by rule: who acts, what they do in order, and what comes next."""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.event_balance import Balance, Candidate
from recollect.benchmarks.memoryagentbench.build.event_people import Names, Person, people_of
from recollect.benchmarks.memoryagentbench.build.event_rows import Distractor, Event, event_row, spread
from recollect.benchmarks.memoryagentbench.build.event_sentences import (
    FEWER_WORDS,
    Deed,
    deeds_of,
    sentences_of,
    swapped,
)
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.events import QUESTIONS_PER_ROW, ROWS, SHOWN_BEFORE, texts_of
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.text.tokens import count

FOLDER = "novels"
ENDINGS = (".txt", ".txt.xz")
CHAIN = QUESTIONS_PER_ROW + 1
SHAPES = ((2, 2), (3, 1), (6, 0))
"""(events, stand-ins): options are so many true events, the right one among them, each told of so many others too."""
STAND_INS = max(stand_ins for _, stand_ins in SHAPES)
FAR = 0.1
"""Share of the book's events between a question and an event from another time, at least."""
SETS = 60
"""Sets of wrong options that are drawn for a question; the one that gives least away is asked."""
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A novel, cut where a task wants that."""

    path: Path
    passages: tuple[str, ...]
    tokens: int


def build_events(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """A row for each novel and task, and how far the novels reach.

    Raises:
        DataError: There is no novel, it cannot be read, or one has too few events to ask about.
    """
    novels = [(path, _text(path)) for path in _files(folder / FOLDER)][:ROWS]
    made, origins = [], []
    for task in tasks:
        balance, rows = Balance(), []
        for number, (path, text) in enumerate(novels):
            book = cut(path, text, SOURCES[task].context_tokens)
            rows.append(_row(task, number, book, balance, Random(f"{task} {seed} {number}")))
            origins.append(f"{task} from {_reached(rows[-1], book)}")
        made.extend(rows)
    return made, f"{len(novels)} of {ROWS} novels ({'; '.join(origins)})"


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.glob("*") if path.name.endswith(ENDINGS)) if folder.is_dir() else []
    if not found:
        raise DataError(f"the folder cannot be read, or has no file in {' or '.join(ENDINGS)}", folder, fix=_FIX)
    return found


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix=_FIX) from None
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 ({error})", path, fix=_FIX) from None


def cut(path: Path, text: str, tokens: int | None) -> Book:
    """Whole passages from the beginning, up to *tokens*; all of them where that is `None`."""
    passages: list[str] = []
    used = 0
    for passage in texts_of(text):
        size = count(passage)
        if tokens is not None and used + size > tokens:
            break
        passages.append(passage)
        used += size
    return Book(path=path, passages=tuple(passages), tokens=used)


def _reached(row: Keyed, book: Book) -> str:
    name = book.path.name.partition(".")[0]
    return f"{name}: {len(row.history.questions)} of {QUESTIONS_PER_ROW} questions, {book.tokens:,} tokens"


def _row(task: str, number: int, book: Book, balance: Balance, rng: Random) -> Keyed:
    story = _Story(book, rng)
    if len(story.deeds) < 2:
        raise DataError(
            f"there are {len(story.deeds)} events to ask about in {book.tokens:,} tokens", book.path, fix=_FIX
        )
    chain = spread(len(story.deeds), min(CHAIN, len(story.deeds)), rng)
    events = [
        Event(text=deed.text, places=(deed.passage,), character=deed.person.name)
        for deed in (story.deeds[place] for place in chain)
    ]
    wrong = [story.wrong(chain[max(0, i - SHOWN_BEFORE) : i], chain[i], balance) for i in range(1, len(chain))]
    return event_row(SOURCES[task], number, book.passages, events, wrong, rng=rng)


class _Story:
    """The events of a book that can be asked about, and wrong options for them."""

    def __init__(self, book: Book, rng: Random) -> None:
        self._rng = rng
        line = " ".join("".join(book.passages).split())
        names = Names(line)
        self._people = people_of(line, names)
        deeds = deeds_of(book.passages, names, self._people)
        if len(deeds) < CHAIN:
            deeds = deeds_of(book.passages, names, self._people, least_words=FEWER_WORDS)
        self.deeds = [deed for deed in deeds if len(self._stand_ins(deed)) >= STAND_INS]
        self._sentences = sentences_of(book.passages)

    def _stand_ins(self, deed: Deed) -> list[Person]:
        """Main people of the same sex who are not in the sentence."""
        return [
            person
            for person in self._people
            if person is not deed.person and person.sex == deed.person.sex and person.name not in deed.others
        ]

    def wrong(self, shown: Sequence[int], gold: int, balance: Balance) -> list[Distractor]:
        """Five wrong options for the event behind those shown.

        Raises:
            DataError: The book has no event far enough from it.
        """
        others = self._elsewhere(shown, gold)
        drawn = [self._set(gold, others) for _ in range(SETS)]
        by_text = {tuple(one.text for one in wrong): wrong for wrong in drawn if wrong}
        if not by_text:
            raise DataError("no event of the book can stand beside another as a wrong option", FOLDER, fix=_FIX)
        right = self.deeds[gold].text
        previous = tuple(self.deeds[place].text for place in shown)
        chosen = balance.choose([Candidate(previous, (right, *texts)) for texts in by_text])
        return by_text[chosen.options[1:]]

    def _elsewhere(self, shown: Sequence[int], gold: int) -> list[int]:
        """Events far before or behind the question: of the same person where there are any, else of the same sex."""
        far = max(1, round(FAR * len(self.deeds)))
        outside = [n for n in range(len(self.deeds)) if n not in shown and (n <= shown[-1] - far or n >= gold + far)]
        person = self.deeds[gold].person
        same = [n for n in outside if self.deeds[n].person is person]
        return same or [n for n in outside if self.deeds[n].person.sex == person.sex]

    def _set(self, gold: int, others: Sequence[int]) -> list[Distractor]:
        """True events from other times, and all told of others too; empty where there are too few."""
        size, stand_ins = self._rng.choice(SHAPES)
        if len(others) < size - 1:
            return []
        true = [self.deeds[gold], *(self.deeds[n] for n in self._rng.sample(others, size - 1))]
        both = [person for person in self._people if all(person in self._stand_ins(deed) for deed in true)]
        if len(both) < stand_ins:
            return []
        drawn = self._rng.sample(both, stand_ins)
        texts = [swapped(deed, person) for deed in true for person in drawn]
        if len(set(texts)) < len(texts) or any(text in self._sentences for text in texts):
            return []
        elsewhere = [Distractor(text=deed.text, altered=False) for deed in true[1:]]
        return [*elsewhere, *(Distractor(text=text, altered=True) for text in texts)]
