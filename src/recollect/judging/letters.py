"""Multiple choice: one letter, read strictly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.domain.questions import Option
from recollect.judging.findings import Finding, no, yes

_ALONE = re.compile(r"^\W*(?:option\s+|choice\s+|answer\s+)?\W*([a-z])\W*$", re.IGNORECASE)
_IN_FRONT = re.compile(r"^[\s(\[*\"']*([A-Za-z])[\s*\"']*[)\].:][\s*]*(?!\w\.)", re.ASCII)
_ANNOUNCED = re.compile(
    r"\b(?:answer|option|choice)\b[\s*:]*(?:is|was|would be|=)?[\s*:]*(?:option|choice)?[\s(\[*\"']*([A-Z])\b(?!['’])"
)
_BARE = re.compile(r"(?<![\w'’])([A-Z])(?![\w'’.]\w)(?!['’]\w)\b")


def judge_letter(reply: str, gold: Sequence[str], options: Sequence[Option]) -> Finding:
    """Right where the reply names one letter and it is the gold one."""
    said = letters_in(reply, [option.letter for option in options])
    wanted = {letter.strip().strip("().").upper() for letter in gold}
    if not said:
        return no("letter_missing", f"no letter in {reply[:40]!r}")
    if len(said) > 1:
        return no("letter_several", ", ".join(sorted(said)))
    (letter,) = said
    return yes("letter", letter) if letter in wanted else no("letter_other", f"{letter}, not {'/'.join(sorted(wanted))}")


def letters_in(reply: str, known: Sequence[str]) -> frozenset[str]:
    """Letters that the reply chooses: alone, in front of a text, announced by words, or bare capitals among *known*."""
    allowed = {letter.upper() for letter in known}
    if alone := _ALONE.match(reply):
        return frozenset({alone[1].upper()})
    announced = {letter for letter in _ANNOUNCED.findall(reply) if letter in allowed}
    if announced:
        return frozenset(announced)
    if front := _IN_FRONT.match(reply):
        return frozenset({front[1].upper()})
    return frozenset(letter for letter in _BARE.findall(_without_articles(reply)) if letter in allowed)


def _without_articles(reply: str) -> str:
    """The capitals A and I that are words of a sentence are no choices."""
    return re.sub(r"(?:^|(?<=[.!?]\s))(?:A|I)\s+(?=[a-z])|\bI\b(?=\s+[a-z])", "", reply)
