"""A row of the table, and what all rows and trials share: conditions, roles, the state of a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.contracts.agent import Agent, PolicyMaker, User
from recollect.contracts.gateway import Gateway
from recollect.contracts.memory import Memory, Room
from recollect.contracts.models import ChatModel, Embedder
from recollect.contracts.reading import Judge, Prompt, Reader
from recollect.contracts.traits import Traits
from recollect.domain.errors import InterruptedRunError
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm
from recollect.store.run_folder import RunFolder

ORACLE = "oracle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One system under one config."""

    label: str
    kind: Literal["memory", "agent", "oracle"]
    fingerprint: Mapping[str, Any]
    """JSON: name, version, config, and what of its models can change its state."""
    traits: Traits = field(default_factory=Traits)
    arms: tuple[Arm, ...] = (Arm.SYSTEM,)
    reference: bool = False
    """Added because the card names it as floor, ceiling or simple baseline."""
    open_memory: Callable[[Room], Memory] | None = None
    open_agent: Callable[[Room], Agent] | None = None
    policy_maker: Callable[[Room], PolicyMaker] | None = None
    gateway: bool = False
    stands_in: str = ""
    """What replaces the system; the row then has no score. Empty where it is the system itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Settings that all rows of a table share; they are in the keys of all results that they can change."""

    budget_tokens: int
    search_limit: int
    prompts: Mapping[str, Prompt]
    seed: int = 0
    judged: frozenset[str] = frozenset()
    repeats: Repeats = field(default_factory=Repeats)
    """A plan repeats answers and verdicts; each repeated ingest is a trial of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The models and rules in the roles of the harness."""

    reader: Reader
    judge: Judge | None = None
    user: User | None = None
    model: ChatModel | None = None
    embedder: Embedder | None = None
    gateway: Gateway | None = None


def oracle_row() -> Row:
    """The row of the harness's reader with the evidence itself."""
    return Row(
        label=ORACLE, kind="oracle", fingerprint={"name": ORACLE, "version": 1}, arms=(Arm.ORACLE,), reference=True
    )


ProgressCallback = Callable[[str, int], None]
"""(kind of record, how many): called after each."""


def ignore_progress(kind: str, count: int) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionContext:
    """Shared by all trials of a process."""

    folder: RunFolder
    roles: Roles
    conditions: Conditions
    calls: Executor
    """The pool for calls of readers and judges; its size limits the calls in flight."""
    watch: ProgressCallback = ignore_progress
    stop: threading.Event = field(default_factory=threading.Event)

    def check_stop(self) -> None:
        """Raise InterruptedRunError if the run is to stop."""
        if self.stop.is_set():
            raise InterruptedRunError
