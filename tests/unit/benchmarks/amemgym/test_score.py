"""Scores of single replies, in both presets; expected values by hand from the states of the choices."""

from __future__ import annotations

import pytest

from recollect.benchmarks.amemgym.card import CARD
from recollect.benchmarks.amemgym.load import load
from recollect.benchmarks.amemgym.protocol import steps
from recollect.benchmarks.amemgym.score import authors_guess, score
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Status
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Ask

from tests.unit.benchmarks.amemgym.lives import MINI


def put(period: int, place: int, preset: str = "standard") -> tuple[Question, Key]:
    """A question of Mira's as a preset asks it; those from 2 on are probes."""
    whole = load(MINI).histories[0]
    asks = [s for s in steps(whole.history, CARD.presets[preset].steps_for("overall")) if isinstance(s, Ask)]
    asks = [ask for ask in asks if ask.checkpoint != "bound"]
    question = asks[period].questions[place]
    return question, whole.keys[question.question_id]


def weighed(asked: tuple[Question, Key], said: str, *, abstained: bool = False) -> tuple[Outcome, dict[str, float]]:
    outcome = score(*asked, Reply(text=said, abstained=abstained), None, {})
    return outcome, {part.name: part.value for part in outcome.parts if part.value is not None}


@pytest.mark.parametrize(
    ("number", "accuracy", "hamming", "jaccard", "stale"),
    [
        pytest.param(3, 1.0, 1.0, 1.0, 0.0, id="right"),
        pytest.param(2, 0.0, 0.5, 1 / 3, 1.0, id="right-before"),
        pytest.param(1, 0.0, 0.0, 0.0, 0.0, id="never"),
    ],
)
def test_a_choice_is_as_good_as_its_state_is_near(
    number: int, accuracy: float, hamming: float, jaccard: float, stale: float
) -> None:
    """In period 1 it is the weekends with one helper, choice 3; before that it was choice 2."""
    outcome, parts = weighed(put(1, 0), f'{{"answer": {number}}}')
    assert outcome.value == accuracy == parts["accuracy"] == parts["strict_accuracy"]
    assert [parts["hamming"], parts["jaccard"], parts["stale"]] == pytest.approx([hamming, jaccard, stale])
    assert parts["json_error"] == parts["no_choice"] == 0.0


def test_another_form_counts_and_is_told_apart() -> None:
    outcome, parts = weighed(put(1, 0), "3")
    assert outcome.value == 1.0
    assert (parts["strict_accuracy"], parts["json_error"], parts["no_choice"]) == (0.0, 1.0, 0.0)
    assert next(part.why for part in outcome.parts if part.name == "json_error") == "number"


@pytest.mark.parametrize("said", ["", "Hard to say.", '{"answer": 0}', '{"answer": -3}', '{"answer": 9}'])
def test_no_choice_is_wrong(said: str) -> None:
    outcome, parts = weighed(put(1, 0), said)
    assert outcome.value == 0.0
    assert parts["no_choice"] == 1.0
    assert parts["hamming"] == parts["jaccard"] == 0.0


def test_who_declines_has_abstained_and_gets_nothing() -> None:
    outcome, _ = weighed(put(1, 0), '{"answer": 3}', abstained=True)
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, 0.0)


@pytest.mark.parametrize("said", ["", "3", '{"answer": 0}'])
def test_in_the_preset_paper_all_but_json_is_a_guess(said: str) -> None:
    question, key = put(1, 0, "paper")
    outcome, parts = weighed((question, key), said)
    guess = authors_guess(question.question_id, 4)
    assert outcome.value == float(guess == 3)
    assert parts["json_error"] == 1.0
    assert weighed((question, key), '{"answer": 3}')[0].value == 1.0


def test_guesses_reach_their_chance() -> None:
    """Over the seven scored questions of both users in all periods some are right, and some are not."""
    found = set()
    for keyed in load(MINI).histories:
        for step in steps(keyed.history, CARD.paper.steps_for("overall")):
            for question in step.questions if isinstance(step, Ask) else ():
                if question.purpose == "score":
                    found.add(weighed((question, keyed.keys[question.question_id]), "")[0].value)
    assert found == {0.0, 1.0}


def test_a_bound_question_is_scored_by_its_own_choice() -> None:
    whole = load(MINI).histories[0]
    key = next(key for key in whole.keys.values() if key.labels["thread"] == "q00-bound-4")
    question, _ = put(0, 0)
    assert weighed((question, key), '{"answer": 4}')[0].value == 1.0
    assert weighed((question, key), '{"answer": 2}')[1]["hamming"] == 0.5


@pytest.mark.parametrize(
    ("said", "value", "states", "error"),
    [
        pytest.param(
            '{"stall_opening_pattern": "weekends", "stall_helper_count": "one_helper"}', 1.0, (1, 1), 0, id="all"
        ),
        pytest.param('{"stall_opening_pattern": "weekends"}', 0.5, (1, 0), 1, id="one-missing"),
        pytest.param(
            '{"stall_opening_pattern": "Weekends", "stall_helper_count": ["one_helper"]}', 0.0, (0, 0), 0, id="inexact"
        ),
        pytest.param(
            'Well: {"stall_opening_pattern": "daily", "stall_helper_count": "one_helper"}', 0.5, (0, 1), 1, id="prose"
        ),
        pytest.param('["weekends"]', 0.0, (0, 0), 1, id="no-object"),
        pytest.param("", 0.0, (0, 0), 1, id="empty"),
    ],
)
def test_a_probe_is_the_share_of_states_that_are_named(
    said: str, value: float, states: tuple[int, int], error: int
) -> None:
    outcome, parts = weighed(put(1, 2), said)
    assert outcome.value == value
    assert [parts["state:stall_opening_pattern"], parts["state:stall_helper_count"]] == list(states)
    assert parts["json_error"] == error


def test_in_the_preset_paper_states_amid_other_words_are_not_read() -> None:
    said = 'Well: {"stall_opening_pattern": "weekends", "stall_helper_count": "one_helper"}'
    assert weighed(put(1, 2), said)[0].value == 1.0
    assert weighed(put(1, 2, "paper"), said)[0].value == 0.0


def test_weights_of_a_probe_sum_to_one() -> None:
    outcome, _ = weighed(put(1, 2), "")
    assert sum(part.weight for part in outcome.parts) == pytest.approx(1.0)
