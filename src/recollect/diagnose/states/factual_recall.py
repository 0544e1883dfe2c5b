"""Memory factual recall: which of the states that were told in a period an agent holds at its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.diagnose.estimates import mean_of_each
from recollect.diagnose.states.cells import STATE, StateCells
from recollect.domain.ids import HistoryId, MessageId, QuestionId
from recollect.domain.questions import Key
from recollect.domain.repeats import FIRST
from recollect.records.tables.cells import CellOutcome, RecalledItem
from recollect.text.normal import search_tokens

Keys = Mapping[HistoryId, Mapping[QuestionId, Key]]
"""User -> the keys of its questions."""


class Session(NamedTuple):
    """The questions put to one user's agent at the end of a period."""

    history: HistoryId
    replicate: int
    period: int


class Fact(NamedTuple):
    name: str
    value: str | None
    """`None` where no key has it."""
    told_in: frozenset[MessageId]

    @property
    def claim(self) -> str:
        return f"{self.name.replace('_', ' ')}: {(self.value or '').replace('_', ' ')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The newest states of a session, and what is known of the memory at its end."""

    session: Session
    facts: tuple[Fact, ...]
    document: tuple[RecalledItem, ...] | None
    """Every distinct item that any question recalled; `None` where the agent does not report it."""
    named: Mapping[str, float]
    """State -> share of its probes that were answered right."""

    def by_source(self) -> dict[str, float]:
        """Of each fact, whether any recalled item comes from the message that told it."""
        if self.document is None:
            return {}
        covered = {message for item in self.document for message in item.covers}
        return {fact.name: float(not fact.told_in.isdisjoint(covered)) for fact in self.facts}

    def by_words(self) -> dict[str, float]:
        """Of each fact, whether all words of its value stand in one recalled item."""
        if self.document is None:
            return {}
        items = [_stems(item.text) for item in self.document]
        wanted = {fact.name: _stems(fact.value) for fact in self.facts if fact.value is not None}
        return {name: float(any(stems <= item for item in items)) for name, stems in wanted.items()}

    def by_probe(self) -> dict[str, float]:
        """Of each fact, whether the agent named its value."""
        return {fact.name: self.named[fact.name] for fact in self.facts if fact.name in self.named}


def sheets(cells: StateCells, keys: Keys) -> tuple[Sheet, ...]:
    """One for each session, by user, replicate and period."""
    groups: dict[Session, list[CellOutcome]] = defaultdict(list)
    for states in (cells.scored, cells.probes):
        for state, mine in states.items():
            for cell in mine:
                if cell.take == FIRST:
                    groups[Session(state.history, cell.replicate, state.period)].append(cell)
    written: dict[tuple[HistoryId, int], dict[str, int]] = defaultdict(dict)
    for state, names in cells.written.items():
        written[state.history, state.period] |= names
    return tuple(
        _sheet(session, groups[session], written[session.history, session.period], keys) for session in sorted(groups)
    )


def _sheet(session: Session, cells: Sequence[CellOutcome], written: Mapping[str, int], keys: Keys) -> Sheet:
    period = str(session.period)
    known = [key for key in keys.get(session.history, {}).values() if key.labels.get("period") == period]
    facts = []
    for name in sorted(name for name, told_in in written.items() if told_in == session.period):
        value = next((key.field_gold[name][0] for key in known if key.field_gold.get(name)), None)
        told_in = frozenset(message for key in known for message in key.field_evidence.get(name, ()))
        facts.append(Fact(name, value, told_in))
    recalls = [cell.recall for cell in cells if cell.recall is not None]
    items = {(item.text, item.sources): item for recall in recalls for item in recall.items}
    parts = [part for cell in cells if cell.purpose == "probe" for part in cell.parts]
    named = mean_of_each(
        (part.name.removeprefix(STATE), part.value)
        for part in parts
        if part.name.startswith(STATE) and part.value is not None
    )
    return Sheet(
        session=session,
        facts=tuple(facts),
        document=tuple(items.values()) if recalls else None,
        named=dict(sorted(named.items())),
    )


def _stems(text: str) -> set[str]:
    return set(search_tokens(text.replace("_", " "), stop=False))
