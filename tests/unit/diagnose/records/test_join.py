"""Every planned cell gets the status that its records say, and no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.records import outcomes
from recollect.diagnose.records.join import read_run
from recollect.domain.errors import DataError
from recollect.domain.ids import MessageId
from recollect.domain.steps import Arm
from recollect.records.kinds import CheckRecord, FaultRecord, RecallRecord, StateRecord, StoredItem
from recollect.records.tables.cells import CellOutcome
from recollect.store.run_folder import RunFolder

from tests.fakes.run_builder import (
    BENCHMARK,
    END,
    Case,
    RowSpec,
    Said,
    build,
    lost,
    make_history,
    oracle_row,
    record_key,
    right,
    task,
    trial_id,
)

ALL_ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)


def only(says: Said, number: int = 0) -> Callable[[Case], Said]:
    """*says* for one question of each history, the right answer for the others."""
    return lambda case: says if case.number == number else right(case)


def statuses(folder: RunFolder, row: str = "bm25", benchmark: Benchmark = BENCHMARK) -> Counter[str]:
    return Counter(cell.status for cell in read_run(folder, benchmark).cells if cell.row == row)


def cells_of(folder: RunFolder, row: str = "bm25") -> Sequence[CellOutcome]:
    return [cell for cell in read_run(folder, BENCHMARK).cells if cell.row == row]


@pytest.mark.parametrize("stage", ["recall", "answer"])
def test_a_fault_of_a_cell_is_a_fault_with_its_cause_and_no_wrong_answer(tmp_path: Path, stage: str) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=only(Said(fault=(stage, "timeout"))))])
    faulted = [cell for cell in cells_of(folder) if cell.status == "fault"]
    assert statuses(folder) == {"fault": 2, "scored": 6}  # one of four questions in each of two histories
    assert {(cell.stage, cell.cause, cell.value) for cell in faulted} == {(stage, "timeout", None)}
    assert faulted[0].why == "ToyError: it broke"


def test_a_judge_that_broke_is_a_fault_though_there_is_an_answer(tmp_path: Path) -> None:
    says = only(Said(text="something", fault=("judge", "malformed")))
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=says)], [make_history(0, task="essay")])
    assert statuses(folder) == {"fault": 1, "scored": 3}


@pytest.mark.parametrize("cause", ["state_changed", "nothing_stored"])
def test_a_failed_check_faults_all_cells_of_the_row_at_and_after_it_but_not_the_oracle(
    tmp_path: Path, cause: str
) -> None:
    rows = [RowSpec(label="bm25", says=right, arms=ALL_ARMS, broken=("check", cause, 2)), oracle_row()]
    folder = build(tmp_path / "run", rows)
    assert statuses(folder) == {"fault": 12, "scored": 12}  # 4 questions x 3 arms; the second history is sound
    assert statuses(folder, "oracle") == {"scored": 8}
    assert {cell.cause for cell in cells_of(folder) if cell.status == "fault"} == {cause}


def test_a_broken_write_faults_the_cells_that_needed_the_memory_but_not_the_oracle(tmp_path: Path) -> None:
    rows = [RowSpec(label="bm25", says=right, arms=ALL_ARMS, broken=("state", "raised", 1)), oracle_row()]
    folder = build(tmp_path / "run", rows)
    assert statuses(folder) == {"fault": 12, "scored": 12}
    assert statuses(folder, "oracle") == {"scored": 8}


def test_a_rule_that_spreads_faults_to_the_oracle_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the two tests above: a fault record in the oracle's journal must not reach its cells."""
    folder = build(tmp_path / "run", [oracle_row()])
    journal = folder.journal(trial_id("oracle", make_history(0)), write=True)
    fault = FaultRecord(stage="check", cause="state_changed", error="", message="", step=0, checkpoint=END)
    journal.append(record_key("oracle", "check"), fault, "fault")
    journal.close()
    assert statuses(folder, "oracle") == {"scored": 8}
    monkeypatch.setattr(outcomes.CellMaker, "_fault", lambda maker, *_: next(iter(maker._standing), None))
    assert statuses(folder, "oracle") == {"scored": 4, "fault": 4}


