"""The buffer counts messages, writes one batch a round, and loses nothing where writing breaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.memories.agents.agent import BufferedAgent, check_buffer

from tests.unit.memories.agents.opening import asked, one_round, said, talked
from tests.unit.memories.agents.written import Recorder


def agent_with(recorder: Recorder, freq: int, ns: int) -> BufferedAgent:
    return BufferedAgent(store=recorder, responder=recorder, freq=freq, ns=ns, topk=7, keeps_all=True)


def held(freq: int, ns: int, rounds: int) -> list[tuple[int, int]]:
    """Messages written and local after each round."""
    recorder, found = Recorder(), []
    agent = agent_with(recorder, freq, ns)
    for number in range(rounds):
        agent.observe(one_round(number, f"turn {number}"))
        found.append((sum(map(len, recorder.batches)), len(agent.local)))
    return found


def test_the_paper_s_settings_write_when_it_says() -> None:
    """AMemGym: (2,4) keeps the last two rounds; (8,4) writes every fourth, with 4 to 10 local; (2,0) at once."""
    assert held(2, 4, 4) == [(0, 2), (0, 4), (2, 4), (4, 4)]
    assert held(8, 4, 7) == [(0, 2), (0, 4), (0, 6), (0, 8), (0, 10), (8, 4), (8, 6)]
    assert held(2, 0, 2) == [(2, 0), (4, 0)]


def test_a_batch_whose_write_breaks_stays_local() -> None:
    recorder = Recorder(breaks=True)
    agent = agent_with(recorder, 2, 0)
    with pytest.raises(ConnectionError):
        agent.observe(one_round(0, "turn 0"))
    assert [message.text for message in agent.local] == ["turn 0", "I see."]


def test_a_question_and_a_turn_are_looked_up_by_their_own_words_and_never_by_options() -> None:
    from recollect.domain.questions import Option

    recorder = Recorder()
    agent = agent_with(recorder, 2, 4)
    talked(agent, "Hello there.")
    agent.answer(asked("Which one?", cue="the one", options=(Option(letter="1", text="gold"),), asked_at="2024-03-09"))
    assert [(cue.text, cue.limit, cue.asked_at) for cue in recorder.cues] == [
        ("Hello there.", 7, "2024-03-01T10:00"),
        ("the one", 7, "2024-03-09"),
    ]


def test_a_reply_is_made_before_its_round_is_held() -> None:
    recorder = Recorder()
    agent = agent_with(recorder, 2, 0)
    replies = talked(agent, "one", "two")
    assert [reply.recall.items if reply.recall else None for reply in replies] == [(), ()]
    assert [[m.message_id for m in batch] for batch in recorder.batches] == [["u0", "r0"], ["u1", "r1"]]


def test_the_message_before_a_batch_is_the_last_that_left() -> None:
    agent = agent_with(Recorder(), 2, 0)
    agent.observe(one_round(0, "a", "b"))
    assert agent.before == said(0, "b", "assistant")
    assert not agent.local


def test_a_saved_buffer_goes_on(tmp_path: Path) -> None:
    agent, again = agent_with(Recorder(), 2, 1), agent_with(Recorder(), 2, 1)
    for number in range(2):
        agent.observe(one_round(number, "a", "b"))
    agent.save(tmp_path)
    again.load(tmp_path)
    assert (again.local, again.before) == (agent.local, agent.before)
    assert len(agent.local) == 2


@pytest.mark.parametrize(("freq", "ns"), [(1, 4), (0, 4), (-2, 0), (2, -1)])
def test_a_buffer_that_could_never_work_is_refused(freq: int, ns: int) -> None:
    with pytest.raises(ValueError, match="starts at"):
        check_buffer(freq, ns)
