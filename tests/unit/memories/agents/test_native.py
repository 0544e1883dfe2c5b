"""`native` reads the end of the talk that fits into its window, and keeps all of it."""

from __future__ import annotations

from pathlib import Path

from recollect.domain.exchange import Recall

from tests.unit.memories.agents.opening import asked, opened, said, talked, texts, told
from tests.unit.memories.published.scripted_chat import ScriptedChat

TALK = ("one two three four", "five six seven eight", "nine ten eleven twelve")


def test_the_front_is_cut_to_the_window_and_nothing_is_dropped(tmp_path: Path) -> None:
    """Four words a turn and three tokens a reply (`I see .`): 14 tokens hold two rounds, 13 hold one and a reply."""
    for tokens, wanted in ((14, 4), (13, 3), (1, 1), (100, 6)):
        agent = told(opened(tmp_path / str(tokens), "native", window_tokens=tokens), *TALK)
        recall = agent.answer(asked("What?")).recall
        assert recall is not None
        assert (len(recall.items), len(texts(agent))) == (wanted, 6), tokens
        assert recall.items[-1].sources == ("a2",)


def test_a_model_gets_the_talk_without_a_system_text(tmp_path: Path) -> None:
    chat = ScriptedChat(lambda prompt: f"heard {prompt.rsplit(' ', 1)[-1]}")
    agent = opened(tmp_path, "native", chat)
    assert [reply.text for reply in talked(agent, "first", "second")] == ["heard first", "heard second"]
    assert texts(agent) == ["first", "heard first", "second", "heard second"]


def test_what_is_given_takes_the_place_of_the_talk(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "native"), "The kettle of Ana is copper.")
    given = Recall.of_messages([said(9, "The kettle of Ana is steel.")])
    question = asked("What is the kettle of Ana made of?")
    assert "copper" in agent.answer(question).text
    assert "steel" in agent.answer(question, given).text


def test_words_of_an_oracle_are_read(tmp_path: Path) -> None:
    given = Recall(rendered="The kettle of Ana is steel.", order="time")
    assert "steel" in opened(tmp_path, "native").answer(asked("What is the kettle of Ana made of?"), given).text
