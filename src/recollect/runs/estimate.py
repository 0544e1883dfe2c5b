"""What a run would do and cost, for `--dry-run`; no model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect import registry
from recollect.engine.estimate.run import Assumed, Judging, RunEstimate, estimate_run
from recollect.engine.plan import Trial
from recollect.models.prices import load_prices
from recollect.records.codec import read
from recollect.records.provenance import ABSENT, STAND_IN, Ran
from recollect.runs.setup.assembly import Run, assemble
from recollect.runs.setup.config import RunConfig


class Plan(NamedTuple):
    """What would be done: counts by name, and what the models would take."""

    counts: Mapping[str, Any]
    estimate: RunEstimate


def plan_of(config: RunConfig, runs_dir: Path, prices: Path | None = None) -> Plan:
    """Assemble a run, and estimate it."""
    run = assemble(config, runs_dir)
    trials = run.trials()
    return Plan(_counts(run, trials), forecast_of(run, trials, prices))


def _counts(run: Run, trials: Sequence[Trial]) -> dict[str, Any]:
    cells = [cell for trial in trials for cell in trial.cells]
    return {
        "benchmark": run.config.benchmark,
        "rows": [row.label for row in run.rows],
        "left_out": dict(run.left_out),
        **_not_running(run.standings),
        "histories": len(run.dataset.histories),
        "trials": len(trials),
        "answers": len({cell.answer for cell in cells}),
        "verdicts": sum(cell.verdict is not None for cell in cells),
        "records": sum(len(trial.keys()) for trial in trials),
    }


def _not_running(standings: Mapping[str, Ran]) -> dict[str, dict[str, str]]:
    """Rows that will show no score, by how they stand, with the reason."""
    words = {STAND_IN: STAND_IN.replace(" ", "_"), ABSENT: ABSENT.replace(" ", "_")}
    return {key: {row: one.why for row, one in standings.items() if one.word == word} for word, key in words.items()}


def forecast_of(run: Run, trials: Sequence[Trial], prices: Path | None = None) -> RunEstimate:
    """What *trials* will take, at the prices of the package and those of a file.

    Raises:
        ConfigError: The file of prices has problems, or a prompt asks for a value that a question does not have.
    """
    judge = {} if isinstance(run.config.judge, str) else run.config.judge.settings
    assumed = Assumed(
        conditions=run.conditions,
        window_tokens=run.cast.reader.window_tokens,
        prices=load_prices(prices),
        models=run.players.settings,
        judging=Judging(**{name: int(judge[name]) for name in ("votes", "retries") if name in judge}),
        kept=dict(_kept(run)),
    )
    return estimate_run(trials, assumed)


def _kept(run: Run) -> Iterator[tuple[str, int]]:
    """Memories of a fixed size say it in their setting `tokens`."""
    for row in run.rows:
        name = str(row.fingerprint["name"])
        if row.kind == "memory" and row.traits.limit == "fixed" and name in registry.MEMORIES:
            settings, _ = read(registry.memory(name).config, dict(row.fingerprint["config"]))
            if isinstance(tokens := getattr(settings, "tokens", None), int):
                yield row.label, tokens
