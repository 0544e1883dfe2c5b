"""All steps in order, and the data sets made from their results: of persons, of seeds, or of either."""

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
from recollect.making.steps import DroppedError, Item, Pipeline, Rule, Ruled, Sight, Stage
from recollect.records.digests import digest


def count_asked(sight: Sight) -> Ruled:
    """The number of cases with questions.

    Raises:
        DroppedError: There are none.
    """
    cases = sight.of(progress.ASKED)
    if not cases:
        count = len(progress.person(sight).preferences)
        raise DroppedError("nothing_left", f"of {count} preferences none came as far as a question")
    return Ruled(len(cases))


def user_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The persons that were made; *seed* draws which questions are asked and when sessions take place.

    The origin says how many cases passed each step, and names the persons that were not made.

    Raises:
        DataError: No person was made.
    """
    if not made:
        raise DataError("no person was made; the log of rejects says why", NAME)
    persons = [made[item.key] for item in of if item.key in made]
    counts = {
        "planned": sum(len(progress.planned(sight)) for sight in persons),
        "written": sum(len(sight.parts(progress.CASE)) for sight in persons),
        "accepted": sum(len(progress.cases(sight)) for sight in persons),
        "told": sum(len(progress.told(sight)) for sight in persons),
        "asked": sum(len(sight.of(progress.ASKED)) for sight in persons),
    }
    people: list[Person] = [item.data for item in of]
    source = sha256("\n".join(f"{one.profile}\n{one.preferences}" for one in people).encode()).hexdigest()[:16]
    settings = digest([str(people[0].settings)]).partition(":")[2][:16]
    missing = [item.key for item in of if item.key not in made]
    rejected = f"; rejected: {', '.join(missing)}" if missing else ""
    cases = ", ".join(f"{count} {word}" for word, count in counts.items())
    told = f"{len(persons)} of {len(of)} persons of {source}, settings {settings}; cases: {cases}{rejected}"
    bundles = [bundle_of_user(sight, seed) for sight in persons]
    return dataset_of(bundles, f"made with seed {seed} by {maker}: {told}")


def world_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The cases that were made, dealt to invented persons; the origin names sources and licences.

    Raises:
        DataError: No case was made.
    """
    if not made:
        raise DataError("no case was made; the log of rejects says why", NAME)
    tasks: list[WorldTask] = [item.data for item in of]
    wanted = Counter(task.seed.family for task in tasks)
    found = Counter(sight.item.data.seed.family for sight in made.values())
    sources = "; ".join(
        f"{found[name]} of {wanted[name]} of {family.title}, {family.licence}"
        for name, family in FAMILIES.items()
        if wanted[name]
    )
    told = f"{len(made)} of {len(tasks)} cases about the world: {sources}"
    bundles = world_bundles(world_cases(made), tasks[0].settings, seed)
    return dataset_of(bundles, f"made with seed {seed} by {maker}: {told}")


def _about_world(item: Item) -> bool:
    return isinstance(item.data, WorldTask)


def _about_user(item: Item) -> bool:
    return not _about_world(item)


def _only(stage: Stage, fits: Callable[[Item], bool]) -> Stage:
    """*stage* for items that fit; others skip it."""
    if isinstance(stage, Rule):
        make = stage.make
        return replace(stage, make=lambda sight: make(sight) if fits(sight.item) else Ruled(None))
    parts, bound = stage.parts, stage.bound
    return replace(
        stage,
        parts=lambda sight: parts(sight) if fits(sight.item) else (),
        bound=lambda item: bound(item) if fits(item) else 0,
    )


USERS = Recipe(
    pipeline=Pipeline(name="subtlememory/related", stages=(*USER_STAGES, Rule(name=progress.PERSON, make=count_asked))),
    tasks=(TASK,),
    items=items,
    dataset=user_dataset,
)
"""A person without a plan, or with nothing left to ask, is rejected; else single cases are left out."""
WORLD = Recipe(
    pipeline=Pipeline(name="subtlememory/world", stages=tuple(_only(stage, _about_world) for stage in WORLD_STAGES)),
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
    return (WORLD if all(map(_about_world, of)) else USERS).dataset(of, made, seed, maker)


CASES = Recipe(
    pipeline=Pipeline(
        name="subtlememory/cases",
        stages=(
            *(_only(stage, _about_user) for stage in USERS.pipeline.stages),
            *WORLD.pipeline.stages,
        ),
    ),
    tasks=(TASK,),
    items=either_items,
    dataset=either_dataset,
)
"""Both recipes make the one task of the benchmark, so that only one of them could be asked for by name."""
