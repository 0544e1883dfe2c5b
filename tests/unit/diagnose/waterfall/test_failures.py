"""Systems with one planted fault each get that label for every wrong answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.grid import grid_of
from recollect.diagnose.records.join import read_run
from recollect.diagnose.waterfall import failures as module
from recollect.diagnose.waterfall.failures import LABELS, failures
from recollect.domain.histories import Keyed
from recollect.domain.ids import MessageId
from recollect.domain.questions import Key
from recollect.domain.steps import Arm
from recollect.records.kinds import StoredItem
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Failures

from tests.fakes.run_builder import (
    BENCHMARK,
    Case,
    RowSpec,
    Said,
    Says,
    build,
    floor_row,
    lost,
    make_history,
    oracle_row,
    right,
    wrong,
)

BOTH = (Arm.SYSTEM, Arm.READBACK)
HISTORIES = [make_history(0), make_history(1)]


def rewritten(case: Case) -> tuple[StoredItem, ...]:
    """The evidence in words of the memory's own."""
    return (StoredItem(text="something about an item", sources=case.key.evidence),)


def by_arm(system: Says, readback: Says) -> Says:
    return lambda case: (system if case.arm is Arm.SYSTEM else readback)(case)


def told(path: Path, says: Says, *, arms: Sequence[Arm] = BOTH, **options: object) -> tuple[CellOutcome, ...]:
    oracle: Says = options.pop("oracle", right)  # type: ignore[assignment]
    histories: Sequence[Keyed] = options.pop("histories", HISTORIES)  # type: ignore[assignment]
    rows = [RowSpec(label="bm25", says=says, arms=tuple(arms)), oracle_row(oracle)]
    return read_run(build(path / "run", rows, histories), BENCHMARK).cells


def labels(cells: Sequence[CellOutcome]) -> set[str | None]:
    return {cell.failure for cell in cells if cell.row == "bm25" and cell.arm is Arm.SYSTEM and cell.value == 0.0}


def half_stored(case: Case) -> Said:
    return replace(wrong(case), found=rewritten(case))


@pytest.mark.parametrize(
    ("says", "label"),
    [
        pytest.param(by_arm(lost, lost), "write", id="wrote-nothing"),
        pytest.param(by_arm(half_stored, half_stored), "write", id="rewrote-the-fact-away"),
        pytest.param(by_arm(lost, right), "retrieval", id="did-not-find-what-it-stored"),
        pytest.param(by_arm(wrong, right), "use", id="read-past-what-it-found"),
        pytest.param(by_arm(lost, wrong), "retrieval", id="stored-word-by-word-though-the-readback-was-read-wrong"),
        pytest.param(by_arm(lost, lambda case: Said(fault=("answer", "timeout"))), "unknown", id="no-readback"),
        pytest.param(by_arm(wrong, lambda case: Said(unavailable="cannot")), "use", id="found-word-by-word"),
        pytest.param(
            by_arm(half_stored, lambda case: Said(unavailable="cannot")), "unknown", id="found-in-other-words"
        ),
    ],
)
def test_each_planted_fault_gets_its_label(tmp_path: Path, says: Says, label: str) -> None:
    assert labels(told(tmp_path, says)) == {label}


def test_a_question_that_the_reader_cannot_do_with_the_evidence_is_its_own_fault(tmp_path: Path) -> None:
    assert labels(told(tmp_path, by_arm(lost, lost), oracle=wrong)) == {"reading"}


def test_without_an_oracle_nothing_can_be_told(tmp_path: Path) -> None:
    assert labels(told(tmp_path, by_arm(lost, right), oracle=lambda case: Said())) == {"unknown"}


def test_evidence_that_was_found_but_cut_off_was_not_found(tmp_path: Path) -> None:
    def cut(case: Case) -> Said:
        return replace(wrong(case), tokens=2, truncated=True)

    assert labels(told(tmp_path, by_arm(cut, right))) == {"retrieval"}


def test_half_of_the_evidence_is_not_the_evidence(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, evidence=(*key.evidence, MessageId("m-facts-0-0"))) if number else key

    def says(case: Case) -> Said:
        if case.arm is Arm.READBACK or case.number == 0:
            return right(case)
        return replace(wrong(case), found=(StoredItem(message=case.key.evidence[0]),))

    history = make_history(0, change=change)
    assert labels(told(tmp_path, says, histories=[history])) == {"retrieval"}


