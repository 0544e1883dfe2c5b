"""Is the reference named in the answer, and meant?"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from recollect.judging.findings import Finding, no, yes
from recollect.judging.lexicon import ALTERNATIVE, CHANGES_MEANING, EXCLUDERS, GENERIC, KEPT, NEGATORS, UNIVERSAL
from recollect.judging.polarity import denials
from recollect.judging.said import Said, confirmed, places, prepare
from recollect.judging.states import state_at, superseded
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


def judge_same_words(_: Said, ref: Said, said: Said) -> Finding | None:
    """Accept the same content words; in any order, where none of them counts or compares."""
    same = sorted(ref.content) == sorted(said.content) and len(ref.content) > 0
    fixed = any(stemmed[:1].isdigit() or stemmed in KEPT for stemmed in ref.content)
    free = not fixed or ref.content == said.content
    return yes("same_words") if same and free else None


def judge_named(question: Said, ref: Said, said: Said) -> Finding | None:
    """Accept the reference as a run of whole words, unless it is denied, shut out, one of two, or outdated."""
    found = mentions(ref, said)
    if not found:
        return None
    findings = [_meant(question, ref, said, at) for at in found]
    return next((finding for finding in findings if finding.right), findings[0])


def judge_dump(ref: Said, said: Said) -> Finding | None:
    """Refuse a list of guesses: more than three items, and more than twice those of the reference."""
    limit = max(LEAST_DUMP, 2 * len(ref.items))
    short = [item for item in said.items if len(item.split()) <= SHORT_ITEM_WORDS]
    if len(said.items) > limit and len(short) > limit:
        return no("dumped", f"{len(said.items)} items for {len(ref.items)}")
    return None


def judge_shorter(_: Said, ref: Said, said: Said) -> Finding | None:
    """Accept a part of a name, or most of a phrase, if it alone names something."""
    kept, full = set(said.content), set(ref.content)
    if not kept or not kept < full or not kept - GENERIC or denials(said):
        return None
    lost = full - kept
    if any(stemmed[:1].isdigit() for stemmed in lost) or _breaks_compound(ref, kept, lost):
        return None
    is_name = bool(kept & ref.names) and lost <= ref.names | GENERIC
    return yes("shorter_form") if is_name or len(kept) >= SHORTER_SHARE * len(full) else None


def mentions(ref: Said, said: Said) -> list[int]:
    """Positions at which the reference stands in the answer, word by word; its function words may be left out."""
    exact = places(ref.stems, said)
    return exact or (places(ref.content, said) if ref.content else [])


def denied(said: Said, at: int, *, size: int, negators: bool = True) -> bool:
    """Whether what stands at *at* is negated or shut out by the words around it in its clause."""
    start = max((begin for begin in said.starts if begin <= at), default=0)
    end = min((stop for stop in said.clause_ends if stop > at), default=len(said.words))
    masked = confirmed(said)
    before = [word for place, word in enumerate(said.words[start:at], start) if place not in masked]
    if any(_ends_with(before, phrase) for phrase in _excluders) or _all_but(before):
        return True
    behind = [word for word in said.words[at + size : end][:3] if word not in PRONOUNS]
    denied_behind = behind[:1] == ["never"] or (behind[1:2] == ["not"] and behind[0] in AUXILIARIES)
    last_but = max((place + 1 for place, word in enumerate(before) if word == "but"), default=0)
    return negators and (denied_behind or not NEGATORS.isdisjoint(before[last_but:][-REACH:]))


def _meant(question: Said, ref: Said, said: Said, at: int) -> Finding:
    size = len(ref.stems) if places(ref.stems, said) else len(ref.content)
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


def _breaks_compound(ref: Said, kept: Set[str], lost: Set[str]) -> bool:
    """Whether a hyphenated word keeps one part and loses another: a brother is no brother-in-law."""
    compounds = (set(prepare(word).stems) for word in _hyphened.findall(ref.text))
    return any(parts & kept and parts & lost for parts in compounds)


def _ends_with(before: Sequence[str], phrase: tuple[str, ...]) -> bool:
    """Whether *phrase* stands directly before, or one word away."""
    return any(tuple(before[len(before) - len(phrase) - gap :][: len(phrase)]) == phrase for gap in (0, 1))
