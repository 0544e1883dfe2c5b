"""Rules that requests and their answers must keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from recollect.benchmarks.subtlememory.generate.blind import BETWEEN
from recollect.benchmarks.subtlememory.generate.cases.requests import FORM, RESOURCES
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.items import Turn
from recollect.benchmarks.subtlememory.make.checks import content, of_texts, safe, sentences
from recollect.benchmarks.subtlememory.make.users.checks import banned, of_rule, once, twins
from recollect.benchmarks.subtlememory.make.users.drafts import CONTRADICTORY, as_listed, misplaced, qa_of
from recollect.making.steps import Check, Given
from recollect.worlds.checks import says

LISTED, CHOICES, FIELDS = (4, 5), (4, 5), (1, 3)
"""Fewest and most resources of a list, choices of a field, and fields of a form."""
ALIKE = 0.8
"""Share of content words that two requests have in common from which on they ask the same."""
_EARLIER = re.compile(
    r"\b(?:as (?:i|we)(?: have|'ve)? (?:said|told|mentioned|discussed|talked)|(?:like|as) last time"
    r"|you (?:already )?know (?:that )?(?:i|my|me|what)|remember (?:that|when|how|what) (?:i|we)"
    r"|what you know (?:of|about) me"
    r"|(?:earlier|previous|last|past) (?:chats?|talks?|conversations?|messages?|discussions?)|we (?:talked|spoke) about"
    r"|i(?:'ve| have)? (?:already )?told you|my (?:usual )?(?:preferences?|habits?)|(?:i )?usually prefer)\b",
    re.IGNORECASE,
)


_asked = itemgetter("questions")


def _texts(one: Mapping[str, Any]) -> list[str]:
    """All that a request says."""
    told = [text for each in one["resources"] for text in (each["name"], each["description"])]
    return [one["request"], *told, *(text for each in one["fields"] for text in (each["field"], *each["choices"]))]


def _all_texts(reply: Any) -> list[str]:
    return [text for one in _asked(reply) for text in _texts(one)]


def _form(reply: Any, given: Given) -> Iterator[str]:
    """A list or a form, of the size that is asked for."""
    for number, one in enumerate(_asked(reply), start=1):
        listed, fields = len(one["resources"]), len(one["fields"])
        single = given["subtype"] == CONTRADICTORY
        most = 1 if single else FIELDS[1]
        if one["task_form"] == RESOURCES and (fields or not LISTED[0] <= listed <= LISTED[1]):
            yield f"request {number}: a list has {LISTED[0]} or {LISTED[1]} resources and no fields"
        if one["task_form"] == FORM and (listed or not FIELDS[0] <= fields <= most):
            yield f"request {number}: a form here has {FIELDS[0]} to {most} fields and no resources"


def _choices(reply: Any, _: Given) -> Iterator[str]:
    """What can be chosen is told apart: no name twice, none within another, nothing that parts choices."""
    for one in _asked(reply):
        names, fields = [each["name"] for each in one["resources"]], [each["field"] for each in one["fields"]]
        for group in (names, [each["description"] for each in one["resources"]], fields):
            yield from twins(group)
        for each in one["fields"]:
            yield from twins(each["choices"])
            if not CHOICES[0] <= len(each["choices"]) <= CHOICES[1]:
                yield f"`{each['field']}` has {len(each['choices'])} choices, {CHOICES[0]} are asked for"
        lists = [names, *([*each["choices"]] for each in one["fields"])]
        yield from (problem for group in lists for problem in _within(group))
        for text in (*names, *fields, *(said for each in one["fields"] for said in each["choices"])):
            if BETWEEN.strip() in text or ":" in text or "\n" in text:
                yield f"`{text}` has a sign that parts choices: `/`, `:` or a line's end"


def _within(names: Sequence[str]) -> Iterator[str]:
    for one in names:
        for other in names:
            if one != other and says(other, one):
                yield f"`{one}` is a part of `{other}`, so that naming one names both"


def _unnamed(reply: Any, _: Given) -> Iterator[str]:
    """The request itself names nothing that can be chosen: it would be listed twice, or stand out."""
    for one in _asked(reply):
        offered = [each["name"] for each in one["resources"]]
        offered += [choice for each in one["fields"] for choice in each["choices"]]
        if named := [choice for choice in offered if says(one["request"], choice)]:
            yield f"`request` names `{named[0]}`, which is listed below it"


def _differ(reply: Any, _: Given) -> Iterator[str]:
    texts = [content(" ".join(_texts(one))) for one in _asked(reply)]
    for number, words in enumerate(texts):
        if any(len(words & other) >= ALIKE * len(words | other) for other in texts[:number]):
            yield f"request {number + 1} asks what one before it asks"


def _alone(reply: Any, _: Given) -> Iterator[str]:
    for one in _asked(reply):
        if found := _EARLIER.search(one["request"]):
            yield f"it does not stand alone, but says `{found[0]}`"


def _labels(reply: Any, given: Given) -> Iterator[str]:
    for text in _all_texts(reply):
        yield from banned(text)
        yield from of_rule("label word", [Turn(role="user", content=text)], given)


def _leaks(reply: Any, given: Given) -> Iterator[str]:
    for text in _all_texts(reply):
        yield from of_rule("explicit", [Turn(role="user", content=text)], given)


QUESTION_CHECKS = (
    Check("form", _form),
    Check("choices", _choices),
    Check("unnamed", _unnamed),
    Check("differ", _differ),
    Check("punctuation", lambda reply, _: sentences((one["request"] for one in _asked(reply)), ".!?:")),
    Check("stands_alone", _alone),
    Check("banned", _labels),
    Check("leak", _leaks),
    *safe(_all_texts),
)


_answers = itemgetter("answers")


def _said(reply: Any) -> list[str]:
    return [text for one in _answers(reply) for text in (*one["correct_answers"], *one["incorrect_answers"])]


def _offered(reply: Any, given: Given) -> Iterator[str]:
    for one in _answers(reply):
        draft = as_listed(given["drafts"][one["question_id"]])
        for problem in misplaced(draft, one["right"], given["subtype"]):
            yield f"{one['question_id']}: {problem}"


def _sound(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """Rule and problem of every breach of a whole question; what is not offered is told by another check."""
    for one in _answers(reply):
        draft = as_listed(given["drafts"][one["question_id"]])
        if not list(misplaced(draft, one["right"], given["subtype"])):
            for breach in question_problems(qa_of(draft, one, given["subtype"])):
                yield breach.rule, f"{one['question_id']}: {breach.what}"


def _rule(name: str, *rules: str) -> Check:
    return Check(name, lambda reply, given: [what for rule, what in _sound(reply, given) if rule in rules])


def _clean(reply: Any, given: Given) -> Iterator[str]:
    """A right answer names nothing that is wrong."""
    for one in _answers(reply):
        draft = as_listed(given["drafts"][one["question_id"]])
        others = [choice for choice in draft.offered if choice not in one["right"]]
        for answer in one["correct_answers"]:
            if named := [choice for choice in others if says(answer, choice)]:
                yield f"{one['question_id']}: a correct answer names `{named[0]}`, which is wrong: {answer}"


ANSWER_CHECKS = (
    Check(
        "all_answered",
        lambda reply, given: once([one["question_id"] for one in _answers(reply)], list(given["drafts"])),
    ),
    Check("offered", _offered),
    _rule("sides", "sides"),
    _rule("named", "answers"),
    Check("clean", _clean),
    of_texts("banned", _said, banned),
    *safe(_said),
)


QUESTION_FILTER_CHECKS = (
    Check("all_decided", lambda reply, given: once([one["question_id"] for one in reply["decisions"]], given["ids"])),
)
