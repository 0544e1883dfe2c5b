"""A memory in another process or on a server: each call is one request to a worker."""

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

LONGEST = 200
"""Characters kept of `stands_in`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long requests may take."""

    open_s: float = 300.0
    """`hello` and `open`: a vendor may load a model."""
    request_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """A worker's description of itself."""

    versions: Mapping[str, str]
    can: frozenset[str]
    traits: Mapping[str, Any]
    stands_in: str = ""
    """What it is, if it is not the system that it is named after."""


class WorkerMemory:
    """All methods that a worker may have; its traits say which it has."""

    def __init__(self, link: Link, patience: Patience) -> None:
        self.link, self._patience = link, patience
        self.peak_bytes: int | None = None
        """Peak memory of the worker's process at the last `settle`; `None` if it does not report it."""

    def write(self, batch: Batch) -> Receipt:
        return receipt_of(self._ask("write", batch=batch_data(batch)))

    def settle(self) -> None:
        peak = self._ask("settle").get("peak_bytes")
        self.peak_bytes = peak if isinstance(peak, int) and not isinstance(peak, bool) else None

    def search(self, cue: Cue) -> Recall:
        return recall_of(self._ask("search", cue=cue_data(cue)))

    def close(self) -> None:
        close_link(self.link)

    def units(self) -> Iterator[Unit]:
        return iter(units_of(self._ask("units")))

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return recall_of(self._ask("stored_from", sources=sorted(sources)))

    def save(self, folder: Path) -> None:
        self._ask("save", folder=str(folder.resolve()))

    def load(self, folder: Path) -> None:
        self._ask("load", folder=str(folder.resolve()))

    def forget(self, sources: Set[MessageId]) -> None:
        self._ask("forget", sources=sorted(sources))

    def _ask(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.link.ask(do, self._patience.request_s, **fields)


def hello(link: Link, patience: Patience) -> Hello:
    """A worker's description of itself, checked.

    Raises:
        UsageError: It speaks another protocol, or a field is invalid.
    """
    who = link.who
    answer = link.ask("hello", patience.open_s, protocol=PROTOCOL)
    if answer.get("protocol") != PROTOCOL:
        raise UsageError(f"{who} speaks protocol {answer.get('protocol')!r:.20}; this Recollect speaks {PROTOCOL}.")
    can, versions, traits = answer.get("can", []), answer.get("versions", {}), answer.get("traits", {})
    known = {capability.value for capability in Capability}
    if not isinstance(can, list) or not set(map(str, can)) <= known:
        raise UsageError(f"{who} says that it can {can!r:.80}; there are {', '.join(sorted(known))}.")
    if not isinstance(versions, Mapping) or not isinstance(traits, Mapping):
        raise UsageError(f"{who}: `versions` and `traits` of its hello must be objects.")
    return Hello(
        versions={str(name): str(version) for name, version in versions.items()},
        can=frozenset(can),
        traits=traits,
        stands_in=" ".join(str(answer.get("stands_in") or "").split())[:LONGEST],
    )


def open_worker(
    link: Link, traits: Traits, patience: Patience, config: Mapping[str, Any], room: Room, *, stands_in: str = ""
) -> WorkerMemory:
    """The memory of a worker that is opened in *room*.

    Raises:
        UsageError: The worker lacks what *traits* promise, or stands in for a system and its row does not say so.
        CallError: It failed; it is then ended.
    """
    try:
        worker = hello(link, patience)
        if worker.stands_in != stands_in:
            problem = f"{link.who} says that it stands in for a system ({worker.stands_in or 'no more'})"
            raise UsageError(f"{problem}, and its row was made without that. Run again; name it by a YAML file.")
        lacking = sorted({capability.value for capability in traits.can} - worker.can)
        if lacking:
            problem = f"the traits of {link.who} promise what its worker cannot do: {', '.join(lacking)}."
            raise UsageError(f"{problem} Write the methods, or leave it out of `can`.")
        link.ask(
            "open",
            patience.open_s,
            config=dict(config),
            folder=str(room.folder.resolve()),
            namespace=room.namespace,
            seed=room.seed,
            access=None if room.access is None else asdict(room.access),
        )
    except BaseException:
        link.end()
        raise
    return WorkerMemory(link, patience)
