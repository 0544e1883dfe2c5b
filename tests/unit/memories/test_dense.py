"""`dense` ranks by likeness, embeds each message once, and long ones in pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.contracts.memory import Room
from recollect.domain.errors import RetryableError
from recollect.domain.exchange import Cue
from recollect.domain.messages import Message
from recollect.memories.dense import KIND, DenseConfig

from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.small_history import HISTORY, MORE, BuiltIn, batch, ids, message


def opened(folder: Path, embedder: HashEmbedder, piece_tokens: int = 128) -> BuiltIn:
    folder.mkdir(parents=True, exist_ok=True)
    room = Room(folder=folder, namespace="test", seed=0, embedder=embedder)
    memory: BuiltIn = KIND.open(DenseConfig(piece_tokens=piece_tokens), room)  # type: ignore[assignment]
    return memory


def found(memory: BuiltIn, cue: str, limit: int = 10) -> list[str]:
    return list(ids(memory.search(Cue(text=cue, limit=limit))))


def worded(messages: tuple[Message, ...]) -> list[str]:
    return [f"{m.speaker}: {m.text}" for m in messages]


def test_each_message_is_embedded_once_with_its_speaker(tmp_path: Path) -> None:
    """Settling again embeds only what is new."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder)
    for part in (HISTORY, MORE):
        memory.write(batch(*part))
        memory.settle()
        memory.settle()
    assert embedder.asked == worded((*HISTORY, *MORE))


def test_a_settle_makes_one_call_for_all_that_is_new(tmp_path: Path) -> None:
    """Single texts would be slow."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder)
    for one in HISTORY:
        memory.write(batch(one))
    memory.settle()
    assert embedder.calls == 1


def test_loading_embeds_nothing(tmp_path: Path) -> None:
    first, second = HashEmbedder(), HashEmbedder()
    memory = opened(tmp_path / "a", first)
    memory.write(batch(*HISTORY))
    saved = tmp_path / "saved"
    saved.mkdir()
    memory.save(saved)
    loaded = opened(tmp_path / "b", second)
    loaded.load(saved)
    loaded.settle()
    assert second.calls == 0
    assert found(loaded, "Pebble") == found(memory, "Pebble")


def test_a_long_message_is_as_near_as_its_nearest_piece(tmp_path: Path) -> None:
    """One line of three tells of the zither. As a whole the message is less like the cue than a short one; in
    pieces of a line each it is more.
    """
    long = message(0, "The rain went on for days.\nUncle Otto plays the zither.\nWe ate soup and slept.", speaker="")
    short = message(1, "Who plays the piano?", speaker="")
    cue = "Who plays the zither?"
    whole, pieces = opened(tmp_path / "a", HashEmbedder()), opened(tmp_path / "b", HashEmbedder(), piece_tokens=8)
    for memory in (whole, pieces):
        memory.write(batch(long, short))
        memory.settle()
    assert (found(whole, cue)[0], found(pieces, cue)[0]) == ("m0001", "m0000")


def test_a_message_in_many_pieces_is_found_once_and_leaves_room_for_others(tmp_path: Path) -> None:
    """Its pieces are all nearer than any other message, and still it takes one place of the limit."""
    memory = opened(tmp_path, HashEmbedder(), piece_tokens=4)
    memory.write(batch(message(0, "\n".join(["green tea"] * 40), speaker=""), message(1, "green hills", speaker="")))
    memory.settle()
    assert found(memory, "green tea", 2) == ["m0000", "m0001"]


def test_a_message_without_text_is_kept_and_never_near(tmp_path: Path) -> None:
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder)
    memory.write(batch(message(0, " \n"), message(1, "tea")))
    memory.settle()
    assert found(memory, "anything") == ["m0001"]
    assert len(list(memory.units())) == 2
    assert embedder.asked[:1] == ["Ana: tea"]


def test_an_empty_cue_asks_the_embedder_nothing(tmp_path: Path) -> None:
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert found(memory, " ") == []
    assert found(memory, "tea", 0) == []
    assert embedder.calls == 1


def test_a_settle_that_failed_can_be_tried_again(tmp_path: Path) -> None:
    """What was not embedded is embedded then; nothing is found under another message's vector."""
    embedder = HashEmbedder(fails_at=1)
    memory = opened(tmp_path, embedder)
    memory.write(batch(*HISTORY))
    memory.settle()
    memory.write(batch(*MORE))
    with pytest.raises(RetryableError):
        memory.settle()
    memory.settle()
    assert found(memory, MORE[1].text, 1) == ["m0009"]
    assert embedder.asked == [*worded((*HISTORY, *MORE)), MORE[1].text]


def test_a_piece_of_no_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="piece_tokens starts at 1"):
        DenseConfig(piece_tokens=0)
