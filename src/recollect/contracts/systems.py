"""How a system is registered: a name, a config, its traits, and how to open it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.contracts.agent import Agent, PolicyMaker
from recollect.contracts.memory import Memory, Room
from recollect.contracts.traits import Traits

Inputs = Callable[[Any], Mapping[str, str]]
"""What a config means beside what it says, as name -> version or digest: installed packages, files that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What must be installed for a system, apart from everything else; `recollect install` does it."""

    name: str
    """As `recollect install` takes it."""
    requirements: Path | None = None
    """For pip: a requirement a line, each with a lower bound."""
    node: Path | None = None
    """A `package.json`, for npm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryKind:
    """A registered memory. Its config is a frozen dataclass; the JSON of it is part of every key."""

    name: str
    version: int
    """Bump when the same config may hold, find or word something else."""
    summary: str
    """One line for `list`."""
    config: type[Any]
    traits: Callable[[Any], Traits]
    open: Callable[[Any, Room], Memory]
    needs: tuple[str, ...] = ()
    """`embedder`, `model` and `gateway` (an access to models over HTTP), where the room must hold one."""
    asks: Callable[[Any], bool] | None = None
    """Of a config: whether it calls the room's chat model, where a system can do without; see `needs_of`."""
    inputs: Inputs | None = None
    """Part of every key. Raises `MissingExtraError` where something must be installed first."""
    environment: Environment | None = None
    stands_in: Callable[[Any], str] | None = None
    """What is opened in the system's place, such as a stand-in of its package; empty where it is the system itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """A registered agent."""

    name: str
    version: int
    summary: str
    config: type[Any]
    traits: Callable[[Any], Traits]
    open: Callable[[Any, Room], Agent]
    policy_maker: Callable[[Any, Room], PolicyMaker] | None = None
    """For agents that can `policy`."""
    needs: tuple[str, ...] = ()
    asks: Callable[[Any], bool] | None = None
    """Of a config: whether it calls the room's chat model, where a system can do without; see `needs_of`."""
    inputs: Inputs | None = None
    """Part of every key."""
    reads: bool = True
    """`answer` takes a context of the harness's; without that there is no arm but its own."""


def needs_of(kind: MemoryKind | AgentKind, config: Any) -> tuple[str, ...]:
    """What the room must hold for a system under *config*: the needs of its kind, and `model` where it asks one."""
    asks = kind.asks is not None and kind.asks(config) and "model" not in kind.needs
    return (*kind.needs, "model") if asks else kind.needs
