"""Does a text decline to answer?"""

from __future__ import annotations

import re
from typing import Literal

from recollect.judging.lexicon import ABSTENTIONS, GUESSES
from recollect.text.normal import fold

_declines = re.compile("|".join(f"(?:{pattern})" for pattern in ABSTENTIONS), re.MULTILINE)
_guess = re.compile(rf"\b(?:{'|'.join(sorted(GUESSES))})\b")

Declining = Literal["yes", "guess", "no"]


def declines(text: str) -> Declining:
    """Whether *text* says that it cannot answer; `guess` where it then answers all the same."""
    said = " ".join(fold(text).split())
    found = _declines.search(said)
    if found is None:
        return "no"
    return "guess" if _guess.search(said, found.end()) else "yes"
