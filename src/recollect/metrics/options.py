"""Which option of a multiple choice a reply commits to, or none: a parser that would rather refuse than guess."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from recollect.metrics.parsing import marked_answer, visible

_FIELDS = ("answer", "choice", "option")
_MARKUP = re.compile(r"[*_`\"“”$]|'(?=\w')|(?<=\b\w)'(?!\w)")


def option_letter(reply: str, *, letters: str = "ABCD") -> str | None:
    """The one option that a reply commits to.

    Rules from the plainest to the weakest; the first that finds a letter decides, and two letters under one
    rule are no commitment: a marked field or box, the letter alone, a stated answer, a choice in words, a
    named option, a line that starts with the letter, a letter that ends the reply. `A` before a lower-case
    word is an article; what a reply calls wrong is not its choice.

    Args:
        reply: The raw reply.
        letters: The letters of the options, upper-case.

    Returns:
        One of *letters*; `None` where the reply names none, several, or something else.

    Raises:
        TypeError: If the reply is no text.

    Source:
        Ours; checked against the hand-made verdicts of `tests/reference/test_metrics_parity.py`.
    """
    said = visible(reply)
    marked = marked_answer(said, _FIELDS)
    said = _MARKUP.sub("", said if marked is None else marked.text)
    for rule in _rules(letters):
        found: set[str] = {letter.upper() for letter in rule.findall(said)}
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return _closing_letter(said, letters)


@lru_cache(maxsize=64)
def _rules(letters: str) -> Sequence[re.Pattern[str]]:
    """One pattern per rule, each with the letter as its only group."""
    any_case = f"[{letters}{letters.lower()}]"
    no_words = "".join(letter for letter in letters if letter not in "AI")
    ended = rf"(?:(?=\s*(?:\Z|[\n.)\]}},;:!?]))|(?=\s+(?:because|since)\b)|(?<=[{no_words}])(?=\s))"
    letter = rf"[(\[{{]?({any_case}){ended}"
    stated = r"(?i:\b(?:answer|correct|choice|option)|答案)\s*(?i:is\b|是|[:=-])\s*(?i:option\s+)?"
    chosen = r"(?i:\b(?:choose|pick|select|go\s+with|say|must\s+be|so|therefore|thus)),?\s+(?i:(?:option|choice)\s+)?"
    wrong = r"(?!\W*\s(?i:(?:is|was)\s+(?:wrong|incorrect|not|outdated|false)))"
    return [
        re.compile(rf"\A\W*({any_case})\W*\Z"),
        re.compile(stated + letter),
        re.compile(chosen + letter),
        re.compile(rf"(?i:\boption)\s+[(\[]?([{letters}])\b{wrong}"),
        re.compile(rf"(?m)^\s*\(?({any_case})(?:[).:](?=\s)|\s*$)"),
    ]


def _closing_letter(said: str, letters: str) -> str | None:
    """A capital that ends the reply after a stop, comma or colon, if no other option is named anywhere."""
    closing = re.search(rf"[.,;:]\s+([{letters}])\W*\Z", said)
    named: set[str] = set(re.findall(rf"\b(?!A\s+[a-z])([{letters}])\b", said))
    return named.pop() if closing and named == {closing[1]} else None
