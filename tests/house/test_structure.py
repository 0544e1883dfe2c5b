"""The shape of the source tree: folders that can be taken in at a glance, one direction of imports, no circle."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "recollect"
FOLDER_CEILING = 15
"""Modules side by side, `__init__` not counted."""
SMALL = 75
"""Lines: a module below this with one importer belongs in that importer."""
LINES_CEILING = 80_500
"""Only ever lowered; the aim is 75,000."""
SEAMS: Mapping[str, str] = {
    r"recollect\.cli\.(run|inspect|data|trust)\.\w+": "one verb a file",
    r"recollect\.benchmarks\.\w+\.\w+": "the modules that every benchmark has",
    r"recollect\.engine\.doctor\.process\.worker_monitor": "loaded by its path in another Python",
    r"recollect\.memories\.agents\.rag": "a registered agent, opened by name",
    r"recollect\.models\.backends\.\w+_models": "one optional package a file",
    r"recollect\.index\.fusion": "pure, and tested without a memory",
    r"recollect\.diagnose\.records\.dialogues": "reads records, which layers above do not",
}
"""Small modules with one importer that stay apart, by pattern, each with the reason."""
FOREIGN = ("memories/vendors/", "memories/worker/child")
"""Folders whose files run by path in another Python and are never imported."""

ADVERBS = frozenset(
    {
        "added",
        "apart",
        "at_once",
        "beside",
        "found",
        "foreseen",
        "held",
        "looking",
        "made",
        "plain",
        "ran",
        "said",
        "shown",
        "sound",
        "told",
        "unshown",
        "watched",
        "when",
    }
)


def source(folder: Path = SRC) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def crowded(modules: Iterable[Path]) -> dict[str, int]:
    """Folders with more modules side by side than a reader takes in."""
    counts: dict[str, int] = {}
    for path in modules:
        if path.name != "__init__.py":
            counts[path.parent.name] = counts.get(path.parent.name, 0) + 1
    return {folder: number for folder, number in counts.items() if number > FOLDER_CEILING}


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("recollect", cache_dir=None)


def imports() -> dict[str, frozenset[str]]:
    """For each module the modules that it imports, also inside functions and for types only."""
    return {m: frozenset(graph().find_modules_directly_imported_by(m)) for m in sorted(graph().modules)}


def circles(edges: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """The modules on circles, or between two: what is left when ends of the graph are taken away."""
    left = dict(edges)
    while leaves := {m for m, found in left.items() if not (found & left.keys())}:
        left = {m: found for m, found in left.items() if m not in leaves}
    while roots := left.keys() - set().union(*left.values(), set()):
        left = {m: found for m, found in left.items() if m not in roots}
    return [sorted(left)] if left else []


def stragglers(edges: Mapping[str, frozenset[str]], lines: Mapping[str, int]) -> list[str]:
    """Modules so small, and used in one place only, that they belong there."""
    importers: dict[str, set[str]] = {m: set() for m in edges}
    for module, found in edges.items():
        for name in found & importers.keys():
            importers[name].add(module)
    return [
        m
        for m in edges
        if len(importers[m]) == 1 and lines.get(m, SMALL) < SMALL and not any(re.fullmatch(seam, m) for seam in SEAMS)
    ]


def lines_of_modules() -> dict[str, int]:
    """Of each module that is not the `__init__` of a folder."""
    named = {".".join(("recollect", *p.relative_to(SRC).with_suffix("").parts)): p for p in source()}
    return {m: p.read_text(encoding="utf-8").count("\n") for m, p in named.items() if p.name != "__init__.py"}


def test_no_folder_is_crowded() -> None:
    by_folder = {str(f.relative_to(SRC)): crowded(f.glob("*.py")) for f in {p.parent for p in source()}}
    assert not {folder: found for folder, found in by_folder.items() if found}


def test_a_crowded_folder_is_seen() -> None:
    modules = [Path("x") / f"m{n}.py" for n in range(FOLDER_CEILING + 1)]
    assert crowded(modules) == {"x": FOLDER_CEILING + 1}
    assert not crowded([*modules[1:], Path("x/__init__.py")])


def test_no_circle_of_imports() -> None:
    assert not circles(imports())


def test_a_circle_is_seen() -> None:
    edges = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("b"), "d": frozenset("a"), "e": frozenset[str]()}
    assert circles(edges) == [["b", "c"]]


def test_no_small_module_with_one_importer() -> None:
    assert not stragglers(imports(), lines_of_modules())


def test_a_small_module_with_one_importer_is_seen() -> None:
    edges = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset[str]()}
    assert stragglers(edges, {"a": 300, "b": 20, "c": 20}) == ["b"]


@pytest.mark.parametrize("name", sorted(SEAMS))
def test_each_seam_is_a_module(name: str) -> None:
    assert any(re.fullmatch(name, module) for module in graph().modules)


def test_each_folder_says_what_is_public_and_where_to_start() -> None:
    silent = [p for p in source() if p.name == "__init__.py" and not ast.get_docstring(ast.parse(p.read_text()))]
    assert not silent
    folders = {str(p.parent.relative_to(SRC)) for p in source() if not (p.parent / "__init__.py").is_file()}
    assert not [folder for folder in folders if not folder.startswith(FOREIGN)]


def test_module_names_are_nouns() -> None:
    assert not [str(p.relative_to(SRC)) for p in source() if p.stem in ADVERBS or p.parent.name in ADVERBS]


def test_the_source_stays_within_its_size() -> None:
    assert sum(p.read_text(encoding="utf-8").count("\n") for p in source()) <= LINES_CEILING


def test_the_picture_of_the_architecture_is_current() -> None:
    line = [sys.executable, str(ROOT / "scripts" / "architecture.py"), "--check"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_path_that_the_architecture_page_names_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", page.replace("<name>", "own"))
    roots = (SRC, ROOT, SRC.parent)
    assert len(named) > 20
    assert not [name for name in named if not any((root / name).exists() for root in roots)]
