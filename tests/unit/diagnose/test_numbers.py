"""The main table: what counts is in the mean, what is missing stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recollect.diagnose import numbers as module
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.numbers import numbers, strata
from recollect.diagnose.records.join import read_run
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Number

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
    wrong,
)

ONE_OF_EACH: Sequence[Callable[[Case], Said]] = (
    right,
    wrong,
    lambda case: Said(text="", abstained=True),
    lambda case: Said(fault=("answer", "timeout")),
    lambda case: Said(unavailable="cannot"),
    lambda case: Said(),
    lambda case: Said(text="something", right=None),
)
"""By the number of the question: scored 1, scored 0, abstained 0, fault, not available, unfinished, undecided."""


def table(path: Path, *rows: RowSpec, **options: object) -> tuple[Number, ...]:
    histories = options.pop("histories", None)
    folder = build(path / "run", rows, histories, **options)  # type: ignore[arg-type]
    return numbers(grid_of(read_run(folder, BENCHMARK).cells), Estimator(seed=7))


def each(case: Case) -> Said:
    return ONE_OF_EACH[case.number](case)


def mixed(path: Path) -> Number:
    histories = [make_history(0, task="essay", questions=7)]
    return table(path, RowSpec(label="bm25", says=each), histories=histories, judge="none")[0]


def test_faults_gaps_and_undecided_answers_are_counted_apart_and_are_not_in_the_mean(tmp_path: Path) -> None:
    number = mixed(tmp_path)
    counts = number.counts
    assert (counts.scored, counts.abstained, counts.undecided) == (2, 1, 1)
    assert (counts.fault, counts.not_available, counts.unfinished, counts.planned) == (1, 1, 1, 7)
    assert number.score.estimate == pytest.approx(1 / 3)  # right, wrong, declined
    assert number.strict == pytest.approx(1 / 7)  # everything that is missing taken as 0
    assert number.coverage == pytest.approx(3 / 7)
    assert (number.causes, number.reasons) == ({"timeout": 1}, {"cannot": 1})


def test_a_table_that_counts_a_fault_as_zero_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above."""

    def as_zero(cell: CellOutcome) -> float | None:
        return cell.value or 0.0

    monkeypatch.setattr(module, "counted_value", as_zero)
    assert mixed(tmp_path).score.estimate != pytest.approx(1 / 3)


def test_a_row_of_faults_alone_has_no_score_at_all(tmp_path: Path) -> None:
    number = table(tmp_path, RowSpec(label="bm25", says=lambda case: Said(fault=("answer", "timeout"))))[0]
    assert (number.score.estimate, number.score.why, number.strict) == (None, "no answers that count", 0.0)


def test_each_arm_is_a_line_of_its_own_and_the_floor_is_marked_as_reference(tmp_path: Path) -> None:
    lines = table(tmp_path, RowSpec(label="bm25", says=right, arms=(Arm.SYSTEM, Arm.READBACK)), floor_row())
    assert [(line.row, line.arm, line.reference) for line in lines] == [
        ("bm25", Arm.READBACK, False), ("bm25", Arm.SYSTEM, False), ("none", Arm.SYSTEM, True),
    ]  # fmt: skip


def test_every_number_says_its_questions_and_histories(tmp_path: Path) -> None:
    score = table(tmp_path, RowSpec(label="bm25", says=right, replicates=3))[0]
    assert (score.score.n, score.score.clusters, score.counts.planned, score.replicates) == (8, 2, 24, 3)


def test_parts_have_means_of_their_own_and_say_how_many_answers_lack_them(tmp_path: Path) -> None:
    from dataclasses import replace

    def stale(number: int, key: object) -> object:
        return replace(key, rejected=("wrong",)) if number < 2 else key  # type: ignore[type-var]

    history = make_history(0, change=stale)  # type: ignore[arg-type]
    says = lambda case: wrong(case) if case.number in (0, 3) else right(case)  # noqa: E731
    number = table(tmp_path, RowSpec(label="bm25", says=says), histories=[history])[0]
    parts = {part.name: (part.score.estimate, part.undefined) for part in number.parts}
    assert parts == {"exact": (0.5, 0), "stale": (0.5, 2)}  # 1 of the 2 questions with a stale value gave it


def test_context_is_the_mean_of_the_answers_that_have_one_and_an_agent_has_none(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        return Said(text="x", tokens=100 * case.number, truncated=case.number == 3)

    memory = table(tmp_path, RowSpec(label="bm25", says=says), histories=[make_history(0)])[0]
    assert (memory.context_tokens, memory.truncated) == (150.0, 0.25)  # (0 + 100 + 200 + 300) / 4, one of four
    agent = table(tmp_path / "b", RowSpec(label="agent", kind="agent", says=says))[0]
    assert (agent.context_tokens, agent.truncated, agent.marks) == (None, None, ("its_own_context",))


@pytest.mark.parametrize("state", ["order_dependent", "not_proven"])
def test_how_a_row_was_asked_is_marked(tmp_path: Path, state: str) -> None:
    row = RowSpec(label="bm25", says=right, state=state)  # type: ignore[arg-type]
    assert table(tmp_path, row)[0].marks == (state,)


def stratified(path: Path, values: int) -> tuple[Number, ...]:
    """One history whose label `kind` has as many *values* as asked for, and labels that make no strata."""

    def labels(number: int) -> dict[str, str]:
        return {"kind": f"k{number % values:02}", "all": "same", "thread": f"t{number % 2}"}

    history = make_history(0, questions=26, labels=labels)
    says = lambda case: right(case) if case.number % 2 else lost(case)  # noqa: E731
    folder = build(path / "run", [RowSpec(label="bm25", says=says), oracle_row()], [history])
    return strata(grid_of(read_run(folder, BENCHMARK).cells), Estimator(seed=7))


def test_a_label_with_few_values_makes_strata(tmp_path: Path) -> None:
    lines = [line for line in stratified(tmp_path, 2) if line.row == "bm25"]
    assert [(line.label, line.stratum, line.score.estimate) for line in lines] == [
        ("kind", "k00", 0.0), ("kind", "k01", 1.0),
    ]  # fmt: skip
    assert [line.counts.planned for line in lines] == [13, 13]


@pytest.mark.parametrize(("values", "expected"), [(1, 0), (12, 12), (13, 0)])
def test_one_value_or_more_than_twelve_make_none(tmp_path: Path, values: int, expected: int) -> None:
    assert sum(line.row == "bm25" for line in stratified(tmp_path, values)) == expected


def test_a_label_that_names_nearly_every_question_makes_none(tmp_path: Path) -> None:
    """Four values over six questions; three over six are few enough."""
    for values, expected in ((4, 0), (3, 3)):
        history = make_history(0, questions=6, labels=lambda number, v=values: {"kind": f"k{number % v}"})  # type: ignore[misc]
        folder = build(tmp_path / f"run-{values}", [RowSpec(label="bm25", says=right)], [history])
        assert len(strata(grid_of(read_run(folder, BENCHMARK).cells), Estimator(seed=7))) == expected
