"""Rows of EventQA from a chain: what is asked, what is evidence, what is refused, and what gives nothing away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.events import CHOICES
from recollect.benchmarks.memoryagentbench.generate.event_rows import (
    Balance,
    Candidate,
    Distractor,
    Event,
    alike,
    balanced_places,
    event_row,
    solved,
    spread,
)
from recollect.domain.histories import Keyed

SOURCE = SOURCES["eventqa_generated"]
PASSAGES = [f"Paragraph {n}.\n\n" for n in range(20)]
CHAIN = [Event(text=f"Tam did {n} things.", places=(2 * n, 2 * n + 1), character="Tam") for n in range(9)]
WRONG = [[Distractor(text=f"Una did {n} of {m}.", altered=m < 2) for m in range(5)] for n in range(1, 9)]


def _row(**changes: Any) -> Keyed:
    given: dict[str, Any] = {"passages": PASSAGES, "chain": CHAIN, "distractors": WRONG, **changes}
    return event_row(SOURCE, 0, given["passages"], given["chain"], given["distractors"], rng=Random(1))


def test_each_event_but_the_first_is_asked_for_after_up_to_five_before_it() -> None:
    questions = _row().history.questions
    assert len(questions) == 8
    assert questions[0].variables["previous_events"] == "1. Tam did 0 things."
    assert questions[7].variables["previous_events"].split("\n")[0] == "1. Tam did 3 things."
    assert questions[7].variables["previous_events"].count("\n") == 4
    assert all(question.variables["previous_events"] in question.text for question in questions)


def test_evidence_is_where_the_last_previous_event_and_the_next_one_are_told() -> None:
    one = _row()
    ids = [message.message_id for message in one.history.messages()]
    for number, question in enumerate(one.history.questions):
        key = one.keys[question.question_id]
        assert key.evidence == tuple(ids[2 * number : 2 * number + 4])
        assert key.gold[1] == CHAIN[number + 1].text
        assert key.labels == {"task": SOURCE.name, "character": "Tam", "distance": "1", "altered": "2"}


def test_the_right_option_is_the_one_that_the_letter_names_and_all_others_are_wrong_ones() -> None:
    one = _row()
    for question, wrong in zip(one.history.questions, WRONG, strict=True):
        letter, event = one.keys[question.question_id].gold
        texts = {option.letter: option.text for option in question.options}
        assert texts.pop(letter) == event
        assert sorted(texts.values()) == sorted(each.text for each in wrong)


def test_every_place_comes_before_any_comes_again() -> None:
    places = balanced_places(100, CHOICES, Random(3))
    assert all(sorted(places[n : n + 6]) == list(range(6)) for n in range(0, 96, 6))
    assert set(Counter(places).values()) == {16, 17}


def test_a_chain_has_one_event_of_each_equal_part() -> None:
    places = spread(25, 5, Random(1))
    assert [place // 5 for place in places] == [0, 1, 2, 3, 4]
    assert spread(4, 4, Random(1)) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        pytest.param({"chain": CHAIN[:1], "distractors": []}, "at least two events, not 1", id="short-chain"),
        pytest.param({"distractors": WRONG[:-1]}, "9 events make 8 questions.*for 7", id="a-question-without-options"),
        pytest.param({"distractors": [WRONG[0][:4], *WRONG[1:]]}, "question 1: 5 wrong options.*got 4", id="four"),
        pytest.param(
            {"distractors": [[WRONG[0][0], *WRONG[0][:4]], *WRONG[1:]]}, "question 1: two wrong.*same", id="twice"
        ),
        pytest.param(
            {"distractors": [[Distractor(text="the.", altered=True), *WRONG[0][1:]], *WRONG[1:]]},
            "question 1: .*is empty",
            id="no-words",
        ),
        pytest.param(
            {"distractors": [[Distractor(text="tam did 1 things", altered=True), *WRONG[0][1:]], *WRONG[1:]]},
            "question 1: a wrong option is one of its events",
            id="the-right-one-again",
        ),
        pytest.param(
            {"distractors": [*WRONG[:-1], [Distractor(text="Tam did 4 things.", altered=False), *WRONG[0][1:]]]},
            "question 8: a wrong option is one of its events",
            id="a-previous-event",
        ),
        pytest.param({"chain": [replace(CHAIN[0], places=()), *CHAIN[1:]]}, "event 0: places", id="no-place"),
        pytest.param({"chain": [replace(CHAIN[0], places=(20,)), *CHAIN[1:]]}, "event 0: places", id="far-place"),
        pytest.param({"chain": [replace(CHAIN[0], text="a\nb"), *CHAIN[1:]]}, "event 0: its text", id="two-lines"),
        pytest.param({"chain": [replace(CHAIN[0], text=" "), *CHAIN[1:]]}, "event 0: its text", id="blank"),
        pytest.param({"passages": ["a", *PASSAGES]}, "not those that `texts_of` cuts", id="passages-of-another-cut"),
    ],
)
def test_what_makes_no_sound_question_is_refused(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        _row(**changes)


def test_a_wrong_option_that_is_an_event_no_longer_shown_is_let_in() -> None:
    last = [Distractor(text="Tam did 1 things.", altered=False), *WRONG[0][1:]]
    assert _row(distractors=[*WRONG[:-1], last]).history.questions


def test_blind_readers_share_a_point_among_options_that_look_alike_to_them() -> None:
    """Two options are longest, the right one is one of them; it alone has the name of the last event."""
    question = Candidate(("Una left.",), ("Una ran.", "Tam ran.", "I ran.", "I sat.", "I hid.", "I lay."))
    found = solved(question)
    assert (found["length:most"], found["length:least"]) == (0.5, 0)
    assert (found["names_before:most"], found["names_before:least"]) == (1, 0)


def test_alike_is_the_cosine_of_word_sets() -> None:
    assert alike("Una ran home", "una RAN far away") == pytest.approx(2 / 12**0.5)
    assert alike("the", "a") == 0


def test_of_many_sets_those_are_taken_that_keep_blind_readers_at_chance() -> None:
    """The right option is the longest in one candidate, the shortest in another, in between in the rest."""
    rng, balance = Random(1), Balance()
    rates: Counter[str] = Counter()
    for _ in range(60):
        right = "Tam " + "x" * 10
        sets = [tuple("Una " + "y" * rng.randrange(1, 20) for _ in range(5)) for _ in range(30)]
        chosen = balance.choose([Candidate(("Tam left.",), (right, *texts)) for texts in sets])
        rates.update({name: share / 60 for name, share in solved(chosen).items()})
    assert rates["length:most"] == pytest.approx(1 / 6, abs=0.04)
    assert rates["length:least"] == pytest.approx(1 / 6, abs=0.04)


def test_without_a_candidate_nothing_is_chosen() -> None:
    with pytest.raises(ValueError, match="no candidate"):
        Balance().choose([])
