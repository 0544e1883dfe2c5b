"""What a system says that it holds, read once for all that wants to know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from recollect.domain.exchange import Unit
from recollect.domain.ids import Digest
from recollect.records.digests import digest

Line = tuple[str, tuple[str, ...], str]


@dataclass(frozen=True, kw_only=True)
class Held:
    """The units of a system that can list them."""

    units: Sequence[Unit]
    policy: str | None = None

    @property
    def fingerprint(self) -> Digest:
        """Of all that is held, in the order in which it is listed."""
        lines = [[unit.text, list(unit.sources), unit.said_at] for unit in self.units]
        return Digest(digest({"units": lines, "policy": self.policy}))

    @cached_property
    def content(self) -> Digest:
        """Of all that is held, in whatever order: a state that was loaded may list the same otherwise."""
        lines = sorted((unit.text, tuple(unit.sources), unit.said_at or "") for unit in self.units)
        return Digest(digest({"held": lines, "policy": self.policy}))
