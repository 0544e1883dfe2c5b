"""How much of a long real conversation the extractor keeps."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.offline.extractor import ExtractorSettings, RuleExtractor

pytestmark = pytest.mark.real
_evidence = re.compile(r"D:?(\d+):(\d+)")
Talk = tuple[list[Message], list[list[str]]]


class Kept(NamedTuple):
    """Shares of messages that left a memory, of words, and of evidence messages (mean over questions)."""

    items: float
    words: float
    evidence: float


@pytest.fixture(scope="module")
def talks() -> list[Talk]:
    folder = os.environ.get("RECOLLECT_DATA")
    if not folder:
        pytest.skip("RECOLLECT_DATA names no folder with the source data")
    files = sorted((Path(folder) / "locomo10").glob("conv-*.json.gz"))
    return [_read(json.loads(gzip.decompress(file.read_bytes()))) for file in files]


def _read(conversation: Mapping[str, Any]) -> Talk:
    messages = list(_messages(conversation))
    known = {message.message_id for message in messages}
    asked = (row["evidence"] for row in conversation["qa"] if row["category"] != 5)
    found = ([f"D{int(a)}:{int(b)}" for one in row for a, b in _evidence.findall(one)] for row in asked)
    return messages, [kept for row in found if (kept := [one for one in row if one in known])]


def _messages(conversation: Mapping[str, Any]) -> Iterator[Message]:
    numbers = sorted(int(name.split("_")[1]) for name in conversation if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        said = conversation[f"session_{number}_date_time"].replace(",", "")
        at = datetime.strptime(said, "%I:%M %p on %d %B %Y").isoformat()  # noqa: DTZ007 local time, as the data says it
        for turn in conversation[f"session_{number}"]:
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Message(
                message_id=MessageId(turn["dia_id"]),
                session_id=SessionId(str(number)),
                text=turn["text"] + caption,
                speaker=turn["speaker"],
                said_at=at,
            )


def keep(talks: Sequence[Talk], settings: ExtractorSettings) -> Kept:
    extractor = RuleExtractor(settings)
    items = words = turns = said = 0
    evidence: list[float] = []
    for messages, asked in talks:
        found = extractor.extract(messages)
        held = {one.sources[0] for one in found}
        items, turns = items + len(found), turns + len(messages)
        words += sum(len(one.text.split()) for one in found)
        said += sum(len(message.text.split()) for message in messages)
        evidence += [sum(one in held for one in row) / len(row) for row in asked]
    return Kept(items / turns, words / said, sum(evidence) / len(evidence))


@pytest.mark.parametrize(
    ("least", "with_question", "expected"),
    [
        pytest.param(1, False, Kept(0.86, 0.82, 0.988), id="1"),
        pytest.param(2, False, Kept(0.69, 0.57, 0.951), id="2"),
        pytest.param(2, True, Kept(0.69, 0.66, 0.951), id="2-question"),
        pytest.param(3, False, Kept(0.41, 0.31, 0.809), id="3"),
        pytest.param(3, True, Kept(0.41, 0.38, 0.809), id="3-question"),
    ],
)
def test_a_threshold_keeps_the_measured_shares(
    talks: list[Talk], least: int, with_question: bool, expected: Kept
) -> None:
    """Measured here on the seven conversations that lie in the data folder, questions of categories 1 to 4."""
    found = keep(talks, ExtractorSettings(least_points=least, with_question=with_question))
    assert found == pytest.approx(expected, abs=0.015)
