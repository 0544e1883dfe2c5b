"""Memory scores and the diagnosis of states from cells made by hand; every expected number is computed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.states.summary import states
from recollect.diagnose.summary import findings
from recollect.domain.repeats import Take
from recollect.metrics.states import memory_scores
from recollect.records.tables.cells import CellOutcome, CellStatus
from recollect.records.tables.states import StateRow

from tests.fakes.run_builder import (
    BENCHMARK,
    Case,
    RowSpec,
    Said,
    build,
    floor_row,
    lost,
    make_history,
    oracle_row,
    right,
)
from tests.fakes.state_cells import bound, gold_of, oracle, probe, scored

QUARTER = {"u1": (((1, 0), (1, 1)), ((1, 1), (1, 1))), "u2": (((0, 0), (1, 0)), ((1, 0), (1, 0)))}
"""User -> period -> answers of two questions, and what the oracle made of them; four choices each."""
HALF = {"u3": (((0, 0), (1, 0)), ((1, 1), (1, 0)))}
"""The same with two choices: the oracle gets one of two right, which is what guessing gets."""

TOLD = ({"a": 0, "b": 0}, {"a": 1, "b": 0}, {"a": 1, "b": 0})
"""Period -> when the two states of the first question were last told."""
KNOWN = ({"a": True, "b": True}, {"a": False, "b": False}, {"a": True, "b": False})
OTHER = (True, False, True)
"""Whether the one state of the second question is known; it is told in period 0."""
RIGHT = ((False, True), (False, False), (True, True))
"""Period -> answers of both questions."""


def _row(cells: Iterable[CellOutcome], row: str = "mem") -> StateRow:
    found = states(grid_of(cells), gold_of, Estimator(seed=0))
    return next(one for one in found if one.row == row)


def _answers() -> list[CellOutcome]:
    """Three users, two periods, two questions."""
    made = []
    for choices, users in ((4, QUARTER), (2, HALF)):
        for user, periods in users.items():
            for period, (answers, _) in enumerate(periods):
                made += [scored(user, period, f"q{at}", bool(one), choices=choices) for at, one in enumerate(answers)]
    return made


def _oracles() -> list[CellOutcome]:
    return [
        replace(oracle(user, period, f"q{at}", bool(one)))
        for user, periods in {**QUARTER, **HALF}.items()
        for period, (_, bounds) in enumerate(periods)
        for at, one in enumerate(bounds)
    ]


def _talk() -> list[CellOutcome]:
    """One user over three periods: the states of two questions, and the questions."""
    made = []
    for period in range(3):
        made += [
            scored("u", period, "q0", RIGHT[period][0], written=TOLD[period]),
            scored("u", period, "q1", RIGHT[period][1], written={"c": 0}),
            probe("u", period, "q0", KNOWN[period], written=TOLD[period]),
            probe("u", period, "q1", {"c": OTHER[period]}, written={"c": 0}),
        ]
    return made


def _without(cells: Sequence[CellOutcome], question: str) -> list[CellOutcome]:
    return [cell for cell in cells if cell.question != question]


def _became(cells: Sequence[CellOutcome], question: str, status: CellStatus) -> list[CellOutcome]:
    changed = {"status": status, "value": None, "parts": ()}
    return [replace(cell, **changed) if cell.question == question else cell for cell in cells]  # type: ignore[arg-type]


def test_a_memory_score_is_made_by_user_and_period_first() -> None:
    """(1/2 - 1/4) / (1 - 1/4) = 1/3 and 1 of the first user; -1/4 / (1/2 - 1/4) = -1 and 1 of the second."""
    found = _row([*_answers(), *_oracles()])
    told = {(one.history, one.period): one.memory for one in found.users}
    assert told == {
        ("u1", 0): pytest.approx(1 / 3),
        ("u1", 1): pytest.approx(1.0),
        ("u2", 0): pytest.approx(-1.0),
        ("u2", 1): pytest.approx(1.0),
        ("u3", 0): None,
        ("u3", 1): None,
    }
    assert found.whole.scores.memory.estimate == pytest.approx(1 / 3)
    assert [one.scores.memory.estimate for one in found.periods] == pytest.approx([-1 / 3, 1.0])
    assert found.bound == "oracle"


def test_a_user_whose_bound_is_what_guessing_gets_is_dropped_and_counted() -> None:
    """Two periods of the third user, in which it scores 0 and 1: neither is in the mean."""
    scores = _row([*_answers(), *_oracles()]).whole.scores
    assert (scores.cells, scores.dropped, scores.missing) == (6, 2, 0)
    only = _row([cell for cell in (*_answers(), *_oracles()) if cell.history == "u3"]).whole.scores
    assert (only.memory.estimate, only.dropped) == (None, 2)
    assert "what guessing gets" in only.memory.why


def test_the_ratio_of_means_drops_no_cell_and_is_another_number() -> None:
    """Means of six cells: 1/2 scored, 1/3 guessed, 2/3 bound: (1/2 - 1/3) / (2/3 - 1/3) = 1/2."""
    scores = _row([*_answers(), *_oracles()]).whole.scores
    assert scores.ratio_of_means.estimate == pytest.approx(0.5)
    assert (scores.overall.estimate, scores.chance, scores.upper_bound.estimate) == pytest.approx((0.5, 1 / 3, 2 / 3))


def test_the_interval_is_over_users_and_not_cut_where_a_ratio_would_be() -> None:
    """Users' means 2/3 and 0: standard error 1/3, and Student's t of one degree of freedom is 12.7062."""
    memory = _row([*_answers(), *_oracles()]).whole.scores.memory
    assert (memory.low, memory.high) == pytest.approx((1 / 3 - 12.7062 / 3, 1 / 3 + 12.7062 / 3), abs=1e-4)
    assert (memory.clusters, memory.n) == (2, 4)
    assert memory.method.startswith("Student t")


def test_from_thirty_users_on_users_are_resampled() -> None:
    cells = []
    for number in range(30):
        cells += [scored(f"u{number:02}", 0, "q0", number % 3 == 0), oracle(f"u{number:02}", 0, "q0", True)]
    assert _row(cells).whole.scores.memory.method == "bootstrap over histories"


def test_the_numbers_are_those_of_the_measure_itself() -> None:
    """The same grids, given to the measure that is held against the authors' code."""
    users = {**QUARTER, **HALF}
    overall, bounds = (
        [[[float(x) for x in period[which]] for period in one] for one in users.values()] for which in (0, 1)
    )
    chance = [[[1 / (2 if user in HALF else 4)] * 2] * 2 for user in users]
    wanted, scores = memory_scores(overall, chance, bounds), _row([*_answers(), *_oracles()]).whole.scores
    assert scores.memory.estimate == pytest.approx(wanted.mean)
    assert scores.ratio_of_means.estimate == pytest.approx(wanted.ratio_of_means)
    assert scores.dropped == wanted.dropped


