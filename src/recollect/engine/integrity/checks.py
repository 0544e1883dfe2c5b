"""Detects a memory that is silently broken, before its results look like those of a bad memory.

Each check is made at an Ask, after `settle`, from what the system lists and finds; none costs a model call. Odd data
is never a fault: a check fails only on proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from typing import Protocol

from recollect.contracts.memory import Memory
from recollect.contracts.traits import Capability, WriteUnit
from recollect.domain.errors import CallError, NotAvailableError
from recollect.domain.exchange import Cue, Recall
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.steps import Ask, Converse, Observe
from recollect.engine.faults import Failure, attempt
from recollect.engine.integrity.coverage import Coverage
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.systems.call_context import call_context_of, run_in_context
from recollect.engine.systems.driver import NOTHING_TO_STORE, Driver, Receipts, StoredState
from recollect.engine.systems.validation import validate_recall
from recollect.text.dates.calendars import SaidTime, read_iso


class IntegrityChecks:
    """The checks of one trial's system."""

    def __init__(self, trial: Trial, records: RecordsWriter) -> None:
        self.trial = trial
        self._scope, self._coverage = Scope(trial, records), Coverage(trial, records)
        self._prober = Prober(trial, records)

    def check_state(
        self, stage: Stage, driver: Driver, stored: StoredState | None, receipts: Receipts, limit: int
    ) -> None:
        """Check before the questions of *stage* are asked."""
        if self.trial.row.traits.holds_nothing:
            return
        if stored is None:
            self._prober.check(driver, stage, receipts, limit)
        else:
            self._scope.check(stored.units, stage, "a unit")
            self._coverage.check(stored, stage, receipts, self._scope.pieces)
        receipts.seen()

    def check_recall(self, recall: Recall, stage: Stage) -> Recall:
        """*recall*, if it can have come from what the system was shown."""
        self._scope.check(recall.items, stage, "an item")
        return recall


LEEWAY = timedelta(days=2)
"""A date without its hour may mean all of its day, and a time zone that was added or changed shifts by up to a day."""


class Sourced(Protocol):
    """A unit, or an item of a recall."""

    @property
    def sources(self) -> tuple[MessageId, ...]:
        """The shown messages that it came from."""

    @property
    def said_at(self) -> str | None:
        """When it was said."""


@dataclass
class Scope:
    """Ids and times that the system of one trial was shown, by the first stage at which it can know them."""

    trial: Trial
    records: RecordsWriter
    pieces: dict[MessageId, list[MessageId]] = field(default_factory=dict)
    """Shown message -> its pieces, where the feeder had to split it."""
    _ids: dict[str, int] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)
    _latest: list[tuple[int, SaidTime]] = field(default_factory=list)
    """The latest time so far, and the first stage at which it is that."""
    _taken: int = 0

    def check(self, things: Iterable[Sourced], stage: Stage, what: str) -> None:
        """Compare *things* with all that was shown before *stage*, the times of its own questions included."""
        index = stage.index
        for earlier in self.trial.stages[self._taken : index + 1]:
            self._add(earlier)
        self._taken = max(self._taken, index + 1)
        things, known = list(things), self.trial.row.traits.provenance != "none"
        for source in chain.from_iterable(thing.sources for thing in things) if known else ():
            if self._ids.get(source, index + 1) > index:
                raise CallError(
                    f"{what} names `{source:.40}` as its source, which this system was not shown in this trial: it "
                    "comes from another user, trial or run, or is no id of a message",
                    cause="wrong_scope",
                )
        last = next((time for since, time in reversed(self._latest) if since <= index), None)
        for said_at in dict.fromkeys(thing.said_at for thing in things):
            if said_at is not None and self._times.get(said_at, index + 1) > index and _is_late(said_at, last):
                raise CallError(
                    f"{what} was said at {said_at:.40}, but the last time shown so far is "
                    f"{last.said if last else 'none'}: `said_at` is the messages' own time, neither a clock's nor "
                    "that of what they speak of",
                    cause="wall_clock",
                )

    def _add(self, stage: Stage) -> None:
        step = stage.step
        if isinstance(step, Ask):
            for question in step.questions:
                self._add_time(question.asked_at, stage.index)
        elif isinstance(step, Observe):
            self._add_messages(step.session.messages, stage)
        elif isinstance(step, Converse):
            self._add_messages(self.records.journal.body(stage.after).talk, stage)

    def _add_messages(self, messages: Iterable[Message], stage: Stage) -> None:
        since = stage.index + 1
        for message in messages:
            self._ids.setdefault(message.message_id, since)
            self._add_time(message.said_at, since)
        if self.trial.row.traits.takes is WriteUnit.TOKENS and isinstance(stage.step, Observe):
            for piece, origin in self.records.journal.body(stage.after).pieces.items():
                self._ids.setdefault(piece, since)
                self.pieces.setdefault(origin, []).append(piece)

    def _add_time(self, said_at: str | None, since: int) -> None:
        if said_at is None or said_at in self._times:
            return
        self._times[said_at] = since
        with suppress(ValueError):
            time = read_iso(said_at)
            if not self._latest or _gap(time, self._latest[-1][1]) > timedelta():
                self._latest.append((since, time))


