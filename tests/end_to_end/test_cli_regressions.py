"""Each of these once ended a command silently, with a traceback, or in a folder that nobody named."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.command_line import typed

ROOT = Path(__file__).parents[2]
OWN = ROOT / "examples" / "own_data"
RECOLLECT = Path(sys.executable).parent / "recollect"
RUN = f"recollect run own --data {OWN}"


def recollect(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`; whatever happens, no traceback is shown."""
    words = shlex.split(line)
    done = typed(words[1:], cwd)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def below(folder: Path) -> set[str]:
    """All that lies in *folder*."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def memory_file(cwd: Path, old: str, new: str) -> Path:
    """The memory of the examples with one line changed."""
    text = (ROOT / "examples" / "overlap_memory.py").read_text()
    assert old in text
    file = cwd / "mine.py"
    file.write_text(text.replace(old, new))
    return file


def test_a_memory_that_exits_does_not_end_the_run_with_code_0(tmp_path: Path) -> None:
    file = memory_file(tmp_path, "wanted = set(cue", "raise SystemExit(0)\n        wanted = set(cue")
    done = recollect(f"{RUN} --memory {file} --name exits --json", tmp_path)
    assert done.returncode == 1, done.stderr
    rows = json.loads(done.stdout)["summary"]["rows"]
    assert "overlap" in {row["row"] for row in rows}


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        pytest.param("class OverlapMemory:", "class OverlapMemory", ": expected ':'", id="syntax"),
        pytest.param("KIND = MemoryKind(", "KIND = dict(", "no KIND that is a MemoryKind", id="another kind"),
        pytest.param("KIND = MemoryKind(", "KINDS = MemoryKind(", "no KIND that is a MemoryKind", id="no kind"),
    ],
)
def test_a_memory_file_that_is_none_is_named_with_its_place(old: str, new: str, hint: str, tmp_path: Path) -> None:
    failed = recollect(f"{RUN} --memory {memory_file(tmp_path, old, new)} --name x", tmp_path)
    assert failed.returncode == 2
    assert hint in failed.stderr
    assert not (tmp_path / "runs" / "x").exists()


@pytest.mark.parametrize("name", ["../x", "..", ".", ".hidden", "a/b", "{above}/x"])
def test_a_name_is_no_path(name: str, tmp_path: Path) -> None:
    cwd = tmp_path / "here"
    cwd.mkdir()
    name = name.format(above=tmp_path)
    failed = recollect(f"{RUN} --memory window --name {name}", cwd)
    assert failed.returncode == 2
    assert f"--name {name!r}" in failed.stderr
    assert below(tmp_path) == {"here"}


def test_a_merged_run_gets_a_name_that_is_no_path_either(tmp_path: Path) -> None:
    part = tmp_path / "runs" / "part"
    part.mkdir(parents=True)
    (part / "run.json").write_text('{"schema": 1, "config": {}}')
    before = below(tmp_path)
    for name in ("../x", "..", "a/b"):
        failed = recollect(f"recollect merge part --name {name}", tmp_path)
        assert failed.returncode == 2
        assert f"--name {name!r}" in failed.stderr
    assert below(tmp_path) == before


def test_a_trial_of_a_part_that_names_a_path_is_refused(tmp_path: Path) -> None:
    part = tmp_path / "runs" / "part"
    (part / "trials" / "x").mkdir(parents=True)
    (part / "run.json").write_text('{"schema": 1, "config": {}}')
    (part / "trials" / "x" / "trial.json").write_text('{"trial": "../../../escaped"}')
    failed = recollect("recollect merge part --name whole", tmp_path)
    assert failed.returncode == 2
    assert "is no id of a trial" in failed.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"runs"}


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("seed: [1\n", "cannot be read as YAML", id="broken"),
        pytest.param("size: 2024-13-45\n", "cannot be read as YAML", id="no date"),
        pytest.param("seed: 1\nseed: 2\n", "`seed` is repeated", id="key twice"),
        pytest.param(
            "memories: [{name: window, settings: {tokens: 20, tokens: 30}}]\n", "`tokens` is repeated", id="deep"
        ),
        pytest.param("memories: [{name: window, label: bm25}]\n", "`bm25` is the name of another", id="label"),
        pytest.param(
            "memories: [{name: bm25}, {name: bm25, label: b}]\n", "`b` is the same system as another", id="same system"
        ),
    ],
)
def test_a_config_file_with_a_mistake_is_refused_with_what_is_wrong(text: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(f"benchmark: own\ndata: {OWN}\n{text}")
    failed = recollect("recollect run --config run.yaml --name x", tmp_path)
    assert failed.returncode == 2
    assert hint in failed.stderr
    assert not (tmp_path / "runs" / "x").exists()


def test_a_setting_whose_value_is_no_yaml_is_named(tmp_path: Path) -> None:
    for value in ("[1", "2024-13-45"):
        failed = recollect(f"{RUN} --memory 'window:tokens={value}' --name x", tmp_path)
        assert failed.returncode == 2
        assert "the value of `tokens` cannot be read" in failed.stderr
