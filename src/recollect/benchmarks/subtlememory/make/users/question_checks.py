"""Checks of requests and their answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, product
from operator import itemgetter
from typing import Any

from recollect.benchmarks.subtlememory.generate.blind import BETWEEN
from recollect.benchmarks.subtlememory.generate.cases.requests import FORM, RESOURCES
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.items import Turn
from recollect.benchmarks.subtlememory.make.checks import by_name, of_texts, safe, sentences
from recollect.benchmarks.subtlememory.make.users.checks import banned, of_rule, once, twins
from recollect.benchmarks.subtlememory.make.users.drafts import CONTRADICTORY, draft_of, misplaced, qa_of
from recollect.making.steps import Check, Given
from recollect.worlds.checks import says, substance

LISTED, CHOICES, FIELDS = (4, 5), (4, 5), (1, 3)
"""Fewest and most resources of a list, choices of a field, and fields of a form."""
ALIKE = 0.8
"""Two requests that share at least this ratio of their content words ask the same."""
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
    """All texts of a request."""
    resources = [text for each in one["resources"] for text in (each["name"], each["description"])]
    return [one["request"], *resources, *(text for each in one["fields"] for text in (each["field"], *each["choices"]))]


def _all_texts(reply: Any) -> list[str]:
    return [text for one in _asked(reply) for text in _texts(one)]


def _requests(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    most = 1 if given["subtype"] == CONTRADICTORY else FIELDS[1]
    before: list[frozenset[str]] = []
    for number, one in enumerate(_asked(reply), start=1):
        listed, fields = len(one["resources"]), len(one["fields"])
        if one["task_form"] == RESOURCES and (fields or not LISTED[0] <= listed <= LISTED[1]):
            yield "form", f"request {number}: a list has {LISTED[0]} or {LISTED[1]} resources and no fields"
        if one["task_form"] == FORM and (listed or not FIELDS[0] <= fields <= most):
            yield "form", f"request {number}: a form here has {FIELDS[0]} to {most} fields and no resources"
        # a choice that the request names would be listed twice, or stand out
        offered = [each["name"] for each in one["resources"]]
        offered += [choice for each in one["fields"] for choice in each["choices"]]
        if named := [choice for choice in offered if says(one["request"], choice)]:
            yield "unnamed", f"`request` names `{named[0]}`, which is listed below it"
        words = substance(" ".join(_texts(one)))
        if any(len(words & other) >= ALIKE * len(words | other) for other in before):
            yield "differ", f"request {number} asks what one before it asks"
        before.append(words)
        if found := _EARLIER.search(one["request"]):
            yield "stands_alone", f"it does not stand alone, but says `{found[0]}`"


def _choices(reply: Any, _: Given) -> Iterator[str]:
    """Choices are distinguishable: none named twice, none part of another, none with a separator."""
    for one in _asked(reply):
        names, fields = [each["name"] for each in one["resources"]], [each["field"] for each in one["fields"]]
        for group in (names, [each["description"] for each in one["resources"]], fields):
            yield from twins(group)
        for each in one["fields"]:
            yield from twins(each["choices"])
            if not CHOICES[0] <= len(each["choices"]) <= CHOICES[1]:
                yield f"`{each['field']}` has {len(each['choices'])} choices, {CHOICES[0]} are asked for"
        choices = [each["choices"] for each in one["fields"]]
        for part, whole in chain.from_iterable(product(group, repeat=2) for group in (names, *choices)):
            if part != whole and says(whole, part):
                yield f"`{part}` is a part of `{whole}`, so that naming one names both"
        for text in chain(names, fields, *choices):
            if BETWEEN.strip() in text or ":" in text or "\n" in text:
                yield f"`{text}` has a sign that parts choices: `/`, `:` or a line's end"


def _wording(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    for text in _all_texts(reply):
        turns = [Turn(role="user", content=text)]
        yield from (("banned", problem) for problem in chain(banned(text), of_rule("label word", turns, given)))
        yield from (("leak", problem) for problem in of_rule("explicit", turns, given))


QUESTION_CHECKS = (
    *by_name(_requests, "form"),
    Check("choices", _choices),
    *by_name(_requests, "unnamed", "differ"),
    Check("punctuation", lambda reply, _: sentences((one["request"] for one in _asked(reply)), ".!?:")),
    *by_name(_requests, "stands_alone"),
    *by_name(_wording, "banned", "leak"),
    *safe(_all_texts),
)


_answers = itemgetter("answers")


def _answer_texts(reply: Any) -> list[str]:
    return [text for one in _answers(reply) for text in (*one["correct_answers"], *one["incorrect_answers"])]


def _answer(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    for one in _answers(reply):
        name, draft = one["question_id"], draft_of(given["drafts"][one["question_id"]])
        problems = list(misplaced(draft, one["right"], given["subtype"]))
        yield from (("offered", f"{name}: {problem}") for problem in problems)
        # rules of whole questions, where the right choices are offered
        for breach in () if problems else question_problems(qa_of(draft, one, given["subtype"])):
            yield RULES.get(breach.rule, ""), f"{name}: {breach.what}"
        others = [choice for choice in draft.offered if choice not in one["right"]]
        for answer in one["correct_answers"]:
            if named := [choice for choice in others if says(answer, choice)]:
                yield "clean", f"{name}: a correct answer names `{named[0]}`, which is wrong: {answer}"


RULES = {"sides": "sides", "answers": "named"}
"""Rules of `question_problems` that a reply can break -> check."""
ANSWER_CHECKS = (
    Check(
        "all_answered",
        lambda reply, given: once([one["question_id"] for one in _answers(reply)], list(given["drafts"])),
    ),
    *by_name(_answer, "offered", "sides", "named", "clean"),
    of_texts("banned", _answer_texts, banned),
    *safe(_answer_texts),
)
QUESTION_FILTER_CHECKS = (
    Check("all_decided", lambda reply, given: once([one["question_id"] for one in reply["decisions"]], given["ids"])),
)
