"""Which of two values does a text say holds now?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from recollect.judging.lexicon import LATER_NOW, LATER_PAST, NOW_CUES, PAST_CUES, PAST_QUESTION
from recollect.judging.said import Said

State = Literal["past", "now", "open"]

_past = tuple(tuple(cue.split()) for cue in PAST_CUES)
_now = tuple(tuple(cue.split()) for cue in NOW_CUES)
_PIVOTS = frozenset(("and", "but", "then", "so"))


def state_at(said: Said, at: int) -> State:
    """Whether the value at *at* is told as past or present, by the nearest cue before it in its part of a clause."""
    start, end = _part(said, at)
    before = said.words[start:at]
    for place in range(len(before) - 1, -1, -1):
        past, now = _cue_at(before, place, _past), _cue_at(before, place, _now)
        if past or now:
            return "past" if past >= now else "now"
    behind = said.words[at:end]
    if any(word in LATER_PAST for word in behind):
        return "past"
    return "now" if any(word in LATER_NOW for word in behind) else "open"


def superseded(question: Said, said: Said, at: int) -> bool:
    """Whether another part of the text says what holds now, and the question asks for that."""
    if not PAST_QUESTION.isdisjoint(question.words):
        return False
    start, end = _part(said, at)
    others = (*said.words[:start], "|", *said.words[end:])
    return any(word in LATER_NOW for word in others)


def last_state(said: Said, accepted: Sequence[int], rejected: Sequence[int]) -> bool:
    """Whether the text tells the rejected values as past and an accepted one as not past."""
    if not accepted or not rejected:
        return False
    over = all(state_at(said, at) == "past" for at in rejected)
    return over and any(state_at(said, at) != "past" for at in accepted)


def _part(said: Said, at: int) -> tuple[int, int]:
    """The stretch around *at* without a clause border, `and`, `but` or `then`."""
    start = max((begin for begin in said.starts if begin <= at), default=0)
    end = min((stop for stop in said.clause_ends if stop > at), default=len(said.words))
    start = max([start, *(place + 1 for place in range(start, at) if said.words[place] in _PIVOTS)])
    return start, min([end, *(place for place in range(at, end) if said.words[place] in _PIVOTS)])


def _cue_at(before: Sequence[str], place: int, cues: Sequence[tuple[str, ...]]) -> int:
    """Length of the longest cue whose last word stands at *place*; 0 where none does."""
    told = tuple(before[: place + 1])
    return max((len(cue) for cue in cues if told[len(told) - len(cue) :] == cue), default=0)
