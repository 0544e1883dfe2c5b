"""Every built-in memory keeps every promise of the contract, as its traits say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from subprocess import run
from typing import Any, cast

import pytest

from recollect.contracts.memory import Room
from recollect.contracts.models import Embedder
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import WriteUnit
from recollect.domain.errors import MissingExtraError
from recollect.text.tokens import count

from tests.unit.memories import memory_checks as checks
from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.memory_checks import CHECKS
from tests.unit.memories.small_history import HISTORY, MORE, BuiltIn, Maker

NAMES = ("none", "window", "full", "bm25", "dense", "hybrid", "files")
CONFIGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("none", {}),
    ("window", {}),
    ("full", {}),
    ("bm25", {}),
    ("bm25", {"previous": True}),
    ("dense", {}),
    ("dense", {"piece_tokens": 3}),
    ("hybrid", {}),
    ("hybrid", {"previous": True, "lazy_above_tokens": 0}),
    ("hybrid", {"lazy_above_tokens": 75}),
    ("files", {}),
    ("files", {"neighbours": 0}),
)
"""75 tokens lie between the checks' short and long history: a hybrid memory turns lazy on the way."""
SHOW_ALL = frozenset({"window", "full"})
LEXICAL = frozenset({"bm25", "files"})


def kind_of(name: str) -> MemoryKind:
    """The kind that a module of this name offers."""
    return cast("MemoryKind", import_module(f"recollect.memories.{name}").KIND)


def maker(name: str, settings: dict[str, Any], embedder: Embedder | None = None) -> Maker:
    """A built-in memory under a config."""
    kind = kind_of(name)
    config = kind.config(**settings)

    def open_in(room: Path) -> BuiltIn:
        inside = Room(folder=room, namespace="test", seed=0, embedder=embedder or HashEmbedder())
        return cast("BuiltIn", kind.open(config, inside))

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


@pytest.fixture(scope="module")
def weights() -> Embedder:
    """The bundled embedder with its weights."""
    from recollect.offline.embedder.model import Embedder as Offline

    try:
        return Offline()
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", ["dense", "hybrid"])
@pytest.mark.parametrize(
    "check",
    [
        checks.check_searching_twice_is_equal,
        checks.check_same_writes_find_the_same,
        checks.check_forgetting_is_complete,
        checks.check_a_snapshot_is_the_unbroken_instance,
        checks.check_deterministic_snapshots_are,
        checks.check_hostile_texts_pass_unchanged,
    ],
    ids=lambda check: check.__name__.removeprefix("check_"),
)
def test_it_keeps_its_promises_with_learned_vectors(
    name: str, check: Callable[[Maker, Path], None], weights: Embedder, tmp_path: Path
) -> None:
    """Floating-point noise of a real model moves no ranking, score or byte."""
    check(maker(name, {}, weights), tmp_path)


def test_the_checks_cross_the_border_of_lazy_embedding() -> None:
    """The short history has 64 tokens, the long one 82, by the bundled tokenizer."""
    short = sum(count(m.text) for m in HISTORY)
    assert (short, short + sum(count(m.text) for m in MORE)) == (64, 82)


@pytest.mark.parametrize("name", NAMES)
def test_the_module_is_called_as_the_memory(name: str) -> None:
    assert kind_of(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_every_memory_takes_single_messages_with_all_their_fields(name: str) -> None:
    """So the feeder leaves every message as it is, and a recall can name it."""
    kind = kind_of(name)
    traits = kind.traits(kind.config())
    assert traits.takes is WriteUnit.MESSAGE
    assert (traits.time, traits.speaker, traits.channel, traits.provenance) == ("field", "field", "field", "native")


@pytest.mark.parametrize("name", ["dense", "hybrid"])
def test_without_an_embedder_it_says_how_to_get_one(name: str, tmp_path: Path) -> None:
    kind = kind_of(name)
    assert kind.needs == ("embedder",)
    with pytest.raises(MissingExtraError, match=f"memory `{name}` needs package .*pip install"):
        kind.open(kind.config(), Room(folder=tmp_path, namespace="test", seed=0))


def test_listing_the_memories_loads_nothing_heavy() -> None:
    """The command line names them all without waiting for arrays or an index."""
    names = ", ".join(f"recollect.memories.{name}" for name in NAMES)
    code = f"import sys, {names}; print(sorted({{'numpy', 'tantivy', 'pydantic'}} & set(sys.modules)))"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
