"""`full` shows everything, and makes that once."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from recollect.contracts.memory import Room
from recollect.domain.exchange import Cue
from recollect.memories.full import KIND, FullConfig
from recollect.memories.storage.message_log import MessageLog

from tests.unit.memories.models import Act, acts, live
from tests.unit.memories.small_history import HISTORY, BuiltIn, batch, ids


def opened(folder: Path) -> BuiltIn:
    memory: BuiltIn = KIND.open(FullConfig(), Room(folder=folder, namespace="test", seed=0))  # type: ignore[assignment]
    return memory


@given(acts)
def test_any_life_agrees_with_a_list(lived: list[Act]) -> None:
    """Writing, searching, forgetting, saving and loading in any order leave just the messages not forgotten."""
    live(opened, list, lived)


def test_every_question_gets_the_same_object_until_the_next_write(tmp_path: Path) -> None:
    """So the engine words, hashes and stores a long context once."""
    memory = opened(tmp_path)
    memory.write(batch(*HISTORY[:4]))
    memory.settle()
    first = memory.search(Cue(text="one", limit=1))
    assert memory.search(Cue(text="another", limit=50)) is first
    memory.write(batch(*HISTORY[4:]))
    assert ids(memory.search(Cue(text="one", limit=1))) == [m.message_id for m in HISTORY]


def test_it_is_bound_by_the_readers_window() -> None:
    """Neither the limit of a search nor the budget of searching systems holds for it."""
    traits = KIND.traits(FullConfig())
    assert (traits.limit, traits.bound) == ("fixed", "window")


def test_it_needs_no_more_than_a_log(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.write(batch(*HISTORY))
    memory.settle()
    assert [f.name for f in tmp_path.iterdir()] == ["messages.jsonl"]
    assert len(MessageLog(tmp_path)) == 0, "a fresh instance takes nothing over from its room"
