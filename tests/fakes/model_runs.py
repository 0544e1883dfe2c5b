"""Runs against the stub model server, started in this process by a user's command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

from recollect.cli import command_line
from recollect.diagnose.summary import Findings
from recollect.records.calls import CallLine
from recollect.runs.results.findings import findings_of
from recollect.store.measures import calls_of
from recollect.store.run_folder import RunFolder

from tests.fakes.model_acts import Act, Call
from tests.fakes.model_server import ModelServer

OWN = Path(__file__).parents[2] / "examples" / "own_data"
QUESTIONS = [json.loads(line) for line in (OWN / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def reader(server: ModelServer, **settings: Any) -> str:
    """The choice of a model on *server*, with little patience."""
    said = {"attempts": 2, "timeout_s": 5, "server": "stub", **settings}
    return f"openai:model=stub-1,base_url={server.url}," + ",".join(f"{key}={value}" for key, value in said.items())


def recollect(cwd: Path, *words: str) -> int:
    """The exit code of a command line."""
    with chdir(cwd):
        return command_line(list(words))


def run_own(cwd: Path, server: ModelServer, *more: str, name: str = "r", **settings: Any) -> int:
    """Run the example data with bm25 alone, read by a model on *server*."""
    words = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]
    return recollect(cwd, *words, "--reader", reader(server, **settings), "--name", name, *more)


def of(cwd: Path, name: str = "r") -> tuple[RunFolder, Findings]:
    """A run and all its cells."""
    folder = RunFolder(cwd / "runs" / name)
    return folder, findings_of(folder)


def ledger(cwd: Path, name: str = "r") -> Sequence[CallLine]:
    """The lines of a run's ledger."""
    return list(calls_of(RunFolder(cwd / "runs" / name)))


def asked(call: Call) -> dict[str, Any] | None:
    """The question that a prompt asks; `None` for the trial call."""
    return next((q for q in QUESTIONS if q["question"] in call.last), None)


def answers(but: Callable[[dict[str, Any]], Act | None] = lambda _: None) -> Callable[[Call], Act | str]:
    """Replies with the right answer, but for questions for which *but* has something else."""

    def reply(call: Call) -> Act | str:
        question = asked(call)
        if question is None:
            return "ready"
        other = but(question)
        gold = question.get("answers") or ["I do not know."]
        return other if other is not None else str(gold[0])

    return reply
