"""A journal is read whole, and what is damaged is named or, if it is only a note, left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.diagnose.records.trials import CellId, Record, is_standing, read_trial, records_of
from recollect.domain.errors import DataError, NewerSchemaError
from recollect.domain.ids import QuestionId, RecordKey
from recollect.domain.steps import Arm
from recollect.records.kinds import FaultRecord
from recollect.store.journal import Journal

from tests.fakes.run_builder import END, RowSpec, Said, build, make_history, right, trial_id

TRIAL = trial_id("bm25", make_history(0))
FIRST = CellId(END, QuestionId("q-facts-0-0"), Arm.SYSTEM)


def test_fast_reading_gives_the_same_bodies_as_the_journal(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    journal = folder.journal(TRIAL)
    slow = {key: journal.body(key) for key in (*journal.done, *journal.faults)}
    assert {record.key: record.body for record in records_of(journal)} == slow
    journal.close()


def test_a_missing_journal_holds_nothing(tmp_path: Path) -> None:
    assert list(records_of(Journal(tmp_path / "none.jsonl"))) == []


def test_a_body_that_breaks_its_schema_is_named_with_its_field(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    _damage(folder.journal(TRIAL).path, b'"did":"observe"', b'"did":"dreamed"')
    with pytest.raises(DataError, match=r"records.jsonl: `did`: .*got 'dreamed'"):
        list(records_of(folder.journal(TRIAL)))


def test_a_body_of_a_newer_schema_is_refused(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    _damage(folder.journal(TRIAL).path, b'"schema":1', b'"schema":9')
    with pytest.raises(NewerSchemaError, match="schema 9"):
        list(records_of(folder.journal(TRIAL)))


def test_seconds_belong_to_their_cell_and_a_torn_note_is_left_out(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda case: Said(text="x", seconds=0.25))])
    with (folder.trial(TRIAL) / "measures.jsonl").open("a") as file:
        file.write('{"key": "r1:state", "stage": "state", "seconds": 2.0}\n{"key": "r1:to')
    trial = read_trial(folder, {"trial": TRIAL})
    assert trial.cell(FIRST).seconds == {"recall": 0.25, "answer": 0.25}
    assert [m.seconds for m in trial.measures if m.stage == "state"] == [2.0]
    assert len(trial.measures) == 9  # two for each of four questions, and the state


def test_a_cell_of_which_nothing_is_recorded_is_empty(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=lambda case: Said())])
    assert read_trial(folder, {"trial": TRIAL}).cell(FIRST).answer is None


@pytest.mark.parametrize(
    ("stage", "last_seen", "stands"),
    [
        pytest.param("state", 99, True, id="state-broke-last"),
        pytest.param("state", 101, False, id="system-worked-later"),
        pytest.param("check", 101, True, id="a-check-gives-way-to-a-check-alone"),
    ],
)
def test_a_state_fault_stands_until_the_system_is_seen_to_work(stage: str, last_seen: int, stands: bool) -> None:
    body = FaultRecord(stage=stage, cause="raised", error="", message="", step=0)
    assert is_standing(Record(RecordKey("r1:x"), "fault", 100, body), last_seen) is stands


def _damage(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))