def test_a_check_that_failed_late_does_not_reach_back_to_what_was_asked_before(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    journal = folder.journal(trial_id("bm25", make_history(0)), write=True)
    fault = FaultRecord(stage="check", cause="state_changed", error="", message="", step=9, checkpoint=END)
    journal.append(record_key("late", "check"), fault, "fault")
    journal.close()
    assert statuses(folder) == {"scored": 8}


def test_a_state_fault_that_a_later_attempt_overcame_faults_nothing(tmp_path: Path) -> None:
    """It may stand under a key that has its record, so that no success ever removes it from the journal."""
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lost, state="")])
    history = make_history(0)
    journal = folder.journal(trial_id("bm25", history), write=True)
    fault = FaultRecord(stage="state", cause="raised", error="", message="", step=2, checkpoint=END)
    journal.append(record_key("bm25", "settle"), fault, "fault")
    assert statuses(folder) == {"fault": 4, "unfinished": 4}
    journal.append(record_key("bm25", "check"), CheckRecord(checkpoint=END, state="unchanged"), "check")
    journal.close()
    assert statuses(folder) == {"scored": 4, "unfinished": 4}


def test_what_a_system_cannot_do_is_not_available_with_the_reason(tmp_path: Path) -> None:
    says = only(Said(unavailable="cannot read back"))
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=says, broken=("check", "state_changed", 2))])
    assert statuses(folder)["not_available"] == 2
    assert {c.why for c in cells_of(folder) if c.status == "not_available"} == {"cannot read back"}


def test_a_judged_task_without_a_usable_verdict_is_undecided_and_never_wrong(tmp_path: Path) -> None:
    histories = [make_history(0, task="essay")]
    says = only(Said(text="something", right=None))
    asked = build(tmp_path / "asked", [RowSpec(label="bm25", says=says)], histories)
    assert statuses(asked) == {"unfinished": 1, "scored": 3}  # a judge was named, so its verdict is still to come
    unasked = build(tmp_path / "unasked", [RowSpec(label="bm25", says=says)], histories, judge="none")
    assert statuses(unasked) == {"undecided": 1, "scored": 3}


def test_nothing_at_all_is_unfinished_and_has_no_value(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=only(Said()))])
    assert statuses(folder) == {"unfinished": 2, "scored": 6}
    assert all(cell.value is None for cell in cells_of(folder) if cell.status == "unfinished")


def test_answers_of_a_system_that_was_not_checked_yet_are_unfinished_but_an_order_dependent_one_has_no_check(
    tmp_path: Path,
) -> None:
    assert statuses(build(tmp_path / "a", [RowSpec(label="bm25", says=right, state="")])) == {"unfinished": 8}
    dependent = build(tmp_path / "b", [RowSpec(label="bm25", says=right, state="order_dependent")])
    assert statuses(dependent) == {"scored": 8}


def test_trials_that_never_began_are_planned_all_the_same(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right, arms=ALL_ARMS)], repeats=2)
    assert statuses(folder) == {"scored": 24, "unfinished": 24}  # the second replicate is still to come


def test_rows_that_never_began_are_known_from_the_config(tmp_path: Path) -> None:
    planned = [{"label": label, "system": {"name": label}} for label in ("bm25", "dense", "oracle")]
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)], rows=planned)
    assert statuses(folder, "dense") == {"unfinished": 8}
    assert {cell.arm for cell in cells_of(folder, "oracle")} == {Arm.ORACLE}


