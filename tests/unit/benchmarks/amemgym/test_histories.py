"""From users to histories and keys; expected values are read off the two users written by hand."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given

from recollect.benchmarks.amemgym.histories import dataset_of, keyed, lang_of
from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.load import load
from recollect.domain.histories import Asking, Keyed, Script
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.records.codec import decode, encode

from tests.unit.benchmarks.amemgym.lives import MINI, lives, mira, rows, told
from tests.unit.benchmarks.amemgym.test_items import merged_twice, second_gold

OPAQUE = re.compile(r"[a-z]{1,2}[0-9a-f]{16}")


@pytest.fixture
def whole() -> Keyed:
    return load(MINI).histories[0]


def asked(keyed: Keyed, purpose: str, thread: str = "") -> list[tuple[Question, Key]]:
    found = [(q, keyed.keys[q.question_id]) for q in keyed.history.questions if q.purpose == purpose]
    return [one for one in found if one[1].labels["thread"].startswith(thread)]


def test_the_dialogues_of_a_period_stand_before_its_questions(whole: Keyed) -> None:
    kinds = ["".join("s" if isinstance(event, Script) else "a" for event in whole.history.timeline)]
    assert kinds == ["sasasa"]
    asking = [event for event in whole.history.timeline if isinstance(event, Asking)]
    assert [event.checkpoint for event in asking] == ["p00", "p01", "p02"]
    assert [len(event.question_ids) for event in asking] == [4, 4, 4]


def test_a_script_begins_with_the_query_and_has_the_authors_rounds(whole: Keyed) -> None:
    """One round where all is told first, two later: their base configuration."""
    scripts = [event for event in whole.history.timeline if isinstance(event, Script)]
    assert [script.rounds for script in scripts] == [1, 2, 2]
    opening = scripts[1].opening
    assert opening.text == "Now that my nephew works beside me, how should we split tasks?"
    assert (opening.role, opening.speaker, opening.said_at) == ("user", "Mira Holt", "2021-01-01T19:40:11")


def test_a_simulated_user_may_know_profile_time_event_and_states(whole: Keyed) -> None:
    script = [event for event in whole.history.timeline if isinstance(event, Script)][1]
    known = dict(script.variables)
    assert known.pop("profile").startswith("name: Mira Holt\n")
    assert json.loads(known.pop("schema"))["stall_helper_count"] == ["none", "one_helper", "small_crew"]
    assert json.loads(known.pop("state")) == {"stall_opening_pattern": "weekends", "stall_helper_count": "one_helper"}
    assert json.loads(known.pop("exposed")) == {"stall_helper_count": "one_helper"}
    assert known == {"date": "2021-01-01", "event": "Her nephew started lending a hand.", "lang": "en"}


def test_the_right_choice_follows_the_state(whole: Keyed) -> None:
    plan = asked(whole, "score", "q00")
    assert [key.gold for _, key in plan] == [("2",), ("3",), ("2",)]
    assert [key.rejected for _, key in plan] == [(), ("2",), ("3",)]
    assert {key.labels["thread"] for _, key in plan} == {"q00"}
    assert [key.labels["period"] for _, key in plan] == ["0", "1", "2"]


def test_a_question_shows_its_choices_in_the_order_of_the_file(whole: Keyed) -> None:
    question, key = asked(whole, "score", "q00")[0]
    assert question.answer_format is AnswerFormat.LETTER
    assert [option.letter for option in question.options] == ["1", "2", "3", "4"]
    assert question.options[1].text == "Prepare alone on Friday and keep the evenings free."
    assert question.asked_at == "2020-10-01"
    assert key.labels["choices"] == "4"
    assert json.loads(key.labels["states"])["3"] == ["weekends", "one_helper"]


def test_evidence_is_the_opening_that_told_the_value_last(whole: Keyed) -> None:
    first, second, third = (event.opening for event in whole.history.timeline if isinstance(event, Script))
    _, before = asked(whole, "score", "q00")[0]
    _, after = asked(whole, "score", "q00")[2]
    assert before.evidence == (first.message_id,)
    assert after.evidence == (first.message_id, third.message_id)
    assert after.field_evidence["stall_helper_count"] == (third.message_id,)
    assert second.message_id not in after.evidence


def test_the_oracle_hears_what_told_the_states_and_only_a_bound_names_them(whole: Keyed) -> None:
    _, key = asked(whole, "score", "q01")[1]
    assert (key.oracle_text, bool(key.evidence)) == (None, True)
    bound = next(key for key in whole.keys.values() if key.labels["thread"] == "q01-bound-1")
    assert set(json.loads(bound.oracle_text or "")) == {"stall_helper_count"}


def test_the_key_says_when_each_state_was_told_last(whole: Keyed) -> None:
    written = [json.loads(key.labels["written"]) for _, key in asked(whole, "score", "q00")]
    assert written == [
        {"stall_opening_pattern": 0, "stall_helper_count": 0},
        {"stall_opening_pattern": 0, "stall_helper_count": 1},
        {"stall_opening_pattern": 0, "stall_helper_count": 2},
    ]


def test_a_probe_asks_for_the_states_of_its_question(whole: Keyed) -> None:
    question, key = asked(whole, "probe", "q01")[1]
    assert question.template == {"stall_helper_count": "one of: none | one_helper | small_crew"}
    assert key.field_gold == {"stall_helper_count": ("one_helper",)}
    assert (key.labels["probe_of"], key.labels["thread"]) == ("q01", "q01-states")


def test_the_rule_reader_finds_the_values_in_the_words_of_a_probe(whole: Keyed) -> None:
    from recollect.offline.reading.operators.templates import choices_in

    question, _ = asked(whole, "probe", "q00")[0]
    assert choices_in(question.template["stall_opening_pattern"]) == ["weekends", "weekday_mornings", "daily"]


def test_each_choice_has_a_key_of_its_own_for_the_upper_bound(whole: Keyed) -> None:
    bounds = [key for key in whole.keys.values() if "bound_of" in key.labels]
    assert len(bounds) == 4 + 3
    assert {key.labels["thread"] for key in bounds if key.labels["bound_of"] == "q01"} == {
        f"q01-bound-{letter}" for letter in (1, 2, 3)
    }
    crew = next(key for key in bounds if key.labels["thread"] == "q01-bound-3")
    assert (crew.gold, crew.oracle_text) == (("3",), '{"stall_helper_count": "small_crew"}')
    assert not {key.question_id for key in bounds} & {question.question_id for question in whole.history.questions}


def test_two_users_who_are_asked_the_same_have_other_questions() -> None:
    other = mira(id="u-003")
    names = [{q.question_id for q in keyed(item).history.questions} for item in (mira(), other)]
    assert not names[0] & names[1]


def test_the_language_is_told_by_what_the_user_says() -> None:
    assert [lang_of(told(row)) for row in rows()] == ["en", "zh"]
    probe, _ = asked(load(MINI).histories[1], "probe")[0]
    assert probe.text.startswith("我目前的情况如何")


def test_a_variable_that_is_needed_twice_is_asked_for_once() -> None:
    row = rows()[0]
    merged_twice(row)
    made = keyed(told(row))
    assert [key.gold for _, key in asked(made, "score", "q01")] == [("1",), ("2",), ("1",)]
    assert list(asked(made, "probe", "q01")[0][1].field_gold) == ["stall_helper_count"]


def test_without_one_right_choice_there_is_no_history() -> None:
    row = rows()[0]
    second_gold(row)
    with pytest.raises(ValueError, match="not one right choice"):
        dataset_of([told(row)], "by hand")


@given(lives())
def test_any_user_makes_a_sound_history(item: Item) -> None:
    """Opaque ids, evidence from what was said before, and a record that reads back."""
    made = keyed(item)
    heard: set[str] = set()
    for event in made.history.timeline:
        if isinstance(event, Script):
            assert OPAQUE.fullmatch(event.session_id)
            assert OPAQUE.fullmatch(event.opening.message_id)
            heard.add(event.opening.message_id)
        elif isinstance(event, Asking):
            for name in event.question_ids:
                assert OPAQUE.fullmatch(name)
                assert set(made.keys[name].evidence) <= heard
    assert decode(Keyed, encode(made), where="test") == made
