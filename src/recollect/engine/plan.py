"""All keys of a trial, before anything runs: done-check, resume, shard and merge are set look-ups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.traits import Capability, WriteUnit
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

    @property
    def named(self) -> dict[str, Any]:
        """The fields that name it in each of its records."""
        question = self.question.question_id
        return {"checkpoint": self.checkpoint, "question": question, "arm": self.arm, "take": self.take}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step with the keys of the states around it."""

    index: int
    step: Step
    before: RecordKey
    after: RecordKey
    """The same as *before* where the step does not change the state."""
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
    """Why this system cannot take part in the episode; its cells are then not available."""

    @property
    def cells(self) -> Iterator[Cell]:
        """All cells, in the order of asking."""
        return (cell for stage in self.stages for cell in stage.cells)

    def keys(self) -> frozenset[RecordKey]:
        """Every key that a finished trial has a record for."""
        states = () if self.cannot else self.stages
        keys = {stage.after for stage in states if stage.after != stage.before} | {stage.check for stage in states}
        keys.update(key for cell in self.cells for key in (cell.recall, cell.answer, cell.verdict))
        return frozenset(key for key in keys if key is not None)

    def facts(self) -> Mapping[str, Any]:
        """Its description in the run folder."""
        cells: list[list[str | int]] = []
        for cell in self.cells:  # a first take is left out
            take = [] if cell.take == FIRST else [cell.take.answer, cell.take.judge]
            cells.append([cell.checkpoint, cell.question.question_id, cell.arm.value, *take])
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
            "cells": cells,
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
    digests: tuple[Digest, ...]
    keys: Mapping[str, Digest]
    messages: Mapping[str, str]


def episode(keyed: Keyed, steps: Sequence[Step], settings: Any) -> Episode:
    """The digests of an episode, made once for all of its trials."""
    return Episode(
        keyed=keyed,
        steps=tuple(steps),
        settings=settings,
        digests=tuple(Digest(digest(encode(step))) for step in steps),
        keys={name: Digest(digest(encode(key))) for name, key in keyed.keys.items()},
        messages={message.message_id: digest(encode(message)) for message in keyed.history.messages()},
    )


def plan_trial(row: Row, planned: Episode, conditions: Conditions, roles: Roles, replicate: int = 0) -> Trial:
    """All stages of a trial with all their keys."""
    return _Planner(row, planned, conditions, roles, replicate).plan()


