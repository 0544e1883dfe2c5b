"""Why two runs differ, knob by knob."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from recollect import registry
from recollect.contracts.benchmark import Dataset
from recollect.diagnose.compare.knobs import ABSENT, knobs
from recollect.domain.steps import Arm
from recollect.runs.setup.assembly import assemble, select
from recollect.runs.setup.config import ModelChoice, RunConfig, SystemChoice
from recollect.runs.start import Work, carry_out, prepare
from recollect.store.run_folder import RunFolder

OWN = Path(__file__).parents[4] / "examples" / "own_data"
PLAIN = RunConfig(benchmark="memoryagentbench", memories=(SystemChoice(name="bm25"), SystemChoice(name="window")))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """The resolved settings of a run."""
    return assemble(PLAIN, tmp_path_factory.mktemp("cache")).settings({})


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value that is no container, or an empty one."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path


def mutated(settings: Mapping[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    """A copy in which one value is another one."""
    copy: Any = deepcopy(dict(settings))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = ["mutated", inner[path[-1]]]
    return dict(copy)


def test_a_run_differs_in_nothing_from_itself(settings: Mapping[str, Any]) -> None:
    """No knob is named where none differs."""
    assert knobs(settings, deepcopy(dict(settings))) == []


def test_each_value_of_the_resolved_config_is_named_when_it_alone_changes(settings: Mapping[str, Any]) -> None:
    """Change each value in turn: its knob is named, and no other."""
    asked_only = {"memories", "agents"}
    paths = [path for path in leaves(settings["config"]) if path[0] not in asked_only and path[-1] != "label"]
    assert len(paths) > 30
    for path in paths:
        changed = mutated(settings["config"], path)
        found = knobs(settings, {**settings, "config": changed})
        assert len(found) == 1, path
        assert found[0].name.split(".")[0] == path[0]
        assert "mutated" in found[0].second


OTHERWISE: Mapping[str, Any] = {
    "benchmark": "own",
    "chunk_tokens": 512,
    "search_limit": 3,
    "context_tokens": 3_000,
    "data": str(OWN),
    "size": "medium",
    "seed": 5,
    "tasks": ("factconsolidation_sh_6k",),
    "memories": (SystemChoice(name="bm25", settings={"previous": True}),),
    "arms": (Arm.SYSTEM,),
    "preset": "paper",
    "references": False,
    "reader": ModelChoice(name="openai", settings={"model": "m", "base_url": "http://127.0.0.1:9/v1"}),
    "judge": ModelChoice(name="openai", settings={"model": "m", "base_url": "http://127.0.0.1:9/v1"}),
    "memory_model": "rules",
    "embedder": ModelChoice(name="openai", settings={"model": "m", "base_url": "http://127.0.0.1:9/v1"}),
    "fresh": True,
    "limit": 7,
    "repeats": 2,
}


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.full if one == "size" else ()) for one in sorted(OTHERWISE)]
)
def test_each_setting_of_a_run_changes_a_knob(name: str, settings: Mapping[str, Any], tmp_path: Path) -> None:
    """Whatever a user may set is found again in the difference of two runs."""
    said = {item.name: getattr(PLAIN, item.name) for item in fields(RunConfig)} | {name: OTHERWISE[name]}
    if name == "benchmark":
        said["data"] = str(OWN)
    if name == "data":
        said["benchmark"] = "own"
    if name == "tasks":
        said["tasks"] = (_tasks()[0],)
    other = assemble(RunConfig(**said), tmp_path).settings({})
    assert knobs(settings, other), name


def test_every_setting_has_another_value_here() -> None:
    """A setting that is added must be added to this table, too."""
    without = {"agents", *TALKING}
    """Tested apart: they need a benchmark that converses."""
    assert {item.name for item in fields(RunConfig)} - without == set(OTHERWISE)


TALKING: Mapping[str, Any] = {
    "user": ModelChoice(
        name="openai", settings={"model": "m", "base_url": "http://127.0.0.1:9/v1", "knows": "profile"}
    ),
    "talk": "held:native",
    "steps": {"rounds_update": "3"},
}


@pytest.fixture(scope="module")
def talking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs in which somebody conversed."""
    runs = tmp_path_factory.mktemp("runs")
    config = RunConfig(benchmark="amemgym", agents=(SystemChoice(name="native"),), references=False, arms=(Arm.SYSTEM,))
    small = select(registry.benchmark("amemgym").generate("small", 0), config)
    run = assemble(config, runs, replace(small, histories=small.histories[:1]))
    folder = RunFolder(runs / "held")
    carry_out(run, folder, prepare(run, folder, {}), Work(quiet=True))
    return runs


@pytest.mark.parametrize("name", ["agents", *sorted(TALKING)])
def test_each_setting_of_a_run_that_converses_changes_a_knob(name: str, talking: Path) -> None:
    """Who talks, whose talk is replayed, how long it is, and who is talked with."""
    plain = RunConfig(benchmark="amemgym", agents=(SystemChoice(name="native"),))
    changed = {"agents": (SystemChoice(name="awi"),), **TALKING}
    data = RunFolder(talking / "held")
    held = Dataset(benchmark="amemgym", histories=tuple(data.histories()), shared=data.shared())
    settings = [
        assemble(config, talking, held).settings({}) for config in (plain, replace(plain, **{name: changed[name]}))
    ]
    assert knobs(*settings), name


def test_a_row_that_only_one_run_has_is_absent_in_the_other(settings: Mapping[str, Any]) -> None:
    """It is named by its label, and the rest of the rows is not."""
    fewer = {**settings["config"], "rows": settings["config"]["rows"][1:]}
    (knob,) = knobs(settings, {**settings, "config": fewer})
    assert knob.name == f"rows.{settings['config']['rows'][0]['label']}"
    assert (knob.first.startswith("row `"), knob.second) == (True, ABSENT)


def _tasks() -> list[str]:
    from recollect import registry

    made = registry.benchmark("memoryagentbench").generate("small", 0)
    return sorted({keyed.task for keyed in made.histories})
