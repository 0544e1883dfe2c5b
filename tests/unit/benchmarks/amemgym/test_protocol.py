"""What is visible when, and what each setting changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from recollect.benchmarks.amemgym.load import load
from recollect.benchmarks.amemgym.protocol import steps
from recollect.contracts.benchmark import StepSettings
from recollect.domain.errors import ConfigError, DataError
from recollect.domain.histories import Keyed, Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Observe, Step

from tests.unit.benchmarks.amemgym.lives import MINI


@pytest.fixture
def whole() -> Keyed:
    return load(MINI).histories[0]


def made(whole: Keyed, talk: Sequence[Message] | None = None, **extra: str) -> list[Step]:
    return list(steps(whole.history, StepSettings(extra=extra), talk))


def said(script: Script, turn: int, *, reply: bool) -> Message:
    name = MessageId(f"x{script.session_id}{turn}{reply}")
    role, text = ("assistant", f"reply {turn}") if reply else ("user", f"turn {turn}")
    first = turn == 0 and not reply
    return replace(
        script.opening,
        message_id=name,
        text=script.opening.text if first else text,
        role="assistant" if role == "assistant" else "user",
    )


def talk_of(whole: Keyed, rounds: Sequence[int] = (1, 2, 2)) -> list[Message]:
    """What was said with another system."""
    scripts = [event for event in whole.history.timeline if isinstance(event, Script)]
    return [
        said(script, turn, reply=reply)
        for script, count in zip(scripts, rounds, strict=True)
        for turn in range(count)
        for reply in (False, True)
    ]


def test_each_period_is_talked_about_and_then_asked_for(whole: Keyed) -> None:
    found = made(whole)
    assert [type(step) for step in found] == [Converse, Ask] * 3
    assert all(step.arms is None for step in found if isinstance(step, Ask))
    assert [[q.purpose for q in step.questions] for step in found if isinstance(step, Ask)] == [
        ["score", "score", "probe", "probe"]
    ] * 3


def test_rounds_are_settings(whole: Keyed) -> None:
    found = made(whole, rounds_init="2", rounds_update="5")
    assert [step.script.rounds for step in found if isinstance(step, Converse)] == [2, 5, 5]


def test_a_user_whose_period_has_no_dialogue_is_asked_all_the_same() -> None:
    second = load(MINI).histories[1]
    assert [type(step) for step in made(second)] == [Converse, Ask, Ask]


def test_probes_can_be_left_out(whole: Keyed) -> None:
    asks = [step for step in made(whole, probes="no") if isinstance(step, Ask)]
    assert {q.purpose for step in asks for q in step.questions} == {"score"}
    assert [len(step.questions) for step in asks] == [2, 2, 2]


def test_the_bound_asks_each_choice_once_of_the_oracle_alone(whole: Keyed) -> None:
    first, *rest = made(whole, bound="choices")
    assert isinstance(first, Ask)
    assert (first.checkpoint, first.arms, len(first.questions)) == ("bound", (Arm.ORACLE,), 4 + 3)
    assert rest == made(whole)
    keys = [whole.keys[question.question_id] for question in first.questions]
    assert all(key.oracle_text and not key.evidence for key in keys)
    assert [key.gold for key in keys] == [("1",), ("2",), ("3",), ("4",), ("1",), ("2",), ("3",)]


def test_a_bound_question_is_that_of_its_choice(whole: Keyed) -> None:
    first = made(whole, bound="choices")[0]
    assert isinstance(first, Ask)
    for question in first.questions:
        key = whole.keys[question.question_id]
        state = json.loads(key.labels["states"])[key.gold[0]]
        assert list(json.loads(key.oracle_text or "").values()) == state
        assert question.asked_at is None


def test_a_known_schema_is_shown_first_with_no_value(whole: Keyed) -> None:
    first, *rest = made(whole, schema="known")
    assert isinstance(first, Observe)
    (message,) = first.session.messages
    assert (message.role, first.covers) == ("system", {message.message_id: ()})
    assert "stall_opening_pattern, stall_helper_count" in message.text
    assert "weekends" not in message.text
    assert rest == made(whole)


@pytest.mark.parametrize("kind", ["questions", "answers", "complete"])
def test_a_policy_learns_between_two_periods_from_the_scored_questions_alone(whole: Keyed, kind: str) -> None:
    found = made(whole, evolve=kind)
    assert [type(step) for step in found] == [Converse, Ask, Ask, Evolve] * 2 + [Converse, Ask, Ask]
    learnt = [step for step in found if isinstance(step, Evolve)]
    assert [(step.checkpoint, step.feedback.kind) for step in learnt] == [("p00", kind), ("p01", kind)]
    of_that_name = [step for step in found if isinstance(step, Ask) and step.checkpoint == "p00"]
    assert [{q.purpose for q in step.questions} for step in of_that_name] == [{"score"}]


def test_only_complete_feedback_tells_the_states_of_the_period_and_of_no_other(whole: Keyed) -> None:
    """Told or only heard: what a user says is in the data."""
    scripts = [event for event in whole.history.timeline if isinstance(event, Script)]
    wanted = [json.loads(script.variables["exposed"]) for script in scripts]
    for talk in (None, talk_of(whole)):
        found = [step for step in made(whole, talk, evolve="complete") if isinstance(step, Evolve)]
        assert [step.feedback.exposed for step in found] == wanted[:2]
    for kind in ("questions", "answers"):
        assert not any(step.feedback.exposed for step in made(whole, evolve=kind) if isinstance(step, Evolve))


def test_dialogues_of_another_system_are_only_heard(whole: Keyed) -> None:
    found = made(whole, talk_of(whole))
    assert [type(step) for step in found] == [Observe, Ask] * 3
    scripts = [event for event in whole.history.timeline if isinstance(event, Script)]
    for step, script in zip([one for one in found if isinstance(one, Observe)], scripts, strict=True):
        first, *others = step.session.messages
        assert first == script.opening
        assert step.covers == {message.message_id: () for message in others}
        assert len(others) == 2 * script.rounds - 1


@pytest.mark.parametrize("rounds", [(1, 1, 2), (1, 2, 0)], ids=["too-short", "missing"])
def test_dialogues_of_other_lengths_are_refused(whole: Keyed, rounds: tuple[int, ...]) -> None:
    with pytest.raises(DataError, match="as many rounds"):
        made(whole, talk_of(whole, rounds))


def test_dialogues_that_begin_otherwise_are_refused(whole: Keyed) -> None:
    talk = talk_of(whole)
    with pytest.raises(DataError, match="not the opening"):
        made(whole, [replace(talk[0], text="Good evening."), *talk[1:]])


def test_an_unreadable_reply_can_be_a_guess_and_answers_can_be_longer(whole: Keyed) -> None:
    asks = [step for step in made(whole, unreadable="random", output_tokens="8192") if isinstance(step, Ask)]
    assert {q.variables["unreadable"] for step in asks for q in step.questions} == {"random"}
    assert {q.output_tokens for step in asks for q in step.questions} == {8192}
    assert all(not q.variables for step in made(whole) if isinstance(step, Ask) for q in step.questions)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"rounds_init": "0"}, "`rounds_init` is a number from 1 on, got '0'"),
        ({"bound": "yes"}, "`bound` is one of none, choices, got 'yes'"),
        ({"round": "2"}, "`round` is not known"),
    ],
    ids=["zero", "value", "name"],
)
def test_a_setting_that_is_none_is_refused(whole: Keyed, extra: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        made(whole, None, **extra)


def test_dialogues_are_never_cut_into_chunks(whole: Keyed) -> None:
    with pytest.raises(ConfigError, match="`chunker`"):
        list(steps(whole.history, StepSettings(chunker="paper")))
