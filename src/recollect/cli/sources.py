"""Data that several verbs look at: a file, generated, or those of a run with the dialogues that it held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect.cli.judged_sheets import Judged
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues
from recollect.contracts.sheets import Sheet
from recollect.domain.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A benchmark, its data, and what was said about them."""

    benchmark: Benchmark
    dataset: Dataset
    talks: Dialogues = field(default_factory=dict)
    judged: Judged | None = None
    """The run, where a judge weighs any of its tasks."""

    def sheets(self) -> Sequence[Sheet]:
        """What people should judge of the data.

        Raises:
            UsageError: The benchmark has nothing for people to judge.
        """
        if self.benchmark.sheets is not None:
            return self.benchmark.sheets(self.dataset, self.talks)
        if self.judged is not None:
            return ()
        hint = " Name a run with `--run`, to compare its judge with people." if is_judged(self.benchmark) else ""
        raise UsageError(f"{self.benchmark.card.name}: it has no label sheets.{hint}")


def is_judged(benchmark: Benchmark) -> bool:
    """Any of its tasks needs a judge."""
    return any(task.judged for task in benchmark.card.tasks.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where data are, as a user says it."""

    benchmark: str
    data: Path | None = None
    size: str = "small"
    seed: int = 0
    run: str | None = None
    """`RUN` or `RUN:ROW`."""

    def opened(self, runs_dir: Path) -> Found:
        """What it says.

        Raises:
            UsageError: Both a file and a run are named, or the run is of another benchmark.
        """
        from recollect import registry

        chosen = registry.benchmark(self.benchmark)
        if self.run is not None:
            if self.data is not None:
                raise UsageError("--run brings its own data. Leave out --data or --run.")
            return _of_run(chosen, self.run, runs_dir)
        dataset = chosen.generate(self.size, self.seed) if self.data is None else chosen.load(self.data)
        return Found(benchmark=chosen, dataset=dataset)


def talks_of_run(said: str, runs_dir: Path) -> Dialogues:
    """The dialogues of a run, by `RUN` or `RUN:ROW`."""
    from recollect.cli.runs import find
    from recollect.diagnose.records.dialogues import dialogues_of

    name, _, row = said.partition(":")
    return dialogues_of(find(name, runs_dir), row or None)


def _of_run(benchmark: Benchmark, said: str, runs_dir: Path) -> Found:
    from recollect.cli.config import from_data
    from recollect.cli.runs import find, held_data

    folder = find(said.partition(":")[0], runs_dir)
    config = from_data(folder.settings()["asked"], str(folder.path / "run.json"))
    if config.benchmark != benchmark.card.name:
        raise UsageError(f"{folder.path} is a run of {config.benchmark}, not of {benchmark.card.name}.")
    dataset = held_data(folder, config)
    if dataset is None:
        raise UsageError(f"{folder.path} holds no data yet. `recollect resume` it first.")
    return Found(
        benchmark=benchmark,
        dataset=dataset,
        talks=talks_of_run(said, runs_dir) if benchmark.users else {},
        judged=Judged(folder=folder, benchmark=benchmark, row=said.partition(":")[2]) if is_judged(benchmark) else None,
    )