def test_bounds_by_choice_count_before_the_oracle_and_go_by_what_is_right_now() -> None:
    """Option 1 is right in even periods, 2 in odd ones; told outright, only option 1 is chosen rightly."""
    told = [scored("u1", period, "q0", True) for period in (0, 1)]
    others = [oracle("u1", period, "q0", True) for period in (0, 1)]
    found = _row([*told, *others, bound("u1", "q0", "1", True), bound("u1", "q0", "2", False)])
    assert found.bound == "choices"
    assert [one.upper_bound for one in found.users] == [1.0, 0.0]
    assert found.whole.scores.upper_bound.estimate == 0.5


def test_a_bound_belongs_to_its_own_user_and_question() -> None:
    """The bound of another user's, or of another question, is none."""
    told = [scored("u1", 0, "q0", True), scored("u1", 0, "q1", True), scored("u2", 0, "q0", True)]
    found = _row([*told, bound("u1", "q0", "1", True), bound("u1", "q0", "2", True)])
    assert [(one.upper_bound, one.missing) for one in found.users] == [(1.0, 1), (None, 1)]
    both = _row([*told[:2], bound("u1", "q1", "1", False), bound("u1", "q0", "1", True)])
    assert (both.users[0].upper_bound, both.users[0].missing) == (0.5, 0)


def test_letters_that_are_dealt_anew_are_matched_by_the_states_they_stand_for() -> None:
    told = scored("u1", 0, "q0", True)
    dealt = replace(told, labels={**told.labels, "states": '{"1": ["x", "z"], "2": ["x", "y"]}'})
    found = _row([dealt, bound("u1", "q0", "1", False), bound("u1", "q0", "2", True)])
    assert found.users[0].upper_bound == 1.0


