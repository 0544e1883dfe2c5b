"""What a system sees, and when: the dialogues of a period, then its questions; nothing leaks back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, cast

from recollect.benchmarks.amemgym.questions import CHOOSE, bound_id
from recollect.contracts.benchmark import StepSettings, check_settings
from recollect.domain.errors import DataError
from recollect.domain.histories import Asking, History, Script
from recollect.domain.ids import CheckpointId, MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Question
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Feedback, Observe, Step
from recollect.records.digests import opaque

_Kind = Literal["questions", "answers", "complete"]
BOUND = CheckpointId("bound")
ROUNDS_INIT, ROUNDS_UPDATE, OUTPUT = "rounds_init", "rounds_update", "output_tokens"
UNREADABLE, RANDOM = "unreadable", "random"
"""Setting, and a question's variable: an unreadable reply is put down as wrong, or as a guess as the authors do."""
NUMBERS = (ROUNDS_INIT, ROUNDS_UPDATE, OUTPUT)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "bound": ("none", "choices"),
    "probes": ("yes", "no"),
    "schema": ("hidden", "known"),
    "evolve": ("none", "questions", "answers", "complete"),
    UNREADABLE: ("wrong", RANDOM),
}
"""Setting -> its values, the usual one first."""


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """Period by period: its dialogues, then its questions, and between two periods what a policy may learn.

    Args:
        history: One user.
        settings: As `STEP_SETTINGS` of the card.
        talk: Dialogues that another system held; the system then only reads them.

    Raises:
        ConfigError: A setting is unknown.
        DataError: *talk* is not of these dialogues, or has not as many rounds.
    """
    check_settings(settings, "amemgym", uncut="dialogues", numbers=NUMBERS, choices=CHOICES)
    asked = {question.question_id: _as_set(question, settings) for question in history.questions}
    if _set(settings, "bound") == "choices":
        yield Ask(checkpoint=BOUND, questions=tuple(_bounds(history, asked.values())), arms=(Arm.ORACLE,))
    if _set(settings, "schema") == "known":
        yield from _schema(history)
    last = max((index for index, event in enumerate(history.timeline) if isinstance(event, Asking)), default=-1)
    period = 0
    exposed: dict[str, str] = {}
    for index, event in enumerate(history.timeline):
        if isinstance(event, Script):
            exposed |= json.loads(event.variables["exposed"])
            rounds = settings.extra.get(ROUNDS_UPDATE if period else ROUNDS_INIT)
            script = event if rounds is None else replace(event, rounds=int(rounds))
            yield Converse(script=script) if talk is None else _observed(script, talk)
        elif isinstance(event, Asking):
            yield from _asked(event.checkpoint, [asked[name] for name in event.question_ids], settings)
            kind = _set(settings, "evolve")
            if index != last and kind != "none":
                # What was exposed is in the step only where it is shown, so that it changes no other key.
                feedback = Feedback(kind=cast("_Kind", kind), exposed=exposed if kind == "complete" else {})
                yield Evolve(checkpoint=event.checkpoint, feedback=feedback)
            period, exposed = period + 1, {}


def _set(settings: StepSettings, name: str) -> str:
    return settings.extra.get(name, CHOICES[name][0])


def _as_set(question: Question, settings: StepSettings) -> Question:
    limit = settings.extra.get(OUTPUT)
    changed = question if limit is None else replace(question, output_tokens=int(limit))
    if _set(settings, UNREADABLE) == RANDOM:
        return replace(changed, variables={**changed.variables, UNREADABLE: RANDOM})
    return changed


def _bounds(history: History, asked: Iterable[Question]) -> Iterator[Question]:
    """Each choice of each question once, since what suits a state does not depend on the period."""
    seen = set()
    for question in asked:
        if question.prompt != CHOOSE:
            continue
        for option in question.options:
            name = bound_id(history.history_id, question, option.letter)
            if name not in seen:
                seen.add(name)
                yield replace(question, question_id=name, asked_at=None, purpose="bound")


def _schema(history: History) -> Iterator[Observe]:
    script = next((event for event in history.timeline if isinstance(event, Script)), None)
    if script is None:
        return
    session = SessionId(opaque("s", history.history_id, "schema"))
    shown = Message(
        message_id=MessageId(opaque("m", session, 0)),
        session_id=session,
        text="What is worth remembering of the user: " + ", ".join(json.loads(script.variables["schema"])) + ".",
        role="system",
    )
    yield Observe(session=Session(session_id=session, messages=(shown,)), covers={shown.message_id: ()})


def _observed(script: Script, talk: Sequence[Message]) -> Observe:
    """The dialogue as another system held it; only its opening is of the history."""
    held = [message for message in talk if message.session_id == script.session_id]
    if len(held) != 2 * script.rounds or held[0].text != script.opening.text:
        count = f"{len(held)} messages, not the opening and {2 * script.rounds} in all"
        fix = "Take dialogues of the same data and as many rounds."
        raise DataError(f"session {script.session_id} has {count}", "talk", fix=fix)
    messages = (script.opening, *held[1:])
    covers = {message.message_id: () for message in messages[1:]}
    return Observe(session=Session(session_id=script.opening.session_id, messages=messages), covers=covers)


def _asked(checkpoint: CheckpointId, questions: Sequence[Question], settings: StepSettings) -> Iterator[Ask]:
    """Where a policy learns from the answers, the probes are apart, so that it learns nothing from those."""
    probes = tuple(question for question in questions if question.purpose == "probe")
    chosen = tuple(question for question in questions if question.purpose != "probe")
    if _set(settings, "probes") == "no":
        probes = ()
    if _set(settings, "evolve") == "none":
        yield Ask(checkpoint=checkpoint, questions=(*chosen, *probes))
        return
    yield Ask(checkpoint=checkpoint, questions=chosen)
    if probes:
        yield Ask(checkpoint=CheckpointId(f"{checkpoint}-states"), questions=probes)
