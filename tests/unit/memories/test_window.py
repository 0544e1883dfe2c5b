"""`window` holds the newest messages within its tokens, always the newest one, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.memory import Room
from recollect.domain.exchange import Cue
from recollect.domain.messages import Message
from recollect.memories.window import KIND, WindowConfig
from recollect.text.tokens import count

from tests.unit.memories.models import Act, acts, live
from tests.unit.memories.small_history import BuiltIn, batch, held, ids, message


def opened(folder: Path, tokens: int = 2000) -> BuiltIn:
    config = WindowConfig(tokens=tokens)
    memory: BuiltIn = KIND.open(config, Room(folder=folder, namespace="test", seed=0))  # type: ignore[assignment]
    return memory


def newest(messages: list[Message], tokens: int) -> list[Message]:
    """The longest end of *messages* within *tokens*; never without the last."""
    ends = (messages[start:] for start in range(len(messages)))
    return next((end for end in ends if len(end) == 1 or sum(count(m.text) for m in end) <= tokens), [])


@given(acts, st.integers(1, 12))
def test_any_life_agrees_with_a_list(lived: list[Act], tokens: int) -> None:
    """Writing, searching, forgetting, saving and loading in any order agree with cutting a list."""
    live(lambda folder: opened(folder, tokens), lambda messages: newest(messages, tokens), lived)


def test_what_falls_out_is_gone(tmp_path: Path) -> None:
    """Three messages of four tokens in a window of ten: the first is neither shown, listed nor read back."""
    texts = ("one two three four", "five six seven eight", "nine ten eleven twelve")
    assert [count(text) for text in texts] == [4, 4, 4]  # by the bundled tokenizer: a word with the space before it
    memory = opened(tmp_path, 10)
    memory.write(batch(*(message(number, text) for number, text in enumerate(texts))))
    assert ids(memory.search(Cue(text="one", limit=9))) == ["m0001", "m0002"]
    assert [unit.unit_id for unit in held(memory)] == ["m0001", "m0002"]
    assert memory.stored_from({message(0, "").message_id}).items == ()


def test_a_message_longer_than_the_window_stays_alone(tmp_path: Path) -> None:
    """The harness cuts it to the budget; an empty memory would be a fault."""
    memory = opened(tmp_path, 3)
    memory.write(batch(message(0, "short"), message(1, "far more than three words in here")))
    assert ids(memory.search(Cue(text="", limit=9))) == ["m0001"]


def test_room_left_by_forgetting_is_not_filled_again(tmp_path: Path) -> None:
    """What had fallen out before is lost."""
    memory = opened(tmp_path, 2)
    memory.write(batch(*(message(number, "word") for number in range(3))))
    memory.forget({message(2, "").message_id})
    assert ids(memory.search(Cue(text="", limit=9))) == ["m0001"]


@pytest.mark.parametrize("tokens", [0, -5])
def test_a_window_of_nothing_is_refused(tokens: int) -> None:
    with pytest.raises(ValueError, match="tokens starts at 1"):
        WindowConfig(tokens=tokens)
