"""A row of the table, the conditions all rows share, and who plays the harness's own parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.contracts.agent import Agent, PolicyMaker, User
from recollect.contracts.gateway import Gateway
from recollect.contracts.memory import Memory, Room
from recollect.contracts.models import ChatModel, Embedder
from recollect.contracts.reading import Judge, Prompt, Reader
from recollect.contracts.traits import Traits
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm

ORACLE = "oracle"
"""Name of the row in which the harness's reader gets the evidence itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One system under one config."""

    label: str
    kind: Literal["memory", "agent", "oracle"]
    fingerprint: Mapping[str, Any]
    """JSON: name, version, config and whatever of its models can change what it holds."""
    traits: Traits = field(default_factory=Traits)
    arms: tuple[Arm, ...] = (Arm.SYSTEM,)
    reference: bool = False
    """Added because the card names it as floor, ceiling or trivial rival."""
    open_memory: Callable[[Room], Memory] | None = None
    open_agent: Callable[[Room], Agent] | None = None
    policy_maker: Callable[[Room], PolicyMaker] | None = None
    gateway: bool = False
    """Its system calls models over HTTP."""
    stands_in: str = ""
    """What is in the system's place; empty where it is the system itself. Then the row has no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What all rows of a table share; all of it is in the keys of what it can change."""

    budget_tokens: int
    search_limit: int
    prompts: Mapping[str, Prompt]
    seed: int = 0
    judged: frozenset[str] = frozenset()
    """Tasks whose answers a judge weighs."""
    repeats: Repeats = field(default_factory=Repeats)
    """Of these a plan takes answers and verdicts; each repeated ingest is a trial of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Who plays the harness's own parts."""

    reader: Reader
    judge: Judge | None = None
    user: User | None = None
    model: ChatModel | None = None
    embedder: Embedder | None = None
    gateway: Gateway | None = None
    """Where a row calls models over HTTP."""


def oracle_row() -> Row:
    """The row of the harness's reader with the evidence itself."""
    return Row(
        label=ORACLE, kind="oracle", fingerprint={"name": ORACLE, "version": 1}, arms=(Arm.ORACLE,), reference=True
    )
