"""`recollect judge check`, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.cli import command_line
from recollect.judging.check import known_check


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert command_line(["judge", "check", "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_check_is_printed_kept_and_written_out(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = check(capsys, "--out", "mine/check.json", "--runs-dir", "here")
    assert json.loads((inside / "mine" / "check.json").read_text()) == said
    assert known_check(inside / "here" / ".cache", said["judge"]) == said["check"]
    assert len(said["verdicts"]) == sum(kind["n"] for kind in said["kinds"]) >= 300


@pytest.mark.full
def test_two_checks_of_the_same_judge_are_the_same(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys) == check(capsys)


def test_the_table_has_a_line_for_each_kind_and_both_rates(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["judge", "check"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("judge check jc")
    for name in ("paraphrased", "vague-wrong", "dumped", "true accept", "false accept"):
        assert f"\n{name} " in out
    assert "\njudge rules-judge-1" in out


def test_an_unknown_judge_is_named_and_leaves_no_file(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["judge", "check", "--judge", "rulez"]) == 2
    assert "judge `rulez` is not known. Did you mean `rules`?" in capsys.readouterr().err
    assert not list(inside.rglob("*.json"))
