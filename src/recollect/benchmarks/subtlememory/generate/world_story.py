"""What the parts of the world's half of the generator share: what there is to draw from, and what a case becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import Kind, Property
from recollect.benchmarks.subtlememory.generate.invented import Inventor
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.world_sessions import Groups
from recollect.benchmarks.subtlememory.generate.world_values import Claim, Teller
from recollect.benchmarks.subtlememory.items import Qa
from recollect.worlds.patterns import draw

TASK = "{task}"
"""Stands in a question for what the user wanted help with, until the sessions are there."""
SPARE = 0.5
"""Share of the cases of several facts in which one more is told that is not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Where the cases of one person are drawn from."""

    settings: GenerationSettings
    rng: Random
    inventor: Inventor

    def entity(self, kind: Kind) -> str:
        """The name of a new entity."""
        return draw(self.rng.choice(kind.names), self.rng, {"word": self.inventor.word()})

    def entities(self, kind: Kind, count: int) -> tuple[str, ...]:
        """So many names."""
        return tuple(self.entity(kind) for _ in range(count))

    def teller(self, told: Property) -> Teller:
        """Of the statements of a property."""
        return Teller(told, self.settings, self.rng)

    def spare(self) -> int:
        """How many facts are told beside those that are asked for; none where the settings count them."""
        return int(not self.settings.variants and self.rng.random() < SPARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A case before its sessions are dealt."""

    claims: tuple[Claim, ...]
    groups: Groups
    """Places of the claims by session."""
    qas: tuple[Qa, ...]
    entities: tuple[str, ...]
    """All that were invented for it; those that are asked for stand first."""
    wanted: int = 1
    """How many of the entities are asked for."""
    roles: tuple[str, ...] = ()
    """Who makes each claim, where that is not left open."""
    starts: Mapping[int, str] = field(default_factory=dict)
    """Place of a claim -> the day from which on it can be told, `YYYY-MM-DD`."""
    anchored: int | None = None
    """Which session the `TASK` of a question is of."""
