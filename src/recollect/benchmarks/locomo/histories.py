"""From a conversation to a history with its keys: the one place that names things and hides their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.benchmarks.locomo.rows import ADVERSARIAL as DECLINING
from recollect.benchmarks.locomo.rows import (
    CATEGORIES,
    Answer,
    Asked,
    Conversation,
    Linked,
    Turn,
    in_words,
    linked,
    turn_name,
)
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.records.digests import opaque

NAME = "locomo"
QA, ADVERSARIAL = "qa", "adversarial"
OUTPUT_TOKENS = 50
"""The authors' allowance for one answer; the longest of the 1,182 published answers at hand has 44 tokens."""
EXPECTED_QUESTIONS = {
    "conv-26": 199,
    "conv-41": 193,
    "conv-42": 260,
    "conv-43": 242,
    "conv-47": 190,
    "conv-48": 239,
    "conv-50": 204,
}
"""Questions of seven of the ten published conversations; counted in the first release."""
CHECKPOINT = CheckpointId("end")
OWN_ANSWER = "answer_in_file"
"""Label of the few adversarial questions that have an answer beside their trap; the authors' scoring ignores it."""
OPEN_DOMAIN = 3


class Told(NamedTuple):
    """A conversation as histories, and what a reader must know of how it was read."""

    histories: tuple[Keyed, ...]
    """One for each task that has a question."""
    repairs: tuple[str, ...]
    """References to evidence that were not as they should be: a file of ours has none."""
    remarks: tuple[str, ...]
    """What else is odd about it, and stays so when it is written."""


class _Placed(NamedTuple):
    place: int
    """In the file."""
    asked: Asked
    link: Linked


def told(talk: Conversation) -> Told:
    """One conversation: its sessions, then all questions of a task at once. Ids go by place, never by name."""
    known = {turn_name(turn.dia_id) for sitting in talk.sessions for turn in sitting.turns if _says(turn)}
    placed = [_Placed(place, asked, linked(asked.evidence, known)) for place, asked in enumerate(talk.asked)]
    tasks = {QA: [one for one in placed if one.asked.category != DECLINING]}
    tasks[ADVERSARIAL] = [one for one in placed if one.asked.category == DECLINING]
    histories = tuple(_history(talk, task, mine) for task, mine in tasks.items() if mine)
    return Told(histories, tuple(_repairs([one.link for one in placed])), tuple(_remarks(talk)))


def _history(talk: Conversation, task: str, placed: Sequence[_Placed]) -> Keyed:
    name = HistoryId(opaque("h", NAME, talk.name, task))
    turns: dict[str, MessageId] = {}
    timeline = tuple(_sessions(name, talk, turns))
    ids = [QuestionId(opaque("q", name, one.place)) for one in placed]
    questions = (
        Question(question_id=name, text=one.asked.question, output_tokens=OUTPUT_TOKENS)
        for name, one in zip(ids, placed, strict=True)
    )
    asking = Asking(checkpoint=CHECKPOINT, question_ids=tuple(ids))
    return Keyed(
        history=History(history_id=name, timeline=(*timeline, asking), questions=tuple(questions)),
        keys={name: _key(name, talk.name, one, turns) for name, one in zip(ids, placed, strict=True)},
        task=task,
        original_id=talk.name,
    )


def _sessions(name: HistoryId, talk: Conversation, turns: dict[str, MessageId]) -> Iterator[Session]:
    """The sessions with a turn that says something; *turns* learns their messages."""
    heard = [(sitting, [turn for turn in sitting.turns if _says(turn)]) for sitting in talk.sessions]
    for number, (sitting, spoken) in enumerate(one for one in heard if one[1]):
        session = SessionId(opaque("s", name, number))
        ids = [MessageId(opaque("m", session, place)) for place in range(len(spoken))]
        turns.update({turn_name(turn.dia_id): one for turn, one in zip(spoken, ids, strict=True)})
        messages = (
            Message(
                message_id=one,
                session_id=session,
                text=in_words(turn.text, turn.blip_caption or ""),
                speaker=turn.speaker,
                said_at=sitting.said_at,
            )
            for turn, one in zip(spoken, ids, strict=True)
        )
        yield Session(session_id=session, messages=tuple(messages))


def _says(turn: Turn) -> bool:
    return bool(in_words(turn.text, turn.blip_caption or "").strip())


def _key(name: QuestionId, talk: str, one: _Placed, turns: Mapping[str, MessageId]) -> Key:
    asked = one.asked
    declining = asked.category == DECLINING
    own = {OWN_ANSWER: str(asked.answer)} if declining and asked.answer is not None else {}
    return Key(
        question_id=name,
        gold=() if declining else _gold(asked.category, str(asked.answer)),
        rejected=_said(asked.adversarial_answer),
        evidence=tuple(turns[turn] for turn in one.link.turns),
        abstain=declining,
        labels={"category": CATEGORIES[asked.category].name, **own},
        original_id=f"{talk}:{one.place}",
    )


def place_of(key: Key) -> int:
    """Where a question stands among all of its conversation."""
    return int(key.original_id.rpartition(":")[2])


def scored_gold(category: int, answer: str) -> str:
    """The part of a published answer that counts: of an open-domain one what stands before the reason."""
    return answer.partition(";")[0].strip() if category == OPEN_DOMAIN else answer


def _gold(category: int, answer: str) -> tuple[str, ...]:
    """What is scored comes first, the whole published answer last."""
    return tuple(dict.fromkeys((scored_gold(category, answer) or answer, answer)))


def _said(answer: Answer) -> tuple[str, ...]:
    return () if answer is None else (str(answer),)


def _repairs(links: list[Linked]) -> Iterator[str]:
    for what in ("mended", "lost", "doubled"):
        places = [f"qa.{place} {said!r}" for place, link in enumerate(links) for said in getattr(link, what)]
        if places:
            yield f"{_counted(len(places), 'reference')} to evidence {what} ({', '.join(places)})"


def _remarks(talk: Conversation) -> Iterator[str]:
    without = [f"qa.{place}" for place, asked in enumerate(talk.asked) if not asked.evidence]
    if without:
        yield f"{_counted(len(without), 'question')} without evidence ({', '.join(without)})"
    expected = EXPECTED_QUESTIONS.get(talk.name)
    if expected not in (None, len(talk.asked)):
        yield f"{_counted(len(talk.asked), 'question')} where the published conversation has {expected}"
    again = len(talk.asked) - len({asked.question for asked in talk.asked})
    own = sum(asked.category == DECLINING and asked.answer is not None for asked in talk.asked)
    silent = sum(not _says(turn) for one in talk.sessions for turn in one.turns)
    for count, what, rest in (
        (talk.idle, "time", "of sessions without a turn"),
        (sum(sitting.said_at is None for sitting in talk.sessions), "session", "without a time"),
        (silent, "turn", "without a word left out"),
        (again, "question", "asked twice"),
        (own, "adversarial question", "with an answer that does not count"),
    ):
        if count:
            yield f"{_counted(count, what)} {rest}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count > 1)}"
