"""What a system is told, and when: the dialogues of a period, then its questions; nothing leaks back."""

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

_Told = Literal["questions", "answers", "complete"]
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
        settings: `rounds_init` and `rounds_update` change how long dialogues are; `bound` first asks each question
            with the state of each choice told outright; `probes`, `schema`, `evolve` and `unreadable` as the card says.
        talk: Dialogues that another system held; the system then only hears them.

    Raises:
        ConfigError: A setting is none of ours.
        DataError: *talk* is not of these dialogues, or has not as many rounds.
    """
    check_settings(settings, "amemgym", uncut="dialogues", numbers=NUMBERS, choices=CHOICES)
    asked = {question.question_id: _as_set(question, settings) for question in history.questions}
    if _set(settings, "bound") == "choices":
        yield Ask(checkpoint=BOUND, questions=tuple(_bounds(history, asked.values())), arms=(Arm.ORACLE,))
    if _set(settings, "schema") == "known":
        yield from _schema(history)
    last = max((place for place, event in enumerate(history.timeline) if isinstance(event, Asking)), default=-1)
    period = 0
    exposed: dict[str, str] = {}
    for place, event in enumerate(history.timeline):
        if isinstance(event, Script):
            exposed |= json.loads(event.variables["exposed"])
            script = _as_long(event, settings, period)
            yield Converse(script=script) if talk is None else _heard(script, talk)
        elif isinstance(event, Asking):
            questions = [asked[name] for name in event.question_ids]
            yield from _asked(event.checkpoint, questions, settings)
            if place != last:
                yield from _evolution(event.checkpoint, exposed, settings)
            period, exposed = period + 1, {}


def _set(settings: StepSettings, name: str) -> str:
    return settings.extra.get(name, CHOICES[name][0])


def _as_set(question: Question, settings: StepSettings) -> Question:
    limit = settings.extra.get(OUTPUT)
    changed = question if limit is None else replace(question, output_tokens=int(limit))
    if _set(settings, UNREADABLE) == RANDOM:
        return replace(changed, variables={**changed.variables, UNREADABLE: RANDOM})
    return changed


def _as_long(script: Script, settings: StepSettings, period: int) -> Script:
    rounds = settings.extra.get(ROUNDS_UPDATE if period else ROUNDS_INIT)
    return script if rounds is None else replace(script, rounds=int(rounds))


def _bounds(history: History, asked: Iterable[Question]) -> Iterator[Question]:
    """Each choice of each question once: what suits a state does not depend on the period."""
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
    """The names of all variables, and none of their values."""
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


def _heard(script: Script, talk: Sequence[Message]) -> Observe:
    """The dialogue that was held with another system; only its opening is of the history."""
    said = [message for message in talk if message.session_id == script.session_id]
    if len(said) != 2 * script.rounds or said[0].text != script.opening.text:
        problem = (
            f"session {script.session_id} has {len(said)} messages, not the opening and {2 * script.rounds} in all"
        )
        raise DataError(problem, "talk", fix="Take dialogues of the same data and as many rounds.")
    messages = (script.opening, *said[1:])
    covers = {message.message_id: () for message in messages[1:]}
    return Observe(session=Session(session_id=script.opening.session_id, messages=messages), covers=covers)


def _asked(checkpoint: CheckpointId, questions: Sequence[Question], settings: StepSettings) -> Iterator[Ask]:
    """Where a policy learns from the answers, the probes are apart, so that it learns nothing from those."""
    probes = [question for question in questions if question.purpose == "probe"]
    chosen = [question for question in questions if question.purpose != "probe"]
    if _set(settings, "probes") == "no":
        probes = []
    if _set(settings, "evolve") == "none":
        yield Ask(checkpoint=checkpoint, questions=(*chosen, *probes))
        return
    yield Ask(checkpoint=checkpoint, questions=tuple(chosen))
    if probes:
        yield Ask(checkpoint=CheckpointId(f"{checkpoint}-states"), questions=tuple(probes))


def _evolution(checkpoint: CheckpointId, exposed: Mapping[str, str], settings: StepSettings) -> Iterator[Evolve]:
    """What was told since the last one stands in the step only where it is told, and so changes no other key."""
    kind = _set(settings, "evolve")
    if kind != "none":
        told = exposed if kind == "complete" else {}
        yield Evolve(checkpoint=checkpoint, feedback=Feedback(kind=cast("_Told", kind), exposed=told))
