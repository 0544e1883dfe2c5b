"""Fresh users without a model: seeded lives made of a catalogue, with the paper's numbers of everything."""

from __future__ import annotations

from random import Random

from recollect.benchmarks.amemgym.generate.answers import draw_qas
from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.personas import draw_personas
from recollect.benchmarks.amemgym.generate.plans import draw_plan
from recollect.benchmarks.amemgym.generate.settings import SIZES, GenerationSettings
from recollect.benchmarks.amemgym.generate.talks import draw_periods
from recollect.benchmarks.amemgym.generate.trajectories import draw_trajectory
from recollect.benchmarks.amemgym.items import Item, Profile
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError


def generate(size: str, seed: int) -> Dataset:
    """Users of a named size; the same size and seed give the same bytes.

    Args:
        size: `small`, `base` or `extra`; with `-held-out` behind it, the same lives told in sentences that no other
            size uses.
        seed: Of everything that is drawn.

    Raises:
        UnknownNameError: There is no such size.
    """
    from recollect.benchmarks.amemgym.histories import dataset_of

    if size not in SIZES:
        raise UnknownNameError("size", size, SIZES)
    return dataset_of(items(SIZES[size], seed), f"generated: {size}, seed {seed}")


def items(settings: GenerationSettings, seed: int) -> tuple[Item, ...]:
    """Users with their lives and questions; the same settings and seed give the same bytes."""
    return tuple(
        _item(profile, settings, f"amemgym {seed} {profile.uuid}") for profile in draw_personas(settings, seed)
    )


def _item(profile: Profile, settings: GenerationSettings, seed: str) -> Item:
    plan = draw_plan(read_catalogue(), settings, Random(f"{seed}:plan"))
    trajectory = draw_trajectory(plan, settings, seed)
    return Item(
        id=profile.uuid,
        start_time=settings.start_date,
        user_profile=profile,
        state_schema=plan.schema,
        periods=draw_periods(plan, trajectory, settings, Random(f"{seed}:talks")),
        qas=draw_qas(plan, trajectory, settings, Random(f"{seed}:answers")),
    )
