"""Every capability has its methods, and a system without them is refused before anything is asked of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts import agent as agents
from recollect.contracts import memory as memories
from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, Traits
from recollect.domain.errors import UsageError
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import CAPABILITY_METHODS, REQUIRED_METHODS, check_methods

from tests.fakes import toy_systems as toy
from tests.fakes.harness import agent_row, memory_row

PROTOCOLS: dict[Any, type[Any]] = {
    "memory": memories.Memory,
    "agent": agents.Agent,
    Capability.LISTING: memories.Listing,
    Capability.READBACK: memories.Readback,
    Capability.SNAPSHOT: memories.Snapshot,
    Capability.FORGET: memories.Forget,
    Capability.POLICY: agents.Policy,
}


@pytest.mark.parametrize("what", PROTOCOLS, ids=str)
def test_the_methods_are_those_of_the_protocols(what: Any) -> None:
    methods = CAPABILITY_METHODS[what] if isinstance(what, Capability) else REQUIRED_METHODS[what]
    assert set(methods) == {name for name in vars(PROTOCOLS[what]) if not name.startswith("_")}


def test_every_capability_has_methods() -> None:
    assert set(CAPABILITY_METHODS) == set(Capability)


@pytest.mark.parametrize("capability", Capability)
def test_a_promise_that_is_not_kept_is_named(capability: Capability) -> None:
    class Bare:
        def write(self) -> None: ...
        def settle(self) -> None: ...
        def search(self) -> None: ...
        def close(self) -> None: ...

    row = memory_row(toy.ToyMemory, Traits(can=frozenset({capability})))
    with pytest.raises(UsageError) as caught:
        check_methods(row, Bare())
    for method in CAPABILITY_METHODS[capability]:
        assert f"the method `{method}`, though its traits say that it can {capability.value}" in str(caught.value)
    assert f"{__file__}: `Bare` lacks" in str(caught.value)


def test_a_method_that_is_no_method_does_not_count() -> None:
    memory = toy.ToyMemory()
    memory.search = 3  # type: ignore[assignment,method-assign]
    with pytest.raises(UsageError, match="the method `search`, which every memory has"):
        check_methods(memory_row(toy.ToyMemory, toy.TOY), memory)


def test_an_agent_is_held_to_its_own_methods() -> None:
    row = agent_row(toy.BufferAgent, toy.AGENT)
    check_methods(row, toy.BufferAgent())
    with pytest.raises(UsageError, match="the method `reply`, which every agent has"):
        check_methods(row, toy.ToyMemory())


def test_what_is_refused_is_closed_and_its_room_is_gone(tmp_path: Path) -> None:
    closed: list[bool] = []

    class Leaky(toy.ToyMemory):
        def close(self) -> None:
            closed.append(True)

    row = memory_row(Leaky, replace(toy.TOY, can=frozenset({Capability.POLICY})))
    with pytest.raises(UsageError, match="`policy`"):
        Driver(row, Room(folder=tmp_path / "room", namespace="n", seed=0))
    assert closed == [True]
    assert not (tmp_path / "room").exists()
