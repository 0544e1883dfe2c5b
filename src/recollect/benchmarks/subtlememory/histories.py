"""From persons to histories with their keys: the one place that names things and hides their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from recollect.benchmarks.subtlememory.items import Bundle, Talk
from recollect.benchmarks.subtlememory.questions import About, classified, scored
from recollect.benchmarks.subtlememory.rows import (
    ASCII,
    INSTANCE_ROWS,
    SESSION_ROWS,
    Kept,
    row_of_instance,
    row_of_talk,
)
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.records.digests import digest, opaque

NAME = "subtlememory"
TASK = "overall"
ROWS = "rows"
"""In what all keys share: bundle -> the rows of its two files, from which `write` makes them again."""
END = CheckpointId("end")
SPEAKERS = ("Assistant", "User")
"""As a reader is told who spoke: where two claims contradict each other, it matters whose they are."""
STEP_S = 30
"""Seconds from one message of a session to the next, as the authors take it."""
MOST_OF_GAP = 0.9
"""Share of the way to the next session that a session may fill; where it would fill more, its steps shrink."""


def dataset_of(bundles: Sequence[Bundle], origin: str, rows: Mapping[str, Kept] | None = None) -> Dataset:
    """Persons as histories; what no history tells, such as profile and conversation types, is kept beside.

    Args:
        bundles: Persons, each once.
        origin: Where they are from: a digest of the files, or generator, size and seed.
        rows: As they stood in files, by the key of the bundle; made from *bundles* if they stood in none.
    """
    kept = {bundle.key: rows_of(bundle) for bundle in bundles} if rows is None else dict(rows)
    histories = tuple(keyed(bundle, kept[bundle.key]) for bundle in bundles)
    return Dataset(benchmark=NAME, histories=histories, shared={TASK: {ROWS: kept}}, origin=origin)


def rows_of(bundle: Bundle) -> Kept:
    """The rows of the two files that say *bundle*."""
    return {
        SESSION_ROWS: [row_of_talk(talk) for talk in bundle.talks],
        INSTANCE_ROWS: [row_of_instance(instance) for instance in bundle.instances],
        ASCII: False,
    }


def keyed(bundle: Bundle, kept: Kept) -> Keyed:
    """One person: all sessions, then all questions.

    Raises:
        KeyError: An instance names a session that is not there.
    """
    name = HistoryId(opaque("h", NAME, bundle.key, digest([list(kept[SESSION_ROWS]), list(kept[INSTANCE_ROWS])])))
    times = message_times(bundle.talks)
    sessions = [_session(name, talk, said_at) for talk, said_at in zip(bundle.talks, times, strict=True)]
    told = {
        talk.session_id: tuple(message.message_id for message in session.messages)
        for talk, session in zip(bundle.talks, sessions, strict=True)
    }
    order = {talk.session_id: place for place, talk in enumerate(bundle.talks)}
    questions: list[Question] = []
    keys: dict[QuestionId, Key] = {}
    for instance in bundle.instances:
        there = sorted(dict.fromkeys(instance.session_ids), key=order.__getitem__)
        evidence = tuple(message for session in there for message in told[session])
        for place in range(len(instance.qas)):
            question, key = scored(About(history=name, bundle=bundle.key, instance=instance, evidence=evidence), place)
            questions.append(question)
            probe = classified(key)
            keys.update({key.question_id: key, probe.question_id: probe})
    asking = Asking(checkpoint=END, question_ids=tuple(question.question_id for question in questions))
    history = History(history_id=name, timeline=(*sessions, asking), questions=tuple(questions))
    return Keyed(history=history, keys=keys, task=TASK, original_id=bundle.key)


def _session(history: HistoryId, talk: Talk, times: Sequence[str]) -> Session:
    name = SessionId(opaque("s", history, talk.session_id))
    messages = tuple(
        Message(
            message_id=MessageId(opaque("m", name, place)),
            session_id=name,
            text=turn.content,
            speaker=SPEAKERS[turn.role == "user"],
            role="user" if turn.role == "user" else "assistant",
            said_at=said_at,
        )
        for place, (turn, said_at) in enumerate(zip(talk.history, times, strict=True))
    )
    return Session(session_id=name, messages=messages)


def message_times(talks: Sequence[Talk]) -> list[tuple[str, ...]]:
    """For each session the time of each message, ISO 8601 with the offset of the session.

    Seconds are whole. The session behind the last one, and one that begins before its predecessor, press nothing.

    Args:
        talks: Sessions in order, each with a time.

    Raises:
        ValueError: A timestamp is none.
    """
    starts = [datetime.fromisoformat(talk.timestamp) for talk in talks]
    return [
        _times(start, following, len(talk.history))
        for talk, start, following in zip(talks, starts, [*starts[1:], None], strict=True)
    ]


def _times(start: datetime, following: datetime | None, messages: int) -> tuple[str, ...]:
    step = float(STEP_S)
    if following is not None and following > start and messages > 1:
        step = min(step, MOST_OF_GAP * (following - start).total_seconds() / (messages - 1))
    return tuple((start + timedelta(seconds=int(step * place))).isoformat() for place in range(messages))
