"""Histories in the published layout: one list, sessions below `conversation`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.benchmarks.locomo.histories import NAME, OWN_ANSWER, QA, place_of
from recollect.benchmarks.locomo.load import ORIGINS
from recollect.benchmarks.locomo.rows import EXTRAS_SCHEMA, NUMBERS, apart, say_time
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.domain.questions import Key
from recollect.store.files import write_whole

FILE = f"{NAME}.json"


def write(dataset: Dataset, path: Path) -> None:
    """Write *dataset* so that `load` gives it back unchanged.

    Turns are named by position (`D3:5` is the fifth of the third session). What is not read is not written: addresses
    of pictures, events, observations and summaries.

    Args:
        dataset: Histories of this benchmark.
        path: A file, gzipped if its name ends in `.gz`. In a folder that exists it gets a name.

    Raises:
        DataError: The histories are of another benchmark.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    origins = dataset.shared.get(QA, {}).get(ORIGINS, {})
    by_conversation: dict[str, list[Keyed]] = {}
    for one in dataset.histories:
        by_conversation.setdefault(one.original_id, []).append(one)
    talks = [_talk(name, tasks, origins.get(name, dataset.origin)) for name, tasks in by_conversation.items()]
    data = (json.dumps(talks, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
    target = path / FILE if path.is_dir() else path
    write_whole(target, gzip.compress(data, mtime=0) if target.name.endswith(".gz") else data)


def _talk(name: str, tasks: list[Keyed], origin: str) -> dict[str, Any]:
    """One conversation; *tasks* are its histories, one per task."""
    asked = {}
    sessions = [[event for event in one.history.timeline if isinstance(event, Session)] for one in tasks]
    for one, own_sessions in zip(tasks, sessions, strict=True):
        names = {
            message.message_id: f"D{number}:{place}"
            for number, session in enumerate(own_sessions, start=1)
            for place, message in enumerate(session.messages, start=1)
        }
        for question in one.history.questions:
            key = one.keys[question.question_id]
            asked[place_of(key)] = _asked(question.text, key, names)
    return {
        "sample_id": name,
        "qa": [asked[place] for place in sorted(asked)],
        "conversation": dict(_conversation(sessions[0])),
        "recollect": {"schema": EXTRAS_SCHEMA, "origin": origin},
    }


def _conversation(sessions: list[Session]) -> Iterator[tuple[str, Any]]:
    speakers = list(dict.fromkeys(message.speaker for session in sessions for message in session.messages))
    yield from zip(("speaker_a", "speaker_b"), speakers, strict=False)
    for number, session in enumerate(sessions, start=1):
        said_at = session.messages[0].said_at
        if said_at is not None:
            yield f"session_{number}_date_time", say_time(said_at)
        turns = []
        for place, message in enumerate(session.messages, start=1):
            text, caption = apart(message.text)
            shown = {} if caption is None else {"blip_caption": caption}
            turns.append({"speaker": message.speaker, "dia_id": f"D{number}:{place}", **shown, "text": text})
        yield f"session_{number}", turns


def _asked(text: str, key: Key, names: dict[MessageId, str]) -> dict[str, Any]:
    answer = key.labels.get(OWN_ANSWER) if key.abstain else key.gold[-1]
    return {
        "question": text,
        **({} if answer is None else {"answer": answer}),
        "evidence": [names[name] for name in key.evidence],
        "category": NUMBERS[key.labels["category"]],
        **({"adversarial_answer": key.rejected[0]} if key.rejected else {}),
    }
