"""`bm25` ranks by shared words, whatever the writes, commits and snapshots in between."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.contracts.memory import Room
from recollect.domain.exchange import Cue
from recollect.memories.bm25 import KIND, Bm25Config

from tests.unit.memories.small_history import HISTORY, BuiltIn, batch, close_all, ids, message, rounded

WORDS = ("tea", "milk", "sugar", "honey", "lemon")


def opened(folder: Path, *, previous: bool = False) -> BuiltIn:
    folder.mkdir(parents=True, exist_ok=True)
    config = Bm25Config(previous=previous)
    memory: BuiltIn = KIND.open(config, Room(folder=folder, namespace="test", seed=0))  # type: ignore[assignment]
    return memory


def found(memory: BuiltIn, cue: str, limit: int = 10) -> list[str]:
    return list(ids(memory.search(Cue(text=cue, limit=limit))))


def test_rare_words_count_more_than_common_ones(tmp_path: Path) -> None:
    """*Pebble* is in two messages, *Friday* in two, and only message 4 has Pebble and the piano."""
    memory = opened(tmp_path)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert found(memory, "Where does Pebble sleep, on the piano?")[0] == "m0004"
    assert found(memory, "visiting", 10) == ["m0007"], "by the stem"
    memory.close()


def test_speaker_and_channel_can_be_searched(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.write(batch(message(0, "Hello there", speaker="Quentin"), message(1, "Hello there", speaker="Ana")))
    memory.settle()
    assert found(memory, "What did Quentin say?") == ["m0000"]
    memory.close()


def test_equals_stand_in_the_order_of_writing(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    for number in range(20):
        memory.write(batch(message(number, "tea with milk")))
        memory.settle()
    assert found(memory, "milk", 20) == [f"m{number:04}" for number in range(20)]
    memory.close()


def test_what_is_not_settled_is_kept_but_not_found(tmp_path: Path) -> None:
    """The listing and the readback know it; the index learns of it at `settle`."""
    memory = opened(tmp_path)
    memory.write(batch(*HISTORY))
    assert found(memory, "piano") == []
    assert len(list(memory.units())) == len(HISTORY)
    memory.settle()
    assert found(memory, "piano")[:1] != []
    memory.close()


@pytest.mark.parametrize(
    ("previous", "expected"),
    [pytest.param(False, ["m0000"], id="alone"), pytest.param(True, ["m0000", "m0001"], id="with-the-one-before")],
)
def test_with_the_previous_message_an_answer_is_found_by_its_question(
    previous: bool, expected: list[str], tmp_path: Path
) -> None:
    """The answer shares no word with the cue, but follows one that does; in another session it does not follow."""
    memory = opened(tmp_path, previous=previous)
    memory.write(batch(message(0, "Which instrument do you play?"), message(1, "The cello."), message(2, "Nice!")))
    memory.write(batch(message(3, "Good morning.", session=1)))
    memory.settle()
    assert sorted(found(memory, "instrument")) == expected
    memory.close()


def test_after_loading_the_previous_message_is_still_known(tmp_path: Path) -> None:
    memory, saved = opened(tmp_path / "a", previous=True), tmp_path / "saved"
    saved.mkdir()
    memory.write(batch(message(0, "Which instrument do you play?")))
    memory.save(saved)
    memory.close()
    loaded = opened(tmp_path / "b", previous=True)
    loaded.load(saved)
    loaded.write(batch(message(1, "The cello.")))
    loaded.settle()
    assert found(loaded, "instrument") == ["m0000", "m0001"]
    loaded.close()


def test_forgetting_a_message_takes_it_out_of_the_one_after_it(tmp_path: Path) -> None:
    """Indexed with its predecessor, a message must not stay findable by words that were forgotten."""
    memory = opened(tmp_path, previous=True)
    memory.write(batch(message(0, "Which instrument?"), message(1, "The cello.")))
    memory.settle()
    memory.forget({message(0, "").message_id})
    memory.settle()
    assert (found(memory, "instrument"), found(memory, "cello")) == ([], ["m0001"])
    memory.close()


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
breaks = st.lists(st.tuples(texts, st.sampled_from(["go on", "settle", "save"])), min_size=1, max_size=6)


@settings(max_examples=15)
@given(breaks, st.booleans())
def test_commits_and_snapshots_change_no_ranking(lived: list[tuple[str, str]], previous: bool) -> None:
    """However often it is settled, saved and loaded in between, it finds what an instance finds that settled once."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        unbroken, broken = opened(place / "unbroken", previous=previous), opened(place / "0", previous=previous)
        for number, (text, then) in enumerate(lived):
            for memory in (unbroken, broken):
                memory.write(batch(message(number, text)))
            if then == "settle":
                broken.settle()
            elif then == "save":
                saved = place / f"saved{number}"
                saved.mkdir()
                broken.save(saved)
                broken.close()
                broken = opened(place / f"{number + 1}", previous=previous)
                broken.load(saved)
        unbroken.settle()
        broken.settle()
        for word in WORDS:
            cue = Cue(text=f"{word} tea", limit=5)
            assert rounded(broken.search(cue)) == rounded(unbroken.search(cue))
        close_all(unbroken, broken)


def test_writing_200_messages_of_512_tokens_stays_below_a_second(tmp_path: Path) -> None:
    """Of processor time in all threads, so that a busy machine does not matter; 0.1 s of clock time was measured."""
    memory = opened(tmp_path)
    line = " ".join(f"word{number} and so on" for number in range(128))
    started = process_time()
    for number in range(200):
        memory.write(batch(message(number, f"{number} {line}")))
    memory.settle()
    seconds = process_time() - started
    memory.close()
    assert seconds < 1
