"""Whether the answer names the reference, even misspelt, asserts it, and asserts it of the present; also for lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from recollect.offline.judge import lexicon
from recollect.offline.judge.findings import Finding, no, yes
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
_excluders = tuple(tuple(phrase.split()) for phrase in lexicon.EXCLUDERS)


def judge_same_words(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept the same content words; in any order, where none of them counts or compares."""
    same = sorted(ref.content) == sorted(answer.content) and len(ref.content) > 0
    fixed = any(stemmed[:1].isdigit() or stemmed in lexicon.KEPT for stemmed in ref.content)
    return yes("same_words") if same and (not fixed or ref.content == answer.content) else None


def judge_named(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept the reference as a run of whole words, unless it is denied, shut out, one of two, or outdated."""
    findings = [_judge_mention(question, ref, answer, at) for at in mentions(ref, answer)]
    return next((finding for finding in findings if finding.right), next(iter(findings), None))


def judge_dump(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Refuse a list of guesses: more than three items, and more than twice those of the reference."""
    limit = max(LEAST_DUMP, 2 * len(ref.items))
    short = [item for item in answer.items if len(item.split()) <= SHORT_ITEM_WORDS]
    return no("dumped", f"{len(answer.items)} items for {len(ref.items)}") if len(short) > limit else None


def judge_shorter(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept a part of a name, or most of a phrase, if it alone names something."""
    kept, full = set(answer.content), set(ref.content)
    if not kept or not kept < full or not kept - lexicon.GENERIC or denials(answer):
        return None
    lost = full - kept
    compounds = (set(prepare(word).stems) for word in _hyphened.findall(ref.text))
    broken = any(parts & kept and parts & lost for parts in compounds)  # a brother is no brother-in-law
    if broken or any(stemmed[:1].isdigit() for stemmed in lost):
        return None
    is_name = bool(kept & ref.names) and lost <= ref.names | lexicon.GENERIC
    return yes("shorter_form") if is_name or len(kept) >= SHORTER_SHARE * len(full) else None


def mentions(ref: PreparedText, answer: PreparedText) -> list[int]:
    """Positions at which the reference stands in the answer, word by word; its function words may be left out."""
    return positions_of(ref.stems, answer) or positions_of(ref.content, answer)


def denied(answer: PreparedText, at: int, *, size: int, negators: bool = True) -> bool:
    """Whether what stands at *at* is negated or shut out by the words around it in its clause."""
    start, end = answer.clause_at(at)
    masked = affirmed_negators(answer)
    before = [word for place, word in enumerate(answer.words[start:at], start) if place not in masked]
    shut_out = any(
        tuple(before[len(before) - len(phrase) - gap :][: len(phrase)]) == phrase
        for phrase in _excluders
        for gap in (0, 1)  # directly before, or one word away
    )
    if shut_out or (before[-1:] == ["but"] and not lexicon.UNIVERSAL.isdisjoint(before)):
        return True
    behind = [word for word in answer.words[at + size : end][:3] if word not in PRONOUNS]
    denied_behind = behind[:1] == ["never"] or (behind[1:2] == ["not"] and behind[0] in AUXILIARIES)
    last_but = max((place + 1 for place, word in enumerate(before) if word == "but"), default=0)
    return negators and (denied_behind or not lexicon.NEGATORS.isdisjoint(before[last_but:][-REACH:]))


def _judge_mention(question: PreparedText, ref: PreparedText, answer: PreparedText, at: int) -> Finding:
    """Whether the mention at *at* asserts the reference, of the time that the question asks about."""
    size = len(ref.stems) if positions_of(ref.stems, answer) else len(ref.content)
    excerpt = f"in {answer.text[:60]!r}"
    before = answer.words[max(0, at - 1) : at]
    if denied(answer, at, size=size, negators=not denials(ref) and not denials(question)):
        return no("negated", excerpt)
    if (
        lexicon.ALTERNATIVE in (*before, *answer.words[at + size : at + size + 1])
        and lexicon.ALTERNATIVE not in ref.words
    ):
        return no("alternatives", excerpt)
    if not lexicon.CHANGES_MEANING.isdisjoint(before) and before[0] not in question.words:
        return no("other_thing", f"{before[0]} {ref.text}")
    if state_at(answer, at) == "past" and _superseded(question, answer, at):
        return no("superseded", excerpt)
    return yes("exact") if answer.stems == ref.stems else yes("named")


State = Literal["past", "now", "open"]

_past = tuple(tuple(cue.split()) for cue in lexicon.PAST_CUES)
_now = tuple(tuple(cue.split()) for cue in lexicon.NOW_CUES)
_PIVOTS = frozenset(("and", "but", "then", "so"))


def state_at(answer: PreparedText, at: int) -> State:
    """Whether the value at *at* is told as past or present, by the nearest cue before it in its part of a clause."""
    start, end = _part(answer, at)
    before = answer.words[start:at]
    for stop in range(len(before), 0, -1):
        past, now = _longest_cue(before[:stop], _past), _longest_cue(before[:stop], _now)
        if past or now:
            return "past" if past >= now else "now"
    behind = answer.words[at:end]
    if not lexicon.LATER_PAST.isdisjoint(behind):
        return "past"
    return "open" if lexicon.LATER_NOW.isdisjoint(behind) else "now"


def _superseded(question: PreparedText, answer: PreparedText, at: int) -> bool:
    """Whether another part of the text says what holds now, and the question asks for that."""
    start, end = _part(answer, at)
    others = (*answer.words[:start], *answer.words[end:])
    return lexicon.PAST_QUESTION.isdisjoint(question.words) and not lexicon.LATER_NOW.isdisjoint(others)


def last_state(answer: PreparedText, accepted: Sequence[int], rejected: Sequence[int]) -> bool:
    """Whether the text tells the rejected values as past and an accepted one as not past."""
    over = bool(rejected) and all(state_at(answer, at) == "past" for at in rejected)
    return over and any(state_at(answer, at) != "past" for at in accepted)


def _part(answer: PreparedText, at: int) -> tuple[int, int]:
    """The stretch around *at* without a clause border, `and`, `but` or `then`."""
    start, end = answer.clause_at(at)
    start = max([start, *(place + 1 for place in range(start, at) if answer.words[place] in _PIVOTS)])
    return start, min([end, *(place for place in range(at, end) if answer.words[place] in _PIVOTS)])


def _longest_cue(words: Sequence[str], cues: Sequence[tuple[str, ...]]) -> int:
    """Length of the longest cue in which *words* end; 0 where they end in none."""
    return max((len(cue) for cue in cues if tuple(words[len(words) - len(cue) :]) == cue), default=0)


LEAST_LETTERS = 7
LONG_LETTERS = 10
"""Where both words have so many, two slips are let through."""


def judge_spelling(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept where each content word of the reference stands in the answer, long ones with a slip."""
    if not ref.content or len(answer.content) > 2 * len(ref.content) + 4:
        return None
    slips = []
    for word, stemmed in zip(ref.words, ref.stems, strict=True):
        if stemmed not in ref.content or stemmed in answer.stems:
            continue
        match = next((other for other in answer.words if misspelt(word, other)), None)
        if match is None:
            return None
        slips.append(f"{match} for {word}")
    return yes("typo", ", ".join(slips)) if slips else None


@lru_cache(maxsize=16384)
def misspelt(word: str, other: str) -> bool:
    """Whether two long words differ by a slip of spelling and start alike."""
    shorter, longer = sorted((len(word), len(other)))
    if shorter < LEAST_LETTERS - 1 or longer < LEAST_LETTERS:
        return False
    if word[0] != other[0] or not (word.isalpha() and other.isalpha()):
        return False
    from rapidfuzz.distance import OSA

    return bool(OSA.distance(word, other) <= (2 if shorter >= LONG_LETTERS else 1))


LONGEST_ITEM = 4
"""Content words of an item; a longer one is a clause, and the reference no list."""


def judge_list(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept where all items are named, refuse where short ones are missing; `None` where the reference is no list."""
    items = [prepare(item) for item in ref.items]
    if len(items) < 2 or any(not 1 <= len(item.content) <= LONGEST_ITEM for item in items):
        return None
    named = sum(names_item(question, item, answer) for item in items)
    share = f"{named} of {len(items)}"
    return yes("list_coverage", share) if named == len(items) else no("list_coverage", share)


def names_item(question: PreparedText, item: PreparedText, answer: PreparedText) -> bool:
    """Whether one thing is named and not denied: side by side where it counts or compares, else anywhere."""
    content = [stemmed for stemmed in item.content if stemmed not in question.content] or list(item.content)
    if any(stemmed.isdigit() or stemmed in lexicon.KEPT for stemmed in content):
        return any(not denied(answer, at, size=len(content)) for at in positions_of(content, answer))
    for wanted in content:
        found = (at for at, stemmed in enumerate(answer.stems) if stemmed == wanted or misspelt(wanted, stemmed))
        at = next(found, None)
        if at is None or denied(answer, at, size=1):
            return False
    return True
