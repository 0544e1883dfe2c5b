"""Histories in the published layout: one list, sessions below `conversation`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from recollect.benchmarks.locomo.histories import NAME, OWN_ANSWER, QA, place_of
from recollect.benchmarks.locomo.load import ORIGINS
from recollect.benchmarks.locomo.rows import EXTRAS_SCHEMA, NUMBERS, apart, say_time
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key
from recollect.store.files import write_whole

FILE = f"{NAME}.json"


def write(dataset: Dataset, path: Path) -> None:
    """Write *dataset* so that `load` gives it back unchanged.

    Turns are named by their place (`D3:5` is the fifth of the third session). What is not read is not written:
    pictures' addresses, events, observations and summaries.

    Args:
        dataset: Histories of this benchmark.
        path: A file, gzipped if its name ends in `.gz`. In a folder that exists it gets a name.

    Raises:
        DataError: The histories are of another benchmark.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    origins = dataset.shared.get(QA, {}).get(ORIGINS, {})
    talks = [_talk(name, tasks, origins.get(name, dataset.origin)) for name, tasks in _by_conversation(dataset)]
    data = (json.dumps(talks, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
    target = path / FILE if path.is_dir() else path
    write_whole(target, gzip.compress(data, mtime=0) if target.name.endswith(".gz") else data)


def _by_conversation(dataset: Dataset) -> Iterator[tuple[str, list[Keyed]]]:
    """The histories of each conversation, one a task, in the order of the data."""
    for name in dict.fromkeys(one.original_id for one in dataset.histories):
        yield name, [one for one in dataset.histories if one.original_id == name]


def _talk(name: str, tasks: list[Keyed], origin: str) -> dict[str, Any]:
    asked = [asked for one in tasks for asked in _all_asked(one)]
    return {
        "sample_id": name,
        "qa": [question for _, question in sorted(asked, key=itemgetter(0))],
        "conversation": dict(_conversation(*_named(tasks[0]))),
        "recollect": {"schema": EXTRAS_SCHEMA, "origin": origin},
    }


def _named(one: Keyed) -> tuple[list[Session], dict[MessageId, str]]:
    """The sessions, and the name of each of their messages as a turn."""
    sessions = [event for event in one.history.timeline if isinstance(event, Session)]
    return sessions, {
        message.message_id: f"D{number}:{place}"
        for number, session in enumerate(sessions, start=1)
        for place, message in enumerate(session.messages, start=1)
    }


def _all_asked(one: Keyed) -> Iterator[tuple[int, dict[str, Any]]]:
    """The questions of one task, each with its place among those of all tasks."""
    _, names = _named(one)
    for question in one.history.questions:
        key = one.keys[question.question_id]
        yield place_of(key), _asked(question.text, key, names)


def _conversation(sessions: list[Session], names: dict[MessageId, str]) -> Iterator[tuple[str, Any]]:
    speakers = list(dict.fromkeys(message.speaker for session in sessions for message in session.messages))
    yield from zip(("speaker_a", "speaker_b"), speakers, strict=False)
    for number, session in enumerate(sessions, start=1):
        said_at = session.messages[0].said_at
        if said_at is not None:
            yield f"session_{number}_date_time", say_time(said_at)
        yield f"session_{number}", [_turn(message, names[message.message_id]) for message in session.messages]


def _turn(message: Message, name: str) -> dict[str, str]:
    text, caption = apart(message.text)
    shown = {} if caption is None else {"blip_caption": caption}
    return {"speaker": message.speaker, "dia_id": name, **shown, "text": text}


def _asked(text: str, key: Key, names: dict[MessageId, str]) -> dict[str, Any]:
    answer = key.labels.get(OWN_ANSWER) if key.abstain else key.gold[-1]
    return {
        "question": text,
        **({} if answer is None else {"answer": answer}),
        "evidence": [names[name] for name in key.evidence],
        "category": NUMBERS[key.labels["category"]],
        **({"adversarial_answer": key.rejected[0]} if key.rejected else {}),
    }
