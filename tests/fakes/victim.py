"""A run that kills itself: `python -m tests.fakes.victim FOLDER SUITE POINT`.

POINT counts the places where a kill could hurt: before, in the middle of and after each journal line, and around the
rename of each saved state. At that place the process sends itself SIGKILL; at 0 it never does. Prints how many
places it passed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm
from recollect.engine.execution.executor import Limits
from recollect.engine.plan import Trial
from recollect.engine.rows import Row, oracle_row
from recollect.store import files
from recollect.store import journal as journal_module

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row

CALLS = "calls.log"
"""One line for every answer that the sampling reader was asked for; paid for, so to say."""
ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)


class Points:
    """Counts the places and dies at one of them."""

    def __init__(self, fatal: int) -> None:
        self.fatal, self.passed = fatal, 0

    def pass_one(self) -> bool:
        """True where the process is about to die."""
        self.passed += 1
        return self.passed == self.fatal

    def pass_or_die(self) -> None:
        if self.pass_one():
            die()


def die() -> None:
    """As `kill -9` does it: nothing is flushed, no handler runs."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(points: Points) -> None:
    """Put the places into the store."""
    whole_write, saving = os.write, vars(files)

    def write(handle: int, line: bytes) -> int:
        points.pass_or_die()
        if points.pass_one():
            whole_write(handle, line[: len(line) // 2])
            die()
        written = whole_write(handle, line)
        points.pass_or_die()
        return written

    def around(real: Callable[[Path], None]) -> Callable[[Path], None]:
        def synced(folder: Path) -> None:
            points.pass_or_die()
            real(folder)
            points.pass_or_die()

        return synced

    class Os:
        """The `os` module, but for `write`."""

        def __getattr__(self, name: str) -> Any:
            return write if name == "write" else getattr(os, name)

    vars(journal_module)["os"] = Os()
    saving["sync_tree"] = around(saving["sync_tree"])
    saving["sync_folder"] = around(saving["sync_folder"])


class SamplingReader(toy.ToyReader):
    """Never answers the same twice, and notes each question it was asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__(noise=random.SystemRandom())
        self.log = folder / CALLS

    def read(self, context: Any, question: Any, prompt: Any) -> Any:
        with self.log.open("a") as log:
            log.write(f"{question.question_id}\n")
        return super().read(context, question, prompt)


def suites(harness: Harness, name: str) -> list[Trial]:
    """The trials of one suite."""
    if name.endswith("takes"):
        harness.repeats = Repeats(answer=2, judge=2)
    memory = memory_row(toy.ToyMemory, toy.TOY, arms=ARMS)
    plain = memory_row(toy.ToyMemory, toy.PLAIN, label="plain", arms=ARMS)
    rows: dict[str, tuple[Sequence[str], Sequence[Row]]] = {
        "memories": (("long_ingest", "checkpoints"), (memory, plain, oracle_row())),
        "agents": (
            ("evolving",),
            (agent_row(toy.BufferAgent, toy.AGENT), agent_row(toy.BufferAgent, toy.AGENT_NO_SNAPSHOT, label="no-save")),
        ),
        "writers": (
            ("observe_all", "checkpoints"),
            (
                agent_row(toy.DiaryAgent, toy.DIARY_RESTORED, label="restored"),
                agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER, label="in-order"),
                memory_row(toy.CountingMemory, toy.WRITES_RESTORED, label="counting"),
                memory_row(toy.CountingMemory, toy.WRITES_IN_ORDER, label="counting-in-order"),
            ),
        ),
        "built-in": (("long_ingest", "checkpoints"), [built_in(name) for name in ("bm25", "files", "window", "full")]),
        "takes": (
            ("checkpoints",),
            (
                memory,
                agent_row(toy.BufferAgent, toy.AGENT),
                agent_row(toy.DiaryAgent, toy.DIARY_RESTORED, label="restored"),
                agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER, label="in-order"),
                memory_row(toy.CountingMemory, toy.WRITES_IN_ORDER, label="counting-in-order"),
                oracle_row(),
            ),
        ),
        "sampling": (("checkpoints",), (memory,)),
        "sampling-takes": (("checkpoints",), (memory,)),
        "moody": (("converse",), (agent_row(toy.MoodyAgent, toy.AGENT_NO_SNAPSHOT),)),
    }
    protocols, those = rows[name]
    return [trial for protocol in protocols for trial in harness.trials(protocol, *those)]


def built_in(name: str) -> Row:
    """A registered memory."""
    kind = registry.memory(name)
    config = kind.config()
    return Row(
        label=name,
        kind="memory",
        fingerprint={"name": name, "version": kind.version},
        traits=kind.traits(config),
        arms=ARMS,
        open_memory=lambda room: kind.open(config, room),
    )


def main(folder: str, suite: str, point: str) -> None:
    """Run a suite to its end, or die on the way."""
    harness = Harness(Path(folder))
    harness.path.mkdir(parents=True, exist_ok=True)
    if suite.startswith("sampling"):
        harness.reader = SamplingReader(harness.path)
    points = Points(int(point))
    arm(points)
    harness.run(suites(harness, suite), Limits(trials=1, calls=1))
    print(points.passed)


if __name__ == "__main__":
    main(*sys.argv[1:])
