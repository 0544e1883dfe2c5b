"""Recommended titles: how many of the right films are among the first; graded, never right or wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from recollect.benchmarks.memoryagentbench.families.recommendations import ENTITIES, FILMS, MEASURE
from recollect.benchmarks.memoryagentbench.scoring.short_answers import outcome, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.recommendation import (
    Entities,
    lenient_titles,
    recommendation_recall,
    recommended,
    strict_titles,
)

MOST = 10
"""Titles that any measure looks at."""
NO_NAMES = (
    "the names of the entities are not known: put `entity2id.json` into the folder of the rows, and load them again"
)


def score_titles(
    question: Question,  # noqa: ARG001 - a scorer's form
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001
    shared: Mapping[str, Any],
) -> Outcome:
    """Share of the right films among the first five titles; not available without the names of entities."""
    names = shared.get(ENTITIES)
    if not names:
        return Outcome.missing(Status.NOT_AVAILABLE, NO_NAMES)
    wanted = key.field_gold.get(ENTITIES, ())
    unknown = [name for name in wanted if name not in names]
    if unknown or not wanted:
        why = f"entity {unknown[0]} has no name" if unknown else "no film is right here"
        return Outcome.missing(Status.NOT_AVAILABLE, why)
    return outcome(reply, _parts(said_by(reply), [names[name] for name in wanted], _Shared(shared)))


def _parts(said: str, gold: Sequence[str], shared: _Shared) -> Iterator[Part]:
    strict = recommended(strict_titles(said)[:MOST], _entities(shared)) if said.strip() else []
    lenient = recommended(lenient_titles(said)[:MOST], _films(shared))
    yield Part(name=MEASURE, value=recommendation_recall(strict, gold, k=5), weight=1.0)
    yield Part(name="recall@1", value=recommendation_recall(strict, gold, k=1))
    yield Part(name="recall@10", value=recommendation_recall(strict, gold, k=10))
    yield Part(name="lenient_recall@5", value=recommendation_recall(lenient, gold, k=5))


class _Shared:
    """Shared data as they are, told from others by being the same object: comparing them would take too long."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and self.data is other.data


@lru_cache(maxsize=4)
def _entities(shared: _Shared) -> Entities:
    """All that a title may be taken for, as in the paper: persons and whatever else has a name too."""
    return Entities(_names(shared))


@lru_cache(maxsize=4)
def _films(shared: _Shared) -> Entities:
    films = shared.data.get(FILMS)
    return Entities(_names(shared), [int(film) for film in films]) if films else _entities(shared)


def _names(shared: _Shared) -> dict[int, str]:
    return {int(name): said for name, said in shared.data[ENTITIES].items()}
