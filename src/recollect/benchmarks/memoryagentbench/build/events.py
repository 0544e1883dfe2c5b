"""EventQA rebuilt from novels by rule: who acts, what they do in order, and what comes next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.event_people import Mention, Names, Person, people_of
from recollect.benchmarks.memoryagentbench.build.words import word_list
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families import events as novels
from recollect.benchmarks.memoryagentbench.generate.event_rows import Balance, Distractor, Event, event_row, spread
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.records.data_files import files_of, text_of
from recollect.text.sentences import spans
from recollect.text.tokens import count

FOLDER = "novels"
ENDINGS = (".txt", ".txt.xz")
CHAIN = novels.QUESTIONS_PER_ROW + 1
SHAPES = ((2, 2), (3, 1), (6, 0))
"""(events, stand-ins): number of true events among the options, and of other people of whom each is told too."""
STAND_INS = max(stand_ins for _, stand_ins in SHAPES)
FAR = 0.1
"""Least share of the book's events between a question and an event from another time."""
SETS = 60
"""Sets of wrong options drawn per question; the one that gives least away is used."""
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A novel, cut where a task wants that."""

    path: Path
    passages: tuple[str, ...]
    tokens: int


def build_events(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """A row for each novel and task, and how far the novels reach."""
    books = [(path, text_of(path, fix=_FIX)) for path in files_of(folder / FOLDER, ENDINGS)[: novels.ROWS]]
    made, origins = [], []
    for task in tasks:
        balance = Balance()
        for number, (path, text) in enumerate(books):
            book = cut(path, text, SOURCES[task].context_tokens)
            row = _row(task, number, book, balance, Random(f"{task} {seed} {number}"))
            questions = f"{len(row.history.questions)} of {novels.QUESTIONS_PER_ROW} questions, {book.tokens:,} tokens"
            origins.append(f"{task} from {path.name.partition('.')[0]}: {questions}")
            made.append(row)
    return made, f"{len(books)} of {novels.ROWS} novels ({'; '.join(origins)})"


def cut(path: Path, text: str, tokens: int | None) -> Book:
    """Whole passages from the beginning, up to *tokens*; all of them where that is `None`."""
    passages = novels.first_passages(novels.texts_of(text), tokens)
    return Book(path=path, passages=passages, tokens=sum(map(count, passages)))


def _row(task: str, number: int, book: Book, balance: Balance, rng: Random) -> Keyed:
    story = _Story(book, rng)
    size = len(story.deeds)
    if size < 2:
        raise DataError(f"there are {size} events to ask about in {book.tokens:,} tokens", book.path, fix=_FIX)
    chain = spread(size, min(CHAIN, size), rng)
    deeds = [story.deeds[place] for place in chain]
    events = [Event(text=deed.text, places=(deed.passage,), character=deed.person.name) for deed in deeds]
    wrong = [story.wrong(chain[max(0, i - novels.SHOWN_BEFORE) : i], chain[i], balance) for i in range(1, len(chain))]
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
        """Five wrong options for the event after those shown, with events far before or after it.

        Of the same person where there are any, else of the same sex.

        Raises:
            DataError: The book has no event far enough from it.
        """
        far = max(1, round(FAR * len(self.deeds)))
        outside = [n for n in range(len(self.deeds)) if n not in shown and (n <= shown[-1] - far or n >= gold + far)]
        person = self.deeds[gold].person
        others = [n for n in outside if self.deeds[n].person is person]
        others = others or [n for n in outside if self.deeds[n].person.sex == person.sex]
        drawn = [self._set(gold, others) for _ in range(SETS)]
        if not any(drawn):
            raise DataError("no event of the book can stand beside another as a wrong option", FOLDER, fix=_FIX)
        previous = [self.deeds[place].text for place in shown]
        return balance.pick(previous, self.deeds[gold].text, filter(None, drawn))

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


LEAST_WORDS, FEWER_WORDS, MOST_WORDS = 12, 8, 30
"""Words of an event: at least, at least in a book with too few of those, at most."""
TOKENS = 40
"""Most tokens of an event: the output limit, so that a reply can state it in full."""
LEAD_WORDS = 20
"""Most words before the person who acts."""
_IRREGULAR, _NOT_PAST, _NO_SUBJECT = word_list("irregular"), word_list("not_past"), word_list("no_subject")
_VERB = re.compile(
    r",?\s+(?:(?:\w+ly|then|now|also|still|again|only|never|always|just|himself|herself)\s+)?([a-z]+)\b(?!['’])"
)
_QUOTED = re.compile(r"[\"“”]|(?<!\w)[‘'’]")
_PRONOUN = re.compile(r"(?:He|She)\b(?=\s)")
_SEX = {"He": "m", "She": "f"}
_OPENS, _CLOSES = re.compile(r"“|(?<!\w)‘"), re.compile(r"”|(?<=[.,!?;-])’")
_ODD = re.compile(r"[A-Z]{3}|[\d_*\[\]()]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A sentence in which somebody acts."""

    text: str
    passage: int
    person: Person
    named: tuple[Mention, ...]
    """Mentions of the person in it, in any form."""
    others: frozenset[str]
    """Names of the other main people in it."""


