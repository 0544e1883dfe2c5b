"""A knob becomes part of the size; what cannot be set is refused with its reason."""

from __future__ import annotations

import json
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import registry
from recollect.cli import command_line
from recollect.contracts.benchmark import Benchmark, Dataset
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.runs.setup.config import RunConfig, sized, with_knobs


@pytest.fixture
def known() -> Benchmark:
    """A benchmark of ours with two knobs."""
    return replace(registry.benchmark("amemgym"), knobs={"gap_days": "fewest days", "layout": "`year` or `authors`"})


@pytest.fixture
def registered(known: Benchmark, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """The same in the registry; its data say the size that they were made of."""

    def generated(size: str, seed: int) -> Dataset:
        made = known.generate("small", seed)
        return replace(made, origin=f"generated: {size}, seed {seed}")

    changed = replace(known, generate=generated)
    monkeypatch.setattr(registry, "benchmark", lambda name: changed)
    return changed


def test_knobs_stand_behind_the_size_in_the_order_in_which_they_are_said(known: Benchmark) -> None:
    """Also behind a size that has some."""
    assert sized(known, "base", ()) == "base"
    assert sized(known, "base", ["gap_days=21", " layout = authors "]) == "base+gap_days=21+layout=authors"
    assert sized(known, "base+gap_days=21", ["layout=authors"]) == "base+gap_days=21+layout=authors"


@pytest.mark.parametrize(
    ("size", "knobs", "problem"),
    [
        pytest.param("base", ["gap_days"], "--knob gap_days: write name=value", id="no-value"),
        pytest.param("base", ["gap_days="], "--knob gap_days=: write name=value", id="empty"),
        pytest.param("base", ["gap_days=1+layout=year"], "write name=value", id="two-in-one"),
        pytest.param("base", ["gap_days=1", "gap_days=2"], "`gap_days` is repeated", id="twice"),
        pytest.param("base+gap_days=1", ["gap_days=2"], "`gap_days` is repeated", id="also-in-the-size"),
    ],
)
def test_a_knob_that_is_said_wrongly_is_refused(known: Benchmark, size: str, knobs: list[str], problem: str) -> None:
    """With what to write instead."""
    with pytest.raises(UsageError, match=problem.replace("+", r"\+")):
        sized(known, size, knobs)


def test_unknown_knobs_and_benchmarks_without_any_are_refused(known: Benchmark) -> None:
    """The nearest name is told."""
    with pytest.raises(UnknownNameError, match="gap_days"):
        sized(known, "base", ["gap_day=1"])
    with pytest.raises(UsageError, match="amemgym: its sizes have no knobs"):
        sized(registry.benchmark("amemgym"), "base", ["gap_days=1"])


def test_a_run_goes_by_the_size_with_its_knobs(registered: Benchmark) -> None:
    """So resume and compare see them; read data take none."""
    config, origins = with_knobs(RunConfig(benchmark="amemgym"), {"size": "default"}, ["gap_days=21"])
    assert (config.size, origins["size"]) == ("small+gap_days=21", "flag")
    with pytest.raises(UsageError, match="for generated data"):
        with_knobs(RunConfig(benchmark="amemgym", data="x.json"), {}, ["gap_days=21"])


def test_generate_takes_knobs_and_says_them_as_origin(
    registered: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through the command line; with a model that makes the data it is refused."""
    with chdir(tmp_path):
        line = ["generate", "amemgym", "--out", "made.json", "--knob", "gap_days=21", "--knob", "layout=authors"]
        assert command_line([*line, "--json"]) == 0
        assert "generated: small+gap_days=21+layout=authors, seed 0" in capsys.readouterr().out
        assert command_line([*line, "--maker", "openai:model=m", "--from", "."]) == 2
        assert "Leave out --maker or --knob" in capsys.readouterr().err


def test_run_forecasts_with_knobs(registered: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong one ends with exit code 2 before anything is made."""
    with chdir(tmp_path):
        assert command_line(["run", "amemgym", "--knob", "gap_day=2"]) == 2
        assert "gap_days" in capsys.readouterr().err


def test_show_lists_the_knobs_of_a_benchmark(registered: Benchmark, capsys: pytest.CaptureFixture[str]) -> None:
    """By name, with what they do; none where there are none."""
    assert command_line(["show", "amemgym", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["knobs"] == dict(registered.knobs)
