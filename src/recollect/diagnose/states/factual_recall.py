"""Memory factual recall: which of the states that were told in a period an agent holds at its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

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
    """A state as it was told."""

    name: str
    value: str | None
    """`None` where no key says it."""
    told_in: frozenset[MessageId]

    @property
    def claim(self) -> str:
        """As a checker reads it."""
        return f"{self.name.replace('_', ' ')}: {(self.value or '').replace('_', ' ')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The newest states of a session, and what is known of the memory at its end."""

    session: Session
    facts: tuple[Fact, ...]
    document: tuple[RecalledItem, ...] | None
    """All that any question recalled, each thing once; `None` where the agent does not tell."""
    named: Mapping[str, float]
    """State -> share of the probes for it that were answered right."""

    def by_source(self) -> dict[str, float]:
        """Of each fact, whether anything recalled came of the message that told it."""
        covered = {message for item in self.document or () for message in item.covers}
        return {} if self.document is None else {one.name: float(_told(one, covered)) for one in self.facts}

    def by_words(self) -> dict[str, float]:
        """Of each fact, whether all words of its value stand in one thing recalled."""
        said = [_stems(item.text) for item in self.document or ()]
        known = [] if self.document is None else [one for one in self.facts if one.value is not None]
        return {one.name: float(any(_stems(one.value or "") <= words for words in said)) for one in known}

    def by_probe(self) -> dict[str, float]:
        """Of each fact, whether the agent named its value."""
        return {one.name: self.named[one.name] for one in self.facts if one.name in self.named}


def sheets(cells: StateCells, keys: Keys) -> tuple[Sheet, ...]:
    """One for each session, by user, replicate and period."""
    groups: dict[Session, list[CellOutcome]] = defaultdict(list)
    for places in (cells.scored, cells.probes):
        for place, mine in places.items():
            for cell in mine:
                if cell.take == FIRST:
                    groups[Session(place.history, cell.replicate, place.period)].append(cell)
    written = {(place.history, place.period, place.thread): names for place, names in cells.written.items()}
    told: dict[tuple[HistoryId, int], dict[str, int]] = defaultdict(dict)
    for (history, period, _), names in written.items():
        told[history, period] |= names
    return tuple(_sheet(session, groups[session], told, keys) for session in sorted(groups))


def _sheet(
    session: Session,
    cells: list[CellOutcome],
    told: Mapping[tuple[HistoryId, int], Mapping[str, int]],
    keys: Keys,
) -> Sheet:
    new = [name for name, at in sorted(told[session.history, session.period].items()) if at == session.period]
    at = str(session.period)
    known = [key for key in keys.get(session.history, {}).values() if key.labels.get("period") == at]
    return Sheet(
        session=session,
        facts=tuple(_fact(name, known) for name in new),
        document=_document(cells),
        named=_named(cells),
    )


def _fact(name: str, keys: Iterable[Key]) -> Fact:
    """As the keys of one session say it."""
    of_it = [key for key in keys if name in key.field_evidence or name in key.field_gold]
    value = next((key.field_gold[name][0] for key in of_it if key.field_gold.get(name)), None)
    told_in = frozenset(message for key in of_it for message in key.field_evidence.get(name, ()))
    return Fact(name, value, told_in)


def _document(cells: Iterable[CellOutcome]) -> tuple[RecalledItem, ...] | None:
    recalls = [cell.recall for cell in cells if cell.recall is not None]
    items = {(item.text, item.sources): item for recall in recalls for item in recall.items}
    return tuple(items.values()) if recalls else None


def _named(cells: Iterable[CellOutcome]) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for name, value in _parts(cells):
        values[name].append(value)
    return {name: sum(found) / len(found) for name, found in sorted(values.items())}


def _parts(cells: Iterable[CellOutcome]) -> Iterator[tuple[str, float]]:
    for cell in cells:
        for part in cell.parts if cell.purpose == "probe" else ():
            if part.name.startswith(STATE) and part.value is not None:
                yield part.name.removeprefix(STATE), part.value


def _told(fact: Fact, covered: set[MessageId]) -> bool:
    return not fact.told_in.isdisjoint(covered)


def _stems(text: str) -> set[str]:
    return set(search_tokens(text.replace("_", " "), stop=False))
