"""Every built-in memory keeps every promise of the contract, as its traits say."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from recollect.contracts.memory import Room
from recollect.contracts.systems import MemoryKind

from tests.unit.memories.memory_checks import CHECKS, BuiltIn, Maker

NAMES = ("none", "window", "full", "bm25", "files")
CONFIGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("none", {}),
    ("window", {}),
    ("full", {}),
    ("bm25", {}),
    ("bm25", {"previous": True}),
    ("files", {}),
    ("files", {"neighbours": 0}),
)
LEXICAL = frozenset({"bm25", "files"})
SHOW_ALL = frozenset({"window", "full"})


def kind_of(name: str) -> MemoryKind:
    """The kind that a module of this name offers."""
    return cast("MemoryKind", import_module(f"recollect.memories.{name}").KIND)


def maker(name: str, settings: dict[str, Any]) -> Maker:
    """A built-in memory under a config."""
    kind = kind_of(name)
    config = kind.config(**settings)

    def open_in(room: Path) -> BuiltIn:
        return cast("BuiltIn", kind.open(config, Room(folder=room, namespace="test", seed=0)))

    return Maker(
        name=name,
        open=open_in,
        traits=kind.traits(config),
        shows_all=name in SHOW_ALL,
        lexical=name in LEXICAL,
    )


@pytest.mark.parametrize(
    ("name", "settings"), [pytest.param(n, s, id="-".join([n, *map(str, s.values())])) for n, s in CONFIGS]
)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_it_keeps_its_promises(
    name: str, settings: dict[str, Any], check: Callable[[Maker, Path], None], tmp_path: Path
) -> None:
    check(maker(name, settings), tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_the_module_is_called_as_the_memory(name: str) -> None:
    assert kind_of(name).name == name
