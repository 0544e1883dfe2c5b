"""Compares a system's listing with what it was fed, by its traits and receipts; no search is made."""

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
"""From this share of the assistant's messages on, it is the role that is dropped."""
FEW = 5
"""Units named by receipts; with fewer, a memory that rewrites may have dropped all of them."""
_TRACED = ("native", "mapped")


class _FedMessage(NamedTuple):
    step: int
    name: MessageId
    message: Message


@dataclass
class Coverage:
    """Compares what was fed to one system with what it holds."""

    trial: Trial
    records: RecordsWriter
    _fed: list[_FedMessage] = field(default_factory=list)
    _taken: int = 0

    def check(
        self, stored: StoredState, stage: Stage, receipts: Receipts, pieces: Mapping[MessageId, list[MessageId]]
    ) -> None:
        """Compare at an Ask."""
        traits = self.trial.row.traits
        if traits.keeps == "all" and traits.provenance in _TRACED:
            self._check_all(stored, stage, receipts, pieces)
        elif traits.keeps == "all":
            units = {unit.unit_id for unit in stored.units}
            lost = [name for names, _ in receipts.named for name in names if name not in units]
            if lost:
                raise _not_visible(f"{len(lost)} units that receipts named are not listed, such as `{lost[0]:.40}`")
        elif traits.provenance in _TRACED:
            _check_newest(stored, receipts)

    def _check_all(
        self, stored: StoredState, stage: Stage, receipts: Receipts, pieces: Mapping[MessageId, list[MessageId]]
    ) -> None:
        covered = set(chain.from_iterable(unit.sources for unit in stored.units))
        fed = self._fed_before(stage)
        missing = [one for one in fed if one.name not in covered]
        missing = [one for one in missing if not _is_covered(one.message, covered, pieces)]
        if not missing:
            return
        _check_roles(fed, missing)
        steps = {step for step in {one.step for one in fed} if self._is_acknowledged(step, receipts)}
        fed, missing = ([one for one in some if one.step in steps] for some in (fed, missing))
        if not missing:
            return
        if fed[fed.index(missing[0]) :] == missing and not self._is_cut(missing[0], covered, pieces):
            raise _not_visible(f"the last {len(missing)} of {len(fed)} messages that were fed are in no unit")
        session = missing[0].message.session_id
        lost, whole = (sum(one.message.session_id == session for one in some) for some in (missing, fed))
        raise CallError(
            f"{lost} of {whole} messages of session `{session:.40}` are in no unit, {len(missing)} of {len(fed)} in "
            "all, though every write was acknowledged and its traits say that it keeps all",
            cause="half_ingested",
        )

    def _fed_before(self, stage: Stage) -> Sequence[_FedMessage]:
        """All messages that were fed, except for blank ones, which may leave nothing."""
        for earlier in self.trial.stages[self._taken : stage.index]:
            if isinstance(earlier.step, Observe):
                messages = [message for message in earlier.step.session.messages if message.text.strip()]
                self._fed.extend(_FedMessage(earlier.index, message.message_id, message) for message in messages)
        self._taken = max(self._taken, stage.index)
        if not self._fed or self._fed[-1].step < stage.index:
            return self._fed
        return [one for one in self._fed if one.step < stage.index]

    def _is_acknowledged(self, step: int, receipts: Receipts) -> bool:
        whole = self.trial.row.traits.takes is WriteUnit.WHOLE_HISTORY
        statuses = receipts.statuses if whole else self.records.journal.body(self.trial.stages[step].after).writes
        return not statuses.get(NOTHING_TO_STORE)

    def _is_cut(self, first: _FedMessage, covered: Set[MessageId], pieces: Mapping[MessageId, list[MessageId]]) -> bool:
        """A part of the write with the first missing message is stored: late writes come whole or not at all."""
        traits, step = self.trial.row.traits, self.trial.stages[first.step].step
        if traits.takes is WriteUnit.WHOLE_HISTORY or not isinstance(step, Observe):
            return bool(covered)
        by_name = {message.message_id: message for message in step.session.messages}
        for fed in feed(step.session, traits):
            names = [fed.pieces.get(source, source) for source in fed.batch.sources]
            if first.message.message_id in names:
                return any(_is_covered(by_name[name], covered, pieces) for name in names)
        return False


def _is_covered(message: Message, covered: Set[MessageId], pieces: Mapping[MessageId, list[MessageId]]) -> bool:
    name = message.message_id
    return name in covered or any(piece in covered for piece in pieces.get(name, ()))


def _check_roles(fed: Sequence[_FedMessage], missing: Sequence[_FedMessage]) -> None:
    total = Counter(one.message.role for one in fed)
    lost = Counter(one.message.role for one in missing)
    dropped = total["assistant"] and lost["assistant"] >= NEARLY_ALL * total["assistant"]
    if dropped and 2 * lost["user"] < total["user"]:
        raise CallError(
            f"{lost['assistant']} of {total['assistant']} messages of role `assistant` are in no unit, while "
            f"{total['user'] - lost['user']} of {total['user']} of role `user` are, and its traits say that it keeps "
            "all",
            cause="turns_dropped",
        )


def _check_newest(stored: StoredState, receipts: Receipts) -> None:
    """For a system that may rewrite and forget, only the loss of all the newest writes is proof."""
    names = {name for units, _ in receipts.named for name in units}
    if len(names) < FEW or any(unit.unit_id in names for unit in stored.units):
        return
    written = {source for _, sources in receipts.named for source in sources}
    if not any(source in written for unit in stored.units for source in unit.sources):
        raise _not_visible(f"none of the {len(names)} units that receipts named is listed, nor any from their messages")


def _not_visible(what: str) -> CallError:
    return CallError(f"{what}, though `settle` returned", cause="not_visible")
