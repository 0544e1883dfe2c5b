"""`files` finds by the steps that its page describes, and names nothing by what a history says."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.contracts.memory import Room
from recollect.domain.exchange import Cue
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.files import KIND, FilesConfig

from tests.unit.memories.small_history import HISTORY, BuiltIn, batch, ids, message

TEXTS = (
    "the red house stands by the river",  # red, house, river
    "the red boat is new",  # red
    "the blue house is old",  # house
    "a red house and a red door",  # red, house
    "nothing of note",
)


def opened(folder: Path, neighbours: int = 0) -> BuiltIn:
    config = FilesConfig(neighbours=neighbours)
    memory: BuiltIn = KIND.open(config, Room(folder=folder, namespace="test", seed=0))  # type: ignore[assignment]
    return memory


def numbers(memory: BuiltIn, cue: str, limit: int = 10) -> list[int]:
    """Numbers of the messages found."""
    return [int(name[1:]) for name in ids(memory.search(Cue(text=cue, limit=limit)))]


def holding(folder: Path, *texts: str, neighbours: int = 0) -> BuiltIn:
    memory = opened(folder, neighbours)
    memory.write(batch(*(message(number, text, speaker="") for number, text in enumerate(texts))))
    memory.settle()
    return memory


def test_the_most_specific_word_leads_then_the_search_widens(tmp_path: Path) -> None:
    """*river* matches 1 message, *red* and *house* 3 each: 0 has all, 3 red and house, 1 red alone, 2 house alone."""
    memory = holding(tmp_path, *TEXTS)
    assert numbers(memory, "Where is the red house by the river?") == [0, 3, 1, 2]


def test_equals_stand_in_the_order_of_writing(tmp_path: Path) -> None:
    memory = holding(tmp_path, "tea", "tea", "tea")
    assert numbers(memory, "tea") == [0, 1, 2]


def test_words_of_equal_count_lead_in_the_order_of_the_cue(tmp_path: Path) -> None:
    """*apples* and *plums* match one message each."""
    memory = holding(tmp_path, "apples", "plums")
    assert (numbers(memory, "apples plums"), numbers(memory, "plums apples")) == ([0, 1], [1, 0])


@pytest.mark.parametrize(
    ("text", "cue", "found"),
    [
        pytest.param("We went camping", "camp", True, id="longer-word"),
        pytest.param("The camp was cold", "camping", True, id="by-stem"),
        pytest.param("Her hobby is chess", "hobbies", True, id="stem-in-y"),
        pytest.param("A decamped army", "camp", False, id="inside-a-word"),
        pytest.param("Café Müller", "cafe muller", True, id="accents"),
        pytest.param("我昨天去了图书馆", "图书馆在哪里", True, id="script-without-spaces"),
        pytest.param("Her name is Ana", "is the of", False, id="stop-words-alone"),
    ],
)
def test_what_a_word_matches(text: str, cue: str, *, found: bool, tmp_path: Path) -> None:
    memory = holding(tmp_path, text)
    assert numbers(memory, cue) == ([0] if found else [])


def test_speaker_channel_and_time_can_be_searched(tmp_path: Path) -> None:
    """They stand in front of the text in the file, as a person would write them."""
    memory = opened(tmp_path)
    memory.write(batch(message(0, "Hello", speaker="Ana"), message(1, "Hello", speaker="Ben", session=4)))
    assert (numbers(memory, "Ben"), numbers(memory, "2024")) == ([1], [0, 1])


def test_neighbours_follow_their_match_and_stay_in_its_session(tmp_path: Path) -> None:
    """Vera is in messages 0 (first of session 0) and 7 (last of session 2)."""
    memory = opened(tmp_path, neighbours=1)
    memory.write(batch(*HISTORY))
    assert numbers(memory, "Vera") == [0, 1, 7, 6]
    assert numbers(memory, "Vera", limit=3) == [0, 1, 7]


def test_a_message_found_as_neighbour_is_not_shown_again(tmp_path: Path) -> None:
    memory = holding(tmp_path, "tea", "tea and milk", "water", neighbours=1)
    assert numbers(memory, "tea") == [0, 1, 2]


def test_a_session_that_goes_on_later_stays_one_file(tmp_path: Path) -> None:
    """Its messages are neighbours even if another session came between."""
    memory = opened(tmp_path, neighbours=1)
    for number, session in ((0, 0), (1, 1), (2, 0)):
        memory.write(batch(message(number, f"word{number}", session=session)))
    assert numbers(memory, "word2") == [2, 0]
    assert len(list((tmp_path / "sessions").iterdir())) == 2


def test_a_search_sees_what_was_written_after_the_last_one(tmp_path: Path) -> None:
    memory = holding(tmp_path, "tea")
    assert numbers(memory, "tea") == [0]
    memory.write(batch(message(1, "more tea")))
    assert numbers(memory, "tea") == [0, 1]


def test_names_of_files_say_nothing_of_the_history(tmp_path: Path) -> None:
    """A session's id is never a path."""
    memory = opened(tmp_path)
    for number, session in enumerate(("../../escape", "/etc/passwd", "con\x00", "a" * 300)):
        memory.write(
            batch(Message(message_id=MessageId(f"m{number:04}"), session_id=SessionId(session), text="secret word"))
        )
    names = sorted(f.relative_to(tmp_path).as_posix() for f in tmp_path.rglob("*.txt"))
    assert names == [f"sessions/{number:06}.txt" for number in (1, 2, 3, 4)]
    assert numbers(memory, "secret") == [0, 1, 2, 3]


def test_a_file_reads_as_a_person_would_write_it(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.write(batch(HISTORY[0], HISTORY[1]))
    assert (tmp_path / "sessions" / "000001.txt").read_text() == (
        "[2024-03-01T00:30] Ana: My sister Vera moved to Lisbon in spring.\n"
        "[2024-03-01T01:30] Ben: How does she like the city?\n"
    )


def test_texts_that_look_like_lines_of_a_file_change_nothing(tmp_path: Path) -> None:
    """A message is found by where it stands, so a text cannot forge another message."""
    memory = holding(tmp_path, "harmless\n[2024-03-01T00:30] Ana: forged", "next", neighbours=0)
    assert numbers(memory, "forged") == [0]


def test_a_negative_number_of_neighbours_is_refused() -> None:
    with pytest.raises(ValueError, match="neighbours starts at 0"):
        FilesConfig(neighbours=-1)
