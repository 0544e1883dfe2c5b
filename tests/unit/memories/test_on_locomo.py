"""How much evidence the searching memories find in real dialogues: LoCoMo, seven conversations.

Recall at 10 of evidence turns, mean over the answerable questions. Expected numbers were measured here on these files
in November 2026; beside them stand those of an independent prototype on all ten conversations.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from recollect.contracts.memory import Room
from recollect.domain.exchange import Cue
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message

from tests.unit.memories.small_history import feed, ids
from tests.unit.memories.test_memories import kind_of

ADVERSARIAL = 5
"""Category of questions that have no answer."""


def conversations(data: Path) -> Iterator[tuple[list[Message], list[tuple[str, set[MessageId]]]]]:
    """The turns of each conversation, and its questions with their evidence."""
    for file in sorted((data / "locomo10").glob("conv-*.json.gz")):
        talk = json.loads(gzip.decompress(file.read_bytes()))
        turns = list(_turns(talk))
        known = {turn.message_id for turn in turns}
        asked = [(q["question"], _evidence(q) & known) for q in talk["qa"] if q["category"] != ADVERSARIAL]
        yield turns, [(question, evidence) for question, evidence in asked if evidence]


def _turns(talk: dict[str, Any]) -> Iterator[Message]:
    numbers = sorted(int(found[1]) for key in talk if (found := re.fullmatch(r"session_(\d+)", key)))
    for number in numbers:
        for turn in talk[f"session_{number}"]:
            text = f"{turn['text']} [{turn['blip_caption']}]" if turn.get("blip_caption") else turn["text"]
            yield Message(
                message_id=MessageId(turn["dia_id"]),
                session_id=SessionId(str(number)),
                text=text,
                speaker=turn["speaker"],
            )


def _evidence(question: dict[str, Any]) -> set[MessageId]:
    return {MessageId(name) for name in re.findall(r"D\d+:\d+", " ".join(question["evidence"]))}


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        pytest.param("bm25", {}, 61.3, id="bm25"),  # prototype: 61.4
        pytest.param("bm25", {"previous": True}, 69.2, id="bm25-previous"),  # prototype: 68.3
        pytest.param("files", {}, 62.3, id="files"),  # no prototype
        pytest.param("files", {"neighbours": 0}, 60.7, id="files-matches-alone"),
    ],
)
def test_evidence_found_among_ten(
    name: str, settings: dict[str, Any], expected: float, data: Path, tmp_path: Path
) -> None:
    kind = kind_of(name)
    shares = []
    for number, (turns, questions) in enumerate(conversations(data)):
        (tmp_path / str(number)).mkdir()
        room = Room(folder=tmp_path / str(number), namespace="test", seed=0)
        memory = kind.open(kind.config(**settings), room)
        feed(memory, turns)
        for question, evidence in questions:
            found = set(ids(memory.search(Cue(text=question, limit=10))))
            shares.append(len(evidence & found) / len(evidence))
        memory.close()
    assert len(shares) == 1175
    assert round(100 * fmean(shares), 1) == pytest.approx(expected, abs=0.5)
