"""Runs toy protocols with toy systems through the real engine, and reads what it recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Memory
from recollect.contracts.reading import Prompt
from recollect.contracts.traits import Traits
from recollect.domain.histories import Keyed
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm, Step
from recollect.engine.execution.executor import Finished, Limits, execute
from recollect.engine.plan import Trial, episode, plan_trial
from recollect.engine.rows import Conditions, Roles, Row, oracle_row
from recollect.store.journal import Journal
from recollect.store.run_folder import RunFolder

from tests.fakes.toy_protocols import EPISODES, PROTOCOLS
from tests.fakes.toy_systems import ScriptedUser, ToyJudge, ToyMaker, ToyReader

PROMPT = Prompt(name="toy/answer.v1", text="Answer from what you remember.\n$context\n$question")


def memory_row(
    open_it: Callable[[], Memory], traits: Traits, *, label: str = "toy", arms: Sequence[Arm] = (Arm.SYSTEM,)
) -> Row:
    """A row for a toy memory."""
    return Row(
        label=label,
        kind="memory",
        fingerprint={"name": label, "version": 1, "config": {}},
        traits=traits,
        arms=tuple(arms),
        open_memory=lambda room: open_it(),
    )


def agent_row(
    open_it: Callable[[], Agent], traits: Traits, *, label: str = "agent", arms: Sequence[Arm] = (Arm.SYSTEM,)
) -> Row:
    """A row for a toy agent."""
    return Row(
        label=label,
        kind="agent",
        fingerprint={"name": label, "version": 1, "config": {}},
        traits=traits,
        arms=tuple(arms),
        open_agent=lambda room: open_it(),
        policy_maker=lambda room: ToyMaker(),
    )


@dataclass
class Harness:
    """One run folder and what goes on in it."""

    path: Path
    reader: ToyReader = field(default_factory=ToyReader)
    judge: ToyJudge = field(default_factory=ToyJudge)
    budget_tokens: int = 1000
    search_limit: int = 5
    repeats: Repeats = field(default_factory=Repeats)

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.path)

    @property
    def cast(self) -> Roles:
        return Roles(reader=self.reader, judge=self.judge, user=ScriptedUser())

    @property
    def conditions(self) -> Conditions:
        return Conditions(
            budget_tokens=self.budget_tokens,
            search_limit=self.search_limit,
            prompts={"answer": PROMPT},
            judged=frozenset({"toy"}),
            repeats=self.repeats,
        )

    def trials(self, protocol: str, *rows: Row) -> list[Trial]:
        """Both episodes of a protocol under each row."""
        made = [PROTOCOLS[protocol](name) for name in EPISODES]
        return [self.trial(keyed, steps, row) for keyed, steps in made for row in rows]

    def trial(self, keyed: Keyed, steps: Sequence[Step], row: Row) -> Trial:
        return plan_trial(row, episode(keyed, steps, {}), self.conditions, self.cast)

    def run(self, trials: Sequence[Trial], limits: Limits | None = None) -> list[Finished]:
        """Run trials with the real engine."""
        return execute(
            trials, self.folder, roles=self.cast, conditions=self.conditions, limits=limits or Limits(trials=1, calls=2)
        )

    def journal(self, trial: Trial) -> Journal:
        return self.folder.journal(trial.trial_id)

    def bodies(self, trials: Sequence[Trial], kind: str) -> list[Any]:
        """All records of a kind, in the order of the trials."""
        return [body for trial in trials for _, body in self.journal(trial).bodies(kind)]

    def answers(self, trials: Sequence[Trial], arm: Arm = Arm.SYSTEM) -> list[str]:
        """Answer texts in the order of asking."""
        return [
            self.journal(trial).body(cell.answer).text
            for trial in trials
            for cell in trial.cells
            if cell.arm is arm and cell.answer in self.journal(trial).done
        ]


def oracle() -> Row:
    """The oracle's row."""
    return oracle_row()