def test_an_answer_where_none_was_to_be_given_is_a_fault_of_use(tmp_path: Path) -> None:
    """Nothing had to be stored or found; the reader was misled by what there was."""

    def change(number: int, key: Key) -> Key:
        return replace(key, abstain=True, evidence=(), gold=("none",))

    def declines(case: Case) -> Said:
        return Said(text="", abstained=True)

    histories = [make_history(0, change=change)]
    assert labels(told(tmp_path, by_arm(lost, declines), oracle=declines, histories=histories)) == {"use"}


def test_evidence_that_is_no_message_cannot_be_followed(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, evidence=(), oracle_text="the fact")

    def oracle(case: Case) -> Said:
        return Said(text=case.gold, rendered="the fact")

    says = by_arm(lost, lambda case: Said(unavailable="no evidence is known"))
    assert labels(told(tmp_path, says, oracle=oracle, histories=[make_history(0, change=change)])) == {"unknown"}


def test_right_answers_other_arms_and_missing_answers_have_no_label(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        return right(case) if case.number else Said(fault=("answer", "timeout"))

    assert {cell.failure for cell in told(tmp_path, says)} == {None}


def mixed(case: Case) -> Said:
    """By question: not stored, not found, not used, right."""
    stored: Mapping[int, Callable[[Case], Said]] = {0: lost, 1: right, 2: right, 3: right}
    found: Mapping[int, Callable[[Case], Said]] = {0: lost, 1: lost, 2: wrong, 3: right}
    return (found if case.arm is Arm.SYSTEM else stored)[case.number](case)


def shares(cells: Sequence[CellOutcome]) -> Failures:
    return next(one for one in failures(grid_of(cells), BENCHMARK.card.tasks) if one.row == "bm25")


def test_the_shares_of_the_labels_sum_to_one(tmp_path: Path) -> None:
    one = shares(told(tmp_path, mixed))
    assert (one.answered, one.wrong, one.right_from) == (8, 6, 1.0)
    assert one.counts == {"reading": 0, "write": 2, "retrieval": 2, "use": 2, "unknown": 0}
    assert list(one.shares) == list(LABELS)
    assert sum(one.shares.values()) == pytest.approx(1.0)
    assert one.stale is None


def test_a_rule_that_forgets_the_readback_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: taking everything for stored turns lost writes into lost searches."""
    monkeypatch.setattr(module._Seen, "_is_stored", lambda seen: True)
    assert shares(told(tmp_path, mixed)).counts["write"] == 0


def test_nothing_wrong_has_no_shares(tmp_path: Path) -> None:
    one = shares(told(tmp_path, right))
    assert (one.wrong, one.shares, sum(one.counts.values())) == (0, {}, 0)


def test_stale_answers_are_counted_where_the_score_knows_them(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, rejected=("wrong" if number < 3 else "old",))

    one = shares(told(tmp_path, mixed, histories=[make_history(0, change=change)]))
    assert (one.wrong, one.stale) == (3, 3)
    two = shares(
        told(tmp_path / "b", mixed, histories=[make_history(0, change=lambda n, k: replace(k, rejected=("o",)))])
    )
    assert two.stale == 0


def test_a_graded_answer_is_wrong_below_a_half_and_the_table_says_so(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        return Said(text="half" if case.number % 2 else "nothing")

    histories = [make_history(0, task="graded")]
    one = shares(told(tmp_path, by_arm(says, lost), histories=histories))
    assert (one.right_from, one.answered, one.wrong) == (0.5, 4, 2)


def test_an_agents_own_oracle_tells_for_it(tmp_path: Path) -> None:
    agent = RowSpec(
        label="agent",
        kind="agent",
        says=lambda case: wrong(case) if case.arm is not Arm.READBACK else right(case),
        arms=(Arm.SYSTEM, Arm.READBACK, Arm.ORACLE),
    )
    cells = read_run(build(tmp_path / "run", [agent, oracle_row(), floor_row()]), BENCHMARK).cells
    assert {c.failure for c in cells if c.row == "agent" and c.arm is Arm.SYSTEM} == {"reading"}


def test_what_an_agent_tells_of_is_what_it_had_in_its_context(tmp_path: Path) -> None:
    agent = RowSpec(label="agent", kind="agent", says=by_arm(wrong, right), arms=BOTH)
    cells = read_run(build(tmp_path / "run", [agent, oracle_row()]), BENCHMARK).cells
    assert {c.failure for c in cells if c.row == "agent" and c.arm is Arm.SYSTEM} == {"use"}
