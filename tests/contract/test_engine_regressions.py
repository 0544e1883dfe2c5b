"""Each of these once went wrong: silent ends, endless loops, records that were lost, keys that forgot something."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from recollect.contracts.memory import Memory, Room
from recollect.contracts.reading import Prompt
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import DataError, InterruptedRunError, NotAvailableError, UsageError
from recollect.domain.exchange import Batch, Context, Cue, Recall, RecallItem, Receipt, Reply
from recollect.domain.histories import Keyed
from recollect.domain.ids import CheckpointId, MessageId, RecordKey, SessionId
from recollect.domain.messages import Session
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Evolve, Feedback, Observe, Step
from recollect.engine.plan import Trial, episode, plan_trial
from recollect.engine.rows import Row, oracle_row
from recollect.records.kinds import VoidRecord
from recollect.store.journal import Journal
from recollect.store.merge import merge
from recollect.store.run_folder import RunFolder

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.toy_protocols import checkpoints, converse, evolving, observe_all
from tests.fakes.trees import records

ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)


def answering(value: Any) -> type[toy.ToyMemory]:
    """A memory that gives *value* when asked for the river."""

    class Answering(toy.ToyMemory):
        def search(self, cue: Cue) -> Recall:
            found: Recall = value if "river" in cue.text else super().search(cue)
            return found

    return Answering


def raising(error: BaseException, seam: str, kind: type = toy.ToyMemory) -> Any:
    """A *kind* whose *seam* raises."""

    def boom(self: object, *given: object) -> None:
        raise error

    return type("Raising", (kind,), {seam: boom})


def one_trial(harness: Harness, row: Row) -> Trial:
    """Everything is shown to *row*, then three questions are asked."""
    return harness.trial(*observe_all("one"), row)


def causes(harness: Harness, trial: Trial) -> set[tuple[str, str]]:
    """What broke, as (stage, cause)."""
    return {(fault.stage, fault.cause) for fault in harness.bodies([trial], "fault")}


class ReaderOf(toy.ToyReader):
    """A reader that gives a fixed reply."""

    def __init__(self, reply: Any) -> None:
        super().__init__()
        self.reply = reply

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        reply: Reply = self.reply
        return reply


class NoRivers(toy.ToyReader):
    """A reader that cannot take one of the questions."""

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        if "river" in question.text:
            raise NotAvailableError("no rivers here")
        return super().read(context, question, prompt)


class JudgeOf(toy.ToyJudge):
    """A judge that gives a fixed verdict."""

    def __init__(self, verdict: Any) -> None:
        super().__init__()
        self.verdict = verdict

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        verdict: Verdict = self.verdict
        return verdict


# What a system may do wrong


@pytest.mark.parametrize("error", [SystemExit(0), asyncio.CancelledError()], ids=["exits", "is cancelled"])
@pytest.mark.parametrize("seam", ["write", "settle", "units", "save", "search"])
def test_a_memory_that_exits_is_a_fault_and_not_the_end_of_the_run(
    seam: str, error: BaseException, tmp_path: Path
) -> None:
    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(raising(error, seam), toy.TOY))
    (finished,) = harness.run([trial])
    assert not finished.complete
    assert {fault.error for fault in harness.bodies([trial], "fault")} == {type(error).__name__}


def test_a_memory_that_exits_when_closed_has_done_its_work(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    for number, error in enumerate((SystemExit(0), UsageError("closed twice"), NotAvailableError("no"))):
        row = memory_row(raising(error, "close"), toy.TOY, label=str(number))
        assert [f.complete for f in harness.run([one_trial(harness, row)])] == [True]


def test_a_reader_or_judge_that_exits_is_a_fault(tmp_path: Path) -> None:
    reader = raising(SystemExit(0), "read", toy.ToyReader)()
    judge = raising(SystemExit(0), "judge", toy.ToyJudge)()
    for stage, harness in (
        ("answer", Harness(tmp_path / "r", reader=reader)),
        ("judge", Harness(tmp_path / "j", judge=judge)),
    ):
        trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
        assert [f.complete for f in harness.run([trial])] == [False]
        assert causes(harness, trial) == {(stage, "raised")}


class MuteError(Exception):
    """An error that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("error", [MuteError(), RuntimeError("half a \udc80")], ids=["no message", "lone surrogate"])
