"""The steps in order, and the data that they make: of persons, of seeds, and of whichever the sources hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from recollect.benchmarks.subtlememory.histories import NAME, TASK, dataset_of
from recollect.benchmarks.subtlememory.make.bundles import bundle_of_user, world_bundles, world_cases
from recollect.benchmarks.subtlememory.make.sources.files import holds_seeds
from recollect.benchmarks.subtlememory.make.sources.persons import Person, items
from recollect.benchmarks.subtlememory.make.sources.seeds import FAMILIES
from recollect.benchmarks.subtlememory.make.sources.tasks import WorldTask, world_items
from recollect.benchmarks.subtlememory.make.users import STAGES as USER_STAGES
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.world import STAGES as WORLD_STAGES
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.making.recipe import Recipe
from recollect.making.steps import DroppedError, Item, Loop, Pipeline, Rule, Ruled, Sight, Stage
from recollect.records.digests import digest


def whole(sight: Sight) -> Ruled:
    """How many cases are asked about.

    Raises:
        DroppedError: None is.
    """
    found = sight.of(progress.ASKED)
    if not found:
        there = len(progress.person(sight).preferences)
        raise DroppedError("nothing_left", f"of {there} preferences none came as far as a question")
    return Ruled(len(found))


def user_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The persons that were made; which questions are asked and when sessions lie is drawn by *seed*.

    The origin says how many cases came how far, and names the persons that were not made.

    Raises:
        DataError: No person was made.
    """
    if not made:
        raise DataError("no person was made; the log of rejects says why", NAME)
    persons = [made[item.key] for item in of if item.key in made]
    people: list[Person] = [item.data for item in of]
    source = sha256("\n".join(f"{one.profile}\n{one.preferences}" for one in people).encode()).hexdigest()[:16]
    settings = digest([str(people[0].settings)]).partition(":")[2][:16]
    missing = [item.key for item in of if item.key not in made]
    rejected = f"; rejected: {', '.join(missing)}" if missing else ""
    told = f"{len(persons)} of {len(of)} persons of {source}, settings {settings}; {_counts(persons)}"
    return dataset_of([bundle_of_user(sight, seed) for sight in persons], _origin(seed, maker, f"{told}{rejected}"))


def world_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The cases that were made, dealt to invented persons; the origin names sources and licences.

    Raises:
        DataError: No case was made.
    """
    if not made:
        raise DataError("no case was made; the log of rejects says why", NAME)
    tasks: list[WorldTask] = [item.data for item in of]
    asked = Counter(task.seed.family for task in tasks)
    there = Counter(sight.item.data.seed.family for sight in made.values())
    sources = "; ".join(
        f"{there[name]} of {asked[name]} of {family.title}, {family.licence}"
        for name, family in FAMILIES.items()
        if asked[name]
    )
    bundles = world_bundles(world_cases(made), tasks[0].settings, seed)
    told = f"{len(made)} of {len(tasks)} cases about the world: {sources}"
    return dataset_of(bundles, _origin(seed, maker, told))


def _origin(seed: int, maker: str, told: str) -> str:
    return f"made with seed {seed} by {maker}: {told}"


def _counts(made: Sequence[Sight]) -> str:
    """How far cases came."""
    counts = {
        "planned": sum(len(progress.planned(one)) for one in made),
        "written": sum(len(one.parts(progress.CASE)) for one in made),
        "accepted": sum(len(progress.cases(one)) for one in made),
        "told": sum(len(progress.told(one)) for one in made),
        "asked": sum(len(one.of(progress.ASKED)) for one in made),
    }
    return f"cases: {', '.join(f'{count} {word}' for word, count in counts.items())}"


def about_world(item: Item) -> bool:
    """The item is a case about the world: one pipeline holds both kinds."""
    return isinstance(item.data, WorldTask)


def only(stage: Stage, fits: Callable[[Item], bool]) -> Stage:
    """*stage* for items that fit; others pass it over."""
    if isinstance(stage, Rule):
        make = stage.make
        return replace(stage, make=lambda sight: make(sight) if fits(sight.item) else Ruled(None))
    parts, bound = stage.parts, stage.bound

    def some(sight: Sight) -> Sequence[str]:
        return parts(sight) if fits(sight.item) else ()

    def most(item: Item) -> int:
        return bound(item) if fits(item) else 0

    if isinstance(stage, Loop):
        return replace(stage, parts=some, bound=most)
    return replace(stage, parts=some, bound=most)


USERS = Recipe(
    pipeline=Pipeline(name="subtlememory/related", stages=(*USER_STAGES, Rule(name=progress.PERSON, make=whole))),
    tasks=(TASK,),
    items=items,
    dataset=user_dataset,
)
"""A person without a plan, or with nothing left to ask, is rejected; else single cases are left out."""
WORLD = Recipe(
    pipeline=Pipeline(name="subtlememory/world", stages=tuple(only(stage, about_world) for stage in WORLD_STAGES)),
    tasks=(TASK,),
    items=world_items,
    dataset=world_dataset,
)
"""A case is whole or rejected; single questions of it may be left out. Items of another kind pass it over."""


def either_items(source: Path, tasks: Sequence[str]) -> Sequence[Item]:
    """Seeds where there are any, else persons.

    Raises:
        DataError: There is neither, or something is wrong with them.
    """
    return (WORLD if holds_seeds(source) else USERS).items(source, tasks)


def either_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The data of the kind that the items are of.

    Raises:
        DataError: Nothing was made.
    """
    return (WORLD if all(map(about_world, of)) else USERS).dataset(of, made, seed, maker)


CASES = Recipe(
    pipeline=Pipeline(
        name="subtlememory/cases",
        stages=(
            *(only(stage, lambda item: not about_world(item)) for stage in USERS.pipeline.stages),
            *WORLD.pipeline.stages,
        ),
    ),
    tasks=(TASK,),
    items=either_items,
    dataset=either_dataset,
)
"""Both recipes make the one task of the benchmark, so that only one of them could be asked for by name."""