def test_an_agent_is_bound_by_its_own_oracle() -> None:
    own = {"row": "mem", "kind": "agent", "reference": False}
    told = [scored("u1", 0, "q0", True, kind="agent"), oracle("u1", 0, "q0", True)]
    assert _row([*told, replace(oracle("u1", 0, "q0", False), **own)]).users[0].upper_bound == 0.0  # type: ignore[arg-type]
    assert _row(told).users[0].upper_bound == 1.0


def test_without_an_upper_bound_there_is_no_memory_score() -> None:
    found = _row(_answers())
    assert (found.bound, found.whole.scores.memory.estimate, found.whole.scores.missing) == ("none", None, 12)
    assert found.whole.scores.memory.why == "no question has a score and an upper bound"
    assert found.whole.scores.overall.estimate == 0.5


def test_replicates_of_a_question_are_averaged_before_all_else() -> None:
    """Right in one of two trials: (1/2 - 1/4) / (1 - 1/4) = 1/3."""
    told = [scored("u1", 0, "q0", bool(number), replicate=number) for number in (0, 1)]
    scores = _row([*told, oracle("u1", 0, "q0", True)]).whole.scores
    assert scores.memory.estimate == pytest.approx(1 / 3)


def test_parts_of_similarity_are_means_of_answers() -> None:
    """Six of twelve answers are right; a wrong one has hamming 1/2 and jaccard 0."""
    scores = _row(_answers()).whole.scores
    assert (scores.hamming.estimate, scores.jaccard.estimate) == (0.75, 0.5)


def test_states_are_lost_at_writing_or_at_reading() -> None:
    """Of nine states `a` is not known when told in period 1; `b` twice and `c` once are known then and not now."""
    losses = _row(_talk()).whole.losses
    assert losses.fates == {"known": 5, "write": 1, "read": 3, "undecided": 0}
    assert (losses.write.estimate, losses.read.estimate) == pytest.approx((1 / 9, 3 / 9))


def test_each_wrong_answer_is_put_down_to_one_stage_and_luck_is_no_knowledge() -> None:
    """Period 0 knows all and is wrong once; period 1 loses a state each; period 2 is right once without `b`."""
    losses = _row(_talk()).whole.losses
    assert losses.endings == {"right": 2, "lucky": 1, "write": 1, "read": 1, "utilisation": 1, "undecided": 0}
    shares = {name: one.estimate for name, one in losses.shares.items()}
    one = 1 / 6
    assert shares == pytest.approx({"right": 2 * one, "lucky": one, "write": one, "read": one, "utilisation": one})
    assert losses.utilisation_when_known.estimate == pytest.approx(1 / 3)


def test_periods_have_their_own_diagnosis() -> None:
    told = [one.losses.endings for one in _row(_talk()).periods]
    assert [{name: n for name, n in one.items() if n} for one in told] == [
        {"right": 1, "utilisation": 1},
        {"write": 1, "read": 1},
        {"right": 1, "lucky": 1},
    ]
    assert [one.losses.write.estimate for one in _row(_talk()).periods] == pytest.approx([0, 1 / 3, 0])


@pytest.mark.parametrize(
    ("lack", "word"),
    [(None, "not asked"), ("fault", "fault"), ("unfinished", "unfinished"), ("not_available", "not available")],
)
def test_without_the_probe_at_the_write_position_nothing_is_blamed(lack: CellStatus | None, word: str) -> None:
    """Period 0 cannot be told, nor `b` of periods 1 and 2; that `a` was never written in period 1 still can."""
    name = "u-p0-q0-states"
    losses = _row(_became(_talk(), name, lack) if lack else _without(_talk(), name)).whole.losses
    assert losses.fates == {"known": 3, "write": 1, "read": 1, "undecided": 4}
    assert losses.endings == {"right": 2, "lucky": 0, "write": 1, "read": 1, "utilisation": 0, "undecided": 2}
    assert losses.without == {f"no probe where it was last told: {word}": 1, f"no probe: {word}": 1}
    assert losses.states_without == {f"no probe where it was last told: {word}": 2, f"no probe: {word}": 2}
    assert losses.write.estimate == pytest.approx(1 / 5)


@pytest.mark.parametrize("status", ["fault", "unfinished", "undecided", "not_available"])
def test_what_broke_is_neither_wrong_nor_lost(status: CellStatus) -> None:
    """Five of six answers count; the wrong one for lack of writing is the one that broke."""
    found = _row(_became(_talk(), "u-p1-q0", status))
    assert found.whole.scores.overall.estimate == pytest.approx(3 / 5)
    assert (found.whole.losses.endings["write"], found.whole.losses.endings["undecided"]) == (0, 1)
    assert found.whole.losses.without == {f"no answer: {status.replace('_', ' ')}": 1}
    assert found.whole.losses.fates["write"] == 1


