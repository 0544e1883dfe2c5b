"""Whether the answer names the reference, even misspelt, asserts it, and asserts it of the present; also for lists."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Literal

from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.lexicon import (
    ALTERNATIVE,
    CHANGES_MEANING,
    EXCLUDERS,
    GENERIC,
    KEPT,
    LATER_NOW,
    LATER_PAST,
    NEGATORS,
    NOW_CUES,
    PAST_CUES,
    PAST_QUESTION,
    UNIVERSAL,
)
from recollect.offline.judge.polarity import denials
from recollect.offline.judge.texts import PreparedText, affirmed_negators, positions_of, prepare
from recollect.text.words import AUXILIARIES, PRONOUNS

REACH = 4
"""Words of its clause before a mention in which a negator denies it."""
LEAST_DUMP = 3
"""So many items may stand for one."""
SHORT_ITEM_WORDS = 4
SHORTER_SHARE = 2 / 3
"""Least share of the reference's content words that a shorter form keeps, where it is no name."""

_hyphened = re.compile(r"\w+(?:-\w+)+")
_excluders = tuple(tuple(phrase.split()) for phrase in EXCLUDERS)


def judge_same_words(_: PreparedText, ref: PreparedText, said: PreparedText) -> Finding | None:
    """Accept the same content words; in any order, where none of them counts or compares."""
    same = sorted(ref.content) == sorted(said.content) and len(ref.content) > 0
    fixed = any(stemmed[:1].isdigit() or stemmed in KEPT for stemmed in ref.content)
    free = not fixed or ref.content == said.content
    return yes("same_words") if same and free else None


def judge_named(question: PreparedText, ref: PreparedText, said: PreparedText) -> Finding | None:
    """Accept the reference as a run of whole words, unless it is denied, shut out, one of two, or outdated."""
    found = mentions(ref, said)
    if not found:
        return None
    findings = [_meant(question, ref, said, at) for at in found]
    return next((finding for finding in findings if finding.right), findings[0])


def judge_dump(ref: PreparedText, said: PreparedText) -> Finding | None:
    """Refuse a list of guesses: more than three items, and more than twice those of the reference."""
    limit = max(LEAST_DUMP, 2 * len(ref.items))
    short = [item for item in said.items if len(item.split()) <= SHORT_ITEM_WORDS]
    if len(said.items) > limit and len(short) > limit:
        return no("dumped", f"{len(said.items)} items for {len(ref.items)}")
    return None


def judge_shorter(_: PreparedText, ref: PreparedText, said: PreparedText) -> Finding | None:
    """Accept a part of a name, or most of a phrase, if it alone names something."""
    kept, full = set(said.content), set(ref.content)
    if not kept or not kept < full or not kept - GENERIC or denials(said):
        return None
    lost = full - kept
    if any(stemmed[:1].isdigit() for stemmed in lost) or _breaks_compound(ref, kept, lost):
        return None
    is_name = bool(kept & ref.names) and lost <= ref.names | GENERIC
    return yes("shorter_form") if is_name or len(kept) >= SHORTER_SHARE * len(full) else None


def mentions(ref: PreparedText, said: PreparedText) -> list[int]:
    """Positions at which the reference stands in the answer, word by word; its function words may be left out."""
    exact = positions_of(ref.stems, said)
    return exact or (positions_of(ref.content, said) if ref.content else [])


def denied(said: PreparedText, at: int, *, size: int, negators: bool = True) -> bool:
    """Whether what stands at *at* is negated or shut out by the words around it in its clause."""
    start = max((begin for begin in said.starts if begin <= at), default=0)
    end = min((stop for stop in said.clause_ends if stop > at), default=len(said.words))
    masked = affirmed_negators(said)
    before = [word for place, word in enumerate(said.words[start:at], start) if place not in masked]
    if any(_ends_with(before, phrase) for phrase in _excluders) or _all_but(before):
        return True
    behind = [word for word in said.words[at + size : end][:3] if word not in PRONOUNS]
    denied_behind = behind[:1] == ["never"] or (behind[1:2] == ["not"] and behind[0] in AUXILIARIES)
    last_but = max((place + 1 for place, word in enumerate(before) if word == "but"), default=0)
    return negators and (denied_behind or not NEGATORS.isdisjoint(before[last_but:][-REACH:]))


def _meant(question: PreparedText, ref: PreparedText, said: PreparedText, at: int) -> Finding:
    size = len(ref.stems) if positions_of(ref.stems, said) else len(ref.content)
    if denied(said, at, size=size, negators=not denials(ref) and not denials(question)):
        return no("negated", f"in {said.text[:60]!r}")
    around = (*said.words[max(0, at - 1) : at], *said.words[at + size : at + size + 1])
    if ALTERNATIVE in around and ALTERNATIVE not in ref.words:
        return no("alternatives", f"in {said.text[:60]!r}")
    if at and said.words[at - 1] in CHANGES_MEANING and said.words[at - 1] not in question.words:
        return no("other_thing", f"{said.words[at - 1]} {ref.text}")
    if state_at(said, at) == "past" and superseded(question, said, at):
        return no("superseded", f"in {said.text[:60]!r}")
    return yes("exact") if said.stems == ref.stems else yes("named")


