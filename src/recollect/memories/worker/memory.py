"""A memory that is somewhere else: each call is one request to a worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, Traits
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.memories.worker.links import Link, close_link
from recollect.memories.worker.wire import PROTOCOL, batch_data, cue_data, recall_of, receipt_of, units_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long requests may take."""

    open_s: float = 300.0
    """`hello` and `open`: a vendor may load a model."""
    request_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """What a worker says of itself."""

    adapter: str
    versions: Mapping[str, str]
    can: frozenset[str]
    traits: Mapping[str, Any]
    stands_in: str = ""
    """What it is instead of the system that it goes by, if it is not that."""


LONGEST = 200
"""Letters of what a worker says of itself."""


class WorkerMemory:
    """All that a worker may be able to do; its traits say what it can."""

    def __init__(self, link: Link, patience: Patience) -> None:
        self.link, self._patience = link, patience
        self.peak_bytes: int | None = None
        """Most memory that the worker's process has taken, as it said when it settled last; `None` if it does not."""

    def write(self, batch: Batch) -> Receipt:
        """Hand the batch over."""
        return receipt_of(self._ask("write", batch=batch_data(batch)))

    def settle(self) -> None:
        """Wait until the worker says so."""
        peak = self._ask("settle").get("peak_bytes")
        self.peak_bytes = peak if isinstance(peak, int) and not isinstance(peak, bool) else None

    def search(self, cue: Cue) -> Recall:
        """What the worker finds."""
        return recall_of(self._ask("search", cue=cue_data(cue)))

    def close(self) -> None:
        """Say good-bye; a process that stays is ended."""
        close_link(self.link)

    def units(self) -> Iterator[Unit]:
        """What the worker lists."""
        return iter(units_of(self._ask("units")))

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """What the worker reads back."""
        return recall_of(self._ask("stored_from", sources=sorted(sources)))

    def save(self, folder: Path) -> None:
        """Have the worker save into *folder*."""
        self._ask("save", folder=str(folder.resolve()))

    def load(self, folder: Path) -> None:
        """Have the worker load *folder*."""
        self._ask("load", folder=str(folder.resolve()))

    def forget(self, sources: Set[MessageId]) -> None:
        """Have the worker forget."""
        self._ask("forget", sources=sorted(sources))

    def _ask(self, do: str, **said: Any) -> dict[str, Any]:
        return self.link.ask(do, self._patience.request_s, **said)


def hello(link: Link, patience: Patience, who: str) -> Hello:
    """What the worker says of itself.

    Raises:
        UsageError: It speaks another protocol, or says things that cannot be.
    """
    told = link.ask("hello", patience.open_s, protocol=PROTOCOL)
    if told.get("protocol") != PROTOCOL:
        raise UsageError(f"{who} speaks protocol {told.get('protocol')!r:.20}; this Recollect speaks {PROTOCOL}.")
    can, versions, traits = told.get("can", []), told.get("versions", {}), told.get("traits", {})
    known = {capability.value for capability in Capability}
    if not isinstance(can, list) or not set(map(str, can)) <= known:
        raise UsageError(f"{who} says that it can {can!r:.80}; there are {', '.join(sorted(known))}.")
    if not isinstance(versions, Mapping) or not isinstance(traits, Mapping):
        raise UsageError(f"{who}: `versions` and `traits` of its hello must be objects.")
    said = {str(name): str(version) for name, version in versions.items()}
    return Hello(
        adapter=str(told.get("adapter", "")),
        versions=said,
        can=frozenset(can),
        traits=traits,
        stands_in=" ".join(str(told.get("stands_in") or "").split())[:LONGEST],
    )


def open_worker(
    link: Link, traits: Traits, patience: Patience, config: Mapping[str, Any], room: Room, *, stands_in: str = ""
) -> WorkerMemory:
    """The memory of a worker that is opened in *room*.

    Raises:
        UsageError: The worker cannot do what *traits* promise, or stands in for a system and its row does not say so.
        CallError: It broke; it is then ended.
    """
    try:
        met = hello(link, patience, link_name(link))
        if met.stands_in != stands_in:
            told = f"{link_name(link)} says that it stands in for a system ({met.stands_in or 'no more'})"
            raise UsageError(f"{told}, and its row was made without knowing that. Run again; name it by a YAML file.")
        lacking = sorted({capability.value for capability in traits.can} - met.can)
        if lacking:
            told = f"the traits of {link_name(link)} promise what its worker cannot do: {', '.join(lacking)}."
            raise UsageError(f"{told} Write the methods, or leave it out of `can`.")
        link.ask("open", patience.open_s, **_opening(config, room))
    except BaseException:
        link.end()
        raise
    return WorkerMemory(link, patience)


def link_name(link: Link) -> str:
    """Who is meant, in messages."""
    return str(getattr(link, "who", "the worker"))


def _opening(config: Mapping[str, Any], room: Room) -> dict[str, Any]:
    access = room.access
    return {
        "config": dict(config),
        "folder": str(room.folder.resolve()),
        "namespace": room.namespace,
        "seed": room.seed,
        "access": None if access is None else asdict(access),
    }
