"""New users without a model: seeded lives made of a catalogue, with the paper's numbers of everything.

Read `settings` (how much) and `catalogue` (of what), then the steps: `plans` (what a life is about), `trajectories`
(how it goes on), `talks` (what the user says) and `answers` (what can be chosen). `catalogue_rules` and `constraints`
check the texts and the users; `classify` reads what a text shows.
"""

from __future__ import annotations

from typing import NamedTuple

from recollect.benchmarks.amemgym.generate.answers import draw_qas
from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.personas import draw_personas
from recollect.benchmarks.amemgym.generate.plans import LifePlan, draw_plan
from recollect.benchmarks.amemgym.generate.settings import SIZES, GenerationSettings
from recollect.benchmarks.amemgym.generate.talks import draw_periods
from recollect.benchmarks.amemgym.generate.trajectories import Trajectory, draw_trajectory
from recollect.benchmarks.amemgym.items import Item, Period, Profile
from recollect.contracts.benchmark import Dataset
from recollect.worlds.driver import Draws, Generator


class _Life(NamedTuple):
    profile: Profile
    plan: LifePlan
    trajectory: Trajectory


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

    return dataset_of(items(SIZES.settings(size), seed), f"generated: {size}, seed {seed}")


def items(settings: GenerationSettings, seed: int) -> tuple[Item, ...]:
    """Users with their lives and questions; the same settings and seed give the same bytes."""

    def plan(profile: Profile, draws: Draws) -> _Life:
        plan = draw_plan(read_catalogue(), settings, draws.of("plan"))
        return _Life(profile, plan, draw_trajectory(plan, settings, draws))

    def tell(life: _Life, draws: Draws) -> tuple[Period, ...]:
        return draw_periods(life.plan, life.trajectory, settings, draws.of("talks"))

    def assemble(life: _Life, periods: tuple[Period, ...], draws: Draws) -> Item:
        return Item(
            id=life.profile.uuid,
            start_time=settings.start_date,
            user_profile=life.profile,
            state_schema=life.plan.schema,
            periods=periods,
            qas=draw_qas(life.plan, life.trajectory, settings, draws.of("answers")),
        )

    users = Generator(seed=lambda profile: f"amemgym {seed} {profile.uuid}", plan=plan, tell=tell, assemble=assemble)
    return tuple(users.make(draw_personas(settings, seed)))
