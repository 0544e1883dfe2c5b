"""Each rule of showings: what breaks it is found, with its place."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import SAID, Topic
from recollect.benchmarks.subtlememory.generate.rules.topics import showing_problems
from recollect.records.codec import decode

from tests.unit.benchmarks.subtlememory.generate.rows import Change, Row, less, put, topic_row

FARM = "traits 0 values 1"
ONE = f"{FARM} showings 0"
PEWTER = "my dented pewter in front of the lime-washed wall"


def problems(row: Row) -> list[str]:
    """What is found."""
    return list(showing_problems(decode(Topic, row, where="test")))


def _shown(text: str) -> Change:
    return put(f"{ONE} shown", text)


def _after(text: str) -> Change:
    return put(f"{ONE} after", text)


def _detail(text: str) -> Change:
    return put(f"{ONE} more", text)


def _answer(text: str) -> Change:
    return put(f"{ONE} assistant", lambda old: f"{old} {text}")


def _other(name: str) -> Change:
    """The text of another showing of the value."""
    return lambda row: put(f"{ONE} {name}", row["traits"][0]["values"][1]["showings"][1][name])(row)


def _resource(row: Row) -> None:
    """A detail in the words of what suits the value."""
    value = row["traits"][0]["values"][1]
    value["showings"][0]["more"] = f"It is about {value['resources'][0]}, if you ask me."


BROKEN = [
    pytest.param(put(f"{FARM} showings", less), "2 showings, not 3", id="two-showings"),
    pytest.param(put(f"{FARM} held_out", less), "1 held_out, not 2", id="one-held-out"),
    pytest.param(_other("thread"), "not once in each thread", id="thread-twice"),
    pytest.param(put(f"{ONE} thread", "small_talk"), "not once in each thread", id="thread-unknown"),
    pytest.param(put(f"{ONE} usual", ""), "usual: 0 words, not 1 to 7", id="nothing-usual"),
    pytest.param(put(f"{ONE} usual", "As a rule,"), "usual: ends with a mark", id="usual-with-comma"),
    pytest.param(put(f"{ONE} before", "So it is. " * 20), "before: 60 words", id="before-too-long"),
    pytest.param(_shown("{said}, I do."), "shown: 2 words", id="shown-too-short"),
    pytest.param(put(f"{ONE} more", "And more."), "more: 2 words", id="more-too-short"),
    pytest.param(_after("Is it?"), "after: 2 words", id="after-too-short"),
    pytest.param(put(f"{ONE} assistant", "Put it there."), "assistant: 3 words", id="answer-too-short"),
    pytest.param(_after("So tell me how to go on with it"), "does not end a sentence", id="open-end"),
    pytest.param(_after("Is that in memory of how things were?"), "after: says `memory`", id="word-of-the-benchmark"),
    pytest.param(_after("Is that so \u2014 or is it not so?"), "after: has the sign", id="dash"),
    pytest.param(_after("Is that a apple or is it not?"), "after: wrong article", id="wrong-article"),
    pytest.param(_shown(f"I keep {PEWTER}, as things are."), "does not begin a sentence", id="no-situation"),
    pytest.param(_shown(f"{SAID}, I keep, {SAID}, {PEWTER}."), "or not one alone", id="two-situations"),
    pytest.param(_shown(f"I keep {PEWTER} {SAID}, as it is."), "does not begin a sentence", id="situation-inside"),
    pytest.param(_after("What do I do {said}, then?"), "after: has a slot", id="slot-elsewhere"),
    pytest.param(_after("Is that a rustic farmhouse or is it not?"), "names `rustic farmhouse`", id="named"),
    pytest.param(
        _after("Is a country cottage style what it is?"), "names `country cottage style`", id="named-otherwise"
    ),
    pytest.param(_after("Is an industrial loft any better than this?"), "names `industrial loft`", id="other-named"),
    pytest.param(_after("Would bespoke joinery be any better?"), "names `bespoke joinery`", id="other-trait-named"),
    pytest.param(_after("Is that how furnishes rooms a farmhouse, rustically?"), "says outright", id="stated"),
    pytest.param(_other("after"), "sentence stands 2 times", id="said-twice"),
    pytest.param(
        lambda row: (_detail("There are two walruses on it.")(row), _after("Are the walruses worth a thing?")(row)),
        "after: speaks of walrus, which only `more` has",
        id="asked-about-what-may-be-left-out",
    ),
    pytest.param(
        lambda row: (_detail("There are two walruses on it.")(row), _answer("Sell the walruses.")(row)),
        "assistant: speaks of walrus, which only `more` has",
        id="answer-to-what-may-be-left-out",
    ),
    pytest.param(_resource, "with a resource", id="words-of-a-resource"),
    pytest.param(put(f"{ONE} follows", [1, 5]), "there is no step 5", id="behind-a-step-that-is-not-there"),
    pytest.param(
        lambda row: (put(f"{ONE} precedes", [1, 2])(row), put(f"{ONE} follows", [1, 2])(row)),
        "no place among 5 exchanges",
        id="beside-neither-of-two-steps",
    ),
]


def test_showings_as_they_are_break_no_rule() -> None:
    """The others below are these with one thing changed."""
    assert problems(topic_row()) == []


@pytest.mark.full
@pytest.mark.parametrize(("change", "told"), BROKEN)
def test_what_breaks_a_rule_is_found(change: Change, told: str) -> None:
    """With what it says."""
    row = topic_row()
    change(row)
    assert any(told in problem for problem in problems(row)), problems(row)