def test_abstaining_counts_and_is_right_only_where_the_key_wants_it(tmp_path: Path) -> None:
    def unanswerable(number: int, key: object) -> object:
        return replace(key, abstain=True, evidence=(), gold=()) if number == 1 else key  # type: ignore[type-var]

    history = make_history(0, change=unanswerable)  # type: ignore[arg-type]
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda _: Said(text="", abstained=True))], [history])
    assert [(cell.status, cell.value) for cell in cells_of(folder)] == [
        ("abstained", 0.0), ("abstained", 1.0), ("abstained", 0.0), ("abstained", 0.0),
    ]  # fmt: skip


def test_a_cell_says_what_was_found_in_shown_messages_and_in_those_of_the_history(tmp_path: Path) -> None:
    """Under the chunked preset a shown message holds two of the history."""
    found = Said(text="x", found=(StoredItem(message=MessageId("c-s-facts-0-0"), score=0.5),), tokens=9, truncated=True)
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda _: found)], [make_history(0)], preset="paper")
    cell = cells_of(folder)[0]
    assert cell.recall is not None
    item = cell.recall.items[0]
    assert (item.sources, item.covers) == (("c-s-facts-0-0",), ("m-facts-0-0", "m-facts-0-1"))
    assert (item.text, item.score, item.raw) == ("item 0 of facts-0 is value0 / item 1 of facts-0 is value1", 0.5, True)
    assert (cell.context_tokens, cell.truncated, cell.state) == (9, True, "unchanged")


def test_an_agent_has_no_context_of_the_harness(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", kind="agent", says=right)])
    assert {cell.context_tokens for cell in cells_of(folder)} == {None}


def test_a_recall_of_a_message_that_the_steps_do_not_show_is_refused(tmp_path: Path) -> None:
    found = Said(text="x", found=(StoredItem(message=MessageId("m-unknown")),))
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda _: found)])
    with pytest.raises(DataError, match="names message `m-unknown`, which the steps do not show"):
        read_run(folder, BENCHMARK)


def test_a_task_that_the_card_does_not_know_is_refused(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)], [make_history(0, task="riddles")])
    with pytest.raises(DataError, match=r"`toy` has no task `riddles`.*known: choice, essay, facts, graded"):
        read_run(folder, BENCHMARK)


def test_steps_that_do_not_ask_a_planned_question_are_refused(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    with pytest.raises(DataError, match="is not asked at `end`"):
        read_run(folder, replace(BENCHMARK, steps=lambda *_: []))


def test_the_later_record_of_a_cell_counts(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)], [make_history(0)])
    journal = folder.journal(trial_id("bm25", make_history(0)), write=True)
    again = RecallRecord(checkpoint=END, question=cells_of(folder)[0].question, arm=Arm.SYSTEM, content=None)
    journal.append(record_key("bm25", "again"), again, "recall")
    journal.close()
    assert [cell.recall is None for cell in cells_of(folder)] == [True, False, False, False]


def test_receipts_are_counted_by_status(tmp_path: Path) -> None:
    from recollect.diagnose.records.join import read_run

    row = RowSpec(label="bm25", says=right, writes={"stored": 3, "nothing_to_store": 1})
    run = read_run(build(tmp_path / "run", [row]), BENCHMARK)
    assert run.writes["bm25"] == {"nothing_to_store": 4, "stored": 12}  # two steps in each of two histories


def test_joining_a_run_of_another_task_card_uses_that_card(tmp_path: Path) -> None:
    """A task that is judged by its card waits for verdicts; one that is not does not."""
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    judged = replace(BENCHMARK, card=replace(BENCHMARK.card, tasks={"facts": task("facts", judged=True)}))
    assert statuses(folder) == {"scored": 8}
    assert statuses(folder, benchmark=judged) == {"unfinished": 8}


def test_states_alone_finish_nothing(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda _: Said(), state="")])
    journal = folder.journal(trial_id("bm25", make_history(0)))
    assert {type(body) for _, body in journal.bodies("state")} == {StateRecord}
    journal.close()
    assert statuses(folder) == {"unfinished": 8}
