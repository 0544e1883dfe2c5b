"""`--dry-run` says what a run will take, and the run then takes it."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from recollect import registry
from recollect.domain.exchange import Context
from recollect.engine.plan import Trial
from recollect.engine.prompts import prompt_of
from recollect.models.reader import fill
from recollect.runs.setup.assembly import Run, assemble
from recollect.runs.setup.config import choice, resolve
from recollect.runs.start import Work, carry_out, forecast_of, prepare
from recollect.store.run_folder import RunFolder
from recollect.text.tokens import count

from tests.fakes.command_line import typed

RECOLLECT = Path(sys.executable).parent / "recollect"
OWN = Path(__file__).parents[2] / "examples" / "own_data"
SOME = ("factconsolidation_sh_generated", "icl_intents_generated")
EMPTY = Context(items=(), text="", tokens=0)


def printed(line: str, cwd: Path) -> str:
    done = typed(["run", *line.split()], cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(run: Run, folder: RunFolder, trials: list[Trial]) -> dict[str, list[int]]:
    """Row -> answers and tokens that the reader got: the context as recorded, and the prompt around it."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for trial in trials:
        journal = folder.journal(trial.trial_id)
        for cell in trial.cells:
            if journal.done[cell.answer].kind == "answer" and cell.answer in cell.own:
                prompt = count(fill(prompt_of(trial.row, cell.question, run.conditions.prompts), EMPTY, cell.question))
                found[trial.row.label][0] += 1
                found[trial.row.label][1] += prompt + (journal.body(cell.answer).context_tokens or 0)
    return found


@pytest.mark.parametrize(
    ("preset", "tasks"),
    [
        pytest.param("standard", SOME, id="some", marks=pytest.mark.full),
        pytest.param("standard", (), id="standard", marks=pytest.mark.slow),
        pytest.param("paper", (), id="paper", marks=pytest.mark.slow),
    ],
)
def test_foretold_tokens_are_within_a_tenth_of_those_of_the_run(
    preset: str, tasks: tuple[str, ...], tmp_path: Path
) -> None:
    """Every built-in memory on generated questions, row by row; calls are exact, and no bound is broken.

    But for those that word what they show: nobody can tell beforehand how long their texts will be.
    """
    kinds = [registry.memory(name) for name in registry.MEMORIES]
    memories = [choice(kind.name) for kind in kinds if kind.traits(kind.config()).provenance == "native"]
    flags = {"benchmark": "memoryagentbench", "size": "small", "memories": memories, "preset": preset, "tasks": tasks}
    config, origins = resolve(None, {**flags, "limit": 12 if tasks else None})
    run = assemble(config, tmp_path)
    folder = RunFolder(tmp_path / "run")
    trials = prepare(run, folder, origins)
    (reader,) = (role for role in forecast_of(run, trials).roles if role.role == "reader")
    carry_out(run, folder, trials, Work(quiet=True))
    taken = read(run, folder, trials)
    assert set(reader.rows) == set(taken) >= {"oracle", "none", "window", "full", "bm25", "files"}
    for row, (calls, tokens) in taken.items():
        assert reader.rows[row].calls == calls
        assert reader.rows[row].input == pytest.approx(tokens, rel=0.1), row
    whole = sum(tokens for _, tokens in taken.values())
    assert reader.expected is not None
    assert reader.most is not None
    assert reader.expected.input == pytest.approx(whole, rel=0.1)
    assert (reader.most.input or 0) >= whole


def test_a_dry_run_prints_calls_tokens_and_money_by_role_and_makes_no_run(tmp_path: Path) -> None:
    reader = "openai:model=gpt-4.1-mini,base_url=http://127.0.0.1:9/v1,max_tokens=60"
    judge = "openai:model=judge-1,base_url=http://127.0.0.1:9/v1,max_tokens=90"
    (tmp_path / "p.yaml").write_text("prices: [{model: judge-1, input: 1, output: 4, date: 2026-11-01}]\n")
    line = f"own --data {OWN} --memory bm25 --dry-run --reader {reader} --judge {judge} --prices p.yaml"
    text = printed(line, tmp_path)
    for part in ("what it would take", "gpt-4.1-mini", "judge-1", "tokens in at most", "cost: $"):
        assert part in text
    plan: dict[str, Any] = json.loads(printed(f"{line} --json", tmp_path))
    roles = {role["role"]: role for role in plan["forecast"]["roles"]}
    assert roles["reader"]["expected"]["calls"] == plan["answers"]
    assert roles["judge"]["expected"]["calls"] == plan["verdicts"]
    for role in roles.values():
        assert 0 < role["expected"]["money"] < role["most"]["money"]
    total = sum(role["expected"]["money"] for role in roles.values())
    assert plan["forecast"]["expected_money"] == pytest.approx(total)
    assert not list(tmp_path.glob("runs/*/run.json"))


def test_with_rules_a_dry_run_tells_tokens_and_no_money(tmp_path: Path) -> None:
    plan = json.loads(printed(f"own --data {OWN} --memory bm25 --dry-run --json", tmp_path))
    (reader,) = (role for role in plan["forecast"]["roles"] if role["role"] == "reader")
    assert reader["model"] == "rules"
    assert reader["expected"]["input"] > 0
    assert plan["forecast"]["expected_money"] == plan["forecast"]["most_money"] == 0.0


def test_what_cannot_be_told_is_null_with_its_reason(tmp_path: Path) -> None:
    """A memory of one's own that calls a model itself."""
    source = (Path(__file__).parents[2] / "examples" / "overlap_memory.py").read_text()
    assert "Traits(" in source
    (tmp_path / "mine.py").write_text(source.replace("Traits(", "Traits(models_on_write=True, ", 1))
    plan = json.loads(printed(f"own --data {OWN} --memory mine.py --dry-run --json", tmp_path))
    (memory,) = (role for role in plan["forecast"]["roles"] if role["role"] == "memory")
    assert (memory["expected"], memory["most"]) == (None, None)
    assert memory["why"].startswith("adaptive")
    assert "adaptive" in printed(f"own --data {OWN} --memory mine.py --dry-run", tmp_path)
