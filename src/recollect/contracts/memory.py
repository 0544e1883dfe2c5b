"""A memory is written to and searched. Four methods; the small protocols below are extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from recollect.contracts.models import ChatModel, Embedder
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Models over OpenAI's protocol, on this machine only."""

    base_url: str
    """Up to and with `/v1`."""
    token: str = field(repr=False)
    """For the header `Authorization: Bearer`; identifies the system, and is valid until that is closed."""
    dimensions: int = 0
    """Length of the vectors of `/v1/embeddings`; 0 where there is no embedder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """All that a system may use."""

    folder: Path
    """Empty at the start; deleted afterwards."""
    namespace: str
    """Unique to this trial and attempt; for systems that share a server."""
    seed: int
    model: ChatModel | None = None
    """For the system's own calls; metered."""
    embedder: Embedder | None = None
    access: Access | None = None
    """For calls over HTTP; metered as well."""
    memory: Callable[[Room], Memory] | None = None
    """Opens the memory that an agent writes to, inside the room it is given; see `AgentKind.inner`."""


class Memory(Protocol):
    """A system that is written to and searched. Called by one thread at a time."""

    def write(self, batch: Batch) -> Receipt:
        """Take a batch; its messages come in order and never twice."""

    def settle(self) -> None:
        """Return when all that was written can be found. Called before each Ask, snapshot and close."""

    def search(self, cue: Cue) -> Recall:
        """Best first or by time, within the limit; an empty recall if nothing is found."""

    def close(self) -> None:
        """Release all resources."""


class Listing(Protocol):
    """Can list its content."""

    def units(self) -> Iterator[Unit]:
        """Everything stored, in a stable order."""


class Readback(Protocol):
    """Can list what it stored of given messages."""

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The items that came, wholly or partly, from any of *sources*."""


class Snapshot(Protocol):
    """Can be saved and loaded."""

    def save(self, folder: Path) -> None:
        """Write everything into the empty *folder*; the system stays usable and unchanged."""

    def load(self, folder: Path) -> None:
        """Restore what was saved; called on a fresh instance only. *folder* stays unchanged."""


class Forget(Protocol):
    """Can forget."""

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop whatever came from any of *sources*."""
