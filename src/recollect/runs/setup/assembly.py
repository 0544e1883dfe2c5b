"""Assembles a run from a config: data, rows, players and trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset, Preset
from recollect.contracts.verdicts import JUDGE_CHECK, UNCALIBRATED
from recollect.diagnose.records.conditions import preset_of as preset_as_configured
from recollect.domain.errors import ConfigError, UnknownNameError, UsageError
from recollect.domain.steps import Ask
from recollect.engine.doctor.cards import cards_of
from recollect.engine.plan import Trial, episode, plan_trial
from recollect.engine.prompts import prompts_used, variant_used
from recollect.engine.rows import Conditions, Roles, Row
from recollect.engine.selection import limit, only_tasks
from recollect.judging.check import known_check
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.memory_card import CARDS
from recollect.records.provenance import PROVENANCE, Ran, encode_provenance
from recollect.runs.setup.calls import gateway_of
from recollect.runs.setup.config import Origins, RunConfig, as_data
from recollect.runs.setup.folders import Talks, cache_of, find, talks_of_run
from recollect.runs.setup.models import Players, players_of
from recollect.runs.setup.rows import rows_of

SETTLED = ("data", "size", "talk")
"""Replaced in a run's identity by the origin of the data and the digest of the dialogues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything needed to run, score and report."""

    config: RunConfig
    benchmark: Benchmark
    dataset: Dataset
    players: Players
    cast: Roles
    conditions: Conditions
    rows: tuple[Row, ...]
    judge_check: str = UNCALIBRATED
    """Id of the check of the judge that was known when the run was created."""
    cards: Mapping[str, str] = field(default_factory=dict)
    """Row of a memory -> its card when the run was created, or that there was none."""
    left_out: Mapping[str, str]
    """Rows whose system is that of another one."""
    talks: Talks = field(default_factory=dict)
    """The replayed dialogues, by history."""
    standings: Mapping[str, Ran] = field(default_factory=dict)
    """Row -> whether the system itself ran, a substitute, or it cannot run here."""

    def trials(self) -> list[Trial]:
        preset, trials = preset_of(self.benchmark, self.config), []
        for keyed in self.dataset.histories:
            settings, talk = preset.steps_for(keyed.task), self.talks.get(keyed.history.history_id)
            steps = tuple(self.benchmark.steps(keyed.history, settings, talk))
            made = episode(keyed, steps, encode(settings))
            for replicate in range(self.config.repeated.ingest):
                trials += [plan_trial(row, made, self.conditions, self.cast, replicate) for row in self.rows]
        return trials

    def settings(self, origins: Origins) -> dict[str, Any]:
        """The content of the run's run.json."""
        from recollect.domain.version import VERSION

        asked = as_data(self.config)
        rows: list[dict[str, Any]] = []
        for row in self.rows:
            variant = variant_used(row, self.conditions.prompts)
            rows.append(
                {"label": row.label, "system": dict(row.fingerprint)} | ({"asked_as": variant} if variant else {})
            )
        dialogues: dict[str, Any] = {}
        if self.talks:
            digested = {name: [encode(message) for message in talk] for name, talk in self.talks.items()}
            dialogues["talk_digest"] = digest(digested)
        elif self.cast.user:
            dialogues["user_fingerprint"] = self.cast.user.fingerprint
        return {
            "made_by": VERSION,
            "config": {
                **{key: _known_by(value) for key, value in asked.items() if key not in SETTLED},
                "data_origin": self.dataset.origin,
                "data_digest": digest([encode(keyed) for keyed in self.dataset.histories]),
                "benchmark_version": self.benchmark.card.version,
                "reader_fingerprint": self.cast.reader.fingerprint,
                "judge_fingerprint": self.cast.judge.fingerprint if self.cast.judge else None,
                **dialogues,
                "rows": rows,
                "track": "standard",
                "budget_tokens": self.conditions.budget_tokens,
                "search_limit": self.conditions.search_limit,
                "prompts": {name: prompt.digest for name, prompt in sorted(self.conditions.prompts.items())},
            },
            "asked": asked,
            "origins": dict(origins),
            "left_out": dict(self.left_out),
            JUDGE_CHECK: self.judge_check,
            CARDS: dict(self.cards),
            PROVENANCE: encode_provenance(self.standings),
        }


def _known_by(value: Any) -> Any:
    """A model without settings that do not change results, such as timeouts and the address of its server."""
    if not (isinstance(value, dict) and value.keys() == {"name", "settings"}):
        return value
    from recollect.models.settings import lasting

    return {**value, "settings": lasting(value["settings"])}


