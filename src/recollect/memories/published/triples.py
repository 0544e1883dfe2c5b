"""Facts of passages as subject, relation and object: by rules, or by a chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from recollect.domain.messages import Message
from recollect.memories.published.chat import ModelCaller, object_schema, texts
from recollect.memories.published.phrases import Phrase, key_of, phrases
from recollect.text.normal import fold
from recollect.text.sentences import split

MOST = 30
"""Facts that a model may extract from one message, and entities of one question."""
_OWN = frozenset({"i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself"})
_TEXT = {"type": "string"}
_FACTS = object_schema(facts={"type": "array", "items": {"type": "array", "items": _TEXT}})
_ENTITIES = object_schema(entities={"type": "array", "items": _TEXT})


class Fact(NamedTuple):
    """One statement, as worded."""

    subject: str
    relation: str
    object: str


class Noted(NamedTuple):
    """What is extracted from one message."""

    entities: tuple[str, ...]
    """As worded, in order, with repeats."""
    facts: tuple[Fact, ...]


class RuleExtractor:
    """Neighbouring phrases of a sentence, and the words between them as their relation.

    A phrase without capitals between two names is their relation, and no entity. Where a sentence is about its
    speaker, the speaker is its first entity.
    """

    def note(self, messages: Sequence[Message]) -> list[Noted]:
        return [self._noted(message) for message in messages]

    def entities(self, question: str) -> list[str]:
        return [phrase.text for sentence in split(question) for phrase in phrases(sentence)]

    def _noted(self, message: Message) -> Noted:
        entities, facts = list[str](), list[Fact]()
        for sentence in split(message.text):
            found = phrases(sentence)
            if message.speaker and _OWN.intersection(fold(sentence).split()):
                found.insert(0, Phrase(key_of(message.speaker), message.speaker, 0, 0, is_name=True))
            is_name = [phrase.is_name for phrase in found]
            kept = [
                phrase for at, phrase in enumerate(found) if is_name[max(at - 1, 0) : at + 2] != [True, False, True]
            ]
            entities += [phrase.text for phrase in kept]
            for subject, object_ in pairwise(kept):
                relation = " ".join(sentence[subject.end : object_.start].split())
                facts.append(Fact(subject.text, relation, object_.text))
        return Noted(tuple(entities), tuple(facts))


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """One call a message and one a question; a blank one needs none."""

    asker: ModelCaller

    def note(self, messages: Sequence[Message]) -> list[Noted]:
        asked = {(m.text, m.speaker): m for m in messages if m.text.strip()}
        found = self.asker.together([partial(self._noted, message) for message in asked.values()])
        by_words = dict(zip(asked, found, strict=True))
        return [by_words.get((m.text, m.speaker), Noted((), ())) for m in messages]

    def entities(self, question: str) -> list[str]:
        return list(self.asker.value("entities", {"question": question}, _ENTITIES, texts("entities", MOST)))

    def _noted(self, message: Message) -> Noted:
        values = {"passage": message.text, "speaker": message.speaker or "the speaker", "most": str(MOST)}
        facts = self.asker.value("facts", values, _FACTS, _facts)
        return Noted(tuple(name for fact in facts for name in (fact.subject, fact.object)), facts)


Extractor = RuleExtractor | ModelExtractor
"""Extracts facts from messages and entities from questions."""


def _facts(reply: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Facts of a reply; those whose subject or object has no word are left out."""
    rows = reply.get("facts")
    if not isinstance(rows, list):
        raise ValueError("`facts` is no list")
    if not all(isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row) for row in rows):
        raise ValueError("an entry of `facts` is not three texts")
    useful = [row for row in rows if key_of(row[0]) and key_of(row[2])]
    return tuple(Fact(*(part.strip() for part in row)) for row in useful[:MOST])
