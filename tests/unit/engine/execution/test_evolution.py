"""What a policy is made from: as much as the feedback says and no more, in the state's key; a kill changes nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.histories import Keyed
from recollect.domain.steps import Evolve, Feedback, Step
from recollect.engine.plan import Trial
from recollect.engine.rows import Roles, Row
from recollect.records.feedback import read_feedback

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row
from tests.fakes.toy_protocols import evolving
from tests.fakes.trees import records
from tests.unit.memories.agents.opening import row
from tests.unit.memories.hash_embedder import HashEmbedder

EXPOSED = {"river_colour": "blue"}
KINDS = ("questions", "answers", "complete")


@dataclass
class Listening:
    """A maker that hears what it is told."""

    heard: list[str] = field(default_factory=list)
    fingerprint: str = "listening-1"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        self.heard += feedback
        return f"{policy} and more"


def learning(kind: Any, exposed: dict[str, str] = EXPOSED) -> tuple[Keyed, list[Step]]:
    keyed, steps = evolving("one")
    told = Feedback(kind=kind, exposed=exposed)
    return keyed, [replace(step, feedback=told) if isinstance(step, Evolve) else step for step in steps]


def heard(kind: str, folder: Path) -> list[str]:
    maker, harness = Listening(), Harness(folder)
    agent = replace(agent_row(toy.BufferAgent, toy.AGENT), policy_maker=lambda room: maker)
    harness.run([harness.trial(*learning(kind), agent)])
    return maker.heard


def test_questions_alone_tell_nothing_else(tmp_path: Path) -> None:
    assert [json.loads(line) for line in heard("questions", tmp_path)] == [{"question": "What is river?"}]


def test_with_answers_come_what_was_said_and_what_was_recalled_for_it(tmp_path: Path) -> None:
    """Of the first of three dialogues; the toy agent recalls all that it holds."""
    asked, exposed = read_feedback(heard("answers", tmp_path))
    assert [(one.answer, one.right) for one in asked] == [("blue", ())]
    assert asked[0].remembered[0] == "river is blue"
    assert not exposed


def test_complete_feedback_also_tells_the_gold_and_the_states_that_were_told(tmp_path: Path) -> None:
    asked, exposed = read_feedback(heard("complete", tmp_path))
    assert [(one.answer, one.right) for one in asked] == [("blue", ("blue",))]
    assert exposed == EXPOSED


@pytest.mark.parametrize("kind", KINDS)
def test_the_states_that_were_told_are_in_the_key_of_the_next_state(kind: str, tmp_path: Path) -> None:
    one, other = (
        Harness(tmp_path).trial(*learning(kind, exposed), agent_row(toy.BufferAgent, toy.AGENT))
        for exposed in (EXPOSED, {"river_colour": "green"})
    )
    assert one.stages[2].after != other.stages[2].after


class WithEmbedder(Harness):
    """For agents whose reader compares texts."""

    @property
    def cast(self) -> Roles:
        return replace(super().cast, embedder=HashEmbedder(dimensions=256))


def _kept(made: Row) -> Row:
    """Its saved states stay when the trial is over."""
    return replace(made, traits=replace(made.traits, models_on_write=True))


ROWS = {
    "toy": lambda: agent_row(toy.BufferAgent, toy.AGENT),
    "awi": lambda: row("awi", policy="boats"),
    "no snapshots": lambda: agent_row(toy.BufferAgent, toy.AGENT_NO_SNAPSHOT),
}


def _ran(folder: Path, made: Row) -> tuple[Harness, Trial]:
    harness = WithEmbedder(folder)
    trial = harness.trial(*learning("complete"), made)
    (finished,) = harness.run([trial])
    assert finished.complete
    return harness, trial


@pytest.mark.parametrize("name", ROWS)
def test_a_kill_after_any_record_also_between_questions_and_evolution_loses_nothing(name: str, tmp_path: Path) -> None:
    """The saved states are there as they were, so that policies come back from snapshots, too."""
    made = _kept(ROWS[name]())
    whole, trial = _ran(tmp_path / "whole", made)
    policies = [body.policy for body in whole.bodies([trial], "state") if body.policy]
    assert len(policies) == 1
    lines = (whole.folder.trial(trial.trial_id) / "records.jsonl").read_bytes().splitlines(keepends=True)
    for number in range(1, len(lines)):
        cut = tmp_path / str(number)
        shutil.copytree(whole.path, cut)
        (WithEmbedder(cut).folder.trial(trial.trial_id) / "records.jsonl").write_bytes(b"".join(lines[:number]))
        harness, again = _ran(cut, made)
        assert records(cut) == records(whole.path), f"after {number} of {len(lines)} records"
        assert [body.policy for body in harness.bodies([again], "state") if body.policy] == policies


def test_a_policy_that_was_adopted_comes_back_with_the_saved_state(tmp_path: Path) -> None:
    """The dialogue after it is cut off: it is held again under the policy, which is not proposed again."""
    made = row("awi", policy="boats")
    whole, trial = _ran(tmp_path / "whole", _kept(made))
    silent = replace(_kept(made), policy_maker=lambda room: pytest.fail("asked for a policy again"))
    file = whole.folder.trial(trial.trial_id) / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    last = next(place for place, line in enumerate(lines) if b'"did":"evolve"' in line)
    before = records(whole.path)
    file.write_bytes(b"".join(lines[: last + 1]))
    _ran(tmp_path / "whole", silent)
    assert records(whole.path) == before
