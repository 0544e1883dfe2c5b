"""A question that was answered or judged several times is one question, with the mean of its takes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.records.join import read_run
from recollect.diagnose.summary import summarise
from recollect.domain.repeats import FIRST, Repeats, Take
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Number, Summary
from recollect.store.run_folder import RunFolder

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

TAKES = Repeats(answer=2, judge=3).takes(judged=True)
ESSAYS = [make_history(0, task="essay"), make_history(1, task="essay")]


def second_is_wrong(case: Case) -> Said:
    """Right in the first answer of a question, wrong in the second."""
    return wrong(case) if case.take.answer else right(case)


def answers(**facts: object) -> RowSpec:
    """A row whose questions are answered twice."""
    return RowSpec(**{"label": "bm25", "says": right, "takes": Repeats(answer=2).takes(judged=False), **facts})  # type: ignore[arg-type]


def number(summary: Summary, row: str = "bm25", arm: Arm = Arm.SYSTEM) -> Number:
    """The main number of a row."""
    return next(one for one in summary.numbers if (one.row, one.arm) == (row, arm))


def cells_of(folder: RunFolder, row: str = "bm25") -> list[CellOutcome]:
    """The cells of a row."""
    return [cell for cell in read_run(folder, BENCHMARK).cells if cell.row == row]


def test_a_score_is_the_mean_over_takes_and_counts_questions_and_answers(tmp_path: Path) -> None:
    """Eight questions of two histories, two answers each: one of two is right."""
    found = number(summarise(build(tmp_path / "run", [answers(says=second_is_wrong)]), BENCHMARK))
    assert (found.score.estimate, found.score.n, found.score.clusters) == (0.5, 8, 2)
    assert (found.counts.planned, found.counts.scored, found.takes, found.replicates) == (16, 16, 2, 1)


def test_takes_stay_inside_their_question_and_their_history(tmp_path: Path) -> None:
    """Answering again makes no new questions: the interval is that of the questions' means."""
    once = number(summarise(build(tmp_path / "a", [RowSpec(label="bm25", says=odd_is_right)]), BENCHMARK))
    twice = number(summarise(build(tmp_path / "b", [answers(says=odd_is_right)]), BENCHMARK))
    assert twice.score == once.score


def odd_is_right(case: Case) -> Said:
    """Right on every second question of the first history, and on all but one of the second."""
    return right(case) if case.number % 2 or (case.number and case.keyed.history.history_id[-1] == "1") else lost(case)


def test_all_takes_share_what_was_found_and_each_has_its_own_answer_and_verdict(tmp_path: Path) -> None:
    """Six takes a question: two answers, three verdicts on each."""
    says = lambda case: replace(right(case), text=f"answer {case.take.answer}", right=float(case.take.judge == 1))  # noqa: E731
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=says, takes=TAKES)], ESSAYS)
    cells = cells_of(folder)
    assert Counter(cell.take for cell in cells) == dict.fromkeys(TAKES, 8)
    assert {(cell.take.answer, cell.answer) for cell in cells} == {(0, "answer 0"), (1, "answer 1")}
    assert {(cell.take.judge, cell.value) for cell in cells} == {(0, 0.0), (1, 1.0), (2, 0.0)}
    assert all(cell.recall is not None and cell.recall.items for cell in cells)


def test_seconds_of_a_shared_record_are_counted_once(tmp_path: Path) -> None:
    """The take that made the call has its seconds; the others have none for it."""
    says = lambda case: replace(right(case), seconds=1.0)  # noqa: E731
    cells = cells_of(build(tmp_path / "run", [RowSpec(label="bm25", says=says, takes=TAKES)], ESSAYS))
    stages = {cell.take: set(cell.seconds) for cell in cells}
    assert stages[FIRST] == {"recall", "answer"}
    assert stages[Take(answer=1)] == {"answer"}
    assert stages[Take(answer=1, judge=1)] == set()


