"""`graph-like` and `ppr-like` find what is tied to what the cue names, and ask a model within bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from recollect import registry
from recollect.contracts.memory import Room
from recollect.domain.errors import DataError, MalformedError
from recollect.domain.exchange import Cue
from recollect.domain.messages import Message
from recollect.memories.published.triples import Fact, RuleExtractor

from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.published.scripted_chat import ScriptedChat, between
from tests.unit.memories.small_history import BuiltIn, feed, ids, message

CHAIN = (
    message(0, "The rain went on for days.", speaker=""),
    message(1, "Oskar Brandt founded Veltro Works.", speaker=""),
    message(2, "Nobody likes the soup here.", speaker=""),
    message(3, "Veltro Works is in Karlsby.", speaker=""),
    message(4, "Lena feeds the ducks.", speaker=""),
)


def opened(folder: Path, name: str, chat: ScriptedChat | None = None, **said: Any) -> BuiltIn:
    folder.mkdir(parents=True, exist_ok=True)
    kind = registry.memory(name)
    room = Room(folder=folder, namespace="test", seed=0, embedder=HashEmbedder(dimensions=512), model=chat)
    return cast("BuiltIn", kind.open(kind.config(**said), room))


def told(folder: Path, name: str, chat: ScriptedChat | None = None, **said: Any) -> BuiltIn:
    memory = opened(folder, name, chat, **said)
    feed(memory, CHAIN)
    return memory


def found(memory: BuiltIn, cue: str, limit: int = 10) -> list[str]:
    return list(ids(memory.search(Cue(text=cue, limit=limit))))


def test_a_walk_over_facts_finds_what_shares_no_word_with_the_cue(tmp_path: Path) -> None:
    """From the founder to the works, and from the works to the town; nothing else hangs together with them."""
    assert found(told(tmp_path, "ppr-like"), "What did Oskar Brandt do?") == ["m0001", "m0003"]


def test_without_steps_only_messages_that_name_the_entity_are_found(tmp_path: Path) -> None:
    assert found(told(tmp_path, "ppr-like", damping=0.0), "What did Oskar Brandt do?") == ["m0001"]


def test_a_cue_that_names_nothing_finds_nothing(tmp_path: Path) -> None:
    assert found(told(tmp_path, "ppr-like"), "Is it so?") == []


def test_facts_by_rules_have_the_words_between_as_their_relation() -> None:
    (noted,) = RuleExtractor().note([message(0, "Oskar Brandt founded Veltro Works in Karlsby. I like Lena.")])
    assert noted.facts == (
        Fact("Oskar Brandt", "founded", "Veltro Works"),
        Fact("Veltro Works", "in", "Karlsby"),
        Fact("Ana", "I like", "Lena"),
    )


def facts_of(prompt: str) -> str:
    """One fact a passage: its first word is beside its last."""
    if "<passage>" in prompt:
        words = between("passage", prompt).strip(".").split()
        return json.dumps({"facts": [[words[0], "beside", words[-1]], ["", "of", "x"]]})
    return json.dumps({"entities": [between("question", prompt).strip("?").split()[-1]]})


def test_a_model_is_asked_once_a_message_and_once_a_cue(tmp_path: Path) -> None:
    chat = ScriptedChat(facts_of)
    memory = told(tmp_path, "ppr-like", chat, by="model")
    memory.settle()
    assert len(chat.asked) == len(CHAIN)
    assert found(memory, "Where is Karlsby?") == ["m0003"]
    assert len(chat.asked) == len(CHAIN) + 1
    assert all(schema is not None for schema in chat.schemas)


@pytest.mark.parametrize(
    ("name", "reply"), [("ppr-like", '{"facts": [["a", "b"]]}'), ("graph-like", "I would rather not.")]
)
def test_a_model_that_writes_something_else_is_a_fault_of_settling(name: str, reply: str, tmp_path: Path) -> None:
    """And nothing is noted, so that settling again asks again."""
    memory = opened(tmp_path, name, ScriptedChat(lambda _: reply), by="model")
    with pytest.raises(MalformedError, match="twice"):
        feed(memory, CHAIN)
    with pytest.raises(MalformedError, match="twice"):
        memory.settle()


def test_a_graph_walk_takes_what_is_tied_before_what_is_next_in_rank(tmp_path: Path) -> None:
    """One seed. The works' two messages are tied; `dense` would put the shorter message with a word of the cue next."""
    messages = (*CHAIN, message(5, "Brandt sang.", speaker=""))
    memory = opened(tmp_path, "graph-like", least_cosine=0.3, seeds=1)
    feed(memory, messages)
    dense = opened(tmp_path / "dense", "dense")
    feed(dense, messages)
    cue = "Oskar Brandt founded what?"
    assert found(memory, cue, 2) == ["m0001", "m0003"]
    assert found(dense, cue, 2) == ["m0001", "m0005"]


def test_without_ties_a_graph_ranks_as_dense_does(tmp_path: Path) -> None:
    cue = "Who feeds the ducks in Karlsby?"
    assert found(told(tmp_path / "a", "graph-like"), cue) == found(told(tmp_path / "b", "dense"), cue)


def test_a_walk_asks_the_model_at_most_as_often_as_it_may(tmp_path: Path) -> None:
    chat = ScriptedChat(lambda _: '{"complete": false}')
    memory = told(tmp_path / "a", "graph-like", chat, checks=2)
    assert len(found(memory, "Where is Veltro Works?", 5)) == 5
    assert len(chat.asked) == 2
    content = told(tmp_path / "b", "graph-like", ScriptedChat(lambda _: '{"complete": true}'), checks=2)
    assert found(content, "Where is Veltro Works?", 5) == ["m0003"]


@pytest.mark.parametrize(("name", "file"), [("ppr-like", "facts.jsonl"), ("graph-like", "ties.jsonl")])
@pytest.mark.parametrize("damage", ["", "no json\n"])
def test_a_damaged_snapshot_is_named(name: str, file: str, damage: str, tmp_path: Path) -> None:
    memory = told(tmp_path / "a", name)
    (tmp_path / "saved").mkdir()
    memory.save(tmp_path / "saved")
    (tmp_path / "saved" / file).write_text(damage)
    with pytest.raises(DataError, match="notes"):
        opened(tmp_path / "b", name).load(tmp_path / "saved")


@pytest.mark.parametrize("name", ["ppr-like", "graph-like"])
def test_settling_in_parts_finds_the_same_as_at_once(name: str, tmp_path: Path) -> None:
    """What is tied or noted does not depend on when."""
    whole, parts = told(tmp_path / "a", name, **loose(name)), opened(tmp_path / "b", name, **loose(name))
    for one in CHAIN:
        feed(parts, [one])
    for text in ("Oskar Brandt", "Who feeds the ducks in Karlsby?"):
        assert whole.search(Cue(text=text, limit=5)) == parts.search(Cue(text=text, limit=5))


def loose(name: str) -> dict[str, Any]:
    return {"least_synonym": 0.3} if name == "ppr-like" else {"least_cosine": 0.2}


def test_a_message_without_a_word_is_kept_and_ties_nothing(tmp_path: Path) -> None:
    blank = Message(message_id=CHAIN[0].message_id, session_id=CHAIN[0].session_id, text=" ")
    for name in ("ppr-like", "graph-like", "raptor-like"):
        memory = opened(tmp_path / name, name)
        feed(memory, [blank, *CHAIN[1:]])
        assert next(unit.text for unit in memory.units()) == " "
        assert str(blank.message_id) not in found(memory, "Where is Veltro Works?", 1)
