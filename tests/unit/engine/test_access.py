"""A system that calls models over HTTP holds a token while it is open, and not a moment longer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recollect.contracts.gateway import CallSource
from recollect.contracts.memory import Access, Memory, Room
from recollect.contracts.traits import Traits
from recollect.engine.execution.executor import is_complete
from recollect.engine.rows import Roles, Row

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, memory_row


class Doorman:
    """Stands where the gateway is, and counts who is in."""

    def __init__(self) -> None:
        self.works: dict[str, CallSource] = {}
        self.opened = 0

    def open(self, work: CallSource) -> Access:
        self.opened += 1
        self.works[f"token {self.opened}"] = work
        return Access(base_url="http://127.0.0.1:1/v1", token=f"token {self.opened}", dimensions=8)

    def close(self, token: str) -> None:
        del self.works[token]

    def shut(self) -> None:
        """Nothing is open."""


class Guarded(Harness):
    """A run with a doorman."""

    doorman: Doorman

    @property
    def cast(self) -> Roles:
        return Roles(reader=self.reader, judge=self.judge, gateway=self.doorman)


@pytest.fixture
def harness(tmp_path: Path) -> Guarded:
    """A run whose systems may call models over HTTP."""
    harness = Guarded(tmp_path / "run")
    harness.doorman = Doorman()
    return harness


def row(opened: list[Room], *, gateway: bool, broken: bool = False, traits: Traits = toy.TOY) -> Row:
    """A row that notes the rooms it gets."""

    def open_it(room: Room) -> Memory:
        opened.append(room)
        if broken:
            raise RuntimeError("cannot open")
        return toy.ToyMemory()

    return replace(memory_row(toy.ToyMemory, traits), open_memory=open_it, gateway=gateway)


def test_each_opening_has_a_token_of_its_own_that_ends_with_it(harness: Guarded) -> None:
    """And says what the system is doing."""
    rooms: list[Room] = []
    trials = harness.trials("observe_all", row(rooms, gateway=True))
    harness.run(trials)
    assert all(is_complete(trial, harness.journal(trial)) for trial in trials)
    tokens = [room.access.token for room in rooms if room.access]
    assert len(set(tokens)) == len(rooms) == harness.doorman.opened > 1
    assert harness.doorman.works == {}


def test_a_system_that_cannot_be_opened_keeps_no_token(harness: Guarded) -> None:
    """It may have started something that goes on calling."""
    rooms: list[Room] = []
    harness.run(harness.trials("observe_all", row(rooms, gateway=True, broken=True)))
    assert rooms
    assert harness.doorman.works == {}


def test_a_system_that_does_not_ask_for_it_gets_none(harness: Guarded) -> None:
    """Whatever other rows do."""
    rooms: list[Room] = []
    harness.run(harness.trials("observe_all", row(rooms, gateway=False)))
    assert rooms
    assert {room.access for room in rooms} == {None}
    assert harness.doorman.opened == 0
