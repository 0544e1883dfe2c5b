"""`hybrid` adds both rankings, and embeds long histories only where words found something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.memory import Room
from recollect.domain.errors import RetryableError
from recollect.domain.exchange import Cue
from recollect.index.fusion import DEPTH
from recollect.memories.hybrid import KIND, HybridConfig

from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.small_history import HISTORY, UNHEARD, BuiltIn, batch, close_all, files_of, ids, message


def opened(folder: Path, embedder: HashEmbedder, **settings: Any) -> BuiltIn:
    folder.mkdir(parents=True, exist_ok=True)
    room = Room(folder=folder, namespace="test", seed=0, embedder=embedder)
    memory: BuiltIn = KIND.open(HybridConfig(**settings), room)  # type: ignore[assignment]
    return memory


def found(memory: BuiltIn, cue: str, limit: int = 10) -> list[str]:
    return list(ids(memory.search(Cue(text=cue, limit=limit))))


def test_a_short_history_is_embedded_when_it_is_settled(tmp_path: Path) -> None:
    """At the question only the cue is."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert len(embedder.asked) == len(HISTORY)
    found(memory, "piano")
    assert embedder.asked[len(HISTORY) :] == ["piano"]
    memory.close()


def test_a_long_history_is_embedded_only_where_words_found_it(tmp_path: Path) -> None:
    """*piano* is in messages 4 and 6; a second question about them embeds its cue alone."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder, lazy_above_tokens=0)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert embedder.asked == []
    assert set(found(memory, "piano")) == {"m0004", "m0006"}
    assert set(embedder.asked) == {"piano", f"Ana: {HISTORY[4].text}", f"Ana: {HISTORY[6].text}"}
    found(memory, "the piano tuner")
    assert embedder.asked[3:] == ["the piano tuner"]
    memory.close()


def test_at_most_the_depth_of_the_ranking_is_embedded(tmp_path: Path) -> None:
    """The best 100 by words, as measured; the words of 150 messages match."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder, lazy_above_tokens=0)
    memory.write(batch(*(message(number, "tea " * (1 + number % 7)) for number in range(150))))
    memory.settle()
    found(memory, "tea")
    assert len(embedder.asked) == 1 + DEPTH == 101
    memory.close()


def test_where_words_find_nothing_a_long_history_shows_nothing(tmp_path: Path) -> None:
    memory = opened(tmp_path, HashEmbedder(), lazy_above_tokens=0)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert found(memory, UNHEARD) == []
    memory.close()


def test_the_border_is_the_one_that_was_measured() -> None:
    assert HybridConfig().lazy_above_tokens == 1_000_000


def test_both_rankings_count(tmp_path: Path) -> None:
    """Equal by words, the message that is more alike stands first, though it was written last."""
    memory = opened(tmp_path, HashEmbedder())
    memory.write(batch(message(0, "tea with clouds", speaker=""), message(1, "tea with tea leaves", speaker="")))
    memory.settle()
    assert found(memory, "tea leaves") == ["m0001", "m0000"]
    memory.close()


def test_asking_a_long_history_changes_no_snapshot(tmp_path: Path) -> None:
    """Vectors made at a question are not part of what is held: saved before and after, the log is all there is of
    them.
    """
    memory = opened(tmp_path / "a", HashEmbedder(), lazy_above_tokens=0)
    memory.write(batch(*HISTORY))
    memory.settle()
    found(memory, "piano")
    saved = tmp_path / "saved"
    saved.mkdir()
    memory.save(saved)
    memory.close()
    assert not any(name.startswith("vectors") for name in files_of(saved))


def test_a_question_that_failed_can_be_asked_again(tmp_path: Path) -> None:
    """An embedder that breaks in the middle of a search leaves no vector under another message's name."""
    whole, broken = opened(tmp_path / "a", HashEmbedder(), lazy_above_tokens=0), HashEmbedder(fails_at=1)
    memory = opened(tmp_path / "b", broken, lazy_above_tokens=0)
    for one in (whole, memory):
        one.write(batch(*HISTORY))
        one.settle()
    with pytest.raises(RetryableError):
        found(memory, "piano")
    assert found(memory, "the piano in Lisbon") == found(whole, "the piano in Lisbon")
    close_all(whole, memory)


def test_forgetting_until_the_history_is_short_embeds_the_rest(tmp_path: Path) -> None:
    """64 tokens are above the border of 40, what is left is not."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder, lazy_above_tokens=40)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert embedder.asked == []
    memory.forget({m.message_id for m in HISTORY[4:]})
    assert len(embedder.asked) == 4
    assert found(memory, UNHEARD) != [], "some vector is always nearest"
    memory.close()


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"piece_tokens": 0}, "piece_tokens starts at 1"), ({"lazy_above_tokens": -1}, "lazy_above_tokens starts at 0")],
)
def test_settings_without_sense_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        HybridConfig(**settings)
