"""Where in a recall each message of the history stands; recalls are looked through once, for many cells share them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from recollect.domain.ids import MessageId
from recollect.records.tables.summary import CellOutcome, Recalled, RecalledItem
from recollect.text.tokens import count


class Recalls:
    """Looks through recalls, and remembers."""

    def __init__(self) -> None:
        self._places: dict[int, dict[MessageId, int]] = {}
        self._borders: dict[int, list[int]] = {}
        self._kept: list[Recalled] = []

    def places(self, recall: Recalled) -> dict[MessageId, int]:
        """Message of the history -> the first item that covers it."""
        if id(recall) not in self._places:
            self._kept.append(recall)
            places: dict[MessageId, int] = {}
            for place, item in enumerate(recall.items):
                for message in item.covers:
                    places.setdefault(message, place)
            self._places[id(recall)] = places
        return self._places[id(recall)]

    def met(self, cell: CellOutcome) -> int | None:
        """How many messages of the evidence stand in what was found."""
        if cell.recall is None:
            return None
        places = self.places(cell.recall)
        return sum(message in places for message in cell.evidence)

    def whole(self, cell: CellOutcome) -> int | None:
        """Items that the reader got whole; `None` where the harness cannot tell."""
        recall = cell.recall
        if recall is None or cell.context_tokens is None:
            return None
        if not cell.truncated:
            return len(recall.items)
        if recall.rendered is not None:
            return None
        return sum(border <= cell.context_tokens for border in self._ends(recall))

    def _ends(self, recall: Recalled) -> list[int]:
        """Tokens up to the end of each item, in the order in which room is given to them."""
        if id(recall) not in self._borders:
            self._kept.append(recall)
            items: Iterable[RecalledItem] = recall.items[::-1] if recall.order == "time" else recall.items
            self._borders[id(recall)] = list(accumulate(count(worded(item)) + 1 for item in items))
        return self._borders[id(recall)]


def worded(item: RecalledItem) -> str:
    """An item as a reader gets it: a message with time, channel and speaker, all else as the system worded it."""
    stamp = f"[{item.said_at}] " if item.said_at else ""
    room = f"#{item.channel} " if item.channel else ""
    name = f"{item.speaker}: " if item.speaker else ""
    return f"{stamp}{room}{name}{item.text}"
