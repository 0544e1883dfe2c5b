"""Where in a recall each message of the history stands; many cells share a recall, which is searched once."""

from __future__ import annotations

from recollect.domain.ids import MessageId
from recollect.records.tables.cells import CellOutcome, ReadDepth, Recalled
from recollect.text.tokens import count


class Recalls:
    """The recalls of a run, with a cache."""

    def __init__(self) -> None:
        self._places: dict[int, tuple[Recalled, dict[MessageId, int]]] = {}
        self.whole = ReadDepth(count).items
        """Items that the reader of a cell got whole; `None` where the harness cannot tell."""

    def places(self, recall: Recalled) -> dict[MessageId, int]:
        """Message of the history -> the first item that covers it."""
        if id(recall) not in self._places:
            places: dict[MessageId, int] = {}
            for place, item in enumerate(recall.items):
                for message in item.covers:
                    places.setdefault(message, place)
            self._places[id(recall)] = recall, places
        return self._places[id(recall)][1]

    def met(self, cell: CellOutcome) -> int | None:
        """How many messages of the evidence stand in what was found."""
        if cell.recall is None:
            return None
        places = self.places(cell.recall)
        return sum(message in places for message in cell.evidence)
