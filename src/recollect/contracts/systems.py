"""How a system is registered: a name, a config, its traits, and how to open it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.contracts.agent import Agent, PolicyMaker
from recollect.contracts.memory import Memory, Room
from recollect.contracts.traits import Capability, Traits

Inputs = Callable[[Any], Mapping[str, str]]
"""Inputs of a config beside its values, as name -> version or digest: installed packages, files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The packages of a system, installed apart from all others by `recollect install`."""

    name: str
    """The argument of `recollect install`."""
    requirements: Path | None = None
    """For pip; each with a lower bound."""
    node: Path | None = None
    """A `package.json`, for npm."""


MAY_EMBED = "embedder_if_any"
"""The need of a system that uses vectors if the room has an embedder, and words if not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    name: str
    version: int
    """Bump when the same config may store, find or word something else."""
    summary: str
    """One line for `list`."""
    config: type[Any]
    """A frozen dataclass; its JSON is part of every key."""
    traits: Callable[[Any], Traits]
    """With an inner memory: what the agent adds; see `over`."""
    needs: tuple[str, ...] = ()
    """What the room must have: `embedder`, `model`, `gateway` (an access to models over HTTP); `MAY_EMBED`."""
    asks: Callable[[Any], bool] | None = None
    """Whether a config calls the room's chat model, for systems with an optional one; see `needs_of`."""
    inputs: Inputs | None = None
    """Part of every key. Raises `MissingExtraError` where something must be installed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryKind(_Kind):
    """A registered memory."""

    open: Callable[[Any, Room], Memory]
    environment: Environment | None = None
    stands_in: Callable[[Any], str] | None = None
    """What is opened instead of the system, such as a stand-in of its package; empty for the system itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """The registered memory that an agent writes to; the harness opens it as `Room.memory`."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those that differ from its defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind(_Kind):
    """A registered agent."""

    open: Callable[[Any, Room], Agent]
    policy_maker: Callable[[Any, Room], PolicyMaker] | None = None
    """For agents that can `policy`."""
    reads: bool = True
    """`answer` takes a context from the harness; without that its own arm is the only one."""
    inner: Callable[[Any], Inner] | None = None
    """The memory that the agent writes to. Its fingerprint is part of every key."""


def needs_of(kind: MemoryKind | AgentKind, config: Any) -> tuple[str, ...]:
    """What the room must have for a system under *config*: the needs of its kind, and `model` if it calls one."""
    asks = kind.asks is not None and kind.asks(config) and "model" not in kind.needs
    return (*kind.needs, "model") if asks else kind.needs


def over(agent: Traits, memory: Traits) -> Traits:
    """Traits of an *agent* with its *memory*: it can and keeps what both do, and costs and changes what either does.

    A policy needs the agent alone.
    """
    best_first = ("native", "mapped", "difference", "none")
    return replace(
        agent,
        can=agent.can & (memory.can | {Capability.POLICY}),
        score=memory.score,
        provenance=max(agent.provenance, memory.provenance, key=best_first.index),
        keeps="all" if agent.keeps == memory.keeps == "all" else "some",
        models_on_write=agent.models_on_write or memory.models_on_write,
        models_on_search=agent.models_on_search or memory.models_on_search,
        writes_when_asked=agent.writes_when_asked or memory.writes_when_asked,
        snapshot_deterministic=agent.snapshot_deterministic and memory.snapshot_deterministic,
        holds_nothing=memory.holds_nothing,
    )