def deeds_of(
    passages: Sequence[str], names: Names, people: Sequence[Person], *, least_words: int = LEAST_WORDS
) -> list[Deed]:
    """All events of a book in order, without those whose text occurs twice."""
    by_form = {form: person for person in reversed(people) for form in person.forms}
    found = [
        deed
        for place, passage in enumerate(passages)
        for deed in _of_passage(passage, place, names, by_form)
        if len(deed.text.split()) >= least_words
    ]
    times = Counter(deed.text for deed in found)
    return [deed for deed in found if times[deed.text] == 1]


def _of_passage(passage: str, place: int, names: Names, by_form: Mapping[str, Person]) -> Iterator[Deed]:
    """The events of one paragraph; `He` and `She` are the one person that the sentence before them names."""
    before: Person | None = None
    for start, end in spans(passage):
        opened = max((found.start() for found in _OPENS.finditer(passage[:start])), default=-1)
        closed = max((found.start() for found in _CLOSES.finditer(passage[:start])), default=-1)
        if passage.count('"', 0, start) % 2 == 1 or opened > closed:  # within a quotation
            before = None
            continue
        sentence = " ".join(passage[start:end].split())
        pronoun = _PRONOUN.match(sentence)
        if pronoun and before is not None and before.sex == _SEX[pronoun[0]]:
            sentence = f"{before.name}{sentence[pronoun.end() :]}"
        known = [by_form.get(one.form) for one in names.of(sentence)]
        before = known[0] if known and all(one is known[0] for one in known) else None
        deed = _deed(sentence, place, names, by_form)
        if deed is not None:
            yield deed


def _deed(sentence: str, place: int, names: Names, by_form: Mapping[str, Person]) -> Deed | None:
    """The event of a sentence whose subject is a person: near the front, after no preposition, before a past tense."""
    if not FEWER_WORDS <= len(sentence.split()) <= MOST_WORDS or not sentence.endswith("."):
        return None
    if _QUOTED.search(sentence) or _ODD.search(sentence) or not sentence[0].isupper():
        return None
    named = list(names.of(sentence))
    for one in named:
        before = re.findall(r"[\w’']+", sentence[: one.start].lower())
        verb = _VERB.match(sentence, one.end)
        led = len(before) > LEAD_WORDS or (before and before[-1] in _NO_SUBJECT)
        past = verb and (verb[1] in _IRREGULAR or (verb[1].endswith("ed") and verb[1] not in _NOT_PAST))
        if one.form in by_form and past and not led:
            break
    else:
        return None
    if count(sentence) > TOKENS:
        return None
    person = by_form[one.form]
    mine = tuple(one for one in named if by_form.get(one.form) is person)
    others = frozenset(by_form[one.form].name for one in named if one.form in by_form) - {person.name}
    return Deed(text=sentence, passage=place, person=person, named=mine, others=others)


def sentences_of(passages: Sequence[str]) -> frozenset[str]:
    """All sentences of a book, each on one line."""
    return frozenset(" ".join(passage[a:b].split()) for passage in passages for a, b in spans(passage))


def swapped(deed: Deed, other: Person) -> str:
    """The sentence with somebody else in place of the one who acts."""
    text, last = "", 0
    for one in deed.named:
        text += deed.text[last : one.start] + other.name
        last = one.end
    return text + deed.text[last:]
