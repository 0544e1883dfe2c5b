"""A picture in words, behind what was said with it; and the two apart again."""

from __future__ import annotations

import re

_PICTURE = re.compile(r"(?:(.*) )?\[shows: (.*)\]", re.DOTALL)


def in_words(text: str, caption: str) -> str:
    """The text of a message: what was said, and in brackets what the picture shows."""
    return " ".join(filter(None, (text, f"[shows: {caption}]" if caption else "")))


def apart(text: str) -> tuple[str, str | None]:
    """What was said, and the caption if there is one; `in_words` makes the same text of both again."""
    found = _PICTURE.fullmatch(text)
    return (found[1] or "", found[2]) if found and found[2] else (text, None)
