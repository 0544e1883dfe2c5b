"""Rules of questions about the world and of their answers: every problem, in words that the model is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

from recollect.benchmarks.subtlememory.make.checks import (
    content,
    cut,
    fit_for_all,
    names,
    names_date,
    qualified,
    sentences,
    telling,
    twins,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, CONTRADICTORY, TEMPORAL
from recollect.benchmarks.subtlememory.make.world.progress import DISTRACTOR
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import says

LEVELS = ("easy", "medium", "hard")
DIRECT = "direct_date"
ANCHORS = (DIRECT, "event_anchor", "session_task_anchor", "version_anchor", "relative_time", "latest_before")
FEWEST_INDIRECT = 2
LONGER = 3
"""How much longer all answers of one side may be than those of the other."""
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


_asked = itemgetter("questions")


def _targets(reply: Any, given: Given) -> dict[int, Mapping[str, Any]]:
    """Place of a question -> the fact that it is after."""
    facts = {one["memory_id"]: one for one in given["known"]}
    return {
        place: facts[one["target_memory_id"]] for place, one in enumerate(_asked(reply)) if "target_memory_id" in one
    }


def _apart(reply: Any, given: Given) -> Iterator[str]:
    """Several questions are after different things."""
    counts = Counter(one["memory_id"] for one in _targets(reply, given).values())
    yield from (f"{count} questions are after `{name}`" for name, count in counts.items() if count > 1)


def _levels(reply: Any, given: Given) -> Iterator[str]:
    if given["subtype"] == TEMPORAL:
        counts = Counter(one["difficulty"] for one in _asked(reply))
        yield from (
            f"{counts[level]} questions are `{level}`, and one is asked for" for level in LEVELS if counts[level] != 1
        )


def _indirect(reply: Any, given: Given) -> Iterator[str]:
    if given["subtype"] == TEMPORAL:
        count = sum(one["anchor_type"] != DIRECT for one in _asked(reply))
        if count < FEWEST_INDIRECT:
            yield f"{count} questions do without their date, at least {FEWEST_INDIRECT} are asked for"


def _dated(reply: Any, given: Given) -> Iterator[str]:
    """A date stands just where it should: hard questions are none that name theirs."""
    if given["subtype"] != TEMPORAL:
        return
    for place, fact in _targets(reply, given).items():
        one = _asked(reply)[place]
        there = names_date(one["question"], fact["date"])
        if one["difficulty"] == "hard" and (there or one["anchor_type"] == DIRECT):
            yield f"the hard question names its date, {fact['date']}"
        elif there != (one["anchor_type"] == DIRECT):
            what = "names" if there else "does not name"
            yield f"a question with `{one['anchor_type']}` {what} its date, {fact['date']}: {cut(one['question'])}"


def _timeline(reply: Any, given: Given) -> Iterator[str]:
    for one in _asked(reply) if given["subtype"] == TEMPORAL else ():
        yield from (
            f"`{found[0]}` asks for more than one date: {cut(one['question'])}"
            for found in _TIMELINE.finditer(one["question"])
        )
        found = _LATEST.search(one["question"])
        if found and one["anchor_type"] != "latest_before":
            yield f"`{found[0]}` needs an anchor of type `latest_before`: {cut(one['question'])}"


def _conditions(reply: Any, given: Given) -> Iterator[str]:
    """A question names the one condition that decides it, and no other."""
    if given["subtype"] != CONTEXT:
        return
    for place, fact in _targets(reply, given).items():
        question = content(_asked(reply)[place]["question"])
        shares = {one["memory_id"]: _share(one["condition"], question) for one in given["known"]}
        mine = shares.pop(fact["memory_id"])
        if mine < 0.5:
            yield f"it does not name its condition, {fact['condition']}: {cut(_asked(reply)[place]['question'])}"
        elif mine <= max(shares.values(), default=0.0):
            yield f"another condition fits as well as {fact['condition']}: {cut(_asked(reply)[place]['question'])}"


def _share(condition: str, question: frozenset[str]) -> float:
    wanted = content(condition)
    return len(wanted & question) / len(wanted) if wanted else 0.0


def _broad(reply: Any, given: Given) -> Iterator[str]:
    if given["subtype"] in (CONTEXT, TEMPORAL):
        for one in _asked(reply):
            if normalise(one["question"]) == normalise(given["question"]):
                yield f"it is the broad question itself: {cut(one['question'])}"


def _plain(reply: Any, given: Given) -> Iterator[str]:
    for one in _asked(reply) if given["subtype"] == CONTRADICTORY else ():
        yield from qualified(one["question"], given["qualifiers"])


def _leaked(reply: Any, given: Given) -> Iterator[str]:
    """No question gives away a value of what it is after."""
    facts = [one for one in given["known"] if one["role"] != DISTRACTOR]
    for one in _asked(reply):
        for fact in facts:
            for value in fact["accepted"]:
                if telling(one["question"], value) and not says(given["question"], value):
                    yield f"it gives `{value}` away: {cut(one['question'])}"


def _meta(reply: Any, _: Given) -> Iterator[str]:
    for one in _asked(reply):
        yield from (
            f"`{found[0]}` speaks of talks or of a dispute: {cut(one['question'])}"
            for found in _META.finditer(one["question"])
        )


QUESTION_CHECKS = (
    Check("targets", _apart),
    Check("differ", lambda reply, _: twins([one["question"] for one in _asked(reply)])),
    Check("levels", _levels),
    Check("indirect", _indirect),
    Check("dated", _dated),
    Check("timeline", _timeline),
    Check("conditions", _conditions),
    Check("broad", _broad),
    Check("plain", _plain),
    Check("leaked", _leaked),
    Check("meta", _meta),
    Check("ended", lambda reply, _: sentences([one["question"] for one in _asked(reply)], ("?", "."))),
    *fit_for_all(lambda reply: [one["question"] for one in _asked(reply)]),
)


def _texts(reply: Any, side: str) -> list[str]:
    return [one["text"] for one in reply[side]]


def _distinct(reply: Any, _: Given) -> Iterator[str]:
    for side in ("correct_answers", "incorrect_answers"):
        yield from (f"`{side}`: {problem}" for problem in twins(_texts(reply, side)))


def _disjoint(reply: Any, _: Given) -> Iterator[str]:
    wrong = set(map(normalise, _texts(reply, "incorrect_answers")))
    yield from (
        f"right and wrong at once: {cut(one)}" for one in _texts(reply, "correct_answers") if normalise(one) in wrong
    )


def _grounded(reply: Any, given: Given) -> Iterator[str]:
    """A right answer names each part in one of its wordings."""
    for text in _texts(reply, "correct_answers"):
        for accepted in given["fields"].values():
            if not names(text, accepted):
                yield f"a correct answer does not say `{accepted[0]}`: {cut(text)}"


def _single(reply: Any, given: Given) -> Iterator[str]:
    """A right answer names no value that holds otherwise."""
    own = normalise(" ".join(value for accepted in given["fields"].values() for value in accepted))
    for text in _texts(reply, "correct_answers"):
        for other in given["rivals"]:
            if says(text, other) and f" {normalise(other)} " not in f" {own} ":
                yield f"a correct answer says `{other}`, which is not asked for: {cut(text)}"


def _wrong(reply: Any, given: Given) -> Iterator[str]:
    """A wrong answer does not name all that is right and nothing else."""
    for text in _texts(reply, "incorrect_answers"):
        whole = all(names(text, accepted) for accepted in given["fields"].values())
        if given["subtype"] == CONTRADICTORY:
            whole = whole and bool(_OPEN.search(text))
        if whole and not any(says(text, other) for other in given["rivals"]):
            yield f"an incorrect answer says all that is right: {cut(text)}"


def _acknowledged(reply: Any, given: Given) -> Iterator[str]:
    if given["subtype"] == CONTRADICTORY:
        for text in _texts(reply, "correct_answers"):
            if not _OPEN.search(text):
                yield f"a correct answer does not say that the two do not agree: {cut(text)}"


def _concise(reply: Any, _: Given) -> Iterator[str]:
    """One side is not told from the other by its length."""
    right, wrong = (sum(len(text) for text in _texts(reply, side)) for side in ("correct_answers", "incorrect_answers"))
    if max(right, wrong) > LONGER * min(right, wrong):
        yield f"one side is more than {LONGER} times as long as the other"


ANSWER_CHECKS = (
    Check("distinct", _distinct),
    Check("disjoint", _disjoint),
    Check("grounded", _grounded),
    Check("single", _single),
    Check("wrong", _wrong),
    Check("acknowledged", _acknowledged),
    Check("alike", _concise),
    *(
        check
        for check in fit_for_all(lambda reply: [*_texts(reply, "correct_answers"), *_texts(reply, "incorrect_answers")])
        if check.name != "betrays"
    ),
)
"""Words that betray a dispute are what is asked for in some."""