def _is_late(said_at: str, last: SaidTime | None) -> bool:
    """Undated data proves nothing, and neither does a time that is not ISO 8601."""
    try:
        return last is not None and _gap(read_iso(said_at), last) > LEEWAY
    except ValueError:
        return False


def _gap(later: SaidTime, earlier: SaidTime) -> timedelta:
    """From *earlier* to *later*: between instants where both have their offset, else between local times."""
    gap = later.local - earlier.local
    if later.offset is None or earlier.offset is None:
        return gap
    return gap - (later.offset - earlier.offset)


PROBES = 3
"""Messages whose words must all find nothing: the words of one may be ignored by a search."""
TELLING = 8
"""Least letters in words of four and more, so that a search has something to match."""
LONGEST = 300
"""Characters of a message that are searched for; servers bound the length of a query."""
_WORD = re.compile(r"\w{4,}")


@dataclass
class Prober:
    """Searches one system for what it was fed."""

    trial: Trial
    records: RecordsWriter
    _texts: list[str] = field(default_factory=list)
    """Texts fed so far with enough words to match."""
    _is_stored: bool = True
    _taken: int = 0

    def check(self, driver: Driver, stage: Stage, receipts: Receipts, limit: int) -> None:
        """Search before the questions are asked, where that costs nothing and the system has no listing."""
        traits, memory = self.trial.row.traits, driver.memory
        costs = traits.models_on_search or traits.writes_when_asked
        if memory is None or costs or Capability.LISTING in traits.can:
            return
        for earlier in self.trial.stages[self._taken : stage.index]:
            if isinstance(earlier.step, Observe):
                recorded = traits.takes is not WriteUnit.WHOLE_HISTORY
                writes = self.records.journal.body(earlier.after).writes if recorded else {}
                self._is_stored &= not writes.get(NOTHING_TO_STORE)
                self._texts.extend(m.text for m in earlier.step.session.messages if _is_telling(m.text))
        self._taken = max(self._taken, stage.index)
        if not self._is_stored or receipts.statuses.get(NOTHING_TO_STORE):
            return
        probes = self._probes(newest=traits.keeps == "all")
        if probes and all(self._finds_nothing(driver, memory, stage, Cue(text=text, limit=limit)) for text in probes):
            raise CallError(
                f"all was said to be stored and `settle` returned, but searches with the words of {len(probes)} "
                "messages that were fed find nothing at all",
                cause="not_visible",
            )

    def _probes(self, *, newest: bool) -> list[str]:
        """The newest texts, where all must be kept; else some spread over all, since others may have been kept."""
        texts, several = self._texts, PROBES - 1
        chosen = texts[-PROBES:]
        if not newest and len(texts) > PROBES:
            chosen = [texts[number * (len(texts) - 1) // several] for number in range(PROBES)]
        return [text if len(text) <= LONGEST else text[:LONGEST].rsplit(None, 1)[0] for text in reversed(chosen)]

    def _finds_nothing(self, driver: Driver, memory: Memory, stage: Stage, cue: Cue) -> bool:
        """A search that fails proves nothing here: it will fail at a question, with its own cause."""
        context = call_context_of(self.trial, "recall", stage.check)
        try:
            found: Recall | Failure = attempt(
                lambda: run_in_context(context, lambda: validate_recall(memory.search(cue)), driver.current)
            )
        except NotAvailableError:
            return False
        return not isinstance(found, Failure) and not found.items and not (found.rendered or "").strip()


def _is_telling(text: str) -> bool:
    return sum(map(len, set(_WORD.findall(text[:LONGEST])))) >= TELLING
