"""What people should judge of the data, with what the rules say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from recollect.benchmarks.amemgym.generate import generate
from recollect.benchmarks.amemgym.histories import dataset_of
from recollect.benchmarks.amemgym.sheets import REPLY_SHOWN, sheets
from recollect.contracts.benchmark import Dataset
from recollect.contracts.sheets import Sheet, SheetItem
from recollect.domain.histories import Script
from recollect.domain.ids import HistoryId, MessageId
from recollect.domain.messages import Message

from tests.unit.benchmarks.amemgym.lives import mira

Talks = Mapping[HistoryId, Sequence[Message]]


@pytest.fixture(scope="module")
def small() -> Dataset:
    return generate("small", 0)


def _sheet(name: str, dataset: Dataset, talks: Talks | None = None) -> Sheet:
    return next(sheet for sheet in sheets(dataset, talks or {}) if sheet.name == name)


def _mira() -> Dataset:
    return dataset_of([mira()], "test")


def _talk(dataset: Dataset, *turns: tuple[str, str]) -> Talks:
    """The first dialogue of the first user, its opening and then *turns* of role and text."""
    history = dataset.histories[0].history
    script = next(event for event in history.timeline if isinstance(event, Script))
    said = [
        replace(script.opening, message_id=MessageId(f"m{place}"), role=role, text=text)  # type: ignore[arg-type]
        for place, (role, text) in enumerate(turns)
    ]
    return {history.history_id: [script.opening, *said]}


def _labels(found: Sheet) -> dict[str, str]:
    return {item.item.rpartition("/")[2]: item.rules for item in found.items}


def test_every_value_that_an_opening_should_show_is_an_item(small: Dataset) -> None:
    scripts = [event for keyed in small.histories for event in keyed.history.timeline if isinstance(event, Script)]
    found = _sheet("exposure", small)
    assert len(found.items) == sum(len(json.loads(script.variables["exposed"])) for script in scripts)
    assert len({item.group for item in found.items}) == len(scripts)
    assert len({item.cluster for item in found.items}) == len(small.histories)
    assert found.sample == 200


def test_the_rules_find_what_generated_openings_show(small: Dataset) -> None:
    """The classifier knows the catalogue's sentences, of which these openings are made."""
    assert {item.rules for item in _sheet("exposure", small).items} == {"2"}


def test_an_opening_that_shows_nothing_of_its_value_is_a_zero(small: Dataset) -> None:
    keyed = small.histories[0]
    timeline = tuple(
        replace(event, opening=replace(event.opening, text="How are you?")) if isinstance(event, Script) else event
        for event in keyed.history.timeline
    )
    changed = replace(keyed, history=replace(keyed.history, timeline=timeline))
    found = _sheet("exposure", replace(small, histories=(changed,)))
    assert {item.rules for item in found.items} == {"0"}


def test_the_rules_say_nothing_of_values_that_they_have_no_words_for() -> None:
    """Mira's variables are in no catalogue: that no rule sees a value there does not mean that nobody would."""
    found = _sheet("exposure", _mira())
    assert _labels(found)["stall_helper_count"] == ""
    first = found.items[0]
    assert first.text == "I'm alone at the stall Saturday and Sunday. How do I keep tulips fresh?"
    assert first.question == (
        "Does it show that `stall_opening_pattern` is `weekends`? Before: nothing yet. "
        "All values: weekends, weekday_mornings, daily."
    )


def test_a_change_is_told_with_what_held_before() -> None:
    changed = [item for item in _sheet("exposure", _mira()).items if "/p01/" in item.item]
    assert changed[0].question.startswith("Does it show that `stall_helper_count` is `one_helper`? Before: none.")


def test_each_dialogue_asks_for_every_state_and_holds_what_was_said() -> None:
    dataset = _mira()
    long = "Cut the stems. " * 100
    talks = _talk(dataset, ("assistant", long), ("user", "Thank you, how often?"), ("assistant", "Daily."))
    found = _sheet("integrity", dataset, talks)
    assert _labels(found) == {"stall_opening_pattern": "0", "stall_helper_count": "0"}
    (text,) = {item.text for item in found.items}
    assert text.startswith("User: I'm alone at the stall")
    assert "User: Thank you, how often?\n\nAssistant: Daily." in text
    assert "[…]" in text
    assert len(text) < REPLY_SHOWN + 250


def test_a_value_that_does_not_hold_is_a_major_conflict() -> None:
    dataset = _mira()
    talks = _talk(dataset, ("assistant", "I see."), ("user", "My helper count at the stall is a small crew, you know."))
    assert _labels(_sheet("integrity", dataset, talks)) == {"stall_opening_pattern": "0", "stall_helper_count": "2"}


def test_a_value_that_holds_is_no_conflict_though_it_is_told() -> None:
    """Her stall is open at weekends; it is for the check of simulated users that this should not be said."""
    dataset = _mira()
    talks = _talk(dataset, ("assistant", "I see."), ("user", "My opening pattern at the stall is weekends, you know."))
    assert _labels(_sheet("integrity", dataset, talks))["stall_opening_pattern"] == "0"


def test_a_word_that_may_be_a_value_is_a_minor_one() -> None:
    dataset = _mira()
    talks = _talk(dataset, ("assistant", "I see."), ("user", "Should I do that daily?"))
    assert _labels(_sheet("integrity", dataset, talks))["stall_opening_pattern"] == "1"


def test_dialogues_of_an_opening_alone_have_nothing_to_contradict() -> None:
    dataset = _mira()
    for talks in ({}, _talk(dataset, ("assistant", "Cut the stems."))):
        found = _sheet("integrity", dataset, talks)
        assert found.items == ()
        assert "--run" in found.why


def test_each_question_is_asked_once_for_each_combination_that_holds(small: Dataset) -> None:
    """Periods in which the same values hold would be the same item."""
    items = _sheet("gold", small).items
    assert len({(item.text, item.question) for item in items}) == len(items)
    wanted = {
        (keyed.history.history_id, key.labels["thread"], key.gold)
        for keyed in small.histories
        for key in keyed.keys.values()
        if key.labels["thread"].startswith("q") and len(key.labels["thread"]) == 3
    }
    assert len(items) == len(wanted)


def test_raters_see_question_state_and_all_options_and_choose_one() -> None:
    item: SheetItem = _sheet("gold", _mira()).items[0]
    assert item.text.splitlines() == [
        "The user asks: How should I plan my week?",
        "stall_opening_pattern: weekends",
        "stall_helper_count: none",
    ]
    assert item.question.splitlines()[0] == "Which answer suits this user best?"
    assert list(item.scale.points) == ["1", "2", "3", "4"]
    assert item.scale.best == "none"
    assert item.question.splitlines()[int(item.gold)].startswith(f"{item.gold}. Prepare alone on Friday")


def test_the_rules_choose_where_they_know_the_answers_words(small: Dataset) -> None:
    items = _sheet("gold", small).items
    assert {item.rules for item in _sheet("gold", _mira()).items} == {""}
    told = [item for item in items if item.rules]
    assert len(told) > 0.9 * len(items)
    assert sum(item.rules == item.gold for item in told) == len(told)