def test_abstained_answers_and_probes_are_wrong_and_know_nothing() -> None:
    """They stay in the denominator."""
    silent = [
        replace(cell, status="abstained", value=0.0, parts=tuple(replace(part, value=0.0) for part in cell.parts))
        for cell in _talk()
    ]
    losses = _row(silent).whole.losses
    assert (losses.endings["write"], losses.fates["write"]) == (6, 9)


def test_scores_are_withheld_while_cells_are_open_or_too_many_broke() -> None:
    assert _row(_talk()).withheld == ""
    assert _row(_became(_talk(), "u-p1-q0", "unfinished")).withheld == "1 of 6 answers are still to come"
    assert _row(_became(_talk(), "u-p1-q0", "fault")).withheld == "1 of 6 answers are faults"
    broken = _row([*_answers(), *_became(_oracles(), "u1-p0-q0", "fault")])
    assert broken.withheld == "1 of 12 answers behind the upper bound are faults"


def test_a_row_without_probes_has_scores_and_says_why_there_is_no_diagnosis() -> None:
    found = _row(_answers())
    assert found.undiagnosed == "this run asks for no states"
    assert found.whole.losses.write.estimate is None
    assert _row(_talk()).undiagnosed == ""


def test_a_row_that_cannot_be_asked_has_reasons_and_no_numbers() -> None:
    """A memory has no reply where a benchmark converses: nothing of it is wrong."""
    never = [replace(cell, status="not_available", value=None, parts=()) for cell in _talk()]
    found = _row(never)
    assert (found.withheld, found.undiagnosed) == ("none of 6 answers counts", "no probe tells anything")
    assert found.whole.losses.without == {"no answer: not available": 6}
    assert (found.whole.scores.overall.estimate, found.whole.losses.write.estimate) == (None, None)


def test_a_run_as_it_lies_on_the_disk_says_which_choice_is_right(tmp_path: Path) -> None:
    """Two periods of one question, then a bound for each choice; the oracle chooses B wrongly when told outright."""

    def labels(number: int) -> Mapping[str, str]:
        asked = {"thread": "q", "period": str(number), "choices": "2", "written": '{"a": 0}'}
        return asked if number < 2 else {"thread": f"q-bound-{number}", "bound_of": "q", "choices": "2"}

    def told(case: Case) -> Said:
        return lost(case) if case.number == 3 else right(case)

    history = make_history(0, options=("x", "y"), labels=labels)
    folder = build(tmp_path / "r", [RowSpec(label="bm25", says=right), floor_row(), oracle_row(told)], [history])
    rows = findings(folder, BENCHMARK).beside.states
    assert [(row.row, row.bound) for row in rows] == [("bm25", "choices"), ("none", "choices")]
    assert [one.upper_bound for one in rows[0].users] == [1.0, 0.0]


def test_repeated_answers_are_joined_with_the_probes_of_their_own_attempt() -> None:
    """One attempt knows and is right, the other does not know and is wrong."""
    made = []
    for number in (0, 1):
        take, knows = Take(answer=number), not number
        made += [
            scored("u", 0, "q0", knows, written={"a": 0}, take=take),
            probe("u", 0, "q0", {"a": knows}, written={"a": 0}, take=take),
        ]
    losses = _row(made).whole.losses
    assert {name: n for name, n in losses.endings.items() if n} == {"right": 1, "write": 1}
    assert losses.shares["write"].estimate == 0.5


def test_other_questions_and_the_oracle_are_no_rows() -> None:
    """Labels may be a user's own and mean something else."""
    plain = scored("u1", 0, "q0", True)
    for odd in ({"period": "spring"}, {"choices": "0"}, {"written": "yes"}, {"written": '{"a": 1}'}, {"thread": ""}):
        assert states(grid_of([replace(plain, labels={**plain.labels, **odd})]), gold_of, Estimator(seed=0)) == ()
    assert states(grid_of(_oracles()), gold_of, Estimator(seed=0)) == ()


def test_the_order_of_cells_changes_nothing() -> None:
    cells = [*_talk(), *_answers(), *_oracles()]
    assert _row(cells) == _row(cells[::-1])
