"""Notes are appended, healed, read past a torn line, and united without doubling."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.models import Usage
from recollect.domain.errors import DiskError
from recollect.records.calls import CallLine
from recollect.store.measures import NAME, Ledgers, Measures, calls_of, notes, unite_notes
from recollect.store.run_folder import RunFolder


def line(call: str = "c1", **facts: object) -> CallLine:
    told = {"kind": "chat", "role": "reader", "status": "paid", "model": "m", **facts}
    return CallLine(call=call, **told)  # type: ignore[arg-type]


def test_notes_come_back_in_order(tmp_path: Path) -> None:
    with Measures(tmp_path / "t") as measures:
        for number in range(3):
            measures.note({"key": "k", "seconds": number})
    assert [one["seconds"] for one in notes(tmp_path / "t" / NAME)] == [0, 1, 2]


def test_nothing_noted_makes_no_file(tmp_path: Path) -> None:
    with Measures(tmp_path / "t"):
        pass
    assert not (tmp_path / "t").exists()


def test_a_torn_last_line_is_ended_when_the_file_is_opened_and_passed_over(tmp_path: Path) -> None:
    """What a kill in the middle of a write leaves spoils neither itself nor what follows."""
    file = tmp_path / NAME
    file.write_bytes(b'{"key": "a"}\n{"key": "b", "sec')
    assert [one["key"] for one in notes(file)] == ["a"]
    with Measures(tmp_path) as measures:
        measures.note({"key": "c"})
    assert [one["key"] for one in notes(file)] == ["a", "c"]


def test_a_last_line_that_only_lacks_its_end_is_kept(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_bytes(b'{"key": "a"}')
    with Measures(tmp_path) as measures:
        measures.note({"key": "b"})
    assert [one["key"] for one in notes(file)] == ["a", "b"]


def test_each_note_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits in a buffer: a killed process has lost no line that was noted."""
    measures = Measures(tmp_path)
    measures.note({"key": "a"})
    assert (tmp_path / NAME).read_bytes() == b'{"key": "a"}\n'
    written: list[int] = []
    real = os.write

    def write(handle: int, data: bytes) -> int:
        written.append(len(data))
        return real(handle, data)

    monkeypatch.setattr(os, "write", write)
    measures.note({"key": "b"})
    measures.close()
    assert len(written) == 1


def test_threads_do_not_tear_each_others_lines(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    ledgers = Ledgers(folder)

    def work(number: int) -> None:
        for place in range(50):
            ledgers.write(line(f"c{number}-{place}", trial=f"t{place % 3}" if place % 4 else ""))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledgers.close()
    assert len({one.call for one in calls_of(folder)}) == 8 * 50


def test_a_call_comes_back_as_it_was_from_its_own_trial_or_the_run(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    ledgers = Ledgers(folder)
    probe = line("p", stage="probe")
    answer = line(
        "a", trial="r1:ab", row="bm25", stage="answer", usage=Usage(input=9, output=2, cached=4), money=0.25, waited=0.5
    )
    ledgers.write(answer)
    ledgers.write(probe)
    ledgers.close()
    assert (tmp_path / NAME).exists()
    assert (tmp_path / "trials" / "r1-ab" / NAME).exists()
    assert list(calls_of(folder)) == [probe, answer]


def test_seconds_of_the_engine_and_torn_calls_are_no_calls(tmp_path: Path) -> None:
    file = tmp_path / "trials" / "t" / NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(
        b'{"key": "k", "stage": "recall", "seconds": 0.1}\n[1]\n{"call": {"call": "x"}}\n'
        b'{"call": {"call": "y", "kind": "chat", "role": "judge", "status": "paid", "model": "m", "newer": 1}}\n'
        b'{"call": {"call": "z", "kind"'
    )
    assert [one.call for one in calls_of(RunFolder(tmp_path))] == ["y"]


def test_more_trials_than_files_may_be_open_lose_nothing(tmp_path: Path) -> None:
    folder, handles = RunFolder(tmp_path), Path("/proc/self/fd")
    ledgers = Ledgers(folder)
    before = len(list(handles.iterdir())) if handles.exists() else 0
    for turn in range(2):
        for trial in range(150):
            ledgers.write(line(f"c{trial}-{turn}", trial=f"t{trial}"))
    opened = len(list(handles.iterdir())) - before if handles.exists() else 0
    ledgers.close()
    assert opened < 150
    assert len(list(calls_of(folder))) == 300


@given(st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"])), st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"])))
def test_uniting_adds_what_is_not_there_and_doing_it_again_adds_nothing(ours: list[bytes], theirs: list[bytes]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "a" / NAME, Path(folder) / "b" / NAME
        for file, lines in ((source, theirs), (target, ours)):
            file.parent.mkdir()
            file.write_bytes(b"".join(lines))
        unite_notes(source, target)
        united = target.read_bytes().splitlines(keepends=True)
        assert united[: len(ours)] == ours
        assert all(united.count(one) == max(ours.count(one), theirs.count(one)) for one in {*ours, *theirs})
        unite_notes(source, target)
        assert target.read_bytes().splitlines(keepends=True) == united


def test_parts_that_share_some_lines_are_united_line_by_line(tmp_path: Path) -> None:
    """The old way looked for the whole file in the other, and doubled what both had begun with."""
    source, target = tmp_path / "a" / NAME, tmp_path / "b" / NAME
    for file, lines in ((source, b"1\n2\n3\n"), (target, b"1\n2\n4\n")):
        file.parent.mkdir()
        file.write_bytes(lines)
    unite_notes(source, target)
    assert target.read_bytes() == b"1\n2\n4\n3\n"
    unite_notes(tmp_path / "nowhere" / NAME, target)
    assert target.read_bytes() == b"1\n2\n4\n3\n"


def test_every_field_of_a_call_survives(tmp_path: Path) -> None:
    full = CallLine(
        call="c", kind="embedding", role="embedder", status="recovered", model="m", endpoint="e", money=0.0,
        usage=Usage(input=1, output=0, cached=2, reasoning=3), estimated=True, priced="2026-01-01", seconds=1.5,
        waited=0.5, tries=3, causes=("timeout", "rate_limited"), key="k", stage="observe", trial="t", row="r", task="x",
        history="h", question="q", checkpoint="end", arm="system", replicate=2,
    )  # fmt: skip
    folder = RunFolder(tmp_path)
    ledgers = Ledgers(folder)
    ledgers.write(full)
    ledgers.close()
    assert list(calls_of(folder)) == [full]


@pytest.mark.parametrize(
    "wrong",
    [{"seconds": "long"}, {"status": "free"}, {"usage": {"input": "many"}}, {"money": "much"}, {"causes": "timeout"}],
)
def test_a_call_that_says_nonsense_is_passed_over(wrong: dict[str, object], tmp_path: Path) -> None:
    data = {"call": "c", "kind": "chat", "role": "reader", "status": "paid", "model": "m", **wrong}
    (tmp_path / NAME).write_text(json.dumps({"call": data}) + "\n")
    assert list(calls_of(RunFolder(tmp_path))) == []


def test_after_a_full_disk_the_next_note_is_a_line_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk took a part of a line before it was full; when there is room again, the part spoils nothing."""
    measures, real = Measures(tmp_path), os.write
    measures.note({"key": "a"})

    def write(handle: int, data: bytes) -> int:
        if len(data) > 5:
            return real(handle, data[:5])
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(DiskError, match="full"):
        measures.note({"key": "b"})
    monkeypatch.undo()
    measures.note({"key": "c"})
    measures.close()
    assert [one["key"] for one in notes(tmp_path / NAME)] == ["a", "c"]
