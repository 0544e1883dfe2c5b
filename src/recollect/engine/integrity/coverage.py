"""Is what a system was fed there, as it said it would be? Told from its listing alone, without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from recollect.contracts.traits import WriteUnit
from recollect.domain.errors import CallError
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.steps import Observe
from recollect.engine.feeding.feeder import feed
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.systems.driver import NOTHING_TO_STORE, Receipts, StoredState

NEARLY_ALL = 0.9
"""From this share of the assistant's messages on it is the role that is dropped, and not some messages."""
FEW = 5
"""Units named: with fewer, a memory that rewrites may have dropped them all by right."""
_TRACED = ("native", "mapped")


class _FedMessage(NamedTuple):
    step: int
    name: MessageId
    message: Message


@dataclass
class Coverage:
    """Compares what was fed to one system with what it holds."""

    trial: Trial
    book: RecordsWriter
    _fed: list[_FedMessage] = field(default_factory=list)
    _taken: int = 0

    def check(
        self, held: StoredState, stage: Stage, receipts: Receipts, pieces: Mapping[MessageId, list[MessageId]]
    ) -> None:
        """Compare at an Ask.

        Raises:
            CallError: Something that must be there is not.
        """
        traits = self.trial.row.traits
        if traits.keeps == "all" and traits.provenance in _TRACED:
            self._check_all(held, stage, receipts, pieces)
        elif traits.keeps == "all":
            _check_named(held, receipts)
        elif traits.provenance in _TRACED:
            _check_newest(held, receipts)

    def _check_all(
        self, held: StoredState, stage: Stage, receipts: Receipts, pieces: Mapping[MessageId, list[MessageId]]
    ) -> None:
        covered = set(chain.from_iterable(unit.sources for unit in held.units))
        fed = self._fed_before(stage)
        missing = [one for one in fed if one.name not in covered]
        missing = [one for one in missing if not _is_covered(one.message, covered, pieces)]
        if not missing:
            return
        _check_roles(fed, missing)
        told = _Acknowledged(self.trial, self.book, receipts)
        fed, missing = ([one for one in some if told.kept(one.step)] for some in (fed, missing))
        if not missing:
            return
        if fed[fed.index(missing[0]) :] == missing and not self._is_cut(missing[0], covered, pieces):
            raise _not_visible(f"the last {len(missing)} of {len(fed)} messages that were fed are in no unit")
        raise _half(missing, fed)

    def _fed_before(self, stage: Stage) -> Sequence[_FedMessage]:
        """All that was fed; a blank message may leave nothing."""
        for earlier in self.trial.stages[self._taken : stage.index]:
            if isinstance(earlier.step, Observe):
                said = [message for message in earlier.step.session.messages if message.text.strip()]
                self._fed.extend(_FedMessage(earlier.index, message.message_id, message) for message in said)
        self._taken = max(self._taken, stage.index)
        if not self._fed or self._fed[-1].step < stage.index:
            return self._fed
        return [one for one in self._fed if one.step < stage.index]

    def _is_cut(self, first: _FedMessage, covered: Set[MessageId], pieces: Mapping[MessageId, list[MessageId]]) -> bool:
        """A part of the write that holds the first missing message is there: late writes come whole or not at all."""
        traits, step = self.trial.row.traits, self.trial.stages[first.step].step
        if traits.takes is WriteUnit.WHOLE_HISTORY or not isinstance(step, Observe):
            return bool(covered)
        by_name = {message.message_id: message for message in step.session.messages}
        for fed in feed(step.session, traits):
            names = [fed.pieces.get(source, source) for source in fed.batch.sources]
            if first.message.message_id in names:
                return any(_is_covered(by_name[name], covered, pieces) for name in names)
        return False


@dataclass
class _Acknowledged:
    """Which steps' writes were all said to be kept."""

    trial: Trial
    book: RecordsWriter
    receipts: Receipts
    _kept: dict[int, bool] = field(default_factory=dict)

    def kept(self, step: int) -> bool:
        """None of its writes was said to hold nothing worth keeping."""
        if step not in self._kept:
            whole = self.trial.row.traits.takes is WriteUnit.WHOLE_HISTORY
            key = self.trial.stages[step].after
            statuses = self.receipts.statuses if whole else self.book.journal.body(key).writes
            self._kept[step] = not statuses.get(NOTHING_TO_STORE)
        return self._kept[step]


def _is_covered(message: Message, covered: Set[MessageId], pieces: Mapping[MessageId, list[MessageId]]) -> bool:
    name = message.message_id
    return name in covered or any(piece in covered for piece in pieces.get(name, ()))


def _check_roles(fed: Sequence[_FedMessage], missing: Sequence[_FedMessage]) -> None:
    said = Counter(one.message.role for one in fed)
    lost = Counter(one.message.role for one in missing)
    dropped = said["assistant"] and lost["assistant"] >= NEARLY_ALL * said["assistant"]
    if dropped and 2 * lost["user"] < said["user"]:
        raise CallError(
            f"{lost['assistant']} of {said['assistant']} messages of role `assistant` are in no unit, while "
            f"{said['user'] - lost['user']} of {said['user']} of role `user` are, and its traits say that it keeps all",
            cause="turns_dropped",
        )


def _half(missing: Sequence[_FedMessage], fed: Sequence[_FedMessage]) -> CallError:
    session = missing[0].message.session_id
    lost = sum(one.message.session_id == session for one in missing)
    whole = sum(one.message.session_id == session for one in fed)
    return CallError(
        f"{lost} of {whole} messages of session `{session:.40}` are in no unit, {len(missing)} of {len(fed)} in all, "
        "though every write was acknowledged and its traits say that it keeps all",
        cause="half_ingested",
    )


def _check_named(held: StoredState, receipts: Receipts) -> None:
    there = {unit.unit_id for unit in held.units}
    lost = [name for names, _ in receipts.named for name in names if name not in there]
    if lost:
        raise _not_visible(f"{len(lost)} units that receipts named are not listed, such as `{lost[0]:.40}`")


def _check_newest(held: StoredState, receipts: Receipts) -> None:
    """Of a system that may rewrite and forget, only that nothing at all came of the newest writes is proof."""
    names = {name for units, _ in receipts.named for name in units}
    if len(names) < FEW or any(unit.unit_id in names for unit in held.units):
        return
    written = {source for _, sources in receipts.named for source in sources}
    if not any(source in written for unit in held.units for source in unit.sources):
        raise _not_visible(f"none of the {len(names)} units that receipts named is listed, nor any from their messages")


def _not_visible(what: str) -> CallError:
    return CallError(f"{what}, though `settle` returned", cause="not_visible")
