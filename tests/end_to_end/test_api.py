"""Recollect in Python does what the command line does, and gives values instead of text."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from contextlib import chdir
from dataclasses import FrozenInstanceError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.cli import command_line
from recollect.domain.errors import ChangedConfigError, MissingExtraError, UnknownNameError, UsageError

ROOT = Path(__file__).parents[2]
OWN = ROOT / "examples" / "own_data"
HAS_PANDAS = find_spec("pandas") is not None


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("api")


@pytest.fixture(scope="module")
def made(place: Path) -> recollect.RunResult:
    """The example data with two memories."""
    with chdir(place):
        return recollect.run("own", data=OWN, memories=["bm25", "window"], name="mine")


def printed(place: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """The JSON that a command prints."""
    with chdir(place):
        assert command_line([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_run_is_the_one_of_the_command_line(
    made: recollect.RunResult, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its numbers are those of `score`, `verify` passes, and the same run by flags has the same identity."""
    assert printed(place, capsys, "score", "mine") == made.as_data()
    assert printed(place, capsys, "verify", "mine") == {
        "identity": made.identity,
        "files": sorted(file.name for file in (place / made.folder / "report").iterdir() if file.suffix != ".parquet"),
        "differences": [],
    }
    flags = ("--data", str(OWN), "--memory", "bm25", "--memory", "window", "--name", "mine")
    printed(tmp_path, capsys, "run", "own", *flags)
    assert printed(tmp_path, capsys, "score", "mine")["identity"] == made.identity


def test_a_result_holds_scores_with_intervals_and_where_the_report_is(made: recollect.RunResult, place: Path) -> None:
    """And it cannot be changed."""
    assert made.finished
    assert (place / made.report).read_text(encoding="utf-8").startswith("<!doctype html>")
    score = made.score("bm25")
    assert score.estimate is not None
    assert score.low is None or score.low <= score.estimate <= (score.high or 1)
    assert {one.row for one in made.scores} >= {"bm25", "window", "oracle"}
    assert len(made.cells) >= made.summary.total.planned
    with pytest.raises(FrozenInstanceError):
        made.name = "other"  # type: ignore[misc]
    with pytest.raises(UnknownNameError, match="Did you mean `bm25`"):
        made.score("bm2")
    with pytest.raises(UnknownNameError, match="task of `bm25`"):
        made.score("bm25", "other")


def test_what_was_run_can_be_loaded_by_name_or_folder(made: recollect.RunResult, place: Path) -> None:
    with chdir(place):
        assert recollect.load("mine") == made
        assert recollect.load(made.folder).identity == made.identity
        with pytest.raises(UnknownNameError, match="Known: mine"):
            recollect.load("mind")


def test_the_same_call_resumes_and_other_settings_are_refused(tmp_path: Path) -> None:
    """Records that are gone are made again, and come to the same."""
    with chdir(tmp_path):
        whole = recollect.run("own", data=OWN, memories=["bm25", "window"], name="mine")
        journal = next(whole.folder.glob("trials/*/records.jsonl"))
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-2]))
        assert not recollect.load("mine").finished
        again = recollect.run("own", data=OWN, memories=["bm25", "window"], name="mine")
        assert again.identity == whole.identity
        with pytest.raises(ChangedConfigError, match="seed"):
            recollect.run("own", data=OWN, memories=["bm25", "window"], name="mine", seed=1)


def test_two_rows_are_compared_as_on_the_command_line(
    made: recollect.RunResult, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chdir(place):
        result = recollect.compare(made.row("bm25"), "mine:window")
    assert result.as_data() == printed(place, capsys, "compare", "mine:bm25", "mine:window")
    assert result.tasks[0].difference.estimate is not None


def test_a_system_is_named_as_text_or_as_in_a_file(tmp_path: Path) -> None:
    """One needs no list, and any path of data will do."""
    with chdir(tmp_path):
        text = recollect.run("own", data=str(OWN), memories="bm25:previous=true", references=False, name="a")
        said = {"name": "bm25", "settings": {"previous": True}}
        value = recollect.run("own", data=OWN, memories=said, references=False, name="b", arms=())
    assert text.identity == value.identity


def test_nothing_is_shown_unless_it_is_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with chdir(tmp_path):
        recollect.run("own", data=OWN, memories="window", limit=2, name="quiet")
        assert capfd.readouterr() == ("", "")
        recollect.run("own", data=OWN, memories="window", limit=2, name="shown", progress=True)
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "records" in shown.err


def test_wrong_settings_raise_and_name_what_is_wrong(tmp_path: Path) -> None:
    with chdir(tmp_path):
        with pytest.raises(UnknownNameError, match=r"setting `memorys` is not known\. Did you mean `memories`"):
            recollect.run("own", memorys="bm25")  # type: ignore[call-arg]
        with pytest.raises(UsageError, match="`limit` starts at 1, got 0"):
            recollect.run("own", data=OWN, limit=0)
        with pytest.raises(UnknownNameError, match="benchmark"):
            recollect.run("owm")


def test_a_run_works_inside_an_event_loop_and_leaves_signals_alone(tmp_path: Path) -> None:
    """As in a notebook."""

    async def cell() -> recollect.RunResult:
        return recollect.run("own", data=OWN, memories="window", limit=2, name="inside", runs_dir=tmp_path)

    before = signal.getsignal(signal.SIGINT)
    inside = asyncio.run(cell())
    outside = recollect.run("own", data=OWN, memories="window", limit=2, name="outside", runs_dir=tmp_path)
    assert inside.identity == outside.identity
    assert signal.getsignal(signal.SIGINT) is before


def test_benchmarks_and_memories_are_listed() -> None:
    assert {"memoryagentbench", "amemgym", "own"} <= set(recollect.list_benchmarks().names)
    assert {"bm25", "mem0", "none"} <= set(recollect.list_memories().names)
    assert all(one.summary for one in (*recollect.list_benchmarks(), *recollect.list_memories()))


def test_importing_recollect_loads_its_version_and_nothing_else() -> None:
    """The names are there, and what they need is imported when one is asked for."""
    code = "import sys, recollect; print([m for m in sys.modules if m.startswith('recollect.')], dir(recollect))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("['recollect.domain', 'recollect.domain.version'] ")
    assert "'run'" in said
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        recollect.runn  # noqa: B018


def test_the_page_of_the_docs_runs(tmp_path: Path) -> None:
    """Block after block, in one folder."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) == 3
    line = [sys.executable, "-c", "\n".join(blocks)]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "runs/mine/report/index.html" in done.stdout


@pytest.mark.skipif(not HAS_PANDAS, reason="without pandas there are no frames")
def test_frames_have_a_line_for_each_number(made: recollect.RunResult, place: Path) -> None:
    frame = made.frame()
    assert len(frame) == len(made.scores)
    assert frame.set_index("row").loc["bm25", "score"] == made.score("bm25").estimate
    with chdir(place):
        assert list(recollect.compare("mine:bm25", "mine:window").frame()["task"])
    assert list(recollect.list_memories().frame()["name"]) == list(recollect.list_memories().names)


def test_without_pandas_a_frame_says_how_to_get_it(made: recollect.RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[frame\]'"):
        made.frame()
