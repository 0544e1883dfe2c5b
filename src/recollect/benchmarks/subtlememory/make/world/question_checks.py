"""Checks of questions about the world and of their answers: every problem, in the words sent back to the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.benchmarks.subtlememory.make.checks import (
    by_name,
    cut,
    fit_for_all,
    names,
    names_date,
    qualified,
    safe,
    sentences,
    telling,
    twins,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, CONTRADICTORY, TEMPORAL
from recollect.benchmarks.subtlememory.make.world.progress import DISTRACTOR
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import says, substance

LEVELS = ("easy", "medium", "hard")
DIRECT = "direct_date"
ANCHORS = (DIRECT, "event_anchor", "session_task_anchor", "version_anchor", "relative_time", "latest_before")
FEWEST_INDIRECT = 2
LONGER = 3
"""Most that the answers of one side may be longer than those of the other, as a factor."""
_META = re.compile(
    r"\b(?:earlier|previous|past|our|last) (?:chats?|talks?|conversations?|discussions?)\b|\bthese (?:chats?|talks?)\b"
    r"|\bconflict\w*|\bcontradict\w*|\bdisagree\w*|\bwhat (?:do|did) you remember\b|\bin that case\b",
    re.IGNORECASE,
)
_TIMELINE = re.compile(
    r"\btime ?lines?\b|\bchronolog\w*|\bover time\b|\ball (?:the )?(?:dates|periods|snapshots|versions|values)\b"
    r"|\beach (?:date|period|time|month|version)\b|\bevery (?:date|period|month|version)\b|\bhow (?:\w+ ){0,8}changed\b"
    r"|\bhistory of\b|\bin order\b(?! to\b)|\bcurrent(?:ly)?\b|\bnowadays\b|\bright now\b",
    re.IGNORECASE,
)
_LATEST = re.compile(r"\blatest\b|\bmost recent\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:conflict\w*|contradict\w*|disagree\w*|inconsisten\w*|unresolved|unsettled|unclear|not settled|not clear|open"
    r"|differ(?:s|ent|ing)?|two (?:claims|answers|versions|accounts)|both|clarif\w+|verif\w+|check\w*|either)\b",
    re.IGNORECASE,
)


def _targets(reply: Any, given: Given) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Questions that have a target, each with the fact that it asks for."""
    facts = {fact["memory_id"]: fact for fact in given["known"]}
    yield from ((one, facts[one["target_memory_id"]]) for one in reply["questions"] if "target_memory_id" in one)


