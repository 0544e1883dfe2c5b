"""Blind solvers pick what they are called, and the scorer and the judge that are handed in weigh what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from recollect.domain.exchange import Reply
from recollect.domain.histories import History, Keyed
from recollect.domain.ids import HistoryId, QuestionId
from recollect.domain.outcomes import Judgement, Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.worlds.solvers import (
    Guessed,
    Solver,
    at,
    at_random,
    blind_table,
    by_length,
    examined,
    first,
    last,
    least_alike,
    longest,
    middle,
    most_alike,
    shorter_middle,
    shortest,
)

TEA = ("brew tea and sleep", "brew tea", "brew tea and run far away", "paint")


@pytest.mark.parametrize(
    ("solver", "place"),
    [
        (longest, 2),
        (shortest, 3),
        (first, 0),
        (last, 3),
        (middle, 1),
        (shorter_middle, 1),
        (most_alike, 1),
        (least_alike, 3),
        (at(2), 2),
        (at(5), 1),
        (by_length(1), 1),
        (by_length(4), 3),
    ],
)
def test_a_solver_picks_what_it_is_called(solver: Solver, place: int) -> None:
    """On four choices of which three are about tea."""
    assert solver(TEA) == place


def test_of_two_in_the_middle_the_earlier_or_the_shorter() -> None:
    options = ("a", "bbb", "cc", "d")
    assert (middle(options), shorter_middle(options)) == (1, 2)


def test_equals_go_to_the_first() -> None:
    same = ("one two", "one two", "six ten")
    assert (longest(same), shortest(same), most_alike(same), least_alike(("a", "b"))) == (0, 0, 0, 0)


def test_the_random_solver_is_even_over_places_and_always_says_the_same() -> None:
    """About a quarter each of 4,000 lists."""
    lists = [tuple(f"{number} {place}" for place in range(4)) for number in range(4000)]
    picks = [at_random(one) for one in lists]
    assert picks == [at_random(one) for one in lists]
    assert all(900 <= count <= 1100 for count in Counter(picks).values())


class _Judge:
    """Says yes to whatever begins with the gold."""

    fingerprint = "toy"

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        right = float(reply.text.startswith(key.gold[0]))
        return Verdict(parts=(Judgement(name="right", value=right, why="toy"),), judge=self.fingerprint)


def _score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    if verdict is None:
        return Outcome.scored(float(reply.text == key.gold[0]))
    return Outcome.scored((verdict.value() or 0.0) * shared["weight"])


def _keyed() -> Keyed:
    ids = [QuestionId("qa"), QuestionId("qb")]
    probe = Question(question_id=QuestionId("qp"), text="What do you know?", purpose="probe")
    questions = (*(Question(question_id=one, text="Which?") for one in ids), probe)
    keys = {one: Key(question_id=one, gold=(gold,), labels={"kind": gold}) for one, gold in zip(ids, "ab", strict=True)}
    keys[probe.question_id] = Key(question_id=probe.question_id, gold=("a",), labels={"kind": "p"})
    history = History(history_id=HistoryId("h"), timeline=(), questions=questions)
    return Keyed(history=history, keys=keys, task="toy", original_id="toy")


def _examined(judge: _Judge | None, weight: float = 1.0) -> list[Guessed]:
    return list(
        examined(
            _keyed(),
            {"plain": lambda _: "a", "long": lambda _: "b and more"},
            score=_score,
            judge=judge,
            shared={"weight": weight},
            group=lambda key: key.labels["kind"],
            chance=lambda question, key: 0.5,
        )
    )


def test_replies_are_weighed_by_the_judge_and_the_scorer() -> None:
    assert [one.right for one in _examined(_Judge())] == [("plain",), ("long",)]
    assert [one.group for one in _examined(_Judge())] == ["a", "b"]


def test_without_a_judge_the_scorer_alone_decides() -> None:
    assert [one.right for one in _examined(None)] == [("plain",), ()]


def test_half_a_point_is_not_right() -> None:
    assert [one.right for one in _examined(_Judge(), weight=0.5)] == [(), ()]


def test_a_table_has_a_row_for_each_group_and_solver() -> None:
    guessed = [Guessed(group="b", chance=0.25, right=("x",)), Guessed(group="b", chance=0.75, right=("x", "y"))]
    rows = blind_table([*guessed, Guessed(group="a", chance=0.0, right=())], ("x", "y"))
    assert [(row.group, row.solver, row.questions, row.right, row.chance) for row in rows] == [
        ("b", "x", 2, 2, 0.5),
        ("b", "y", 2, 1, 0.5),
        ("a", "x", 1, 0, 0.0),
        ("a", "y", 1, 0, 0.0),
    ]
    assert rows[0].share == 1.0
    assert all(row.upper > row.share or row.share == 1.0 for row in rows)
