"""Which policy was in force when, what changed in it, and how far its words cover states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from recollect.domain.ids import HistoryId
from recollect.records.tables.policies import Cover, PolicyVersion
from recollect.text.normal import search_tokens


class Adopted(NamedTuple):
    """A policy that an agent adopted in the course of an episode."""

    task: str
    row: str
    history: HistoryId
    replicate: int
    step: int
    policy: str


class Followed(NamedTuple):
    history: HistoryId
    replicate: int


Schema = Mapping[str, Iterable[str]]
"""State -> its known values."""


def versions(
    whose: Followed, first: str, adopted: Iterable[Adopted], places: Mapping[int, int], schema: Schema
) -> Iterator[PolicyVersion]:
    """The policy of each period, with what changed since the one before.

    Args:
        whose: User and replicate.
        first: The policy in force until another is adopted.
        adopted: Those that were.
        places: Period -> place of its questions among the steps of the episode.
        schema: The states of the user.
    """
    found = sorted((one.step, one.policy) for one in adopted)
    texts = {at: next((text for step, text in reversed(found) if step < place), first) for at, place in places.items()}
    lines = {
        period: tuple(line.strip() for line in texts[period].splitlines() if line.strip()) for period in sorted(texts)
    }
    before = [(), *lines.values()]
    for (old, new), period in zip(pairwise(before), lines, strict=True):
        yield PolicyVersion(
            history=whose.history,
            replicate=whose.replicate,
            period=period,
            lines=new,
            added=tuple(line for line in new if line not in old) if old else (),
            removed=tuple(line for line in old if line not in new),
            covers=coverage(new, schema),
        )


def coverage(lines: Sequence[str], schema: Schema) -> dict[str, Cover]:
    """How far the words of a policy cover each state; it says nothing of what a model would read into them."""
    stems = [_stems(line) for line in lines]
    found: dict[str, Cover] = {}
    for name, values in schema.items():
        wanted = _stems(name)
        related = wanted | _stems(" ".join(values))
        if any(wanted and wanted <= line for line in stems):
            found[name] = "explicit"
        else:
            found[name] = "implied" if any(not line.isdisjoint(related) for line in stems) else "absent"
    return found


def _stems(text: str) -> set[str]:
    return set(search_tokens(text.replace("_", " ")))
