"""Does an opened system have the methods that it must have, and those that its traits promise?"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import suppress

from recollect.contracts.traits import Capability
from recollect.domain.errors import UsageError
from recollect.engine.rows import Row

ALWAYS: Mapping[str, tuple[str, ...]] = {
    "memory": ("write", "settle", "search", "close"),
    "agent": ("observe", "reply", "answer", "settle", "close"),
}
"""Kind of row -> what each of its systems has."""
PROMISED: Mapping[Capability, tuple[str, ...]] = {
    Capability.LISTING: ("units",),
    Capability.READBACK: ("stored_from",),
    Capability.SNAPSHOT: ("save", "load"),
    Capability.FORGET: ("forget",),
    Capability.POLICY: ("policy", "adopt"),
}
"""Capability -> its methods."""


def check_methods(row: Row, system: object) -> None:
    """Refuse a system that lacks a method: each of its questions would be a fault, or an empty cell.

    Raises:
        UsageError: With every missing method and the file in which the system is written.
    """
    if system is None:
        raise UsageError(f"row `{row.label}`: `open` returned nothing. It must return the {row.kind}.")
    lacking = list(_lacking(row, system))
    if lacking:
        raise UsageError(
            f"{_file(system)}`{type(system).__name__}` lacks {'; '.join(lacking)}. "
            "Write what is missing, or leave the capability out of `Traits.can`."
        )


def _lacking(row: Row, system: object) -> Iterator[str]:
    for name in ALWAYS.get(row.kind, ()):
        if not callable(getattr(system, name, None)):
            yield f"the method `{name}`, which every {row.kind} has"
    for capability in sorted(row.traits.can):
        for name in PROMISED[capability]:
            if not callable(getattr(system, name, None)):
                yield f"the method `{name}`, though its traits say that it can {capability.value}"


def _file(system: object) -> str:
    """Where it is written; nothing for what was made while running."""
    with suppress(TypeError, OSError):
        return f"{inspect.getsourcefile(type(system))}: "
    return ""
