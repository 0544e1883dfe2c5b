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
    """Its place in the episode."""
    policy: str


class Followed(NamedTuple):
    """Whom a line of policies is of."""

    history: HistoryId
    replicate: int


Schema = Mapping[str, Iterable[str]]
"""State -> the values that are known of it."""


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
    lines = {period: _lines(texts[period]) for period in sorted(texts)}
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
    said = [_stems(line) for line in lines]
    return {name: _cover(said, _stems(name), _stems(" ".join(values))) for name, values in schema.items()}


def _cover(said: Sequence[set[str]], name: set[str], values: set[str]) -> Cover:
    if any(name and name <= line for line in said):
        return "explicit"
    return "implied" if any(not line.isdisjoint(name | values) for line in said) else "absent"


def _lines(policy: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in policy.splitlines() if line.strip())


def _stems(text: str) -> set[str]:
    return set(search_tokens(text.replace("_", " ")))
