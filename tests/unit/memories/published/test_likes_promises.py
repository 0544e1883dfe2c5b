"""The `-like` memories keep what every built-in memory keeps, under several settings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run
from typing import Any, cast

import pytest

from recollect import registry
from recollect.contracts.memory import Room
from recollect.contracts.systems import needs_of
from recollect.domain.errors import MissingExtraError, NotAvailableError

from tests.unit.memories import memory_checks as checks
from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.memory_checks import CHECKS
from tests.unit.memories.published.scripted_chat import ScriptedChat
from tests.unit.memories.small_history import BuiltIn, Maker

NAMES = ("raptor-like", "graph-like", "ppr-like")
MODULES = ("raptor", "graph", "ppr", "self_rag")
LOOSE = {"least_cosine": 0.2, "neighbours": 2}
CONFIGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("graph-like", {}),
    ("graph-like", LOOSE),
    ("graph-like", {"by": "model", **LOOSE}),
    ("ppr-like", {}),
    ("ppr-like", {"least_synonym": 0.3, "most_synonyms": 1}),
    ("ppr-like", {"by": "model"}),
    ("raptor-like", {}),
    ("raptor-like", {"groups": 3, "levels": 2, "read_tokens": 20}),
    ("raptor-like", {"by": "model"}),
)
SUMMARIES_BREAK = {
    checks.check_items_are_messages_as_shown,
    checks.check_no_item_comes_twice,
    checks.check_receipts_name_the_units,
    checks.check_readback_is_exact,
    checks.check_everything_is_held,
    checks.check_hostile_texts_pass_unchanged,
}
"""What is promised of messages alone; of summaries `test_raptor_like` says what holds instead."""


def say(prompt: str) -> str:
    """Replies that fit any prompt of these memories, and differ with it."""
    words = [word.strip(".,?") for word in prompt.splitlines()[2:][1].split()] if "<" in prompt else []
    if '"facts"' in prompt:
        return json.dumps({"facts": [[words[0], "is beside", words[-1]]] if words else []})
    if '"entities"' in prompt or '"concepts"' in prompt:
        name = "entities" if '"entities"' in prompt else "concepts"
        return "```json\n" + f'{{"{name}": ["{words[-1] if words else ""}"]}}' + "\n```"
    return f"Of {' '.join(words[:6])}"


def maker(name: str, settings: dict[str, Any]) -> Maker:
    kind = registry.memory(name)
    config = kind.config(**settings)

    def open_in(room: Path) -> BuiltIn:
        inside = Room(folder=room, namespace="test", seed=0, embedder=HashEmbedder(), model=ScriptedChat(say))
        return cast("BuiltIn", kind.open(config, inside))

    return Maker(name=name, open=open_in, traits=kind.traits(config))


@pytest.mark.parametrize(
    ("name", "settings"), [pytest.param(n, s, id="-".join([n, *map(str, s.values())])) for n, s in CONFIGS]
)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_it_keeps_its_promises(
    name: str, settings: dict[str, Any], check: Callable[[Maker, Path], None], tmp_path: Path
) -> None:
    if name == "raptor-like" and check in SUMMARIES_BREAK:
        return
    if settings.get("by") == "model" and check is checks.check_hostile_texts_pass_unchanged:
        return  # the scripted model writes no JSON of such texts; what a malformed reply does has its own test
    check(maker(name, settings), tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_without_an_embedder_it_says_how_to_get_one(name: str, tmp_path: Path) -> None:
    kind = registry.memory(name)
    with pytest.raises(MissingExtraError, match=f"memory `{name}` needs package .*pip install"):
        kind.open(kind.config(), Room(folder=tmp_path, namespace="test", seed=0))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_needed_only_by_a_config_that_asks_one(name: str, tmp_path: Path) -> None:
    """And only then its prompts are part of what it is."""
    kind = registry.memory(name)
    rules, model = kind.config(), kind.config(by="model")
    assert needs_of(kind, rules) == ("embedder",)
    assert needs_of(kind, model) == ("embedder", "model")
    assert kind.inputs is not None
    assert not kind.inputs(rules)
    assert all(name.startswith("prompt ") for name in kind.inputs(model))
    with pytest.raises(NotAvailableError, match="calls a chat model"):
        kind.open(model, Room(folder=tmp_path, namespace="test", seed=0, embedder=HashEmbedder()))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("raptor-like", {"groups": 0}),
        ("graph-like", {"least_cosine": 0.0}),
        ("graph-like", {"cosine_share": 1.1}),
        ("graph-like", {"checks": -1}),
        ("ppr-like", {"damping": 1.0}),
        ("ppr-like", {"least_synonym": 0.0}),
        ("ppr-like", {"at_once": 0}),
    ],
)
def test_settings_out_of_range_are_refused(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        registry.memory(name).config(**settings)


def test_listing_them_loads_nothing_heavy() -> None:
    names = ", ".join(f"recollect.memories.published.{name}" for name in MODULES)
    code = f"import sys, {names}; print(sorted({{'numpy', 'tantivy', 'pydantic', 'yaml'}} & set(sys.modules)))"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("name", [*NAMES, "self-rag-like"])
def test_none_bears_the_name_of_what_it_is_like(name: str) -> None:
    kind = registry.agent(name) if name in registry.AGENTS else registry.memory(name)
    assert kind.name == name
    assert name.endswith("-like")
