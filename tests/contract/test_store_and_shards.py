"""Runs as folders: shards, merges, locks, changed configs, torn and foreign lines."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.domain.errors import BusyError, ChangedConfigError, ClashError, DataError, DiskError, NewerSchemaError
from recollect.domain.steps import Arm
from recollect.engine.execution.executor import Limits
from recollect.engine.rows import oracle_row
from recollect.engine.selection import shard
from recollect.records.digests import digest
from recollect.records.kinds import AnswerRecord
from recollect.store.journal import Journal
from recollect.store.locks import hold
from recollect.store.merge import merge
from recollect.store.run_folder import RunFolder

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.trees import records

ANSWER = AnswerRecord(checkpoint="end", question="q", arm=Arm.SYSTEM, text="blue")  # type: ignore[arg-type]
KEY = digest("a key")


def _rows() -> tuple[object, ...]:
    return (memory_row(toy.ToyMemory, toy.TOY), memory_row(toy.MergingMemory, toy.TOY, label="merging"), oracle_row())


def test_shards_merged_say_the_same_as_one_process(tmp_path: Path) -> None:
    whole = Harness(tmp_path / "whole")
    trials = whole.trials("observe_all", *_rows())  # type: ignore[arg-type]
    whole.folder.create({"config": {"seed": 1}})
    whole.run(trials)
    parts = []
    for number in range(1, 4):
        part = Harness(tmp_path / f"part{number}")
        part.folder.create({"config": {"seed": 1}})
        part.run(shard(trials, number, 3))
        parts.append(part.folder)
    merged = merge(parts, RunFolder(tmp_path / "merged"))
    assert records(merged.path) == records(whole.path)
    assert sum(len(shard(trials, n, 3)) for n in (1, 2, 3)) == len(trials)


def test_many_threads_say_the_same_as_one(tmp_path: Path) -> None:
    one, many = Harness(tmp_path / "one"), Harness(tmp_path / "many")
    trials = one.trials("checkpoints", *_rows())  # type: ignore[arg-type]
    one.run(trials, Limits(trials=1, calls=1))
    many.run(trials, Limits(trials=6, calls=16))
    assert records(one.path) == records(many.path)


def test_merging_runs_of_different_configs_is_refused_with_the_difference(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        RunFolder(tmp_path / name).create({"config": {"seed": seed, "size": "small"}})
    with pytest.raises(ChangedConfigError, match="`seed` was 1, now 2"):
        merge([RunFolder(tmp_path / "a"), RunFolder(tmp_path / "b")], RunFolder(tmp_path / "c"))


def test_two_different_records_under_one_key_are_refused(tmp_path: Path) -> None:
    for name, text in (("a", "blue"), ("b", "red")):
        folder = RunFolder(tmp_path / name)
        folder.create({"config": {}})
        folder.write_trial("r1:t", {"trial": "r1:t"})
        journal = folder.journal("r1:t", write=True)
        journal.append(KEY, replace(ANSWER, text=text), "answer")
        journal.close()
    with pytest.raises(ClashError, match="different `answer` records"):
        merge([RunFolder(tmp_path / "a"), RunFolder(tmp_path / "b")], RunFolder(tmp_path / "c"))


def test_a_second_process_on_a_trial_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    lock = harness.folder.trial(trials[0].trial_id) / "lock"
    with hold(lock, "this trial"), pytest.raises(BusyError, match=f"process {os.getpid()} on "):
        harness.run(trials)
    assert harness.answers(trials[1:]) == ["brown", "restored", "busy"], "the other trial was done all the same"


def test_a_changed_config_is_refused_with_every_difference(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.create({"config": {"seed": 1, "reader": {"name": "rules"}}})
    folder.create({"config": {"seed": 1, "reader": {"name": "rules"}}})
    with pytest.raises(ChangedConfigError) as caught:
        folder.create({"config": {"seed": 2, "reader": {"name": "other"}}})
    assert set(caught.value.differences) == {'`reader.name` was "rules", now "other"', "`seed` was 1, now 2"}


def test_a_torn_last_line_is_dropped_and_the_next_one_stands_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", write=True)
    journal.append(KEY, ANSWER, "answer")
    journal.close()
    whole = (tmp_path / "j").read_bytes()
    for cut in range(1, len(whole)):
        (tmp_path / "j").write_bytes(whole + whole[:cut])
        again = Journal(tmp_path / "j", write=True)
        again.append(digest("another"), ANSWER, "answer")
        again.close()
        assert len(Journal(tmp_path / "j").done) == 2
        assert (tmp_path / "j").read_bytes().startswith(whole)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        pytest.param(b"not a record\n", DataError, id="prose"),
        pytest.param(b'{"kind":"answer"}\n', DataError, id="no key"),
        pytest.param(b"\xff\xfe\x00\n", DataError, id="not UTF-8"),
        pytest.param(b"\n", DataError, id="empty line"),
    ],
)
def test_a_foreign_line_is_named_with_file_and_number(line: bytes, error: type[Exception], tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", write=True)
    journal.append(KEY, ANSWER, "answer")
    journal.close()
    with (tmp_path / "j").open("ab") as file:
        file.write(line)
    with pytest.raises(error, match=":2: not a record"):
        Journal(tmp_path / "j")


def test_records_of_a_newer_schema_are_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", write=True)
    journal.append(KEY, ANSWER, "answer")
    journal.close()
    text = (tmp_path / "j").read_text().replace('"schema":1', '"schema":99')
    (tmp_path / "j").write_text(text)
    with pytest.raises(NewerSchemaError, match="schema 99"):
        Journal(tmp_path / "j").body(KEY)


def test_a_full_disk_stops_the_run_and_keeps_what_was_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(tmp_path / "run")
    trials = harness.trials("long_ingest", memory_row(toy.ToyMemory, toy.TOY))[:1]
    room = [5_000]
    real = os.write

    def write(handle: int, line: bytes) -> int:
        fits = line[: room[0]]
        room[0] -= len(fits)
        if line and not fits:
            raise OSError(28, "No space left on device")
        return real(handle, fits)

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(DiskError, match="the disk is full"):
        harness.run(trials)
    recorded = len(harness.journal(trials[0]).done)
    assert recorded > 5
    monkeypatch.setattr(os, "write", real)
    harness.run(trials)
    assert len(harness.answers(trials)) == 8


def test_a_read_only_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(DiskError, match="writing is not allowed"):
        RunFolder(tmp_path / "run").create({"config": {}})


def test_a_memory_that_fills_the_disk_stops_the_run_instead_of_looking_bad(tmp_path: Path) -> None:
    class Hungry(toy.ToyMemory):
        def settle(self) -> None:
            raise OSError(28, "No space left on device")

    harness = Harness(tmp_path / "run")
    with pytest.raises(DiskError, match="No space left"):
        harness.run(harness.trials("observe_all", memory_row(Hungry, toy.TOY)))


def test_a_hundred_sessions_are_saved_at_growing_distances(tmp_path: Path) -> None:
    saved: list[int] = []

    class Watched(toy.ToyMemory):
        def save(self, folder: Path) -> None:
            saved.append(len(self.messages))
            super().save(folder)

    harness = Harness(tmp_path / "run")
    harness.run(harness.trials("long_ingest", memory_row(Watched, toy.PLAIN_SAVES))[:1])
    assert saved == [16, 32, 64, 80], "after 8, 16 and 32 sessions of two messages, and before the Ask"


def test_a_row_that_was_not_shown_an_episode_of_its_neighbour(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY), agent_row(toy.BufferAgent, toy.AGENT))
    harness.run(trials, Limits(trials=4, calls=4))
    for trial in trials:
        own = {m.message_id for m in trial.keyed.history.messages()}
        for _, content in harness.journal(trial).bodies("content"):
            assert {item.message for item in content.items} <= own


def test_a_reader_of_many_journals_keeps_none_of_them_open(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) / "records.jsonl" for number in range(20)]
    for path in paths:
        journal = Journal(path, write=True)
        journal.append(KEY, ANSWER, "answer")
        journal.close()
    before = len(list(Path("/dev/fd").iterdir()))
    readers = [Journal(path) for path in paths]
    assert [reader.body(KEY) for reader in readers] == [ANSWER] * 20
    assert [list(reader.bodies("answer")) for reader in readers] == [[(KEY, ANSWER)]] * 20
    assert len(list(Path("/dev/fd").iterdir())) == before
