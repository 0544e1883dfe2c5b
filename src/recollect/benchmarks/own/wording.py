"""Says what is wrong with a field in the words of the format, where the reader of values speaks of its own types."""

from __future__ import annotations

import re

_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"Field required, got .*", "is missing"),
        (r"Input should be a valid string(?=, got )", "must be a text in quotes"),
        (r"Input should be a valid (?:tuple|list)(?=, got )", "must be a list in brackets"),
        (r"Input should be a valid (?:dictionary|mapping)(?=, got )", "must be an object of names and texts"),
        (r"Input should be a valid boolean.*?(?=, got )", "must be true or false"),
        (r"Input should be a dictionary or an instance of MessageRow", "must be an object that has at least `text`"),
        (r"Input should be a dictionary or an instance of \w+", "must be an object"),
        (r"Input should be (?=')", "must be "),
    )
)
_JSON = {"None": "null", "True": "true", "False": "false"}


def in_words(problem: str) -> str:
    """A problem that `recollect.records.codec.read` found; one that is not known here stays as it is."""
    found = re.fullmatch(r"(`[^`]*`): (.*)", problem, re.S)
    if found is None:
        return problem
    field, said = found.groups()
    for pattern, words in _WORDS:
        if pattern.match(said):
            where = "the line" if field == "`value`" else field
            return _as_json(f"{where} {pattern.sub(words, said, count=1)}")
    return problem


def _as_json(text: str) -> str:
    """Its value at the end as the file spells it."""
    said, got, value = text.rpartition(", got ")
    return f"{said}{got}{_JSON.get(value, value)}"
