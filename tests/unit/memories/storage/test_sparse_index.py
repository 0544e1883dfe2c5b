"""Tests of the index behind the memories that search by words: it is held in memory first, then in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.storage.sparse_index import FOLDER, SparseLogIndex

WORDS = ("boat", "engine", "harbour", "sail", "anchor", "rope", "tide")
CUES = ("the boat and its engine", "rope", "harbour tide sail", "nothing of it")


def told(many: int) -> list[Message]:
    """Messages with many ties among them."""
    return [
        Message(
            message_id=MessageId(f"m{place:03d}"),
            session_id=SessionId(f"s{place // 3}"),
            text=f"{WORDS[place % 7]} {WORDS[place * place % 7]} number {place % 5}",
        )
        for place in range(many)
    ]


def room(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def written(part: SparseLogIndex, messages: Sequence[Message], batch: int = 2) -> SparseLogIndex:
    for start in range(0, len(messages), batch):
        part.append(messages[start : start + batch])
        part.commit()
    return part


def found(part: SparseLogIndex) -> list[list[tuple[int, float]]]:
    return [part.search(cue, 6) for cue in CUES]


@pytest.mark.parametrize("previous", [False, True])
def test_what_is_found_does_not_depend_on_where_the_index_is_held(tmp_path: Path, previous: bool) -> None:
    """In memory throughout, spilled in the middle, or in a folder from the start: the same places and scores."""
    messages = told(41)
    parts = [
        written(SparseLogIndex(room(tmp_path, str(held)), previous=previous, held=held), messages)
        for held in (100, 20, 0)
    ]
    wanted, *others = [found(part) for part in parts]
    assert any(wanted)
    assert others == [wanted, wanted]
    assert [(tmp_path / str(held) / FOLDER).exists() for held in (100, 20, 0)] == [False, True, True]
    for part in parts:
        part.close()


@pytest.mark.parametrize("held", [100, 20])
def test_a_copy_finds_the_same_and_goes_its_own_way(tmp_path: Path, held: int) -> None:
    """Whether the copy is made of the log or of the folder, and what is written later stays with its own."""
    messages = told(30)
    part = written(SparseLogIndex(room(tmp_path, "a"), previous=True, held=held), messages[:26])
    before = found(part)
    copy = room(tmp_path, "copy")
    part.save(copy)
    written(part, messages[26:])
    again = written(SparseLogIndex(room(tmp_path, "b"), previous=True, held=held), told(3))
    again.load(copy, messages[:26])
    assert found(again) == before != found(part)
    written(again, messages[26:])
    assert found(again) == found(part)
    assert (copy / FOLDER).exists() == (held == 20)
    part.close()
    again.close()


def test_what_was_dropped_leaves_no_trace(tmp_path: Path) -> None:
    """An index that became fewer messages is the one that never saw the others, on either side of the limit."""
    messages = told(30)
    part = written(SparseLogIndex(room(tmp_path, "a"), previous=False, held=20), messages)
    part.become(messages[:9])
    fresh = written(SparseLogIndex(room(tmp_path, "b"), previous=False, held=20), messages[:9])
    assert found(part) == found(fresh)
    assert not (tmp_path / "a" / FOLDER).exists()
    part.close()
    fresh.close()
