"""Facts of passages as subject, relation and object: by rules, or by a chat model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from recollect.domain.messages import Message
from recollect.memories.published.chat import ModelCaller, object_schema, texts
from recollect.memories.published.phrases import Phrase, key_of, phrases
from recollect.text.normal import fold
from recollect.text.sentences import split

MOST = 30
"""Facts that a model may take out of one message, and entities of one question."""
_OWN = frozenset({"i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself"})
_TEXT = {"type": "string"}
_FACTS = object_schema(facts={"type": "array", "items": {"type": "array", "items": _TEXT}})
_ENTITIES = object_schema(entities={"type": "array", "items": _TEXT})


class Fact(NamedTuple):
    """One statement. Each part as it was said."""

    subject: str
    relation: str
    object: str


class Noted(NamedTuple):
    """What is taken out of one message."""

    entities: tuple[str, ...]
    """As they were said, in order, as often as they were named."""
    facts: tuple[Fact, ...]


class Extractor(Protocol):
    """Takes facts out of messages and entities out of questions."""

    def note(self, messages: Sequence[Message]) -> list[Noted]:
        """For each message."""
        ...

    def entities(self, question: str) -> list[str]:
        """What a question names."""
        ...


class RuleExtractor:
    """Neighbouring phrases of a sentence, and the words between them as their relation.

    A word without capitals that stands between two names tells how they are related, and is no entity. Where a
    sentence speaks of its speaker, that one is its first entity.
    """

    def note(self, messages: Sequence[Message]) -> list[Noted]:
        """All sentences of each message."""
        return [self._of(message) for message in messages]

    def entities(self, question: str) -> list[str]:
        """All phrases."""
        return [phrase.text for sentence in split(question) for phrase in phrases(sentence)]

    def _of(self, message: Message) -> Noted:
        entities, facts = list[str](), list[Fact]()
        for sentence in split(message.text):
            said = _entities([*_speaker(message.speaker, sentence), *phrases(sentence)])
            entities += [phrase.text for phrase in said]
            facts += [_fact(sentence, one, other) for one, other in pairwise(said)]
        return Noted(tuple(entities), tuple(facts))


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """One call a message and one a question; a blank one needs none."""

    asker: ModelCaller

    def note(self, messages: Sequence[Message]) -> list[Noted]:
        """What the model takes out of each."""
        asked = {(m.text, m.speaker): m for m in messages if m.text.strip()}
        found = self.asker.together([partial(self._of, message) for message in asked.values()])
        by_words = dict(zip(asked, found, strict=True))
        return [by_words.get((m.text, m.speaker), Noted((), ())) for m in messages]

    def entities(self, question: str) -> list[str]:
        """What the model lists."""
        return list(self.asker.value("entities", {"question": question}, _ENTITIES, texts("entities", MOST)))

    def _of(self, message: Message) -> Noted:
        values = {"passage": message.text, "speaker": message.speaker or "the speaker", "most": str(MOST)}
        facts = self.asker.value("facts", values, _FACTS, _facts)
        return Noted(tuple(said for fact in facts for said in (fact.subject, fact.object)), facts)


def _speaker(name: str, sentence: str) -> Iterator[Phrase]:
    """Who speaks, as a name before the sentence, if it speaks of who speaks."""
    if name and _OWN.intersection(fold(sentence).split()):
        yield Phrase(key_of(name), name, 0, 0, is_name=True)


def _entities(said: Sequence[Phrase]) -> list[Phrase]:
    """Phrases but for those that only tie two names together."""
    return [phrase for place, phrase in enumerate(said) if not _is_tie(said, place)]


def _is_tie(said: Sequence[Phrase], place: int) -> bool:
    inside = 0 < place < len(said) - 1
    return inside and not said[place].is_name and said[place - 1].is_name and said[place + 1].is_name


def _fact(sentence: str, one: Phrase, other: Phrase) -> Fact:
    return Fact(one.text, " ".join(sentence[one.end : other.start].split()), other.text)


def _facts(said: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Facts of a reply; one whose ends have no word says nothing."""
    rows = said.get("facts")
    if not isinstance(rows, list):
        raise ValueError("`facts` is no list")
    if not all(isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row) for row in rows):
        raise ValueError("an entry of `facts` is not three texts")
    return tuple(_useful(rows))[:MOST]


def _useful(rows: Sequence[Sequence[str]]) -> Iterator[Fact]:
    for subject, relation, other in rows:
        if key_of(subject) and key_of(other):
            yield Fact(subject.strip(), relation.strip(), other.strip())
