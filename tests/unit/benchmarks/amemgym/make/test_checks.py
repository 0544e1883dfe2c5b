"""Every rule of a reply: one reply that keeps them all, and a mutant of it for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest

from recollect.benchmarks.amemgym.make import checks
from recollect.making.steps import Check

EN = {"lang": "en", "language": "English"}
ZH = {"lang": "zh", "language": "Simplified Chinese"}
Mutate = Callable[[Any], object]


def broken(rules: Sequence[Check], reply: Any, given: Any) -> set[str]:
    return {check.name for check in rules if list(check.find(reply, given))}


def fact(name: str, *values: str) -> dict[str, Any]:
    return {"info_type": name, "info_choices": list(values)}


QUESTIONS = {
    "questions": [
        {
            "question": "How should I plan my week at the stall?",
            "required_info": [fact("opening_days", "weekends", "daily", "<5 days"), fact("helpers", "none", "one")],
        },
        {
            "question": "What could I bake for a birthday?",
            "required_info": [fact("oven_size", "<5 loaves", ">5 loaves"), fact("baking_time", "an hour", "a day")],
        },
    ]
}
VARIABLES = {
    "variables": [
        {"name": "stall_days", "gathers": ["opening_days", "market_days"]},
        {"name": "stall_helpers", "gathers": ["helpers"]},
    ]
}
FACTS = {
    "facts": ["opening_days", "market_days", "helpers"],
    "needed": [["opening_days", "helpers"], ["market_days", "helpers"]],
}
UPDATES = {"period_summary": "Her nephew joins.", "updated": [{"variable": "a", "new": "x2"}]}
PERIOD = {
    **EN,
    "values": {"a": ["x1", "x2"], "b": ["y1", "y2"], "c": ["z1", "z2"]},
    "now": {"a": "x1", "b": "y1", "c": "z1"},
    "may_change": {"a": 2, "b": 2, "c": 0},
    "later": 1,
    "fewest": "1",
}
EVENTS = {
    "events": [
        {"states": ["stall_helpers", "stall_days"], "event": "Her nephew stands beside her now."},
        {"states": ["oven_size"], "event": "She borrowed a neighbour's oven."},
    ]
}
CHANGED = {
    **EN,
    "changed": ["stall_days", "stall_helpers", "oven_size"],
    "names": ["stall_days", "stall_helpers", "oven_size"],
    "values_hidden": ["every morning", "small_crew", "large"],
}
ANSWERS = {"variant_1": "Share Friday's work with him.", "variant_2": "Close at noon."}
HIDDEN = {**EN, "values_hidden": ["one_helper", "none"]}
QUERIES = {
    "queries": [
        {"exposed_states": [{"variable": "stall_helpers", "value": "none"}], "query": "I am alone; how do I cope?"},
        {"exposed_states": [{"variable": "oven_size", "value": "large"}], "query": "What fills a big oven?"},
    ]
}
NOW = {**EN, "now": {"stall_helpers": "none", "oven_size": "large"}, "names": ["stall_helpers", "oven_size"]}


@pytest.mark.parametrize(
    ("rules", "reply", "given"),
    [
        pytest.param(checks.PROFILE_CHECKS, {"name": "Mira", "profile": "Early riser."}, EN, id="profile"),
        pytest.param(checks.PROFILE_CHECKS, {"name": "王", "profile": "早起，种花。"}, ZH, id="profile-zh"),
        pytest.param(checks.QUESTION_CHECKS, QUESTIONS, EN, id="questions"),
        pytest.param(checks.VARIABLE_CHECKS, VARIABLES, FACTS, id="variables"),
        pytest.param(checks.CHOICE_CHECKS, {"a": ["<5", ">5", "5"]}, EN, id="choices"),
        pytest.param(checks.UPDATE_CHECKS, UPDATES, PERIOD, id="updates"),
        pytest.param(checks.EVENT_CHECKS, EVENTS, CHANGED, id="events"),
        pytest.param(checks.ANSWER_CHECKS, ANSWERS, HIDDEN, id="answers"),
        pytest.param(checks.FIRST_QUERY_CHECKS, QUERIES, NOW, id="first-queries"),
        pytest.param(checks.LATER_QUERY_CHECKS, {"queries": ["How?", "Why?"]}, NOW, id="later-queries"),
        pytest.param(checks.REFINED_QUERY_CHECKS, {"query": "What then?"}, NOW, id="refined-query"),
    ],
)
def test_a_reply_that_keeps_all_rules_passes(rules: Sequence[Check], reply: Any, given: Any) -> None:
    assert broken(rules, reply, given) == set()


def question(reply: Any, number: int = 0) -> Any:
    return reply["questions"][number]


@pytest.mark.parametrize(
    ("mutate", "check"),
    [
        pytest.param(
            lambda r: question(r, 1).update(question="How should I plan my weeks at the stall"),
            "questions_differ",
            id="question-twice",
        ),
        pytest.param(
            lambda r: question(r)["required_info"].append(fact("Helpers ", "x", "y")), "facts_differ", id="fact-twice"
        ),
        pytest.param(
            lambda r: question(r)["required_info"][0]["info_choices"].append("Weekends"), "values_differ", id="value"
        ),
        pytest.param(
            lambda r: question(r)["required_info"][0].update(info_type="opening days"), "named", id="fact-named"
        ),
        pytest.param(lambda r: question(r).update(question="我应该怎样安排我的一周？"), "language", id="language"),
    ],
)
def test_a_mutant_of_the_questions_is_caught_by_its_rule(mutate: Mutate, check: str) -> None:
    mutant = deepcopy(QUESTIONS)
    mutate(mutant)
    assert check in broken(checks.QUESTION_CHECKS, mutant, EN)


@pytest.mark.parametrize(
    ("mutate", "check"),
    [
        pytest.param(lambda v: v.pop(), "covered", id="fact-lost"),
        pytest.param(lambda v: v[1]["gathers"].append("market_days"), "covered", id="fact-in-two"),
        pytest.param(lambda v: v[1].update(name="stall_days"), "variables_differ", id="one-name"),
        pytest.param(lambda v: v[1].update(name="Stall helpers"), "named", id="name"),
        pytest.param(lambda v: v[0]["gathers"].append(v.pop()["gathers"][0]), "apart", id="two-of-one-question"),
    ],
)
def test_a_mutant_of_the_variables_is_caught_by_its_rule(mutate: Mutate, check: str) -> None:
    mutant = deepcopy(VARIABLES)
    mutate(mutant["variables"])
    assert check in broken(checks.VARIABLE_CHECKS, mutant, FACTS)


def test_a_value_that_stands_twice_in_a_list_is_caught() -> None:
    assert broken(checks.CHOICE_CHECKS, {"a": ["one_day", "One day", "two"]}, EN) == {"values_differ"}


@pytest.mark.parametrize(
    ("updated", "check"),
    [
        pytest.param([("a", "x9")], "in_schema", id="no-value"),
        pytest.param([("a", "y2")], "in_schema", id="value-of-another"),
        pytest.param([("a", "x1")], "changed", id="as-it-was"),
        pytest.param([("a", "x2"), ("a", "x2")], "once", id="twice"),
        pytest.param([("c", "z2")], "limit", id="too-often"),
    ],
)
def test_a_mutant_of_the_updates_is_caught_by_its_rule(updated: list[tuple[str, str]], check: str) -> None:
    mutant = {**UPDATES, "updated": [{"variable": name, "new": new} for name, new in updated]}
    assert check in broken(checks.UPDATE_CHECKS, mutant, PERIOD)


def test_updates_leave_enough_changes_for_the_periods_to_come() -> None:
    """Three stretches of one change need three; two changes of each of two variables are there, and both are used."""
    both = {**UPDATES, "updated": [{"variable": "a", "new": "x2"}, {"variable": "b", "new": "y2"}]}
    assert broken(checks.UPDATE_CHECKS, both, {**PERIOD, "later": 2}) == set()
    assert broken(checks.UPDATE_CHECKS, both, {**PERIOD, "later": 3}) == {"room"}
    assert broken(checks.UPDATE_CHECKS, UPDATES, {**PERIOD, "later": 3}) == set()


@pytest.mark.parametrize(
    ("left", "stretches", "fewest", "enough"),
    [
        pytest.param({"a": 3, "b": 3}, 3, 2, True, id="just-enough"),
        pytest.param({"a": 9, "b": 1}, 3, 2, False, id="one-cannot-stand-in-for-two"),
        pytest.param({"a": 2, "b": 1, "c": 1}, 2, 2, True, id="shared"),
        pytest.param({}, 0, 2, True, id="nothing-to-come"),
    ],
)
def test_room_is_counted_by_different_variables(
    left: dict[str, int], stretches: int, fewest: int, enough: bool
) -> None:
    assert checks.enough_room(left, stretches, fewest) is enough


@pytest.mark.parametrize(
    ("mutate", "check"),
    [
        pytest.param(lambda e: e.pop(), "all_once", id="change-untold"),
        pytest.param(lambda e: e[1]["states"].append("stall_days"), "all_once", id="change-in-two"),
        pytest.param(lambda e: e[0].update(event="Her stall_helpers grew."), "hinted", id="variable-named"),
        pytest.param(lambda e: e[0].update(event="Now a small crew stands there."), "hinted", id="value-copied"),
        pytest.param(lambda e: e[0].update(event="她的侄子来帮忙了。"), "language", id="language"),
    ],
)
def test_a_mutant_of_the_events_is_caught_by_its_rule(mutate: Mutate, check: str) -> None:
    mutant = deepcopy(EVENTS)
    mutate(mutant["events"])
    assert check in broken(checks.EVENT_CHECKS, mutant, CHANGED)


@pytest.mark.parametrize(
    ("said", "check"),
    [
        pytest.param(ANSWERS["variant_1"], "answers_differ", id="same"),
        pytest.param("With one helper, share the work.", "hinted", id="value-copied"),
        pytest.param("周五一起准备。", "language", id="language"),
    ],
)
def test_a_mutant_of_the_answers_is_caught_by_its_rule(said: str, check: str) -> None:
    assert check in broken(checks.ANSWER_CHECKS, {**ANSWERS, "variant_2": said}, HIDDEN)


@pytest.mark.parametrize(
    ("mutate", "check"),
    [
        pytest.param(lambda q: q[0]["exposed_states"][0].update(value="one"), "right", id="wrong-value"),
        pytest.param(lambda q: q[0]["exposed_states"].append(q[0]["exposed_states"][0]), "right", id="listed-twice"),
        pytest.param(lambda q: q.pop(), "all_shown", id="variable-untold"),
        pytest.param(lambda q: q[0].update(query=q[1]["query"]), "queries_differ", id="same"),
        pytest.param(lambda q: q[0].update(query="My oven_size is large. And now?"), "hinted", id="variable-named"),
        pytest.param(lambda q: q[0].update(query="我一个人怎么办？"), "language", id="language"),
    ],
)
def test_a_mutant_of_the_first_queries_is_caught_by_its_rule(mutate: Mutate, check: str) -> None:
    mutant = deepcopy(QUERIES)
    mutate(mutant["queries"])
    assert check in broken(checks.FIRST_QUERY_CHECKS, mutant, NOW)


@pytest.mark.parametrize(
    ("profile", "given", "check"),
    [
        pytest.param("word " * 500, EN, "length", id="words"),
        pytest.param("字" * 1000, ZH, "length", id="signs"),
        pytest.param("Early riser.", ZH, "language", id="english-for-chinese"),
    ],
)
def test_a_mutant_of_the_profile_is_caught_by_its_rule(profile: str, given: dict[str, str], check: str) -> None:
    assert broken(checks.PROFILE_CHECKS, {"name": "Mira", "profile": profile}, given) == {check}


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        pytest.param("He lives there with one helper now.", "one_helper", True, id="underscores"),
        pytest.param("With one-helper rules.", "one helper", True, id="punctuation"),
        pytest.param("One helpers' union.", "one_helper", False, id="part-of-a-word"),
        pytest.param("Nobody has none.", "none", False, id="single-words-occur"),
        pytest.param("我现在每天早上开门。", "每天早上开门", True, id="chinese"),
        pytest.param("我每天都去。", "每天", False, id="short-chinese-occurs"),
    ],
)
def test_a_value_said_to_the_letter_is_seen(text: str, value: str, said: bool) -> None:
    assert checks.spelled(text, value) is said


def test_every_rule_has_a_mutant() -> None:
    """The names above, against those there are."""
    named = {
        "QUESTION_CHECKS": {"questions_differ", "facts_differ", "values_differ", "named", "language"},
        "VARIABLE_CHECKS": {"covered", "variables_differ", "named", "apart"},
        "UPDATE_CHECKS": {"in_schema", "changed", "once", "limit", "room", "language"},
        "EVENT_CHECKS": {"all_once", "hinted", "language"},
        "ANSWER_CHECKS": {"answers_differ", "hinted", "language"},
        "FIRST_QUERY_CHECKS": {"right", "all_shown", "queries_differ", "hinted", "language"},
        "PROFILE_CHECKS": {"length", "language"},
    }
    assert {rules: {check.name for check in getattr(checks, rules)} for rules in named} == named