def assemble(config: RunConfig, runs_dir: Path, data: Dataset | None = None, talks: Talks | None = None) -> Run:
    """Everything of a run except its folder; *data* and *talks* replace those that the config names.

    Raises:
        UsageError: If a name, setting or file is wrong; lists all problems of one place.
    """
    benchmark = registry.benchmark(config.benchmark)
    preset_of(benchmark, config)  # refuses a wrong name before anything is read
    dataset = data or select(dataset_of(benchmark, config), config)
    if talks is None:
        talks = _replayed(config, runs_dir, dataset)
    cache = cache_of(runs_dir)
    players = players_of(config, cache, () if talks else benchmark.users)
    table = rows_of(benchmark.card.references, config, players.supplies, converses=bool(benchmark.users))
    rows = table.rows
    gateway = gateway_of(players.supplies) if any(row.gateway for row in rows) else None
    cast = Roles(
        reader=players.reader,
        judge=players.judge,
        user=players.user,
        model=players.supplies.model,
        embedder=players.supplies.embedder,
        gateway=gateway,
    )
    return Run(
        config=config,
        benchmark=benchmark,
        dataset=dataset,
        players=players,
        cast=cast,
        conditions=conditions_of(benchmark, config, dataset, rows),
        rows=rows,
        judge_check=known_check(cache, players.judge.fingerprint) or UNCALIBRATED,
        cards=cards_of(cache, rows),
        left_out=table.left_out,
        talks=talks,
        standings=table.standings(),
    )


def _replayed(config: RunConfig, runs_dir: Path, dataset: Dataset) -> Talks:
    """The dialogues of the run that `talk` names."""
    if config.talk is None:
        return {}
    if config.user is not None:
        raise UsageError("--talk replays dialogues without a simulated user. Leave out --user or --talk.")
    talks = talks_of_run(config.talk, runs_dir)
    wanted = [keyed.history.history_id for keyed in dataset.histories]
    missing = [history for history in wanted if history not in talks]
    if missing:
        run = find(config.talk.partition(":")[0], runs_dir).path
        raise UsageError(
            f"--talk {config.talk}: {run} lacks the dialogues of {len(missing)} of {len(wanted)} histories. "
            "Run on the data, size and seed of that run."
        )
    return {history: talks[history] for history in wanted}


def preset_of(benchmark: Benchmark, config: RunConfig) -> Preset:
    """The conditions the config asks for."""
    return preset_as_configured(benchmark.card, as_data(config))


def dataset_of(benchmark: Benchmark, config: RunConfig) -> Dataset:
    """The data the config names, or generated ones."""
    if config.data is None:
        return benchmark.generate(config.size, config.seed)
    path = Path(config.data)
    if not path.exists():
        raise UsageError(f"--data {config.data}: no such file or folder.")
    return benchmark.load(path)


def select(dataset: Dataset, config: RunConfig) -> Dataset:
    """The tasks and the number of questions that the config asks for."""
    chosen = only_tasks(dataset, config.tasks) if config.tasks else dataset
    return limit(chosen, config.limit) if config.limit else chosen


def conditions_of(benchmark: Benchmark, config: RunConfig, dataset: Dataset, rows: Sequence[Row]) -> Conditions:
    """What all rows share; of the preset's prompts only those that one of *rows* uses."""
    preset = preset_of(benchmark, config)
    asked = {question.prompt for keyed in dataset.histories for question in keyed.history.questions}
    if config.steps:  # they may add questions, alike in all histories of a task
        for keyed in {keyed.task: keyed for keyed in dataset.histories}.values():
            steps = benchmark.steps(keyed.history, preset.steps_for(keyed.task))
            asked |= {question.prompt for step in steps if isinstance(step, Ask) for question in step.questions}
    missing = sorted(asked - set(preset.prompts))
    if missing:
        raise ConfigError(f"preset {preset.name}", [f"has no prompt `{name}`" for name in missing])
    return Conditions(
        budget_tokens=preset.budget_tokens,
        search_limit=preset.search_limit,
        prompts=prompts_used(rows, asked, preset.prompts),
        seed=config.seed,
        judged=frozenset(name for name, task in benchmark.card.tasks.items() if task.judged),
        repeats=config.repeated,
    )


def check_tasks(benchmark: Benchmark, tasks: Sequence[str]) -> None:
    """Refuse tasks that the card does not name."""
    for task in tasks:
        if task not in benchmark.card.tasks:
            raise UnknownNameError(f"task of {benchmark.card.name}", task, benchmark.card.tasks)
