"""`rag` keeps raw messages: the newest local, the rest in a memory of one's choice, shown in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError, UnknownNameError, UsageError
from recollect.domain.exchange import Context, Cue, Recall, Reply
from recollect.domain.ids import MessageId
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.memories.agents.memory_stores import InnerMemory
from recollect.memories.agents.responders import RuleResponder
from recollect.offline.lexicon import ANSWER

from tests.fakes.toy_systems import ToyMemory
from tests.unit.memories.agents.opening import Able, asked, opened, row, said, talked, texts, told
from tests.unit.memories.published.scripted_chat import ScriptedChat

TALK = ("I keep bees behind the barn.", "The bees live in blue hives.", "My barn has a red roof.", "It rains today.")


def sources(recall: Recall | None) -> list[str]:
    return [source for item in recall.items for source in item.sources] if recall else []


def test_the_newest_messages_are_local_and_the_rest_is_searched(tmp_path: Path) -> None:
    """(2, 4): after four rounds two are written and two local; the search finds the one that speaks of hives."""
    agent = told(opened(tmp_path, "rag", memory="bm25", topk=1), *TALK)
    found = sources(agent.answer(asked("What colour are the hives?")).recall)
    assert found == ["u1", "u2", "a2", "u3", "a3"]


def test_what_is_found_stands_in_time_before_what_is_local(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25", ns=0), *TALK)
    recall = agent.answer(asked("barn with bees and bees in hives")).recall
    assert recall is not None
    assert (sources(recall), recall.order) == (["u0", "u1", "u2"], "time")


@pytest.mark.parametrize("memory", ["bm25", "dense", "hybrid", "files", "full", "window"])
def test_it_works_over_any_memory_that_takes_messages(memory: str, tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory=memory, topk=3, ns=0), *TALK)
    assert len(texts(agent)) == 8
    assert 0 < len(sources(agent.answer(asked("Where are the bees?")).recall)) <= 3


def test_nothing_is_lost_and_nothing_is_held_twice(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25"), *TALK)
    assert [unit.unit_id for unit in agent.units()] == [f"{kind}{n}" for n in range(4) for kind in "ua"]


def test_readback_joins_what_is_written_and_what_is_local(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25"), *TALK)
    assert sources(agent.stored_from({MessageId(name) for name in ("u3", "u0", "nobody")})) == ["u0", "u3"]


def test_what_is_forgotten_is_nowhere(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25"), *TALK)
    agent.forget({MessageId("u0"), MessageId("u3")})
    assert TALK[0] not in texts(agent)
    assert TALK[3] not in texts(agent)
    assert "u0" not in sources(agent.answer(asked("bees behind the barn")).recall)


def test_by_rules_it_reads_what_it_shows(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25"), *TALK)
    assert "blue" in agent.answer(asked("What colour are the hives of the bees?")).text


def test_what_is_given_takes_the_place_of_memory_and_talk(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25"), *TALK)
    question = asked("What colour are the hives of the bees?")
    given = Recall.of_messages([said(9, "The hives of the bees are yellow.")])
    reply = agent.answer(question, given)
    assert ("yellow" in reply.text, reply.recall) == (True, given)
    assert agent.answer(question, Recall()).abstained


def test_a_model_is_sent_memories_then_the_talk_then_the_question(tmp_path: Path) -> None:
    turns: list[str] = []

    class Watched(ScriptedChat):
        def complete(self, said_turns, *, max_tokens=None, schema=None):  # type: ignore[no-untyped-def]
            turns[:] = [f"{turn.role}|{turn.text}" for turn in said_turns]
            return "1"

    agent = told(opened(tmp_path, "rag", Watched(lambda _: ""), memory="bm25", topk=1), *TALK)
    options = (Option(letter="1", text="blue hives"), Option(letter="2", text="green hives"))
    question = asked("Which suits the bees?", options=options, answer_format=AnswerFormat.LETTER)
    assert agent.answer(question).text == "1"
    assert [turn.split("|")[0] for turn in turns] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "- [2024-03-01T10:00] Ana: I keep bees behind the barn." in turns[0]
    assert turns[1:3] == [f"user|[2024-03-02T10:00] Ana: {TALK[2]}", "assistant|I see."]
    assert "1: blue hives\n2: green hives" in turns[-1]


def test_options_change_nothing_that_is_found(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "rag", memory="bm25", topk=1), *TALK)
    options = (Option(letter="1", text="I keep bees behind the barn"),)
    found = [agent.answer(asked("Colour of hives?", options=some)).recall for some in ((), options)]
    assert found[0] == found[1]


def test_a_turn_of_a_talk_is_held_with_its_reply(tmp_path: Path) -> None:
    agent = opened(tmp_path, "rag", memory="bm25", ns=0)
    first, second = talked(agent, "I keep bees behind the barn.", "Where do I keep bees?")
    assert "behind the barn" in second.text
    assert texts(agent) == ["I keep bees behind the barn.", first.text, "Where do I keep bees?", second.text]


def test_a_memory_that_minds_no_limit_is_cut_to_topk(tmp_path: Path) -> None:
    """The best of a ranking stay; of what is in time, the newest."""

    class Boundless(ToyMemory):
        order: Literal["ranked", "time"] = "ranked"

        def search(self, cue: Cue) -> Recall:
            return Recall.of_messages(self.messages, order=self.order)

    memory = Boundless()
    inner = InnerMemory(memory)
    inner.write([said(number, text) for number, text in enumerate(TALK)], None)
    for order, wanted in (("ranked", ["u0", "u1"]), ("time", ["u2", "u3"])):
        memory.order = order  # type: ignore[assignment]
        assert [item.sources[0] for item in inner.recall(Cue(text="bees", limit=2))] == wanted


def test_the_repeated_words_of_an_old_reply_are_not_read(tmp_path: Path) -> None:
    """The rule chat repeats an old value after the user has told a new one: said again, it would look like news."""
    read: list[str] = []

    class Noting:
        fingerprint, window_tokens = "noting", 9

        def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
            read[:] = [item.text for item in context.items]
            return Reply(text="")

    turns = [
        said(0, TALK[0]),
        said(0, ANSWER.format(memory="The hives are blue."), "assistant"),
        said(1, "Oh.", "assistant"),
    ]
    RuleResponder(Noting()).answer(asked("Which?"), (), turns)
    assert read == [TALK[0], "Oh."]


@pytest.mark.parametrize(
    ("name", "settings", "error", "told_what"),
    [
        ("rag", {"memory": "bm26"}, UnknownNameError, "Did you mean `bm25`"),
        ("awe", {"memory": "native"}, UnknownNameError, "memory `native` is not known"),
        ("rag", {"memory": "bm25", "settings": {"previos": True}}, ConfigError, "previos"),
        ("rag", {"freq": 1}, ConfigError, "freq starts at 2"),
        ("awi", {"ns": -1}, ConfigError, "ns starts at 0"),
        ("awe", {"topk": 0}, ConfigError, "topk starts at 1"),
        ("native", {"window_tokens": 0}, ConfigError, "window_tokens starts at 1"),
    ],
)
def test_settings_that_cannot_work_are_refused(
    name: str, settings: dict[str, Any], error: type[UsageError], told_what: str
) -> None:
    with pytest.raises(error, match=told_what):
        row(name, **settings)


def test_the_inner_memory_is_part_of_what_the_row_is() -> None:
    """Its config and its embedder, beside those of the agent."""
    plain, previous = (row("rag", memory="bm25", settings=said) for said in ({}, {"previous": True}))
    assert plain.fingerprint["memory"] == {"name": "bm25", "version": 1, "config": {}}
    assert previous.fingerprint["memory"]["config"] == {"previous": True}
    assert row("rag").fingerprint["memory"]["embedder"] == "hash-1"


def test_a_memory_that_cannot_do_something_takes_that_from_the_agent() -> None:
    """bm25 writes no deterministic snapshot; the window and graph-like keep some; all that none of them lack stays."""
    assert row("rag", memory="bm25").traits.keeps == "all"
    assert row("rag", memory="window").traits.keeps == "some"
    assert not row("rag", memory="bm25").traits.snapshot_deterministic
    assert row("rag", memory="full").traits.snapshot_deterministic
    assert row("rag", memory="none").traits.can <= row("rag", memory="bm25").traits.can


def agents_in(folder: Path, *names: str) -> list[Able]:
    return [opened(folder / name, "rag", memory="bm25") for name in names]


def test_two_never_see_each_other(tmp_path: Path) -> None:
    one, other = agents_in(tmp_path, "one", "other")
    told(one, *TALK)
    assert texts(other) == []
    assert sources(other.answer(asked("bees")).recall) == []
