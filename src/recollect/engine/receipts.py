"""What the system said about the writes of this opening, until an Ask has seen that it is so."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from recollect.domain.exchange import Batch, Receipt
from recollect.domain.ids import MessageId, UnitId

NOTHING = "nothing_to_store"


@dataclass
class Receipts:
    """Statuses of all writes, and the units that were named since the last Ask."""

    statuses: Counter[str] = field(default_factory=Counter)
    named: list[tuple[tuple[UnitId, ...], tuple[MessageId, ...]]] = field(default_factory=list)
    """Units of a write, and the messages in it."""

    def note(self, batch: Batch, receipt: Receipt) -> None:
        """A write was acknowledged."""
        self.statuses[receipt.status] += 1
        if receipt.unit_ids:
            self.named.append((receipt.unit_ids, batch.sources))

    def seen(self) -> None:
        """What was named is there: that it goes later on is the system's own affair."""
        self.named.clear()
