"""The digest of a run holds what came of it, and nothing of how the work went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.records import identity as module
from recollect.diagnose.records.identity import identity, repeatable
from recollect.diagnose.summary import summarise
from recollect.records.digests import digest
from recollect.records.kinds import FaultRecord, SnapshotRecord, VoidRecord
from recollect.store.journal import Journal
from recollect.store.run_folder import RunFolder

from tests.fakes.run_builder import (
    BENCHMARK,
    END,
    Case,
    RowSpec,
    Said,
    build,
    make_history,
    oracle_row,
    record_key,
    right,
    trial_id,
)


def timed(seconds: float) -> Callable[[Case], Said]:
    return lambda case: replace(right(case), seconds=seconds)


def run(path: Path, says: Callable[[Case], Said] = right, **config: object) -> RunFolder:
    return build(path, [RowSpec(label="bm25", says=says), oracle_row()], **config)  # type: ignore[arg-type]


def of(folder: RunFolder) -> str:
    return identity(folder, summarise(folder, BENCHMARK))


def journal_of(folder: RunFolder) -> Journal:
    return folder.journal(trial_id("bm25", make_history(0)), write=True)


def test_the_same_run_made_again_under_another_name_and_clock_is_the_same(tmp_path: Path) -> None:
    assert of(run(tmp_path / "first", timed(0.1))) == of(run(tmp_path / "second", timed(7.5)))


def test_an_identity_that_holds_the_seconds_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above."""
    monkeypatch.setattr(module, "repeatable", lambda summary: summary)
    assert of(run(tmp_path / "first", timed(0.1))) != of(run(tmp_path / "second", timed(7.5)))


def test_the_order_of_a_journal_its_snapshots_and_voids_stand_outside(tmp_path: Path) -> None:
    plain, shuffled = run(tmp_path / "a"), run(tmp_path / "b")
    file = shuffled.trial(trial_id("bm25", make_history(0))) / "records.jsonl"
    file.write_bytes(b"".join(reversed(file.read_bytes().splitlines(keepends=True))))
    journal = journal_of(shuffled)
    journal.append(digest("snapshot"), SnapshotRecord(step=0, folder="x"), "snapshot")
    journal.append(digest("void"), VoidRecord(reason="diverged", keys=()), "void")
    journal.close()
    assert of(plain) == of(shuffled)


def test_another_answer_is_another_run(tmp_path: Path) -> None:
    def other(case: Case) -> Said:
        return Said(text="other") if case.number == 3 else right(case)

    assert of(run(tmp_path / "a")) != of(run(tmp_path / "b", other))


def test_another_config_is_another_run(tmp_path: Path) -> None:
    assert of(run(tmp_path / "a")) != of(run(tmp_path / "b", reader="other"))


def test_a_fault_is_part_of_a_run_by_its_cause_but_not_by_its_words(tmp_path: Path) -> None:
    digests = [
        _with_fault(tmp_path / "a", cause="timeout", message="after 3.1 s"),
        _with_fault(tmp_path / "b", cause="timeout", message="after 9.9 s"),
        _with_fault(tmp_path / "c", cause="refused", message="after 3.1 s"),
        of(run(tmp_path / "d")),
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


def test_a_state_fault_that_was_overcome_leaves_no_trace(tmp_path: Path) -> None:
    """Its key may have its record already, so that no success removes it from the journal."""
    plain, hurt = run(tmp_path / "a"), run(tmp_path / "b")
    file = hurt.trial(trial_id("bm25", make_history(0))) / "records.jsonl"
    lines = file.read_bytes()
    file.unlink()
    journal = journal_of(hurt)
    fault = FaultRecord(stage="state", cause="raised", error="", message="", step=0)
    journal.append(digest("settle"), fault, "fault")
    journal.close()
    file.write_bytes(file.read_bytes() + lines)
    assert of(plain) == of(hurt)


def test_what_a_summary_says_is_part_of_it_but_not_its_name_seconds_and_error_texts(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", lambda case: Said(fault=("answer", "timeout"), seconds=1.0))
    summary = summarise(folder, BENCHMARK)
    assert summary.timings
    assert summary.faults[0].example
    kept = repeatable(summary)
    assert (kept.run, kept.timings, kept.faults[0].example) == ("", (), "")
    assert identity(folder, summary) == identity(folder, replace(summary, run="another", timings=()))
    assert identity(folder, summary) != identity(folder, replace(summary, numbers=()))


def _with_fault(path: Path, *, cause: str, message: str) -> str:
    folder = run(path)
    journal = journal_of(folder)
    fault = FaultRecord(stage="check", cause=cause, error="E", message=message, step=2, checkpoint=END)
    journal.append(record_key("bm25", "check-again"), fault, "fault")
    journal.close()
    return of(folder)
