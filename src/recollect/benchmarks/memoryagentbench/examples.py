"""The context of multi-class classification: labelled examples, each followed by a blank line."""

from __future__ import annotations

import re
from collections.abc import Sequence

_EXAMPLE = re.compile(r"\s*(\S.*?\nlabel:[ \t]*(\d{1,9}))[ \t]*(?:\n[ \t]*(?=\n)|\s*\Z)", re.DOTALL | re.IGNORECASE)
_END = re.compile(r"\s*\Z")
_LABEL = re.compile(r"\nlabel:[ \t]*(\d{1,9})\Z", re.IGNORECASE)


def context_of(texts: Sequence[str]) -> str:
    """The messages as one text."""
    return "".join(f"{text}\n\n" for text in texts)


def example(text: str, label: int) -> str:
    """One example as it is shown."""
    return f"{text}\nlabel: {label}"


def texts_of(context: str) -> list[str]:
    """Each example, its label line included.

    Raises:
        ValueError: Something in it is no labelled example.
    """
    texts: list[str] = []
    place = 0
    while not _END.match(context, place):
        found = _EXAMPLE.match(context, place)
        if found is None:
            raise ValueError(f"no labelled example (text, then a line `label: 7`) at character {place}")
        texts.append(found[1])
        place = found.end()
    if not texts:
        raise ValueError("there is no labelled example in it (text, then a line `label: 7`)")
    return texts


def label_of(text: str) -> str | None:
    """The label of one example, as it is printed."""
    found = _LABEL.search(text)
    return found[1] if found else None


def utterance_of(text: str) -> str:
    """The example without its label line."""
    return _LABEL.sub("", text)
