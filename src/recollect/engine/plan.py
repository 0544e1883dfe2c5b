"""All keys of a trial, before anything runs: done-check, resume, shard and merge are set look-ups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from recollect.contracts.reading import Judge
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.histories import Keyed
from recollect.domain.ids import CheckpointId, Digest, RecordKey, TrialId
from recollect.domain.questions import Key, Question
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Observe, Step
from recollect.engine.keys import stage_key
from recollect.engine.prompts import agents_prompt, prompt_of, question_for
from recollect.engine.rows import Conditions, Roles, Row
from recollect.records.codec import encode
from recollect.records.digests import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One take of one question under one arm."""

    checkpoint: CheckpointId
    question: Question
    key: Key
    arm: Arm
    recall: RecordKey
    answer: RecordKey
    """Shared by the takes that only judge again."""
    verdict: RecordKey | None
    take: Take = FIRST
    own: frozenset[RecordKey] = frozenset()
    """Its keys that no earlier take of the question has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step with the keys of the states around it."""

    index: int
    step: Step
    before: RecordKey
    after: RecordKey
    """The same as *before* where the step leaves the state alone."""
    cells: tuple[Cell, ...] = ()
    check: RecordKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One episode × one system × one setting × one replicate."""

    trial_id: TrialId
    row: Row
    keyed: Keyed
    stages: tuple[Stage, ...]
    replicate: int
    cannot: str | None = None
    """Why this system cannot go through the episode at all; its cells are then not available."""

    @property
    def cells(self) -> Iterator[Cell]:
        """All cells, in the order of asking."""
        return (cell for stage in self.stages for cell in stage.cells)

    def keys(self) -> frozenset[RecordKey]:
        """Every key that a finished trial has a record for."""
        states = () if self.cannot else self.stages
        return frozenset(chain(_state_keys(states), _cell_keys(self.cells)))

    def facts(self) -> Mapping[str, Any]:
        """What a reader of the run folder must know of it."""
        return {
            "trial": self.trial_id,
            "row": self.row.label,
            "kind": self.row.kind,
            "reference": self.row.reference,
            "system": dict(self.row.fingerprint),
            "history": self.keyed.history.history_id,
            "task": self.keyed.task,
            "replicate": self.replicate,
            "order_dependent": in_order(self.row),
            "models_on_write": self.row.traits.models_on_write,
            "cells": [_named(cell) for cell in self.cells],
        }


def in_order(row: Row) -> bool:
    """Asking changes the system and it cannot be restored: one fixed order, one worker."""
    return row.traits.writes_when_asked and Capability.SNAPSHOT not in row.traits.can


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """The steps of one history, with the digests that all its trials share."""

    keyed: Keyed
    steps: tuple[Step, ...]
    settings: Any
    """JSON of what the steps were made under."""
    digests: tuple[Digest, ...]
    keys: Mapping[str, Digest]
    said: Mapping[str, str]
    """Message of the history -> digest of what it says."""


def episode(keyed: Keyed, steps: Sequence[Step], settings: Any) -> Episode:
    """Digest once what many trials need."""
    return Episode(
        keyed=keyed,
        steps=tuple(steps),
        settings=settings,
        digests=tuple(Digest(digest(encode(step))) for step in steps),
        keys={name: Digest(digest(encode(key))) for name, key in keyed.keys.items()},
        said={message.message_id: digest(encode(message)) for message in keyed.history.messages()},
    )


def plan_trial(row: Row, what: Episode, conditions: Conditions, cast: Roles, replicate: int = 0) -> Trial:
    """All stages of a trial with all their keys."""
    return _Planner(row, what, conditions, cast, replicate).plan()


class _Planner:
    def __init__(self, row: Row, what: Episode, conditions: Conditions, cast: Roles, replicate: int) -> None:
        self.row, self.what, self.conditions, self.cast, self.replicate = row, what, conditions, cast, replicate
        self.answers: dict[CheckpointId, list[RecordKey]] = {}
        self.told: dict[CheckpointId, list[Digest]] = {}
        self.last_asked: RecordKey | None = None

    def plan(self) -> Trial:
        trial_id = stage_key(
            "trial",
            history=self.what.keyed.history.history_id,
            shown=[d for d, step in zip(self.what.digests, self.what.steps, strict=True) if not isinstance(step, Ask)],
            settings=self.what.settings,
            system=dict(self.row.fingerprint),
            fed=_fed(self.row.traits),
            seed=self.conditions.seed,
            replicate=self.replicate,
        )
        stages: list[Stage] = []
        state = trial_id
        for index, step in enumerate(self.what.steps):
            stage = self._stage(index, step, state)
            stages.append(stage)
            state = stage.after
        return Trial(
            trial_id=TrialId(trial_id),
            row=self.row,
            keyed=self.what.keyed,
            stages=tuple(stages),
            replicate=self.replicate,
            cannot=_cannot(self.row, self.what.steps),
        )

    def _stage(self, index: int, step: Step, state: RecordKey) -> Stage:
        if isinstance(step, Ask):
            return self._ask(index, step, state)
        if self.row.kind == "oracle":  # it holds no state: it reads the evidence of the history
            return Stage(index=index, step=step, before=state, after=state)
        return Stage(index=index, step=step, before=state, after=self._after(index, step, state))

    def _after(self, index: int, step: Observe | Converse | Evolve, state: RecordKey) -> RecordKey:
        shown = self.what.digests[index]
        if isinstance(step, Observe):
            return stage_key("observe", state=state, step=shown)
        if isinstance(step, Converse):
            user = self.cast.user.fingerprint if self.cast.user else None
            return stage_key("converse", state=state, step=shown, user=user)
        told = self.told.get(step.checkpoint, []) if step.feedback.kind == "complete" else []
        return stage_key("evolve", state=state, step=shown, answers=self.answers.get(step.checkpoint, []), gold=told)

    def _ask(self, index: int, step: Ask, state: RecordKey) -> Stage:
        self.last_asked = None
        cells = tuple(
            cell
            for question in step.questions
            for arm in self._arms(step, question)
            for cell in self._takes(step, question, arm, state)
        )
        first = [cell for cell in cells if cell.take == FIRST]
        self.answers.setdefault(step.checkpoint, []).extend(cell.answer for cell in first if cell.arm is Arm.SYSTEM)
        self.told.setdefault(step.checkpoint, []).extend(self.what.keys[q.question_id] for q in step.questions)
        chained = in_order(self.row) and cells
        asked = [cell.answer if self.row.kind == "agent" else cell.recall for cell in first]
        after = stage_key("asked", state=state, answers=asked) if chained else state
        return Stage(
            index=index, step=step, before=state, after=after, cells=cells, check=self._check(step, state, cells)
        )

    def _check(self, step: Ask, state: RecordKey, cells: Sequence[Cell]) -> RecordKey | None:
        if not cells or self.row.kind == "oracle":
            return None
        names = [question.question_id for question in step.questions]
        return stage_key("check", state=state, checkpoint=step.checkpoint, questions=names)

    def _arms(self, step: Ask, question: Question) -> tuple[Arm, ...]:
        arms = self.row.arms if step.arms is None else tuple(arm for arm in self.row.arms if arm in step.arms)
        return tuple(arm for arm in arms if arm is Arm.SYSTEM) if question.purpose == "probe" else arms

    def _takes(self, step: Ask, question: Question, arm: Arm, state: RecordKey) -> list[Cell]:
        """All takes of a question: a memory is searched once for them, an agent is asked once for each answer."""
        judge = self._judge_of(question)
        asked = self._recall_inputs(step, question, arm, state)
        cells: list[Cell] = []
        for take in self.conditions.repeats.takes(judged=judge is not None):
            recall = stage_key("recall", **asked, **(_again(take.answer) if self.row.kind == "agent" else {}))
            answer = self._answer_key(question, recall, arm, take)
            verdict = None if judge is None else self._verdict_key(question, answer, judge, take)
            cells.append(
                Cell(
                    checkpoint=step.checkpoint,
                    question=question,
                    key=self.what.keyed.keys[question.question_id],
                    arm=arm,
                    recall=recall,
                    answer=answer,
                    verdict=verdict,
                    take=take,
                    own=frozenset(key for key in (recall, answer, verdict) if key is not None).difference(
                        *((cell.recall, cell.answer) for cell in cells)
                    ),
                )
            )
        if in_order(self.row):
            self.last_asked = cells[0].answer if self.row.kind == "agent" else cells[0].recall
        return cells

    def _judge_of(self, question: Question) -> Judge | None:
        judged = self.what.keyed.task in self.conditions.judged and question.purpose == "score"
        return self.cast.judge if judged else None

    def _verdict_key(self, question: Question, answer: RecordKey, judge: Judge, take: Take) -> RecordKey:
        key = self.what.keys[question.question_id]
        return stage_key("judge", answer=answer, key=key, judge=judge.fingerprint, **_again(take.judge))

    def _recall_inputs(self, step: Ask, question: Question, arm: Arm, state: RecordKey) -> Mapping[str, Any]:
        key = self.what.keyed.keys[question.question_id]
        return {
            "state": state,
            "checkpoint": step.checkpoint,
            "question": digest(encode(question_for(self.row, question, self.conditions.prompts))),
            "arm": arm.value,
            "limit": self._limit(arm),
            "evidence": None if arm is Arm.SYSTEM else [key.abstain, key.oracle_text, self._evidence(key)],
            "asked_before": self.last_asked,
        }

    def _evidence(self, key: Key) -> list[str]:
        """What the evidence says; gold and labels change no recall."""
        return [self.what.said.get(name, name) for name in key.evidence]

    def _limit(self, arm: Arm) -> int | None:
        if self.row.kind != "memory" or arm is not Arm.SYSTEM:
            return None
        tokens = self.row.traits.limit == "tokens"
        return self.conditions.budget_tokens if tokens else self.conditions.search_limit

    def _answer_key(self, question: Question, recall: RecordKey, arm: Arm, take: Take) -> RecordKey:
        if self.row.kind == "agent":
            worded = agents_prompt(self.row, question, self.conditions.prompts)
            return stage_key("answer", recall=recall, **({"prompt": worded.digest} if worded else {}))
        prompt = prompt_of(self.row, question, self.conditions.prompts)
        return stage_key(
            "answer",
            recall=recall,
            prompt=prompt.digest,
            reader=self.cast.reader.fingerprint,
            window=self.cast.reader.window_tokens,
            budget=self.conditions.budget_tokens
            if self.row.traits.bound == "budget" and self.row.kind == "memory" and arm is Arm.SYSTEM
            else None,
            **_again(take.answer),
        )


def _named(cell: Cell) -> list[str | int]:
    """A cell inside its trial; a first take goes unsaid."""
    name: list[str | int] = [cell.checkpoint, cell.question.question_id, cell.arm.value]
    return name if cell.take == FIRST else [*name, cell.take.answer, cell.take.judge]


def _again(take: int) -> Mapping[str, int]:
    """What a repeat adds to the inputs of a stage: nothing the first time, so that repeats change no other key."""
    return {"take": take} if take else {}


def _cannot(row: Row, steps: Sequence[Step]) -> str | None:
    changes = any(isinstance(step, Converse | Evolve) for step in steps)
    if row.traits.takes is WriteUnit.WHOLE_HISTORY and changes:
        return f"`{row.label}` takes whole histories into a fresh instance and would lose what was said or adopted"
    if row.kind == "memory" and any(isinstance(step, Converse) for step in steps):
        return f"`{row.label}` is a memory and does not converse; this episode needs an agent"
    if (
        row.kind != "oracle"
        and Capability.POLICY not in row.traits.can
        and any(isinstance(step, Evolve) for step in steps)
    ):
        return f"`{row.label}` follows no policy that could be replaced; this episode needs one that evolves"
    return None


def _fed(traits: Traits) -> list[object]:
    """What changes the writes that a system gets."""
    return [traits.takes, traits.unit_size, traits.time, traits.speaker, traits.channel]


def _state_keys(stages: Sequence[Stage]) -> Iterator[RecordKey]:
    for stage in stages:
        if stage.after != stage.before:
            yield stage.after
        if stage.check is not None:
            yield stage.check


def _cell_keys(cells: Iterable[Cell]) -> Iterator[RecordKey]:
    for cell in cells:
        yield cell.recall
        yield cell.answer
        if cell.verdict is not None:
            yield cell.verdict