def test_an_error_whose_message_cannot_be_read_is_a_fault(error: Exception, tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(raising(error, "search"), toy.TOY))
    assert [f.faults for f in harness.run([trial])] == [3]
    assert {fault.error for fault in harness.bodies([trial], "fault")} == {type(error).__name__}


def item(**more: Any) -> Recall:
    """A recall of one item."""
    return Recall(items=(RecallItem(**{"text": "river is x", "sources": (), **more}),))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="none"),
        pytest.param([], id="list"),
        pytest.param(item(score=float("nan")), id="score nan"),
        pytest.param(item(score="high"), id="score text"),
        pytest.param(item(text=None), id="no text"),
        pytest.param(item(text="half a \ud83d"), id="lone surrogate"),
        pytest.param(item(sources=(1,)), id="source number"),
        pytest.param(item(said_at=5), id="time number"),
    ],
)
def test_a_malformed_recall_is_a_fault_of_its_question_alone(value: object, tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(answering(value), toy.TOY))
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(False, 1)]
    assert causes(harness, trial) == {("recall", "malformed")}
    assert len(harness.answers([trial])) == 2


@pytest.mark.parametrize(
    "receipt",
    [
        pytest.param(None, id="none"),
        pytest.param(Receipt(status="perhaps"), id="status"),  # type: ignore[arg-type]
        pytest.param(Receipt(status="stored", unit_ids=(1,)), id="unit id"),  # type: ignore[arg-type]
    ],
)
def test_a_malformed_receipt_is_a_fault_of_the_step(receipt: Any, tmp_path: Path) -> None:
    class Writer(toy.ToyMemory):
        def write(self, batch: Batch) -> Receipt:
            super().write(batch)
            given: Receipt = receipt
            return given

    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(Writer, toy.TOY))
    harness.run([trial])
    assert causes(harness, trial) == {("state", "malformed")}


@pytest.mark.parametrize(
    "reply",
    [None, Reply(text=None), Reply(text="\ud83d")],  # type: ignore[arg-type]
    ids=["none", "no text", "lone surrogate"],
)
def test_a_malformed_reply_of_a_reader_is_a_fault_and_poisons_no_record(reply: object, tmp_path: Path) -> None:
    harness = Harness(tmp_path, reader=ReaderOf(reply))
    trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
    harness.run([trial])
    assert causes(harness, trial) == {("answer", "malformed")}
    harness.reader = toy.ToyReader()
    assert [f.complete for f in harness.run([trial])] == [True]


@pytest.mark.parametrize("value", [None, float("nan"), 2.0, "right"], ids=str)
def test_a_malformed_verdict_is_a_fault(value: Any, tmp_path: Path) -> None:
    verdict = None if value is None else Verdict(parts=(Judgement(name="right", value=value, why=""),), judge="x")
    harness = Harness(tmp_path, judge=JudgeOf(verdict))
    trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
    harness.run([trial])
    assert causes(harness, trial) == {("judge", "malformed")}


def test_a_judge_that_has_no_verdict_to_give_is_a_fault(tmp_path: Path) -> None:
    harness = Harness(tmp_path, judge=raising(NotAvailableError("no"), "judge", toy.ToyJudge)())
    trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
    assert [f.complete for f in harness.run([trial])] == [False]
    assert causes(harness, trial) == {("judge", "not_available")}


