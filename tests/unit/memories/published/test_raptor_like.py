"""`raptor-like` finds messages and summaries, knows what each came from, and pays for nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from recollect.contracts.memory import Room
from recollect.domain.errors import DataError, RetryableError
from recollect.domain.exchange import Cue
from recollect.memories.published.raptor import KIND, RaptorLikeConfig
from recollect.memories.published.summaries import note_of, summary_by_rules
from recollect.text.tokens import count

from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.published.scripted_chat import ScriptedChat
from tests.unit.memories.small_history import HISTORY, MORE, BuiltIn, batch, feed, message

EVERYTHING = {str(m.message_id) for m in (*HISTORY, *MORE)}


def opened(
    folder: Path, chat: ScriptedChat | None = None, embedder: HashEmbedder | None = None, **said: Any
) -> BuiltIn:
    folder.mkdir(parents=True, exist_ok=True)
    config = RaptorLikeConfig(by="model" if chat else "rules", **said)
    room = Room(folder=folder, namespace="test", seed=0, embedder=embedder or HashEmbedder(), model=chat)
    return cast("BuiltIn", KIND.open(config, room))


def told(folder: Path, **said: Any) -> BuiltIn:
    memory = opened(folder, **said)
    feed(memory, HISTORY)
    return memory


def test_every_message_stands_below_a_summary_of_each_level(tmp_path: Path) -> None:
    """Eight messages, groups of at least two: min(10, 8 / 2) groups at most, then half as many."""
    memory = told(tmp_path)
    summaries = [unit for unit in memory.units() if str(unit.unit_id) not in EVERYTHING]
    assert {source for unit in summaries for source in unit.sources} == {m.message_id for m in HISTORY}
    assert any(set(unit.sources) == {m.message_id for m in HISTORY} for unit in summaries), "the top covers all"


def test_a_summary_by_rules_is_made_of_lines_of_its_messages(tmp_path: Path) -> None:
    by_id = {m.message_id: m for m in HISTORY}
    for unit in told(tmp_path).units():
        if str(unit.unit_id) not in EVERYTHING:
            lines = {line for source in unit.sources for line in note_of(by_id[source])}
            assert set(unit.text.splitlines()) <= lines
            assert unit.said_at is None


def test_a_summary_can_be_found_and_names_all_below_it(tmp_path: Path) -> None:
    memory = told(tmp_path)
    summary = next(unit for unit in memory.units() if str(unit.unit_id) not in EVERYTHING)
    (first, *_) = memory.search(Cue(text=summary.text, limit=3)).items
    assert (first.unit_id, first.sources, first.message) == (summary.unit_id, summary.sources, None)


def test_the_limit_holds_over_all_levels(tmp_path: Path) -> None:
    memory = told(tmp_path)
    found = memory.search(Cue(text="Pebble the cat", limit=4)).items
    scores = [item.score for item in found]
    assert len(found) == 4
    assert scores == sorted(scores, key=lambda score: -(score or 0))


def test_readback_gives_messages_first_and_then_the_summaries_above_them(tmp_path: Path) -> None:
    memory = told(tmp_path)
    wanted = {HISTORY[3].message_id, HISTORY[0].message_id}
    items = memory.stored_from(wanted).items
    assert [item.unit_id for item in items[:2]] == ["m0000", "m0003"]
    above = [u.unit_id for u in memory.units() if str(u.unit_id) not in EVERYTHING and wanted & set(u.sources)]
    assert [item.unit_id for item in items[2:]] == above


def test_what_was_embedded_is_not_embedded_again(tmp_path: Path) -> None:
    """Settling twice costs nothing; what is new costs itself and the summaries that it changes."""
    embedder = HashEmbedder()
    memory = opened(tmp_path, embedder=embedder)
    for part in (HISTORY, MORE):
        feed(memory, part)
        memory.settle()
    assert len(embedder.asked) == len(set(embedder.asked))
    assert {f"Ana: {HISTORY[0].text}", f"Ana: {MORE[0].text}"} <= set(embedder.asked)


def test_a_model_is_asked_once_for_each_group(tmp_path: Path) -> None:
    chat = ScriptedChat(lambda prompt: f"Summary {len(prompt)} of Pebble")
    memory = opened(tmp_path / "a", chat)
    feed(memory, HISTORY)
    summaries = [unit for unit in memory.units() if str(unit.unit_id) not in EVERYTHING]
    assert len(chat.asked) == len(set(chat.asked)) == len(summaries) > 1
    (tmp_path / "saved").mkdir()
    memory.save(tmp_path / "saved")
    again = opened(tmp_path / "b", chat)
    again.load(tmp_path / "saved")
    again.settle()
    assert len(chat.asked) == len(summaries), "neither saving nor loading nor settling asks anything"


def test_a_summary_that_a_model_wrote_is_cut_to_its_limit(tmp_path: Path) -> None:
    memory = opened(tmp_path, ScriptedChat(lambda _: "word " * 400), summary_tokens=12)
    feed(memory, HISTORY)
    assert all(count(u.text) <= 12 for u in memory.units() if str(u.unit_id) not in EVERYTHING)


def test_an_embedder_that_fails_leaves_nothing_half_done(tmp_path: Path) -> None:
    """The second call is that for the summaries; settling again makes the tree that would have been."""
    memory = opened(tmp_path / "a", embedder=HashEmbedder(fails_at=1))
    memory.write(batch(*HISTORY))
    with pytest.raises(RetryableError):
        memory.settle()
    memory.settle()
    assert list(memory.units()) == list(told(tmp_path / "b").units())


def test_equal_messages_make_units_with_names_of_their_own(tmp_path: Path) -> None:
    memory = opened(tmp_path, groups=3)
    feed(memory, [message(n, "The gate is blue.") for n in range(12)])
    names = [unit.unit_id for unit in memory.units()]
    assert len(names) == len(set(names)) > 12


def test_long_messages_are_summarised_in_pairs_at_least(tmp_path: Path) -> None:
    """Each is longer than what a summary may be made of; a tree without summaries would teach nothing."""
    memory = opened(tmp_path, read_tokens=5)
    feed(memory, HISTORY)
    assert any(len(unit.sources) == 2 for unit in memory.units())


def test_a_damaged_snapshot_is_named(tmp_path: Path) -> None:
    memory = told(tmp_path / "a")
    (tmp_path / "saved").mkdir()
    memory.save(tmp_path / "saved")
    (tmp_path / "saved" / "tree.json").write_text("[]")
    with pytest.raises(DataError, match=r"0 summaries but \d+ vectors"):
        opened(tmp_path / "b").load(tmp_path / "saved")


def test_rules_take_what_a_group_repeats_and_not_the_same_twice() -> None:
    """By hand, in eighths: `tram` 3, `late` 1, so 2 in the mean; `Vera loves the tram` has 5/3, `Hills` 1."""
    group = [("Vera loves the tram.",), ("The tram is late.",), ("Hills.",), ("A tram.", "A tram.")]
    assert summary_by_rules(group[:3], 5) == "The tram is late."
    assert summary_by_rules(group, 8) == "The tram is late.\nA tram."
    assert summary_by_rules(group, 400).splitlines() == [note[0] for note in group]


def test_a_line_longer_than_a_summary_is_cut() -> None:
    assert count(summary_by_rules([("one long line of many words",), ("another long line of words",)], 4)) <= 4
