"""Right by the judge; what became of conflicts, and what the authors' bypass would have said, stand beside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from recollect.benchmarks.subtlememory.questions import CONFLICT, MISSED
from recollect.contracts.verdicts import FIELD, RIGHT
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.offline.judge.findings import judge_letter

CLASSIFIED = "classified"
EXACT, NAMED, ONE_SIDE = "exact_bypass", "conflict_named", "one_side"


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The judge's verdict; without one the outcome is undecided. A probe is scored by rule.

    Source:
        SubtleMemory, section 4.1 (answer correctness by a judge); the bypass as in its released evaluation.
    """
    return _probed(question, key, reply) if question.purpose == "probe" else _judged(key, reply, verdict)


def exact_side(key: Key, text: str) -> str:
    """How the authors' bypass decides without a judge: `right`, `wrong`, or empty where it does not.

    Equal but for case and white space to an accepted answer, or else to a known wrong one.
    """
    said = _plain(text)
    if said in _plains(key.gold):
        return "right"
    wrong = _missed(key.labels[MISSED]) if MISSED in key.labels else _plains(key.rejected)
    return "wrong" if said in wrong else ""


@lru_cache(maxsize=8192)
def _plains(texts: tuple[str, ...]) -> frozenset[str]:
    """Every row is held against the same answers."""
    return frozenset(map(_plain, texts))


@lru_cache(maxsize=8192)
def _missed(listed: str) -> frozenset[str]:
    return _plains(tuple(json.loads(listed)))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _judged(key: Key, reply: Reply, verdict: Verdict | None) -> Outcome:
    parts = (_bypass(key, reply), *_sides(key, verdict))
    right = verdict.value(RIGHT) if verdict is not None else None
    why = "; ".join(part.why for part in verdict.parts if part.name == RIGHT) if verdict is not None else "no verdict"
    if right is None:
        return Outcome(status=Status.UNDECIDED, parts=(Part(name=RIGHT, value=None, why=why), *parts), why=why)
    parts = (Part(name=RIGHT, value=right, weight=1.0, why=why), *parts)
    if reply.abstained:
        return Outcome.abstained(float(key.abstain), parts=parts, why=why)
    return Outcome.scored(right, parts=parts, why=why)


def _bypass(key: Key, reply: Reply) -> Part:
    side = "" if reply.abstained else exact_side(key, reply.text)
    return Part(name=EXACT, value=float(bool(side)), why=f"equal to an answer that is {side}" if side else "")


def _sides(key: Key, verdict: Verdict | None) -> Iterator[Part]:
    """Of a conflict whose values are known: are both named, or is it answered with one?"""
    if key.labels.get(CONFLICT) != "yes":
        return
    values = [verdict.value(f"{FIELD}{name}") if verdict is not None else None for name in key.field_gold]
    known = [value for value in values if value is not None]
    if not values or len(known) < len(values):
        why = "the key names no values" if not key.field_gold else "a value is not judged"
        yield from (Part(name=name, value=None, why=why) for name in (NAMED, ONE_SIDE))
        return
    named = sum(value == 1.0 for value in known)
    yield Part(name=NAMED, value=float(named == len(known)), why=f"{named} of {len(known)} named")
    yield Part(name=ONE_SIDE, value=float(named == 1 and len(known) > 1))


def _probed(question: Question, key: Key, reply: Reply) -> Outcome:
    if not key.gold:
        return Outcome.missing(Status.NOT_AVAILABLE, "its sub-type is none of those that are asked for")
    found = judge_letter("" if reply.abstained else reply.text, key.gold, question.options)
    part = Part(name=CLASSIFIED, value=float(found.right), weight=1.0, why=found.why)
    if reply.abstained:
        return Outcome.abstained(0.0, parts=(part,), why="declined to answer")
    return Outcome.scored(float(found.right), parts=(part,), why=found.why)