def test_a_malformed_reply_or_policy_of_an_agent_is_a_fault(tmp_path: Path) -> None:
    class Speechless(toy.BufferAgent):
        def reply(self, message: Any, reply_id: MessageId) -> Reply:
            return Reply(text=None)  # type: ignore[arg-type]

    class Aimless(toy.ToyMaker):
        def propose(self, policy: str, feedback: Sequence[str]) -> str:
            return None  # type: ignore[return-value]

    rows = (
        agent_row(Speechless, toy.AGENT, label="speechless"),
        replace(agent_row(toy.BufferAgent, toy.AGENT, label="aimless"), policy_maker=lambda room: Aimless()),
    )
    for row in rows:
        harness = Harness(tmp_path / row.label)
        trial = harness.trial(*evolving("one"), row)
        harness.run([trial])
        assert causes(harness, trial) == {("state", "malformed")}


def test_a_lone_surrogate_in_the_data_is_an_error_of_the_data(tmp_path: Path) -> None:
    keyed, _ = observe_all("one")
    events = tuple(_with_half_a_character(e) if isinstance(e, Session) else e for e in keyed.history.timeline)
    with pytest.raises(DataError, match="half a character"):
        RunFolder(tmp_path).write_data([replace(keyed, history=replace(keyed.history, timeline=events))], {}, {})


def _with_half_a_character(session: Session) -> Session:
    return replace(session, messages=tuple(replace(m, text=f"{m.text}\ud83d") for m in session.messages))


# Systems that asking changes, and cells that cannot be filled


