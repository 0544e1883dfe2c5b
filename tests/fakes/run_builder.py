"""Small run folders, written record by record; what a row says of each cell is a function that the test gives.

The data: histories of one task, each with sessions of two messages; question *i* of a history asks for the fact in
message *i*. The benchmark scores by equality and knows abstention, options, stale answers, and a judged task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recollect.contracts.benchmark import Benchmark, Card, Preset, StepSettings, TaskCard
from recollect.domain.exchange import Reply
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, RecordKey, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.outcomes import Judgement, Outcome, Part, Status, Verdict
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm, Ask, Observe, Step
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.kinds import (
    AnswerRecord,
    CheckRecord,
    ContentRecord,
    FaultRecord,
    RecallRecord,
    StateRecord,
    StoredItem,
    UnavailableRecord,
    VerdictRecord,
)
from recollect.store.journal import Journal
from recollect.store.run_folder import RunFolder

END = CheckpointId("end")
PER_SESSION = 2


class Case(NamedTuple):
    """A cell that a row must say something about."""

    keyed: Keyed
    number: int
    """Of the question in its history, from 0."""
    question: Question
    key: Key
    arm: Arm
    replicate: int
    take: Take = FIRST

    @property
    def gold(self) -> str:
        """The right answer."""
        return self.key.gold[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a row leaves of one cell."""

    text: str | None = None
    """No answer at all where `None`."""
    abstained: bool = False
    found: tuple[StoredItem, ...] | None = ()
    """`None`: no recall is told."""
    order: Literal["ranked", "time"] = "ranked"
    rendered: str | None = None
    tokens: int = 10
    truncated: bool = False
    right: float | None = None
    """The judge's verdict; `None`: there is none."""
    unavailable: str = ""
    fault: tuple[str, str] | None = None
    """(Stage, cause)."""
    seconds: float | None = None


Says = Callable[[Case], Said]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpec:
    """One row of the run."""

    label: str
    says: Says
    kind: Literal["memory", "agent", "oracle"] = "memory"
    reference: bool = False
    arms: tuple[Arm, ...] = (Arm.SYSTEM,)
    replicates: int = 1
    takes: tuple[Take, ...] = (FIRST,)
    state: Literal["unchanged", "not_proven", "order_dependent", ""] = "unchanged"
    """Nothing is recorded of the check where empty."""
    broken: tuple[str, str, int] | None = None
    """(Stage `state` or `check`, cause, step) of a fault in the first history."""
    writes: Mapping[str, int] = field(default_factory=lambda: {"stored": 2})


def right(case: Case) -> Said:
    """The right answer, with its evidence found first."""
    return Said(text=case.gold, found=tuple(message_item(m) for m in case.key.evidence), right=1.0)


def wrong(case: Case) -> Said:
    """A wrong answer, with the evidence found all the same."""
    return replace(right(case), text="wrong", right=0.0)


def lost(case: Case) -> Said:
    """A wrong answer from nothing."""
    return Said(text="wrong", right=0.0)


def message_item(message: str, score: float | None = None) -> StoredItem:
    """A message as it was shown."""
    return StoredItem(message=MessageId(message), score=score)


def oracle_row(says: Says = right) -> RowSpec:
    """The harness's reader with the evidence itself."""
    return RowSpec(label="oracle", kind="oracle", says=says, reference=True, arms=(Arm.ORACLE,))


def floor_row(says: Says = lost) -> RowSpec:
    """The memory that holds nothing."""
    return RowSpec(label="none", says=says, reference=True)


def make_history(
    number: int,
    *,
    task: str = "facts",
    questions: int = 4,
    options: Sequence[str] = (),
    labels: Callable[[int], Mapping[str, str]] = lambda number: {},
    change: Callable[[int, Key], Key] = lambda number, key: key,
) -> Keyed:
    """A history with its keys; *change* may turn question *i*'s key into another."""
    name = f"{task}-{number}"
    messages = [_message(name, at) for at in range(max(questions, PER_SESSION))]
    sessions = [messages[at : at + PER_SESSION] for at in range(0, len(messages), PER_SESSION)]
    asked = tuple(_question(name, at, options, labels(at)) for at in range(questions))
    keys = {q.question_id: change(at, _key(q, messages[at], at, options, labels(at))) for at, q in enumerate(asked)}
    events = tuple(Session(session_id=s[0].session_id, messages=tuple(s)) for s in sessions)
    asking = Asking(checkpoint=END, question_ids=tuple(q.question_id for q in asked))
    return Keyed(
        history=History(history_id=HistoryId(name), timeline=(*events, asking), questions=asked), keys=keys, task=task
    )


def _message(name: str, at: int) -> Message:
    session = SessionId(f"s-{name}-{at // PER_SESSION}")
    text = f"item {at} of {name} is value{at}"
    return Message(message_id=MessageId(f"m-{name}-{at}"), session_id=session, text=text, speaker="Ann")


