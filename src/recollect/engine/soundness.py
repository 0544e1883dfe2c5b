"""Notices a memory that is silently broken, before what it finds can look like a bad memory.

Each check is made at an Ask, after `settle`, from what the system lists and finds; none costs a model call. Where
nothing can be proven nothing is said: odd data is never a fault.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.domain.exchange import Recall
from recollect.engine.book import Book
from recollect.engine.coverage import Coverage
from recollect.engine.drivers import Driver
from recollect.engine.held import Held
from recollect.engine.plan import Stage, Trial
from recollect.engine.probing import Prober
from recollect.engine.receipts import Receipts
from recollect.engine.scope import Scope


@dataclass
class Soundness:
    """The checks of one trial's system."""

    trial: Trial
    book: Book
    _scope: Scope = field(init=False)
    _coverage: Coverage = field(init=False)
    _prober: Prober = field(init=False)

    def __post_init__(self) -> None:
        self._scope = Scope(self.trial, self.book)
        self._coverage = Coverage(self.trial, self.book)
        self._prober = Prober(self.trial, self.book)

    def check_state(self, stage: Stage, driver: Driver, held: Held | None, receipts: Receipts, limit: int) -> None:
        """Before the questions of *stage* are put.

        Raises:
            CallError: The system is not what it says; its cause is named.
        """
        if self.trial.row.traits.holds_nothing:
            return
        if held is None:
            self._prober.check(driver, stage, receipts, limit)
        else:
            self._scope.check(held.units, stage, "a unit")
            self._coverage.check(held, stage, receipts, self._scope.pieces)
        receipts.seen()

    def check_recall(self, recall: Recall, stage: Stage) -> Recall:
        """*recall*, if it can have come from what the system was shown.

        Raises:
            CallError: It cannot; its cause is named.
        """
        self._scope.check(recall.items, stage, "an item")
        return recall
