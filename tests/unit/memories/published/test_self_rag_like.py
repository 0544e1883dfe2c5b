"""`self-rag-like` decides, reads each passage alone, weighs, and keeps the best answer, within bounded calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from recollect.contracts.memory import Room
from recollect.domain.errors import MalformedError
from recollect.domain.exchange import Recall
from recollect.domain.ids import MessageId, QuestionId
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.memories.published.self_rag import KIND, SelfRagLikeAgent, SelfRagLikeConfig

from tests.unit.memories.hash_embedder import HashEmbedder
from tests.unit.memories.published.scripted_chat import ScriptedChat, between
from tests.unit.memories.small_history import HISTORY, batch, message

ASKED = Question(question_id=QuestionId("q1"), text="Where did Vera move?")


def opened(folder: Path, chat: ScriptedChat | None = None, **said: Any) -> SelfRagLikeAgent:
    folder.mkdir(parents=True, exist_ok=True)
    room = Room(folder=folder, namespace="test", seed=0, embedder=HashEmbedder(dimensions=512), model=chat)
    agent = cast("SelfRagLikeAgent", KIND.open(SelfRagLikeConfig(by="model" if chat else "rules", **said), room))
    agent.observe(batch(*HISTORY))
    agent.settle()
    return agent


def say(prompt: str) -> str:
    """Uses what is about Vera; the fuller passage supports its answer fully."""
    if '{"retrieve"' in prompt:
        return '{"retrieve": true}'
    passage = between("passage", prompt)
    if '{"relevant"' in prompt:
        return '{"relevant": true}' if "Vera" in passage else '{"relevant": false}'
    if '"support"' in prompt:
        return '{"support": "full", "usefulness": 5}' if "moved" in passage else '{"support": "part", "usefulness": 5}'
    return "to Lisbon in spring" if "moved" in passage else "it is visited from Lisbon"


def test_the_best_supported_answer_is_given(tmp_path: Path) -> None:
    chat = ScriptedChat(say)
    reply = opened(tmp_path, chat).answer(ASKED)
    assert reply.text == "to Lisbon in spring"
    assert reply.recall is not None
    assert len(reply.recall.items) == 8


def test_calls_are_bounded_by_the_passages_that_were_found(tmp_path: Path) -> None:
    """One decision, five relevances; two of the passages are of Vera: two answers, two weighings."""
    chat = ScriptedChat(say)
    opened(tmp_path, chat, k=5).answer(ASKED)
    kinds = [next(k for k in ("retrieve", "relevant", "support", "Answer") if k in prompt) for prompt in chat.asked]
    assert {kind: kinds.count(kind) for kind in kinds} == {"retrieve": 1, "relevant": 5, "Answer": 2, "support": 2}


def test_where_it_needs_no_memory_nothing_is_searched(tmp_path: Path) -> None:
    chat = ScriptedChat(lambda prompt: '{"retrieve": false}' if "retrieve" in prompt else "four")
    reply = opened(tmp_path, chat).answer(ASKED)
    assert (reply.text, reply.recall, len(chat.asked)) == ("four", None, 2)


def test_what_is_given_takes_the_place_of_the_search(tmp_path: Path) -> None:
    chat = ScriptedChat(say)
    given = Recall.of_messages([HISTORY[7]])
    reply = opened(tmp_path, chat).answer(ASKED, given)
    assert (reply.text, reply.recall) == ("it is visited from Lisbon", given)
    assert not any('{"retrieve"' in prompt for prompt in chat.asked)


def test_where_nothing_is_relevant_it_answers_without_passages(tmp_path: Path) -> None:
    def none(prompt: str) -> str:
        return '{"relevant": false}' if '{"relevant"' in prompt else "I do not know."

    reply = opened(tmp_path, ScriptedChat(none)).answer(ASKED, Recall.of_messages(HISTORY[:2]))
    assert reply.text == "I do not know."


@pytest.mark.parametrize(
    "bad",
    ['{"support": "much", "usefulness": 5}', '{"support": "full", "usefulness": 9}', '{"support": "full"}', "Well."],
)
def test_a_weighing_that_cannot_be_used_is_a_fault(bad: str, tmp_path: Path) -> None:
    chat = ScriptedChat(lambda prompt: bad if '"support"' in prompt or "once more" in prompt else say(prompt))
    with pytest.raises(MalformedError, match="prompt `weigh`"):
        opened(tmp_path, chat).answer(ASKED)


def test_answering_changes_nothing_that_it_holds(tmp_path: Path) -> None:
    agent = opened(tmp_path)
    before = list(agent.units())
    agent.answer(ASKED)
    assert list(agent.units()) == before


def test_by_rules_it_reads_the_passage_that_shares_most_with_the_question(tmp_path: Path) -> None:
    question = Question(question_id=QuestionId("q2"), text="What is the name of the grey cat that was adopted?")
    assert "Pebble" in opened(tmp_path).answer(question).text


def test_by_rules_it_declines_where_no_passage_says(tmp_path: Path) -> None:
    reply = opened(tmp_path).answer(Question(question_id=QuestionId("q3"), text="Who plays the zither?"))
    assert reply.abstained


def test_options_stand_in_the_prompt_and_a_letter_is_asked_for(tmp_path: Path) -> None:
    chat = ScriptedChat(say)
    options = (Option(letter="A", text="Porto"), Option(letter="B", text="Lisbon"))
    question = Question(
        question_id=QuestionId("q4"),
        text="Where?",
        options=options,
        answer_format=AnswerFormat.LETTER,
        asked_at="2024-05-01",
    )
    opened(tmp_path, chat).answer(question, Recall.of_messages([HISTORY[0]]))
    (prompt,) = [prompt for prompt in chat.asked if prompt.startswith("Answer")]
    assert "B. Lisbon" in prompt
    assert "the letter of one option" in prompt
    assert "2024-05-01" in prompt


@pytest.mark.parametrize("by_model", [False, True])
def test_a_turn_of_a_dialogue_is_kept_with_its_reply(by_model: bool, tmp_path: Path) -> None:
    agent = opened(tmp_path, ScriptedChat(lambda _: "Pebble does.") if by_model else None)
    turn = message(20, "Who sleeps on the piano?", session=4)
    reply = agent.reply(turn, MessageId("r1"))
    assert "Pebble" in reply.text
    *_, asked, answered = agent.units()
    assert (asked.text, answered.text, answered.sources) == (turn.text, reply.text, ("r1",))


def test_a_saved_agent_answers_the_same(tmp_path: Path) -> None:
    agent = opened(tmp_path / "a")
    (tmp_path / "saved").mkdir()
    agent.save(tmp_path / "saved")
    (tmp_path / "b").mkdir()
    room = Room(folder=tmp_path / "b", namespace="b", seed=0, embedder=HashEmbedder(dimensions=512))
    again = cast("SelfRagLikeAgent", KIND.open(SelfRagLikeConfig(), room))
    again.load(tmp_path / "saved")
    assert again.answer(ASKED) == agent.answer(ASKED)
    assert list(again.units()) == list(agent.units())


def test_what_is_forgotten_is_not_found(tmp_path: Path) -> None:
    agent = opened(tmp_path)
    agent.forget({HISTORY[0].message_id})
    recall = agent.answer(ASKED).recall
    assert recall is not None
    assert HISTORY[0].message_id not in {source for item in recall.items for source in item.sources}
