"""Slots: what a statement says of whom.

A slot is (subject, relation); the rest is the value. Relations that may have many values (likes, visited, owns) say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.offline.lexicon import BRIDGES, FILLERS, LINKS, MANY_VALUED, STATUS, VERBS
from recollect.text.normal import fold, stem, words
from recollect.text.sentences import split
from recollect.text.words import PRONOUNS

_note = re.compile(r"\s*\([^()]*\)")
_label = re.compile(r"^(?:[^\W\d_][^\W_]*\s?){1,3}:\s+")
_token = re.compile(r"[^\W_]+(?:[.&’'/-][^\W_]+)*\.?(?=\s|$|\W)|[^\W_]+")
_INSIDE_NAMES = frozenset(("of", "the", "and", "for", "de", "la", "du", "van", "von", "in", "at", "on", "to"))
MOST_VALUE_WORDS = 12
"""A longer value is a story; two of them never count as one slot."""
MOST_THING_WORDS = 4
"""A value of so few words is a thing or a name."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement, parted."""

    subject: str
    """Normalised."""
    relation: str
    """Stems of the words between subject and value."""
    value: str
    """As it was said."""
    many: bool
    """The relation may have several values at once."""

    @property
    def key(self) -> tuple[str, str]:
        """What two statements share that speak of the same thing."""
        return self.subject, self.relation


def slot_of(statement: str) -> Slot | None:
    """The slot of the first sentence of *statement*, or `None` where it has no verb that parts it."""
    # the first sentence, without notes in brackets and words such as `now`; a possessive is kept whole
    sentence = next(iter(split(_label.sub("", _note.sub("", statement)))), "").rstrip(".!?… ")
    tokens = [token for token in _token.findall(sentence) if fold(token) not in FILLERS]
    links = [place for place, token in enumerate(tokens) if place and fold(token) in LINKS]
    verbs = [place for place, token in enumerate(tokens) if place and token in VERBS]
    places = links[:1] if links and tokens[0].casefold() == "the" else [*links, *verbs]
    if not places:
        return None
    verb = min(places)
    start = _value_at(tokens, verb)
    subject, relation, value = tokens[:verb], tokens[verb:start], tokens[start:]
    if not value or len(value) > MOST_VALUE_WORDS:
        return None
    # a pronoun stands for what is told, or for all that is told of it
    opening = re.split("['’]", fold(subject[0]))[0]
    if opening in PRONOUNS or opening == "let" or all(fold(word) in PRONOUNS for word in value):
        return None
    return Slot(
        subject=" ".join(words(" ".join(subject))),
        relation=" ".join(stem(word) for word in words(" ".join(relation)) if word not in FILLERS),
        value=" ".join(value),
        many=not _has_one_value(subject, [fold(word) for word in relation], value),
    )


def _value_at(tokens: Sequence[str], verb: int) -> int:
    """Where the value starts.

    `The capital of X is | Y`: behind the link, where the subject itself names the relation and no participle follows.
    Else behind the last function word, moved back over names (`at the | University of Y`).
    """
    done = "".join(tokens[verb + 1 : verb + 2]).endswith("ed")
    if fold(tokens[verb]) in LINKS and _names_relation(tokens[:verb]) and not done:
        return verb + 1
    start = max(place for place in range(verb, len(tokens)) if place == verb or fold(tokens[place]) in BRIDGES) + 1
    while True:  # moved back to where a name starts that goes on over words such as `of the`
        end = start
        while end - 1 > verb and fold(tokens[end - 1]) in _INSIDE_NAMES:
            end -= 1
        first = end
        while first - 1 > verb and _is_name(tokens[first - 1]):
            first -= 1
        if not first < end < start:
            return min(start, len(tokens))
        start = first


def _names_relation(subject: Sequence[str]) -> bool:
    """Whether a subject such as `the capital of X` or `X's job` holds the relation; a name does not."""
    folded = [fold(token) for token in subject]
    if all(_is_name(token) or word in _INSIDE_NAMES for token, word in zip(subject, folded, strict=True)):
        return False
    return folded[0] == "the" or "of" in folded or any(token.endswith(("'s", "’s", "s'", "s’")) for token in folded)


def _has_one_value(subject: Sequence[str], relation: Sequence[str], value: Sequence[str]) -> bool:
    """Whether a second value would push out the first: it is known what is told, and the value is a thing."""
    if len(value) > MOST_THING_WORDS and not (_is_name(value[0]) and _is_name(value[-1])):
        return False
    if _names_relation(subject) or not STATUS.isdisjoint(relation):
        return True
    tells = any(word not in LINKS and word not in BRIDGES for word in relation)
    return tells and MANY_VALUED.isdisjoint(relation) and not any(word.endswith("ing") for word in relation)


def _is_name(token: str) -> bool:
    return token[:1].isupper() or token[:1].isdigit()