class NoCastles(toy.CountingMemory):
    """A search changes what the next search finds, and one question it cannot take."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        if "castle" in cue.text:
            raise NotAvailableError("no castles")
        return found


def test_an_order_dependent_system_with_a_failing_question_and_a_later_step_comes_to_an_end(tmp_path: Path) -> None:
    opened = count()

    class Failing(toy.CountingMemory):
        def __post_init__(self) -> None:
            if next(opened) > 20:
                raise KeyboardInterrupt("opened again and again")

        def search(self, cue: Cue) -> Recall:
            found = super().search(cue)
            if "castle" in cue.text:
                raise ConnectionError("gone")
            return found

    harness = Harness(tmp_path)
    keyed, steps = observe_all("one")
    trial = harness.trial(keyed, [*steps, _later(steps[0])], memory_row(Failing, toy.WRITES_IN_ORDER))
    (finished,) = harness.run([trial])
    assert (finished.complete, finished.faults, finished.voided) == (False, 1, 0)


def _later(step: Step) -> Step:
    """The same once more, as a session of its own."""
    assert isinstance(step, Observe)
    again = tuple(replace(m, message_id=MessageId(f"{m.message_id}z")) for m in step.session.messages)
    return replace(step, session=replace(step.session, session_id=SessionId("z"), messages=again))


def test_a_fault_in_passing_of_an_order_dependent_system_is_made_good_by_the_next_run(tmp_path: Path) -> None:
    searches = count(1)

    class OnceGone(toy.CountingMemory):
        def search(self, cue: Cue) -> Recall:
            found = super().search(cue)
            if next(searches) == 2:
                raise ConnectionError("gone")
            return found

    hurt, whole = Harness(tmp_path / "hurt"), Harness(tmp_path / "whole")
    trials = [h.trial(*checkpoints("one"), memory_row(OnceGone, toy.WRITES_IN_ORDER)) for h in (hurt, whole)]
    hurt.run(trials[:1])
    assert [(f.complete, f.faults) for f in hurt.run(trials[:1])] == [(True, 0)]
    whole.run(trials[1:])
    assert records(hurt.path) == records(whole.path)


def asked_twice(name: str) -> tuple[Keyed, list[Step]]:
    """The three questions after half of the sessions, and again at the end."""
    keyed, steps = observe_all(name)
    ask = steps[-1]
    assert isinstance(ask, Ask)
    return keyed, [*steps[:2], replace(ask, checkpoint=CheckpointId("mid")), *steps[2:]]


class ShyOfRivers(toy.ToyMemory):
    """A search that cannot take one of the questions."""

    def search(self, cue: Cue) -> Recall:
        if "river" in cue.text:
            raise NotAvailableError("no rivers")
        return super().search(cue)


CUT: Mapping[str, tuple[Any, Any, Traits, tuple[Arm, ...], Any]] = {
    "order-dependent, readback arms": (observe_all, toy.CountingMemory, toy.WRITES_IN_ORDER, ARMS, toy.ToyReader),
    "order-dependent, not available": (asked_twice, NoCastles, toy.WRITES_IN_ORDER, (Arm.SYSTEM,), toy.ToyReader),
    "search not available": (observe_all, ShyOfRivers, toy.TOY, (Arm.SYSTEM,), toy.ToyReader),
    "reader not available": (observe_all, toy.ToyMemory, toy.TOY, (Arm.SYSTEM,), NoRivers),
    "writes when asked, in secret": (observe_all, toy.SecretWriter, toy.TOY, (Arm.SYSTEM,), toy.ToyReader),
}


@pytest.mark.parametrize("name", CUT)
def test_a_kill_after_any_record_leads_to_the_same_end(name: str, tmp_path: Path) -> None:
    """Also between the keys of one cell, and between the last recall and the check: the same faults are found."""
    protocol, kind, traits, arms, reader = CUT[name]
    whole = Harness(tmp_path / "whole", reader=reader())
    keyed, steps = protocol("one")
    trial = whole.trial(keyed, steps, memory_row(kind, traits, arms=arms))
    (end,) = whole.run([trial])
    lines = (whole.folder.trial(trial.trial_id) / "records.jsonl").read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        cut = Harness(tmp_path / str(number), reader=reader())
        file = cut.folder.trial(trial.trial_id) / "records.jsonl"
        file.parent.mkdir(parents=True)
        file.write_bytes(b"".join(lines[:number]))
        (again,) = cut.run([trial])
        assert (again.complete, again.faults) == (end.complete, end.faults), f"after {number} records"
        assert records(cut.path) == records(whole.path), f"after {number} records"


def test_a_new_judge_finds_cells_that_are_not_available_settled(tmp_path: Path) -> None:
    harness = Harness(tmp_path, reader=NoRivers())
    harness.run([one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))])
    harness.judge = toy.ToyJudge("another")
    (finished,) = harness.run([one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))])
    assert (finished.complete, finished.faults) == (True, 0)


@pytest.mark.parametrize("protocol", [converse, evolving], ids=["converses", "evolves"])
def test_a_whole_history_taker_that_should_converse_or_evolve_is_not_available_with_a_reason(
    protocol: Callable[[str], tuple[Keyed, list[Step]]], tmp_path: Path
) -> None:
    harness = Harness(tmp_path)
    traits = replace(toy.AGENT_NO_SNAPSHOT, takes=WriteUnit.WHOLE_HISTORY)
    trial = harness.trial(*protocol("one"), agent_row(toy.BufferAgent, traits))
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(True, 0)]
    reasons = {body.why for body in harness.bodies([trial], "unavailable")}
    assert len(reasons) == 1
    assert "whole histories" in reasons.pop()


def test_pure_readback_drops_items_that_name_no_source(tmp_path: Path) -> None:
    class Vague(toy.ToyMemory):
        def stored_from(self, sources: Any) -> Recall:
            return item(text="about the town")

    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(Vague, toy.TOY, arms=ARMS))
    harness.run([trial])
    shown = {body.arm: body.content for body in harness.bodies([trial], "recall")}
    items = {arm: len(harness.journal(trial).body(content).items) for arm, content in shown.items()}
    assert (items[Arm.READBACK], items[Arm.READBACK_PURE]) == (1, 0)


# Saved states, openings, interrupts


def test_a_snapshot_that_does_not_load_falls_back_to_replay(tmp_path: Path) -> None:
    class Stopped(toy.ToyMemory):
        def search(self, cue: Cue) -> Recall:
            if len(self.messages) > 8:
                raise KeyboardInterrupt
            return super().search(cue)

    harness = Harness(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        harness.run([harness.trial(*checkpoints("one"), memory_row(Stopped, toy.TOY))])
    trial = harness.trial(*checkpoints("one"), memory_row(raising(ValueError("old format"), "load"), toy.TOY))
    assert [(f.complete, f.faults, f.voided) for f in harness.run([trial])] == [(True, 0, 0)]


def test_a_stray_file_among_the_snapshots_does_not_stop_a_run(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
    (harness.folder.trial(trial.trial_id) / "snapshots").mkdir(parents=True)
    (harness.folder.trial(trial.trial_id) / "snapshots" / ".DS_Store").write_text("")
    assert [f.complete for f in harness.run([trial])] == [True]


def test_no_two_openings_share_a_namespace(tmp_path: Path) -> None:
    """On a server that outlives the process, what a killed run left there would be found by the next."""
    names: list[str] = []

    def opened(room: Room) -> Memory:
        names.append(room.namespace)
        return raising(KeyboardInterrupt(), "settle")() if len(names) == 1 else toy.CountingMemory()

    harness = Harness(tmp_path)
    trial = one_trial(harness, replace(memory_row(toy.ToyMemory, toy.WRITES_RESTORED), open_memory=opened))
    with pytest.raises(KeyboardInterrupt):
        harness.run([trial])
    harness.run([trial])
    assert len(names) == 5  # the stopped one, the next, and a copy for each of three questions
    assert len(set(names)) == 5


def test_a_fault_of_a_stage_whose_check_is_there_is_cleared_by_the_run_that_makes_it_good(tmp_path: Path) -> None:
    settled = count()

    class OnceUnsettled(toy.ToyMemory):
        def settle(self) -> None:
            if next(settled) == 0:
                raise ConnectionError("gone")

    harness = Harness(tmp_path)
    harness.run([one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))])
    trial = one_trial(harness, memory_row(OnceUnsettled, toy.TOY, arms=ARMS))
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(False, 1)]
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(True, 0)]


def test_an_interrupt_keeps_the_answers_that_are_in_flight(tmp_path: Path) -> None:
    class Slow(toy.ToyReader):
        def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
            reply = super().read(context, question, prompt)
            if self.calls == 1:
                os.kill(os.getpid(), signal.SIGINT)
            sleep(0.5)  # longer than it takes to notice the interrupt
            return reply

    harness = Harness(tmp_path, reader=Slow())
    trial = one_trial(harness, memory_row(toy.ToyMemory, toy.TOY))
    with pytest.raises(InterruptedRunError):
        harness.run([trial])
    assert harness.reader.calls >= 2
    assert len(harness.answers([trial])) == harness.reader.calls


def test_trial_facts_follow_the_plan(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    for arms, cells in (((Arm.SYSTEM,), 3), (ARMS, 9)):
        harness.run([one_trial(harness, memory_row(toy.ToyMemory, toy.TOY, arms=arms))])
        assert [len(facts["cells"]) for facts in harness.folder.trials()] == [cells]


def test_two_rows_of_one_system_are_refused(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    row = memory_row(toy.ToyMemory, toy.TOY)
    trials = [one_trial(harness, replace(row, label=label)) for label in "ab"]
    with pytest.raises(UsageError, match="rows a, b are one and the same system"):
        harness.run(trials)


def test_traits_take_plain_strings_and_refuse_wrong_ones() -> None:
    made = Traits(takes="messages", unit_size=2, can=frozenset({"listing"}))  # type: ignore[arg-type]
    assert made == Traits(takes=WriteUnit.MESSAGES, unit_size=2, can=frozenset({Capability.LISTING}))
    with pytest.raises(ValueError, match="mesages"):
        Traits(takes="mesages", unit_size=2)  # type: ignore[arg-type]


def test_a_write_in_many_parts_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    journal = Journal(tmp_path / "records.jsonl", write=True)
    monkeypatch.setattr(os, "write", lambda handle, line: real(handle, line[: max(1, len(line) // 3)]))
    for digit in "01":
        journal.append(f"r1:{digit * 32}", VoidRecord(reason="x" * 50), "void")
    monkeypatch.undo()
    journal.close()
    assert Journal(journal.path).voids == 2


@pytest.mark.parametrize("name", ["../../../escaped", "/escaped", "..", ""])
def test_a_merge_writes_nothing_outside_its_folder(name: str, tmp_path: Path) -> None:
    part = RunFolder(tmp_path / "runs" / "part")
    part.create({"config": {}})
    (part.path / "trials" / "x").mkdir(parents=True)
    (part.path / "trials" / "x" / "trial.json").write_text(json.dumps({"trial": name}))
    with pytest.raises(DataError, match="no id of a trial"):
        merge([part], RunFolder(tmp_path / "runs" / "whole"))
    assert not list(tmp_path.rglob("escaped"))


def test_a_trial_without_an_id_is_refused_by_a_merge(tmp_path: Path) -> None:
    part = RunFolder(tmp_path / "part")
    part.create({"config": {}})
    (part.path / "trials" / "x").mkdir(parents=True)
    (part.path / "trials" / "x" / "trial.json").write_text("{}")
    with pytest.raises(DataError, match="names no trial"):
        merge([part], RunFolder(tmp_path / "whole"))


# Keys: everything that can change a record, and nothing else

KEYED, STEPS = observe_all("one")
ROW = memory_row(toy.ToyMemory, toy.TOY, arms=ARMS)
PLANNER = Harness(Path("nowhere"))


def keys(trial: Trial, what: str, arm: Arm | None = None) -> list[RecordKey]:
    """The keys of one kind, in the order of asking."""
    return [getattr(cell, what) for cell in trial.cells if arm in (None, cell.arm)]


def differ(one: Sequence[RecordKey], other: Sequence[RecordKey]) -> bool:
    """All of them differ; that only some do is an error."""
    same = set(one) & set(other)
    assert not same or set(one) == set(other), "some of the keys differ"
    return not same


@pytest.mark.parametrize(
    "change",
    [{"text": "What is tower?"}, {"cue": "castle"}, {"asked_at": "2024-01-01"}, {"output_tokens": 3},
     {"variables": {"a": "b"}}],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_what_an_ask_says_of_a_question_is_in_the_recall_key(change: dict[str, Any]) -> None:
    """The Ask may word a question otherwise than the history does."""
    ask = STEPS[-1]
    assert isinstance(ask, Ask)
    asked = replace(ask, questions=tuple(replace(q, **change) for q in ask.questions))
    other = PLANNER.trial(KEYED, [*STEPS[:-1], asked], ROW)
    assert differ(keys(PLANNER.trial(KEYED, STEPS, ROW), "recall"), keys(other, "recall"))


@pytest.mark.parametrize(("limit", "changes"), [("tokens", True), ("items", False)])
def test_the_budget_is_in_the_recall_key_where_the_limit_means_tokens(limit: Any, changes: bool) -> None:
    row = memory_row(toy.ToyMemory, replace(toy.TOY, limit=limit))
    one, other = (Harness(Path("x"), budget_tokens=n).trial(KEYED, STEPS, row) for n in (10, 1000))
    assert differ(keys(one, "recall"), keys(other, "recall")) is changes


def test_budget_and_search_limit_change_no_key_of_a_readback_arm() -> None:
    base = PLANNER.trial(KEYED, STEPS, ROW)
    for more in ({"budget_tokens": 10}, {"search_limit": 1}):
        other = Harness(Path("x"), **more).trial(KEYED, STEPS, ROW)  # type: ignore[arg-type]
        assert keys(other, "answer", Arm.READBACK) == keys(base, "answer", Arm.READBACK)
        assert differ(keys(other, "answer", Arm.SYSTEM), keys(base, "answer", Arm.SYSTEM))


@pytest.mark.parametrize(
    "change",
    [{"takes": WriteUnit.PAIR}, {"time": "text"}, {"speaker": "nowhere"}, {"channel": "text"},
     {"takes": WriteUnit.TOKENS, "unit_size": 9}],
    ids=str,
)  # fmt: skip
def test_traits_that_change_what_is_fed_change_every_key(change: dict[str, Any]) -> None:
    other = PLANNER.trial(KEYED, STEPS, replace(ROW, traits=replace(toy.TOY, **change)))
    assert not PLANNER.trial(KEYED, STEPS, ROW).keys() & other.keys()


def corrected(keyed: Keyed) -> Keyed:
    """The same with another gold."""
    return replace(keyed, keys={name: replace(key, gold=("corrected",)) for name, key in keyed.keys.items()})


@pytest.mark.parametrize("row", [ROW, oracle_row()], ids=["memory", "oracle"])
def test_a_corrected_gold_changes_verdict_keys_only(row: Row) -> None:
    one, other = (PLANNER.trial(keyed, STEPS, row) for keyed in (KEYED, corrected(KEYED)))
    assert differ(keys(one, "verdict"), keys(other, "verdict"))
    assert one.keys() - other.keys() == set(keys(one, "verdict"))


def test_what_the_evidence_says_is_in_the_keys_of_the_oracle() -> None:
    """The steps may show chunks; the oracle reads the messages of the history."""
    history = KEYED.history
    events = tuple(
        replace(e, messages=tuple(replace(m, speaker="Bob") for m in e.messages)) if isinstance(e, Session) else e
        for e in history.timeline
    )
    told = replace(KEYED, history=replace(history, timeline=events))
    one, other = (PLANNER.trial(keyed, STEPS, oracle_row()) for keyed in (KEYED, told))
    assert differ(keys(one, "recall"), keys(other, "recall"))


def test_a_reader_changes_no_key_of_what_an_order_dependent_memory_holds_or_finds() -> None:
    class Another(toy.ToyReader):
        @property
        def fingerprint(self) -> str:
            return "another-reader"

    row = memory_row(toy.CountingMemory, toy.WRITES_IN_ORDER)
    one, other = (Harness(Path("x"), reader=r).trial(*checkpoints("one"), row) for r in (toy.ToyReader(), Another()))
    assert [stage.after for stage in one.stages] == [stage.after for stage in other.stages]
    assert differ(keys(one, "answer"), keys(other, "answer"))


@pytest.mark.parametrize(("kind", "changes"), [("complete", True), ("answers", False)])
def test_gold_is_in_the_key_of_an_evolve_that_tells_it(kind: Any, changes: bool) -> None:
    keyed, steps = evolving("one")
    steps = [replace(s, feedback=Feedback(kind=kind)) if isinstance(s, Evolve) else s for s in steps]
    row, unjudged = agent_row(toy.BufferAgent, toy.AGENT), replace(PLANNER.conditions, judged=frozenset())
    one, other = (
        plan_trial(row, episode(k, steps, {}), unjudged, PLANNER.cast).stages[2].after
        for k in (keyed, corrected(keyed))
    )
    assert (one != other) is changes


def test_an_evolve_sees_only_answers_from_before_it(tmp_path: Path) -> None:
    """All checkpoints bear one name; the first of three has been asked."""
    harness = Harness(tmp_path)
    keyed, steps = evolving("one")
    same = [replace(s, checkpoint=CheckpointId("c")) if isinstance(s, Ask | Evolve) else s for s in steps]
    trial = harness.trial(keyed, same, agent_row(toy.BufferAgent, toy.AGENT))
    harness.run([trial])
    policies = [body.policy for body in harness.bodies([trial], "state") if body.policy]
    assert len(policies) == 1
    assert policies[0].startswith('remember all; seen 1: {"question": "What is river?", "answer": "blue",')


def test_an_evolve_waits_for_an_answer_that_broke(tmp_path: Path) -> None:
    asked = count()

    class OnceGone(toy.BufferAgent):
        def answer(self, question: Question, given: Recall | None = None) -> Reply:
            if next(asked) == 0:
                raise ConnectionError("gone")
            return super().answer(question, given)

    hurt, whole = Harness(tmp_path / "hurt"), Harness(tmp_path / "whole")
    for harness, kind in ((hurt, OnceGone), (hurt, OnceGone), (whole, toy.BufferAgent)):
        (finished,) = harness.run([harness.trial(*evolving("one"), agent_row(kind, toy.AGENT))])
    assert finished.complete
    assert records(hurt.path) == records(whole.path)