def _temporal(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """Questions about dated values: one of each level, each about one date, which hard questions do not name."""
    if given["subtype"] != TEMPORAL:
        return
    counts = Counter(one["difficulty"] for one in reply["questions"])
    for level in LEVELS:
        if counts[level] != 1:
            yield "levels", f"{counts[level]} questions are `{level}`, and one is asked for"
    indirect = sum(one["anchor_type"] != DIRECT for one in reply["questions"])
    if indirect < FEWEST_INDIRECT:
        yield "indirect", f"{indirect} questions do without their date, at least {FEWEST_INDIRECT} are asked for"
    for one, fact in _targets(reply, given):
        question, anchor = one["question"], one["anchor_type"]
        dated = names_date(question, fact["date"])
        if one["difficulty"] == "hard" and (dated or anchor == DIRECT):
            yield "dated", f"the hard question names its date, {fact['date']}"
        elif dated != (anchor == DIRECT):
            what = "names" if dated else "does not name"
            yield "dated", f"a question with `{anchor}` {what} its date, {fact['date']}: {cut(question)}"
        for found in _TIMELINE.finditer(question):
            yield "timeline", f"`{found[0]}` asks for more than one date: {cut(question)}"
        latest = _LATEST.search(question)
        if latest and anchor != "latest_before":
            yield "timeline", f"`{latest[0]}` needs an anchor of type `latest_before`: {cut(question)}"


def _conditions(reply: Any, given: Given) -> Iterator[str]:
    """A question names the one condition that decides it, and no other."""
    for one, fact in _targets(reply, given) if given["subtype"] == CONTEXT else ():
        words = substance(one["question"])
        shares: dict[str, float] = {}
        for other in given["known"]:
            wanted = substance(other["condition"])
            shares[other["memory_id"]] = len(wanted & words) / len(wanted) if wanted else 0.0
        mine = shares.pop(fact["memory_id"])
        if mine < 0.5:
            yield f"it does not name its condition, {fact['condition']}: {cut(one['question'])}"
        elif mine <= max(shares.values(), default=0.0):
            yield f"another condition fits as well as {fact['condition']}: {cut(one['question'])}"


def _question(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """Rules of single questions, and that several have different targets."""
    for name, count in Counter(fact["memory_id"] for _, fact in _targets(reply, given)).items():
        if count > 1:
            yield "targets", f"{count} questions are after `{name}`"
    values = [value for one in given["known"] if one["role"] != DISTRACTOR for value in one["accepted"]]
    for question in _questions(reply):
        same = normalise(question) == normalise(given["question"])
        if given["subtype"] in (CONTEXT, TEMPORAL) and same:
            yield "broad", f"it is the broad question itself: {cut(question)}"
        if given["subtype"] == CONTRADICTORY:
            yield from (("plain", problem) for problem in qualified(question, given["qualifiers"]))
        for value in values:
            if telling(question, value) and not says(given["question"], value):
                yield "leaked", f"it gives `{value}` away: {cut(question)}"
        for found in _META.finditer(question):
            yield "meta", f"`{found[0]}` speaks of talks or of a dispute: {cut(question)}"


def _questions(reply: Any) -> list[str]:
    return [one["question"] for one in reply["questions"]]


QUESTION_CHECKS = (
    *by_name(_question, "targets"),
    Check("differ", lambda reply, _: twins(_questions(reply))),
    *by_name(_temporal, "levels", "indirect", "dated", "timeline"),
    Check("conditions", _conditions),
    *by_name(_question, "broad", "plain", "leaked", "meta"),
    Check("ended", lambda reply, _: sentences(_questions(reply), ("?", "."))),
    *fit_for_all(_questions),
)


def _texts(reply: Any, side: str) -> list[str]:
    return [one["text"] for one in reply[side]]


def _right(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """A right answer gives each part and no other value, and admits a conflict."""
    wrong, fields = set(map(normalise, _texts(reply, "incorrect_answers"))), given["fields"].values()
    own = f" {normalise(' '.join(value for accepted in fields for value in accepted))} "
    foreign = [rival for rival in given["rivals"] if f" {normalise(rival)} " not in own]
    for text in _texts(reply, "correct_answers"):
        if normalise(text) in wrong:
            yield "disjoint", f"right and wrong at once: {cut(text)}"
        for accepted in fields:
            if not names(text, accepted):
                yield "grounded", f"a correct answer does not say `{accepted[0]}`: {cut(text)}"
        for rival in foreign:
            if says(text, rival):
                yield "single", f"a correct answer says `{rival}`, which is not asked for: {cut(text)}"
        if given["subtype"] == CONTRADICTORY and not _OPEN.search(text):
            yield "acknowledged", f"a correct answer does not say that the two do not agree: {cut(text)}"


def _sides(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """Answers of a side differ, wrong ones do not say all that is right, and length does not tell the sides apart."""
    right, wrong = _texts(reply, "correct_answers"), _texts(reply, "incorrect_answers")
    for side, texts in (("correct_answers", right), ("incorrect_answers", wrong)):
        yield from (("distinct", f"`{side}`: {problem}") for problem in twins(texts))
    for text in wrong:
        whole = all(names(text, accepted) for accepted in given["fields"].values())
        settled = given["subtype"] == CONTRADICTORY and not _OPEN.search(text)
        if whole and not settled and not any(says(text, rival) for rival in given["rivals"]):
            yield "wrong", f"an incorrect answer says all that is right: {cut(text)}"
    sizes = [sum(map(len, texts)) for texts in (right, wrong)]
    if max(sizes) > LONGER * min(sizes):
        yield "alike", f"one side is more than {LONGER} times as long as the other"


ANSWER_CHECKS = (
    *by_name(_sides, "distinct"),
    *by_name(_right, "disjoint", "grounded", "single"),
    *by_name(_sides, "wrong"),
    *by_name(_right, "acknowledged"),
    *by_name(_sides, "alike"),
    *safe(lambda reply: [*_texts(reply, "correct_answers"), *_texts(reply, "incorrect_answers")]),
)
"""Words that reveal a dispute are allowed, since some answers need them."""
