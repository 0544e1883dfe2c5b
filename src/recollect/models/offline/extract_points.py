"""How much a sentence tells: a few points for what facts are made of."""

from __future__ import annotations

import re

from recollect.models.offline.lexicon import ASKERS, COUNTS, GREETINGS, PRONOUNS, SIGNALS, TIMES
from recollect.text.normal import fold, search_tokens

LEAST_CONTENT = 5
SHORT_GREETING = 6
"""A sentence of fewer words that opens with a greeting loses two points."""
SHORT = 3
"""A sentence of fewer words loses one."""

_word = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def points_of(sentence: str) -> int | None:
    """Points of one sentence; `None` for a question, which tells nothing.

    One each for a person (pronoun), a signal (number, date, verb of change, possession or preference), a capitalised
    word inside, and five content words; two less for a short greeting, one less for a scrap.
    """
    said = _word.findall(fold(sentence))
    if is_question(sentence):
        return None
    told = set(said)
    found = (
        not told.isdisjoint(PRONOUNS),
        any(sign.isdigit() for sign in sentence) or not told.isdisjoint(SIGNALS | TIMES | COUNTS),
        _names_something(sentence),
        len(search_tokens(sentence, stemmed=False)) >= LEAST_CONTENT,
    )
    greeting = said[:1] and said[0] in GREETINGS and len(said) < SHORT_GREETING
    return sum(found) - 2 * bool(greeting) - (len(said) < SHORT)


def is_question(sentence: str) -> bool:
    """Whether the sentence asks: it ends in a question mark, or opens like a question and ends in nothing."""
    stripped = sentence.rstrip("\"'”’)]* ")
    if stripped.endswith("?"):
        return True
    opening = _word.match(fold(stripped))
    return (
        opening is not None and opening[0] in ASKERS and not stripped.endswith((".", "!")) and len(stripped.split()) > 2
    )


def _names_something(sentence: str) -> bool:
    """A capitalised word that does not open the sentence; `I` is none."""
    words = _word.findall(sentence)
    return any(word[0].isupper() and not word.startswith(("I'", "I’")) and word != "I" for word in words[1:])