def _question(name: str, at: int, options: Sequence[str], labels: Mapping[str, str]) -> Question:
    letters = tuple(Option(letter="ABCDEF"[i], text=text) for i, text in enumerate(options))
    return Question(
        question_id=QuestionId(f"q-{name}-{at}"),
        text=f"what is item {at}?",
        options=letters,
        answer_format=AnswerFormat.LETTER if options else AnswerFormat.TEXT,
        purpose="bound" if "bound_of" in labels else "score",
    )


def _key(question: Question, message: Message, at: int, options: Sequence[str], labels: Mapping[str, str]) -> Key:
    gold = "ABCDEF"[at % len(options)] if options else f"value{at}"
    return Key(question_id=question.question_id, gold=(gold,), evidence=(message.message_id,), labels=labels)


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """Equality; a judged task needs its verdict."""
    if reply.abstained or not reply.text:
        return Outcome.abstained(float(key.abstain), why="declined")
    if shared.get("judged"):
        value = verdict.value() if verdict else None
        if value is None:
            return Outcome.missing(Status.UNDECIDED, "the judge gave nothing usable")
        return Outcome.scored(value, why="judged")
    value = shared.get("graded", {}).get(reply.text, float(reply.text in key.gold and not key.abstain))
    stale = (Part(name="stale", value=float(reply.text in key.rejected)),) if key.rejected else ()
    return Outcome.scored(value, parts=(Part(name="exact", value=value), *stale), why="compared")


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """Sessions as they are, or each as one chunk under `paper`; then the questions."""
    known = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield _chunk(event) if settings.chunker == "paper" else Observe(session=event)
        elif isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(known[name] for name in event.question_ids))


def _chunk(session: Session) -> Observe:
    name = chunk_id(session.session_id)
    text = " / ".join(message.text for message in session.messages)
    shown = Message(message_id=name, session_id=session.session_id, text=text)
    covers = {name: tuple(message.message_id for message in session.messages)}
    return Observe(session=Session(session_id=session.session_id, messages=(shown,)), covers=covers)


def chunk_id(session: str) -> MessageId:
    """Id of the shown message that is a whole session, under the preset `paper`."""
    return MessageId(f"c-{session}")


def _preset(name: str, chunker: str) -> Preset:
    settings = {"*": StepSettings(chunker=chunker)}
    return Preset(name=name, steps=settings, budget_tokens=100, search_limit=20, prompts={})


def task(name: str, **facts: Any) -> TaskCard:
    """A task of the toy benchmark."""
    return TaskCard(**{"name": name, "meaning": f"toy {name}", "measure": "accuracy", "chance": 0.0, **facts})


TASKS = {
    "facts": task("facts"),
    "choice": task("choice", chance=None),
    "essay": task("essay", judged=True),
    "graded": task("graded", binary=False, chance=None),
}


def _not_used(*_: object) -> Any:
    raise NotImplementedError("the toy benchmark is neither loaded nor generated")


BENCHMARK = Benchmark(
    card=Card(
        name="toy",
        title="Toy",
        version=1,
        summary="",
        citation="",
        licences={},
        tasks=TASKS,
        references=("none", "oracle"),
        standard=_preset("standard", "none"),
        paper=_preset("paper", "paper"),
    ),
    steps=steps,
    score=score,
    load=_not_used,
    write=_not_used,
    generate=_not_used,
)
SHARED = {"essay": {"judged": True}, "graded": {"graded": {"half": 0.5, "most": 0.8}}}
CONFIG: Mapping[str, Any] = {
    "benchmark": "toy",
    "seed": 7,
    "preset": "standard",
    "track": "standard",
    "budget_tokens": 100,
    "reader": "rules",
    "judge": "rules",
}


def build(path: Path, specs: Sequence[RowSpec], histories: Sequence[Keyed] | None = None, **config: Any) -> RunFolder:
    """A run folder with every row's records of every history."""
    folder = RunFolder(path)
    folder.create({"made_by": "test", "config": {**CONFIG, **config}})
    listed = [make_history(0), make_history(1)] if histories is None else histories
    folder.write_data(listed, SHARED, {})
    for row in specs:
        for number, keyed in enumerate(listed):
            for replicate in range(row.replicates):
                write_trial(folder, row, keyed, replicate=replicate, first=number == 0)
    return folder


def write_trial(folder: RunFolder, row: RowSpec, keyed: Keyed, *, replicate: int = 0, first: bool = False) -> None:
    """One trial of one row."""
    trial = trial_id(row.label, keyed, replicate)
    chunker = folder.settings()["config"]["preset"]
    made = list(steps(keyed.history, StepSettings(chunker="paper" if chunker == "paper" else "none")))
    cases = list(_cases(row, keyed, made, replicate))
    folder.write_trial(trial, _facts(row, keyed, trial, cases, replicate))
    journal = folder.journal(trial, write=True)
    writer = _Writer(journal, trial, folder.trial(trial) / "measures.jsonl")
    broken = row.broken if first else None
    writer.states(row, made, broken)
    for case in cases:
        if broken is None or broken[0] == "check":
            writer.cell(case, row.says(case))
    journal.close()


def trial_id(label: str, keyed: Keyed, replicate: int = 0) -> str:
    """The id of a trial."""
    return digest(["trial", label, keyed.history.history_id, replicate])