@dataclass(slots=True)
class _Planner:
    row: Row
    episode: Episode
    conditions: Conditions
    roles: Roles
    replicate: int
    answers: dict[CheckpointId, list[RecordKey]] = field(default_factory=dict)
    gold: dict[CheckpointId, list[Digest]] = field(default_factory=dict)
    last_asked: RecordKey | None = None

    def plan(self) -> Trial:
        steps, traits = self.episode.steps, self.row.traits
        trial_id = state = stage_key(
            "trial",
            history=self.episode.keyed.history.history_id,
            shown=[d for d, step in zip(self.episode.digests, steps, strict=True) if not isinstance(step, Ask)],
            settings=self.episode.settings,
            system=dict(self.row.fingerprint),
            fed=[traits.takes, traits.unit_size, traits.time, traits.speaker, traits.channel],
            seed=self.conditions.seed,
            replicate=self.replicate,
        )
        stages: list[Stage] = []
        for index, step in enumerate(steps):
            if isinstance(step, Ask):
                stage = self._ask(index, step, state)
            else:  # the oracle has no state: it reads the evidence of the history
                after = state if self.row.kind == "oracle" else self._after(index, step, state)
                stage = Stage(index=index, step=step, before=state, after=after)
            stages.append(stage)
            state = stage.after
        return Trial(
            trial_id=TrialId(trial_id),
            row=self.row,
            keyed=self.episode.keyed,
            stages=tuple(stages),
            replicate=self.replicate,
            cannot=_cannot(self.row, steps),
        )

    def _after(self, index: int, step: Observe | Converse | Evolve, state: RecordKey) -> RecordKey:
        shown = self.episode.digests[index]
        if isinstance(step, Observe):
            return stage_key("observe", state=state, step=shown)
        if isinstance(step, Converse):
            user = self.roles.user.fingerprint if self.roles.user else None
            return stage_key("converse", state=state, step=shown, user=user)
        gold = self.gold.get(step.checkpoint, []) if step.feedback.kind == "complete" else []
        return stage_key("evolve", state=state, step=shown, answers=self.answers.get(step.checkpoint, []), gold=gold)

    def _ask(self, index: int, step: Ask, state: RecordKey) -> Stage:
        self.last_asked = None
        cells: list[Cell] = []
        for question in step.questions:
            for arm in self.row.arms if step.arms is None else [arm for arm in self.row.arms if arm in step.arms]:
                if arm is Arm.SYSTEM or question.purpose != "probe":
                    cells.extend(self._takes(step, question, arm, state))
        first = [cell for cell in cells if cell.take == FIRST]
        names = [question.question_id for question in step.questions]
        self.answers.setdefault(step.checkpoint, []).extend(cell.answer for cell in first if cell.arm is Arm.SYSTEM)
        self.gold.setdefault(step.checkpoint, []).extend(self.episode.keys[name] for name in names)
        after, check = state, None
        if cells and in_order(self.row):
            asked = [cell.answer if self.row.kind == "agent" else cell.recall for cell in first]
            after = stage_key("asked", state=state, answers=asked)
        if cells and self.row.kind != "oracle":
            check = stage_key("check", state=state, checkpoint=step.checkpoint, questions=names)
        return Stage(index=index, step=step, before=state, after=after, cells=tuple(cells), check=check)

    def _takes(self, step: Ask, question: Question, arm: Arm, state: RecordKey) -> list[Cell]:
        """All takes of a question: a memory is searched once for them, an agent is asked once for each answer."""
        name, agent = question.question_id, self.row.kind == "agent"
        judged = self.episode.keyed.task in self.conditions.judged and question.purpose == "score"
        judge = self.roles.judge if judged else None
        inputs = self._recall_inputs(step, question, arm, state)
        cells: list[Cell] = []
        for take in self.conditions.repeats.takes(judged=judge is not None):
            recall = stage_key("recall", **inputs, **(_again(take.answer) if agent else {}))
            answer, verdict = self._answer_key(question, recall, arm, take), None
            if judge is not None:
                gold = self.episode.keys[name]
                verdict = stage_key("judge", answer=answer, key=gold, judge=judge.fingerprint, **_again(take.judge))
            earlier = {key for cell in cells for key in (cell.recall, cell.answer)}
            cells.append(
                Cell(
                    checkpoint=step.checkpoint,
                    question=question,
                    key=self.episode.keyed.keys[name],
                    arm=arm,
                    recall=recall,
                    answer=answer,
                    verdict=verdict,
                    take=take,
                    own=frozenset(key for key in (recall, answer, verdict) if key is not None) - earlier,
                )
            )
        if in_order(self.row):
            self.last_asked = cells[0].answer if agent else cells[0].recall
        return cells

    def _recall_inputs(self, step: Ask, question: Question, arm: Arm, state: RecordKey) -> Mapping[str, Any]:
        key, limit, evidence = self.episode.keyed.keys[question.question_id], None, None
        if arm is not Arm.SYSTEM:  # gold and labels change no recall
            messages = [self.episode.messages.get(name, name) for name in key.evidence]
            evidence = [key.abstain, key.oracle_text, messages]
        elif self.row.kind == "memory":
            tokens = self.row.traits.limit == "tokens"
            limit = self.conditions.budget_tokens if tokens else self.conditions.search_limit
        return {
            "state": state,
            "checkpoint": step.checkpoint,
            "question": digest(encode(question_for(self.row, question, self.conditions.prompts))),
            "arm": arm.value,
            "limit": limit,
            "evidence": evidence,
            "asked_before": self.last_asked,
        }

    def _answer_key(self, question: Question, recall: RecordKey, arm: Arm, take: Take) -> RecordKey:
        if self.row.kind == "agent":
            prompt = agents_prompt(self.row, question, self.conditions.prompts)
            return stage_key("answer", recall=recall, **({"prompt": prompt.digest} if prompt else {}))
        budgeted = self.row.traits.bound == "budget" and self.row.kind == "memory" and arm is Arm.SYSTEM
        return stage_key(
            "answer",
            recall=recall,
            prompt=prompt_of(self.row, question, self.conditions.prompts).digest,
            reader=self.roles.reader.fingerprint,
            window=self.roles.reader.window_tokens,
            budget=self.conditions.budget_tokens if budgeted else None,
            **_again(take.answer),
        )


def _again(take: int) -> Mapping[str, int]:
    """What a repeat adds to the inputs of a stage: nothing the first time, so that repeats change no other key."""
    return {"take": take} if take else {}


def _cannot(row: Row, steps: Sequence[Step]) -> str | None:
    converses, evolves = (any(isinstance(step, kind) for step in steps) for kind in (Converse, Evolve))
    if row.traits.takes is WriteUnit.WHOLE_HISTORY and (converses or evolves):
        return f"`{row.label}` takes whole histories into a fresh instance and would lose what was said or adopted"
    if row.kind == "memory" and converses:
        return f"`{row.label}` is a memory and does not converse; this episode needs an agent"
    if row.kind != "oracle" and evolves and Capability.POLICY not in row.traits.can:
        return f"`{row.label}` follows no policy that could be replaced; this episode needs one that evolves"
    return None
