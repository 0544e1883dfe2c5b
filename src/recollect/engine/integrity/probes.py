"""Can a memory that cannot list find anything at all? Asked with words that it was fed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.contracts.memory import Memory
from recollect.contracts.traits import Capability, WriteUnit
from recollect.domain.errors import CallError, NotAvailableError
from recollect.domain.exchange import Cue, Recall
from recollect.domain.steps import Observe
from recollect.engine.faults import Failure, attempt
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.systems.call_context import call_context_of, run_in_context
from recollect.engine.systems.driver import NOTHING_TO_STORE, Driver, Receipts
from recollect.engine.systems.validation import validate_recall

PROBES = 3
"""Messages whose words must all find nothing: one may be made of words that no search looks for."""
TELLING = 8
"""Letters in words of four and more, so that a search has something to go by."""
LONGEST = 300
"""Characters of a message that are searched for; servers bound the length of a query."""
_WORD = re.compile(r"\w{4,}")


@dataclass
class Prober:
    """Searches one system for what it was fed."""

    trial: Trial
    book: RecordsWriter
    _texts: list[str] = field(default_factory=list)
    """Those fed so far that a search can go by."""
    _is_stored: bool = True
    """No write so far was said to hold nothing worth keeping."""
    _taken: int = 0

    def check(self, driver: Driver, stage: Stage, receipts: Receipts, limit: int) -> None:
        """Search before the questions are put, where that costs nothing and no listing tells more.

        Raises:
            CallError: All was said to be stored, and nothing is ever found.
        """
        traits, memory = self.trial.row.traits, driver.memory
        costs = traits.models_on_search or traits.writes_when_asked
        if memory is None or costs or Capability.LISTING in traits.can:
            return
        self._take_in(stage.index)
        if not self._is_stored or receipts.statuses.get(NOTHING_TO_STORE):
            return
        cues = [Cue(text=text, limit=limit) for text in self._probes(last=traits.keeps == "all")]
        if cues and all(self._finds_nothing(driver, memory, stage, cue) for cue in cues):
            raise CallError(
                f"all was said to be stored and `settle` returned, but searches with the words of {len(cues)} "
                "messages that were fed find nothing at all",
                cause="not_visible",
            )

    def _take_in(self, index: int) -> None:
        recorded = self.trial.row.traits.takes is not WriteUnit.WHOLE_HISTORY
        for stage in self.trial.stages[self._taken : index]:
            if isinstance(stage.step, Observe):
                self._is_stored &= not (recorded and self.book.journal.body(stage.after).writes.get(NOTHING_TO_STORE))
                self._texts.extend(m.text for m in stage.step.session.messages if _is_telling(m.text))
        self._taken = max(self._taken, index)

    def _probes(self, *, last: bool) -> list[str]:
        """The newest, where all must be there; else some from all over, for others may have been kept."""
        texts, several = self._texts, PROBES - 1
        if last or len(texts) <= PROBES:
            chosen: Sequence[str] = texts[-PROBES:]
        else:
            chosen = [texts[place * (len(texts) - 1) // several] for place in range(PROBES)]
        return [_cut(text) for text in reversed(chosen)]

    def _finds_nothing(self, driver: Driver, memory: Memory, stage: Stage, cue: Cue) -> bool:
        """A search that breaks proves nothing here: it will break at a question, under its own name."""
        occasion = call_context_of(self.trial, "recall", stage.check)
        try:
            found: Recall | Failure = attempt(
                lambda: run_in_context(occasion, lambda: validate_recall(memory.search(cue)), driver.desk)
            )
        except NotAvailableError:
            return False
        return not isinstance(found, Failure) and not found.items and not (found.rendered or "").strip()


def _is_telling(text: str) -> bool:
    return sum(map(len, set(_WORD.findall(text[:LONGEST])))) >= TELLING


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(None, 1)[0]