def _all_but(before: Sequence[str]) -> bool:
    """All nuts but, everything but."""
    return before[-1:] == ["but"] and not UNIVERSAL.isdisjoint(before)


def _breaks_compound(ref: PreparedText, kept: Set[str], lost: Set[str]) -> bool:
    """Whether a hyphenated word keeps one part and loses another: a brother is no brother-in-law."""
    compounds = (set(prepare(word).stems) for word in _hyphened.findall(ref.text))
    return any(parts & kept and parts & lost for parts in compounds)


def _ends_with(before: Sequence[str], phrase: tuple[str, ...]) -> bool:
    """Whether *phrase* stands directly before, or one word away."""
    return any(tuple(before[len(before) - len(phrase) - gap :][: len(phrase)]) == phrase for gap in (0, 1))


State = Literal["past", "now", "open"]

_past = tuple(tuple(cue.split()) for cue in PAST_CUES)
_now = tuple(tuple(cue.split()) for cue in NOW_CUES)
_PIVOTS = frozenset(("and", "but", "then", "so"))


def state_at(said: PreparedText, at: int) -> State:
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


def superseded(question: PreparedText, said: PreparedText, at: int) -> bool:
    """Whether another part of the text says what holds now, and the question asks for that."""
    if not PAST_QUESTION.isdisjoint(question.words):
        return False
    start, end = _part(said, at)
    others = (*said.words[:start], "|", *said.words[end:])
    return any(word in LATER_NOW for word in others)


def last_state(said: PreparedText, accepted: Sequence[int], rejected: Sequence[int]) -> bool:
    """Whether the text tells the rejected values as past and an accepted one as not past."""
    if not accepted or not rejected:
        return False
    over = all(state_at(said, at) == "past" for at in rejected)
    return over and any(state_at(said, at) != "past" for at in accepted)


def _part(said: PreparedText, at: int) -> tuple[int, int]:
    """The stretch around *at* without a clause border, `and`, `but` or `then`."""
    start = max((begin for begin in said.starts if begin <= at), default=0)
    end = min((stop for stop in said.clause_ends if stop > at), default=len(said.words))
    start = max([start, *(place + 1 for place in range(start, at) if said.words[place] in _PIVOTS)])
    return start, min([end, *(place for place in range(at, end) if said.words[place] in _PIVOTS)])


def _cue_at(before: Sequence[str], place: int, cues: Sequence[tuple[str, ...]]) -> int:
    """Length of the longest cue whose last word stands at *place*; 0 where none does."""
    told = tuple(before[: place + 1])
    return max((len(cue) for cue in cues if told[len(told) - len(cue) :] == cue), default=0)


LEAST_LETTERS = 7
LONG_LETTERS = 10
"""Where both words have so many, two slips are let through."""


def judge_spelling(_: PreparedText, ref: PreparedText, said: PreparedText) -> Finding | None:
    """Accept where each content word of the reference stands in the answer, long ones with a slip."""
    if not ref.content or len(said.content) > 2 * len(ref.content) + 4:
        return None
    slips = []
    for word, stemmed in zip(ref.words, ref.stems, strict=True):
        if stemmed not in ref.content or stemmed in said.stems:
            continue
        match = next((other for other in said.words if misspelt(word, other)), None)
        if match is None:
            return None
        slips.append(f"{match} for {word}")
    return yes("typo", ", ".join(slips)) if slips else None


@lru_cache(maxsize=16384)
def misspelt(word: str, other: str) -> bool:
    """Whether two long words differ by a slip of spelling and start alike."""
    if min(len(word), len(other)) < LEAST_LETTERS - 1 or max(len(word), len(other)) < LEAST_LETTERS:
        return False
    if word[0] != other[0] or not (word.isalpha() and other.isalpha()):
        return False
    from rapidfuzz.distance import OSA

    return bool(OSA.distance(word, other) <= (2 if min(len(word), len(other)) >= LONG_LETTERS else 1))


LONGEST_ITEM = 4
"""Content words of an item; a longer one is a clause, and the reference no list."""


def judge_list(question: PreparedText, ref: PreparedText, said: PreparedText) -> Finding | None:
    """Accept where all items are named, refuse where short ones are missing; `None` where the reference is no list."""
    items = [prepare(item) for item in ref.items]
    if len(items) < 2 or any(not 1 <= len(item.content) <= LONGEST_ITEM for item in items):
        return None
    named = [item for item in items if names_item(question, item, said)]
    share = f"{len(named)} of {len(items)}"
    return yes("list_coverage", share) if len(named) == len(items) else no("list_coverage", share)


def names_item(question: PreparedText, item: PreparedText, said: PreparedText) -> bool:
    """Whether one thing is named and not denied: side by side where it counts or compares, else anywhere."""
    content = [stemmed for stemmed in item.content if stemmed not in question.content] or list(item.content)
    if any(stemmed.isdigit() or stemmed in KEPT for stemmed in content):
        return any(not denied(said, at, size=len(content)) for at in positions_of(content, said))
    found = [_place(stemmed, said) for stemmed in content]
    return all(at is not None and not denied(said, at, size=1) for at in found)


def _place(wanted: str, said: PreparedText) -> int | None:
    return next((at for at, stemmed in enumerate(said.stems) if stemmed == wanted or misspelt(wanted, stemmed)), None)
