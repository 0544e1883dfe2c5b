"""Repeats by stage, and the takes that they make of one question."""

from __future__ import annotations

from itertools import product

import pytest

from recollect.domain.repeats import FIRST, MOST, Repeats, Take


def test_each_answer_is_judged_so_often_and_only_where_there_is_a_judge() -> None:
    """Takes come answer by answer, the first one first."""
    repeats = Repeats(ingest=5, answer=2, judge=2)
    assert [(take.answer, take.judge) for take in repeats.takes(judged=True)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [(take.answer, take.judge) for take in repeats.takes(judged=False)] == [(0, 0), (1, 0)]
    assert Repeats().takes(judged=True) == (FIRST,)


def test_a_config_that_repeats_whole_trials_says_a_number() -> None:
    """So the stored config of a run without repeats by stage is what it always was."""
    assert Repeats(ingest=3).as_config == 3
    assert Repeats.of(3) == Repeats(ingest=3)
    by_stage = Repeats(ingest=2, answer=3)
    assert by_stage.as_config == {"ingest": 2, "answer": 3, "judge": 1}
    assert Repeats.of(by_stage.as_config) == by_stage


def test_no_two_repeats_of_a_question_have_one_number_and_the_first_has_that_of_its_replicate() -> None:
    """A cache that tells calls apart by the number serves none the reply of another."""
    some = (0, 1, 2, MOST - 1)
    numbers = {Take(answer=a, judge=j).replicate_id(r) for r, a, j in product(some, some, some)}
    assert len(numbers) == len(some) ** 3
    assert FIRST.replicate_id(7) == 7


@pytest.mark.parametrize("stage", ["ingest", "answer", "judge"])
@pytest.mark.parametrize("times", [0, -1, MOST + 1])
def test_no_or_too_many_repeats_are_refused_by_stage(stage: str, times: int) -> None:
    """The message names the stage and the value."""
    with pytest.raises(ValueError, match=rf"`{stage}` lie in 1 to 1000, got {times}"):
        Repeats(**{stage: times})
