"""Borders of the engine's promises: odd episodes, faults in every seam, arms, handles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.reading import Prompt
from recollect.contracts.traits import Traits, WriteUnit
from recollect.domain.exchange import Context, Reply
from recollect.domain.ids import CheckpointId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Step
from recollect.engine.execution.executor import Limits
from recollect.engine.rows import oracle_row

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.toy_protocols import converse, observe_all
from tests.fakes.trees import records

ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)
HANDLES = Path("/proc/self/fd")
SEAMS = ("open", "write", "settle", "units", "save", "search")


class OnceBrokenError(Exception):
    """What a third-party system may raise."""


def broken_once(seam: str, kind: type[toy.ToyMemory] = toy.ToyMemory) -> Callable[[], toy.ToyMemory]:
    """A memory whose *seam* raises the first time it is used, in whichever instance."""
    used: list[str] = []

    def fail_first() -> None:
        used.append(seam)
        if len(used) == 1:
            raise OnceBrokenError(f"{seam} broke")

    def broken(self: toy.ToyMemory, *given: Any) -> Any:
        fail_first()
        return getattr(kind, seam)(self, *given)

    made: type[toy.ToyMemory] = kind if seam == "open" else type("Broken", (kind,), {seam: broken})

    def open_it() -> toy.ToyMemory:
        if seam == "open":
            fail_first()
        return made()

    return open_it


def _ask(steps: Sequence[Step]) -> Ask:
    """The last step of *steps*, which asks."""
    last = steps[-1]
    assert isinstance(last, Ask)
    return last


@pytest.mark.parametrize("seam", SEAMS)
@pytest.mark.parametrize("traits", [toy.TOY, toy.WRITES_RESTORED], ids=["as it is", "restored"])
def test_a_fault_is_no_score_spares_the_oracle_and_is_gone_after_a_resume(
    seam: str, traits: Traits, tmp_path: Path
) -> None:
    keyed, steps = observe_all("one")
    whole, hurt = Harness(tmp_path / "whole"), Harness(tmp_path / "hurt")
    trials = [hurt.trial(keyed, steps, memory_row(broken_once(seam), traits)), hurt.trial(keyed, steps, oracle_row())]
    first, evidence = hurt.run(trials, Limits(trials=1, calls=1))
    assert (first.complete, evidence.complete) == (False, True)
    faults = hurt.bodies(trials, "fault")
    assert {(fault.cause, fault.error) for fault in faults} == {("raised", "OnceBrokenError")}
    assert all(finished.complete for finished in hurt.run(trials))
    whole.run([whole.trial(keyed, steps, memory_row(toy.ToyMemory, traits)), trials[1]])
    assert records(hurt.path) == records(whole.path)


def test_a_close_that_breaks_costs_nothing(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    trials = harness.trials("observe_all", memory_row(broken_once("close"), toy.TOY))
    assert all(finished.complete and not finished.faults for finished in harness.run(trials))


class FaultyReader(toy.ToyReader):
    """Breaks at its first call."""

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        reply = super().read(context, question, prompt)
        if self.calls == 1:
            raise OnceBrokenError
        return reply


class FaultyJudge(toy.ToyJudge):
    """Breaks at its first call."""

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        verdict = super().judge(question, key, reply)
        if self.calls == 1:
            raise OnceBrokenError
        return verdict


@pytest.mark.parametrize(
    ("cast", "stage"),
    [
        pytest.param({"reader": FaultyReader()}, "answer", id="reader"),
        pytest.param({"judge": FaultyJudge()}, "judge", id="judge"),
    ],
)
def test_a_fault_of_reader_or_judge_is_one_cell_and_is_tried_again(
    cast: dict[str, Any], stage: str, tmp_path: Path
) -> None:
    harness = Harness(tmp_path, **cast)
    (trial, _) = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    (first,) = harness.run([trial])
    assert (first.complete, first.faults) == (False, 1)
    assert [fault.stage for fault in harness.bodies([trial], "fault")] == [stage]
    (second,) = harness.run([trial])
    assert (second.complete, second.faults) == (True, 0)


def test_an_episode_without_steps_is_complete_at_once(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, _ = observe_all("one")
    (finished,) = harness.run([harness.trial(keyed, [], memory_row(toy.ToyMemory, toy.TOY))])
    assert finished.complete
    assert not harness.journal(finished.trial).done


def test_asking_before_anything_was_shown_finds_nothing_and_is_no_fault(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    early = replace(_ask(steps), checkpoint=CheckpointId("start"))
    trial = harness.trial(keyed, [early, *steps], memory_row(toy.ToyMemory, toy.TOY))
    (finished,) = harness.run([trial])
    assert (finished.complete, finished.faults) == (True, 0)
    assert harness.answers([trial]) == ["not mentioned"] * 3 + ["brown", "restored", "busy"]


def test_the_same_ask_twice_in_a_row_is_recorded_once(tmp_path: Path) -> None:
    once, twice = Harness(tmp_path / "once"), Harness(tmp_path / "twice")
    keyed, steps = observe_all("one")
    row = memory_row(toy.ToyMemory, toy.TOY, arms=ARMS)
    once.run([once.trial(keyed, steps, row)])
    twice.run([twice.trial(keyed, [*steps, steps[-1]], row)])
    assert records(once.path) == records(twice.path)


def test_probes_are_asked_of_the_system_alone_and_never_judged(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    ask = _ask(steps)
    probes = replace(ask, questions=tuple(replace(q, purpose="probe") for q in ask.questions))
    rows = (memory_row(toy.ToyMemory, toy.TOY, arms=ARMS), oracle_row())
    memory, oracle = (harness.trial(keyed, [*steps[:-1], probes], row) for row in rows)
    assert {(cell.arm, cell.verdict) for cell in memory.cells} == {(Arm.SYSTEM, None)}
    assert not list(oracle.cells)


def test_arms_of_an_ask_narrow_those_of_the_row(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    only = replace(_ask(steps), arms=(Arm.ORACLE, Arm.READBACK))
    row = memory_row(toy.ToyMemory, toy.TOY, arms=ARMS)
    assert {cell.arm for cell in harness.trial(keyed, [*steps[:-1], only], row).cells} == {Arm.READBACK}
    assert {cell.arm for cell in harness.trial(keyed, [*steps[:-1], only], oracle_row()).cells} == {Arm.ORACLE}


@pytest.mark.parametrize(
    ("known", "available"),
    [
        pytest.param({}, set(), id="nothing"),
        pytest.param({"oracle_text": "river is deep"}, {Arm.ORACLE}, id="a text for the oracle"),
        pytest.param({"abstain": True}, {Arm.ORACLE, *ARMS[1:]}, id="that there is none"),
    ],
)
def test_without_evidence_the_arms_that_need_it_are_not_available(
    known: dict[str, Any], available: set[Arm], tmp_path: Path
) -> None:
    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    keys = {name: replace(key, evidence=(), **known) for name, key in keyed.keys.items()}
    rows = (memory_row(toy.ToyMemory, toy.TOY, arms=ARMS), oracle_row())
    trials = [harness.trial(replace(keyed, keys=keys), steps, row) for row in rows]
    assert all(finished.complete for finished in harness.run(trials))
    answered = {
        cell.arm for t in trials for cell in t.cells if harness.journal(t).done[cell.answer].kind != "unavailable"
    }
    assert answered == {Arm.SYSTEM, *available}


def test_a_split_message_is_read_back_by_all_its_pieces_and_none_of_its_neighbours(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    traits = replace(toy.TOY, takes=WriteUnit.TOKENS, unit_size=2)
    trial = harness.trial(keyed, steps, memory_row(toy.ToyMemory, traits, arms=ARMS))
    harness.run([trial])
    journal = harness.journal(trial)
    for cell in trial.cells:
        if cell.arm is not Arm.SYSTEM:
            content = journal.body(journal.body(cell.recall).content)
            evidence = next(m for m in keyed.history.messages() if m.message_id == cell.key.evidence[0])
            assert "".join(item.text for item in content.items) == evidence.text


def test_an_agent_that_was_shown_and_talked_to_in_turn_keeps_both(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    keyed, talk = converse("one")
    _, shown = observe_all("two")
    trial = harness.trial(keyed, [shown[0], *talk[:2], shown[1], *talk[2:]], agent_row(toy.BufferAgent, toy.AGENT))
    (finished,) = harness.run([trial])
    assert (finished.complete, finished.faults) == (True, 0)
    assert harness.answers([trial]) == ["blue", "green", "loud"]


def _open_files() -> int:
    return sum(1 for _ in HANDLES.iterdir())


@pytest.mark.skipif(not HANDLES.is_dir(), reason="this system does not list its open files under /proc")
def test_runs_leave_no_file_open(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    trials = [harness.trial(*observe_all(str(n)), memory_row(toy.ToyMemory, toy.TOY)) for n in range(30)]
    harness.run(trials[:2])
    before = _open_files()
    harness.run(trials, Limits(trials=3, calls=3))
    assert _open_files() == before
