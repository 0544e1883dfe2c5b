"""Input of the steps: drawn seeds with their neighbours and the conversation types to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random

from recollect.benchmarks.subtlememory.items import FOLDED, RELATIONS, SUBTYPES, TYPES
from recollect.benchmarks.subtlememory.make.relations import kinds
from recollect.benchmarks.subtlememory.make.settings import WORLD_CONFIG, WorldSettings, read_settings
from recollect.benchmarks.subtlememory.make.sources.files import read_seeds
from recollect.benchmarks.subtlememory.make.sources.neighbours import Vectors, neighbours
from recollect.benchmarks.subtlememory.make.sources.seeds import ANY_ONE, CONTRADICTORY, K_FACTS, Evidence, Seed
from recollect.making.steps import Item
from recollect.worlds.dealing import Dealer

CANDIDATES = 4
"""Conversation types that a session may choose from, each with one flow."""
MOST_SESSIONS, FEW_FACTS = 3, 4
"""Most sessions of a case; one less for at most `FEW_FACTS` facts."""
MOST_OFFERED = 12
"""Facts are selected from this many of a seed's evidence, the first ones."""
CLAIMANTS: Mapping[str, tuple[str, str]] = {
    "a_user_vs_user": ("user", "user"),
    "b_user_vs_non_user": ("user", "assistant"),
    "c_non_user_vs_non_user": ("assistant", "assistant"),
}
"""Sub-type of a contradiction -> who makes the claim, in either session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTask:
    """A case before any step."""

    seed: Seed
    subtype: str
    """As files spell it: of a contradiction, who makes the claims."""
    neighbours: tuple[Evidence, ...] = ()
    candidates: tuple[tuple[tuple[str, str], ...], ...] = ()
    """For each session, conversation types with a flow each."""
    settings: WorldSettings

    @property
    def relation(self) -> str:
        """That of its sub-type."""
        return SUBTYPES[self.seed.subtype]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence that facts are selected from."""
        return self.seed.evidence[:MOST_OFFERED]


def world_items(source: Path, _: Sequence[str] = (), embedder: Vectors | None = None) -> list[Item]:
    """An item for each drawn seed, named by its key.

    Args:
        source: A file, or a folder of files, in the published layouts; may contain `world.json`.
        embedder: Finds neighbours; without one, word overlap does.

    Raises:
        DataError: With every problem of all files.
    """
    settings = read_settings(WorldSettings, source / WORLD_CONFIG)
    seeds = read_seeds(source).seeds
    return [Item(key=one.seed.key, data=one) for one in world_tasks(seeds, settings, embedder)]


def world_tasks(seeds: Sequence[Seed], settings: WorldSettings, embedder: Vectors | None = None) -> list[WorldTask]:
    """The seeds that are taken, in the order of their keys."""
    drawn = sorted(draw(seeds, settings), key=lambda seed: seed.key)
    wanted = [seed for seed in drawn if seed.subtype in (K_FACTS, ANY_ONE)]
    near = neighbours(seeds, wanted, most=settings.neighbours, embedder=embedder)
    dealer = Dealer(Random(f"{settings.seed}:claims"))
    return [
        WorldTask(
            seed=seed,
            subtype=dealer.deal(tuple(FOLDED)) if seed.subtype == CONTRADICTORY else seed.subtype,
            neighbours=near.get(seed.key, ()),
            candidates=_candidates(Random(f"{settings.seed}:{seed.key}:kinds")),
            settings=settings,
        )
        for seed in drawn
    ]


def draw(seeds: Sequence[Seed], settings: WorldSettings) -> list[Seed]:
    """As many seeds as are wanted: one of each relation in turn, and within it one of each sub-type in turn."""
    ordered = sorted(seeds, key=lambda seed: seed.key)
    if not settings.cases or settings.cases >= len(seeds):
        return ordered
    rng = Random(f"{settings.seed}:seeds")
    piles: list[list[Seed]] = []
    for relation in RELATIONS:
        subtypes = [subtype for subtype, parent in SUBTYPES.items() if parent == relation]
        groups = [[seed for seed in ordered if seed.subtype == subtype] for subtype in subtypes]
        piles.append(_in_turn([rng.sample(group, len(group)) for group in groups]))
    return _in_turn(piles)[: settings.cases]


def _in_turn(piles: Sequence[Sequence[Seed]]) -> list[Seed]:
    return [seed for row in zip_longest(*piles) for seed in row if seed is not None]


def _candidates(rng: Random) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Each session prefers other types than those before it, as far as there are any."""
    dealer = Dealer(rng)
    sessions: list[tuple[tuple[str, str], ...]] = []
    for _ in range(MOST_SESSIONS):
        chosen: list[str] = []
        for _ in range(CANDIDATES):
            chosen.append(dealer.deal(TYPES, avoid=chosen))
        sessions.append(tuple((kind, rng.choice(sorted(kinds()[kind].flows))) for kind in chosen))
    return tuple(sessions)
