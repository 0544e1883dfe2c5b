"""Opens an environment: a benchmark that converses, its users, and who plays them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from recollect import registry
from recollect.contracts.agent import User
from recollect.contracts.benchmark import Benchmark, Preset
from recollect.domain.errors import UsageError
from recollect.domain.histories import Keyed
from recollect.environment.episodes import AgentContext, Environment
from recollect.environment.stories import Story
from recollect.runs.setup.assembly import dataset_of, preset_of
from recollect.runs.setup.config import RunConfig
from recollect.runs.setup.folders import RUNS, cache_of
from recollect.runs.setup.models import players_of

FeedbackKind = Literal["none", "questions", "answers", "complete"]


def open_environment(
    benchmark: str,
    *,
    size: str = "small",
    seed: int = 0,
    data: str | Path | None = None,
    user: str | User | None = None,
    feedback: FeedbackKind = "none",
    steps: Mapping[str, str] | None = None,
    runs_dir: Path = RUNS,
) -> Environment:
    """Open the episodes of a benchmark that converses, as a run with the same settings would go through them.

    Args:
        benchmark: Its name.
        size: How much is generated.
        seed: Of everything that is drawn.
        data: A file or folder of data in the place of generated ones.
        user: Who plays the simulated user: one of the benchmark's by name, one of your own, or its first.
        feedback: What whoever makes a policy is told between two periods; `complete` tells what was right.
        steps: What else happens in an episode, as `--step` of a run. Questions for states alone (`probes`) are left
            out unless asked for.
        runs_dir: Where vectors are kept, as those of runs are.

    Raises:
        UsageError: A name or setting is not what it should be, or the benchmark holds no dialogues.
    """
    made = registry.benchmark(benchmark)
    if not made.users:
        raise UsageError(f"{benchmark} holds no dialogues, and an environment is one to talk with.")
    named = user if isinstance(user, str) else None
    told = {"probes": "no", "evolve": feedback, **(steps or {})}
    config = RunConfig(
        benchmark=benchmark,
        size=size,
        seed=seed,
        data=None if data is None else str(data),
        user=named,
        steps={name: value for name, value in told.items() if name in made.card.step_settings},
        memory_model="rules",
    )
    players = players_of(config, cache_of(runs_dir), made.users)
    spoken = players.user if user is None or isinstance(user, str) else user
    if spoken is None:
        raise UsageError(f"{benchmark}: nobody plays the simulated user.")
    preset = preset_of(made, config)
    context = AgentContext(seed=seed, prompts=preset.prompts, supplies=players.supplies)
    return Environment(list(_stories(made, config, preset)), spoken, made.score, context)


def _stories(benchmark: Benchmark, config: RunConfig, preset: Preset) -> list[Story]:
    data = dataset_of(benchmark, config)

    def story(keyed: Keyed) -> Story:
        steps = benchmark.steps(keyed.history, preset.steps_for(keyed.task))
        return Story(keyed=keyed, steps=tuple(steps), shared=data.shared.get(keyed.task, {}))

    return [story(keyed) for keyed in data.histories]
