"""Every benchmark is a package with the same modules, so that who has read one finds the way in all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from recollect import registry
from recollect.contracts.benchmark import Benchmark

BENCHMARKS = Path(registry.__file__).parent / "benchmarks"
ALWAYS = ("card", "load", "write", "protocol", "score", "prompts")
"""In the order of reading: what is measured, how data come in and go out, what is visible when, what it is worth."""
WHERE_THERE_ARE: Mapping[str, Callable[[Benchmark], object]] = {
    "tables": lambda one: one.card.tables,
    "generate": lambda one: one.sizes,
    "make": lambda one: one.card.name in registry.RECIPES,
    "build": lambda one: one.build,
    "users": lambda one: one.users,
    "statistics": lambda one: one.statistics,
    "sheets": lambda one: one.sheets,
}
"""Module or folder -> what it gives a benchmark; it is there exactly where that is."""
MAY_BE = ("histories", "items", "rows", "questions", "settings", "families")
"""From published rows to histories, the values of a row, the rows themselves, their questions and keys, settings of a
data set or of steps, and the kinds of task where these have contexts and scores of their own."""


@pytest.fixture(params=sorted(registry.BENCHMARKS))
def benchmark(request: pytest.FixtureRequest) -> Benchmark:
    return registry.benchmark(request.param)


def names_in(package: Path) -> set[str]:
    """Modules and folders of a package."""
    modules = {file.stem for file in package.glob("*.py")} - {"__init__"}
    return modules | {folder.name for folder in package.iterdir() if folder.is_dir() and folder.name != "__pycache__"}


def wanted_of(benchmark: Benchmark) -> set[str]:
    return {*ALWAYS, *(name for name, given in WHERE_THERE_ARE.items() if given(benchmark))}


def test_every_benchmark_has_the_same_modules_and_no_others(benchmark: Benchmark) -> None:
    name = benchmark.card.name
    found, wanted = names_in(BENCHMARKS / name), wanted_of(benchmark)
    odd = (wanted - found) | (found - wanted - {*MAY_BE})
    assert odd == set()


def test_every_benchmark_says_where_to_start(benchmark: Benchmark) -> None:
    package = BENCHMARKS / benchmark.card.name
    assert (package / "__init__.py").read_text(encoding="utf-8").startswith('"""')


def test_no_folder_of_a_benchmark_has_more_than_fifteen_modules(benchmark: Benchmark) -> None:
    package = BENCHMARKS / benchmark.card.name
    folders = [package, *(folder for folder in package.rglob("*") if folder.is_dir())]
    many = {
        str(one.relative_to(BENCHMARKS)): len(names) for one in folders if len(names := list(one.glob("[!_]*.py"))) > 15
    }
    assert not many