@pytest.mark.parametrize(
    ("stage", "lost_takes"),
    [("recall", 6), ("answer", 3), ("judge", 1)],
)
def test_a_fault_costs_the_takes_that_need_what_broke_and_no_others(
    stage: str, lost_takes: int, tmp_path: Path
) -> None:
    """A search that broke has no answers, an answer that broke has no verdicts, a verdict is its own."""

    def says(case: Case) -> Said:
        first = case.number == 0 and case.take.answer == 0
        if stage == "recall" and case.number == 0:
            return Said(fault=(stage, "timeout")) if case.take == FIRST else Said()
        if stage == "answer" and first:
            return Said(fault=(stage, "timeout"), text="x") if not case.take.judge else Said()
        if stage == "judge" and first and case.take.judge == 1:
            return replace(right(case), right=None, fault=(stage, "timeout"))
        return right(case)

    cells = cells_of(build(tmp_path / "run", [RowSpec(label="bm25", says=says, takes=TAKES)], ESSAYS[:1]))
    assert Counter(cell.status for cell in cells) == {"fault": lost_takes, "scored": 24 - lost_takes}
    assert {cell.stage for cell in cells if cell.status == "fault"} == {stage}


def test_each_answer_weighs_the_same_however_many_verdicts_it_has_left(tmp_path: Path) -> None:
    """Right by one verdict that is left of three, wrong by three: 0.5, and not 0.25."""

    def says(case: Case) -> Said:
        if case.take.answer == 0 and case.take.judge:
            return replace(right(case), right=None, fault=("judge", "timeout"))
        return replace(right(case), right=float(case.take.answer == 0))

    found = number(
        summarise(build(tmp_path / "run", [RowSpec(label="bm25", says=says, takes=TAKES)], ESSAYS), BENCHMARK)
    )
    assert found.score.estimate == 0.5
    assert (found.counts.fault, found.counts.scored) == (16, 32)


def test_an_agents_takes_find_for_themselves(tmp_path: Path) -> None:
    """A fault of its first answer is no fault of the second."""

    def says(case: Case) -> Said:
        return Said(fault=("recall", "timeout")) if case.take == FIRST else Said()

    row = answers(label="agent", kind="agent", says=says)
    assert Counter(cell.status for cell in cells_of(build(tmp_path / "run", [row]), "agent")) == {
        "fault": 8,
        "unfinished": 8,
    }


def test_arms_are_joined_take_by_take(tmp_path: Path) -> None:
    """The second answer is lost in the system alone: half the corners are right throughout."""
    folder = build(
        tmp_path / "run",
        [
            answers(says=lambda case: second_is_wrong(case) if case.arm is Arm.SYSTEM else right(case),
                    arms=(Arm.SYSTEM, Arm.READBACK)),
            replace(oracle_row(), takes=Repeats(answer=2).takes(judged=False)),
            floor_row(),
        ],
    )  # fmt: skip
    summary = summarise(folder, BENCHMARK)
    fall = next(one for one in summary.waterfalls if one.row == "bm25")
    assert (fall.n, fall.retrieval.estimate) == (16, 0.5)
    assert {(c.oracle, c.readback, c.system): c.count for c in fall.table if c.count} == {
        (True, True, True): 8, (True, True, False): 8,
    }  # fmt: skip
    assert fall.fourfold is not None
    assert fall.fourfold.both == 8, "one pair a question: a test must not take repeats for new questions"
    lost_at = next(one for one in summary.failures if one.row == "bm25")
    assert (lost_at.answered, lost_at.wrong, lost_at.counts["use"]) == (16, 8, 8)


def test_what_was_found_is_left_out_once_for_all_takes(tmp_path: Path) -> None:
    """Questions without a recall are counted, not their takes."""
    folder = build(tmp_path / "run", [answers(says=lambda case: replace(right(case), found=None))])
    table = next(one for one in summarise(folder, BENCHMARK).retrieval if one.row == "bm25")
    assert table.missing == {"the system does not tell what it found": 8}


def test_takes_of_trials_that_never_began_are_planned_too(tmp_path: Path) -> None:
    """A judged task has all of them, another one its answers alone."""
    planned = [{"label": "bm25", "system": {"name": "bm25"}}]
    both = [make_history(0, task="essay"), make_history(1)]
    folder = build(tmp_path / "run", [], both, rows=planned, repeats={"ingest": 2, "answer": 2, "judge": 3})
    found = Counter((cell.task, cell.replicate, cell.status) for cell in cells_of(folder))
    assert found == {
        ("essay", 0, "unfinished"): 24,
        ("essay", 1, "unfinished"): 24,
        ("facts", 0, "unfinished"): 8,
        ("facts", 1, "unfinished"): 8,
    }