def record_key(trial: str, what: str, case: Case | None = None) -> str:
    """The key of a record."""
    if case is None:
        return digest([trial, what, None])
    again = {"recall": [], "answer": [case.take.answer], "verdict": [case.take.answer, case.take.judge]}[what]
    return digest([trial, what, [case.question.question_id, case.arm.value, *(again if any(again) else [])]])


def _facts(row: RowSpec, keyed: Keyed, trial: str, cases: Sequence[Case], replicate: int) -> Mapping[str, Any]:
    return {
        "trial": trial,
        "row": row.label,
        "kind": row.kind,
        "reference": row.reference,
        "system": {"name": row.label, "version": 1, "config": {}},
        "history": keyed.history.history_id,
        "task": keyed.task,
        "replicate": replicate,
        "order_dependent": row.state == "order_dependent",
        "models_on_write": False,
        "cells": [
            [END, case.question.question_id, case.arm.value, *([] if case.take == FIRST else _numbers(case.take))]
            for case in cases
        ],
    }


def _cases(row: RowSpec, keyed: Keyed, made: Sequence[Step], replicate: int) -> Iterator[Case]:
    asks = [step for step in made if isinstance(step, Ask)]
    for number, question in enumerate(question for ask in asks for question in ask.questions):
        for arm in row.arms:
            for take in row.takes:
                yield Case(keyed, number, question, keyed.keys[question.question_id], arm, replicate, take)


def _numbers(take: Take) -> list[int]:
    return [take.answer, take.judge]


@dataclass
class _Writer:
    journal: Journal
    trial: str
    measures: Path

    def put(self, what: str, body: Any, kind: str, case: Case | None = None) -> str:
        """One record; its key."""
        key = record_key(self.trial, what, case)
        self.journal.append(key, body, kind)
        return key

    def states(self, row: RowSpec, made: Sequence[Step], broken: tuple[str, str, int] | None) -> None:
        """What the system went through, up to where it broke."""
        if row.kind == "oracle":
            return
        for step in range(len(made) - 1):
            if broken is None or broken[0] == "check" or step < broken[2]:
                self.put(f"state-{step}", StateRecord(step=step, did="observe", writes=row.writes), "state")
        if broken is not None:
            stage, cause, step = broken
            checkpoint = END if stage == "check" else None
            fault = FaultRecord(
                stage=stage, cause=cause, error="ToyError", message="it broke", step=step, checkpoint=checkpoint
            )
            self.put(f"{stage}-{step if stage == 'state' else ''}", fault, "fault")
        elif row.state:
            self.put("check-", CheckRecord(checkpoint=END, state=row.state), "check")

    def cell(self, case: Case, said: Said) -> None:
        """All that is said of one cell."""
        question = case.question.question_id
        name: Mapping[str, Any] = {"checkpoint": END, "question": question, "arm": case.arm, "take": case.take}
        if said.unavailable:
            own = (case.take == FIRST, not case.take.judge)
            for what in (what for what, mine in zip(("recall", "answer"), own, strict=True) if mine):
                self.put(what, UnavailableRecord(**name, why=said.unavailable), "unavailable", case)
            return
        stage = said.fault[0] if said.fault else ""
        if stage != "recall" and (said.text is not None or stage):
            self._found(case, said, name)
        if stage in ("", "judge") and said.text is not None:
            self._answered(case, said, name)
        if said.fault is not None:
            self._broke(case, said.fault, name)

    def _found(self, case: Case, said: Said, name: Mapping[str, Any]) -> None:
        content: RecordKey | None = None
        if said.found is not None:
            body = ContentRecord(items=said.found, order=said.order, rendered=said.rendered)
            content = RecordKey(digest(encode(body)))
            if content not in self.journal.done:
                self.journal.append(content, body, "content")
        if case.take == FIRST:
            self._timed(self.put("recall", RecallRecord(**name, content=content), "recall", case), "recall", said)

    def _answered(self, case: Case, said: Said, name: Mapping[str, Any]) -> None:
        body = AnswerRecord(
            **name,
            text=said.text or "",
            abstained=said.abstained,
            context_tokens=said.tokens,
            truncated=said.truncated,
        )
        if not case.take.judge:
            self._timed(self.put("answer", body, "answer", case), "answer", said)
        if case.keyed.task == "essay" and said.right is not None:
            verdict = Verdict(parts=(Judgement(name="right", value=said.right, why="toy"),), judge="toy")
            self.put("verdict", VerdictRecord(**name, verdict=verdict), "verdict", case)

    def _broke(self, case: Case, fault: tuple[str, str], name: Mapping[str, Any]) -> None:
        stage, cause = fault
        body = FaultRecord(**name, stage=stage, cause=cause, error="ToyError", message="it broke", step=2)
        self.put("verdict" if stage == "judge" else stage, body, "fault", case)

    def _timed(self, key: str, stage: str, said: Said) -> None:
        if said.seconds is not None:
            with self.measures.open("a", encoding="utf-8") as file:
                file.write(f'{{"key": "{key}", "stage": "{stage}", "seconds": {said.seconds}}}\n')
