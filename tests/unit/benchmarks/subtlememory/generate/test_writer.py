"""Sessions: a thread as long as planned, alternating, telling what it must where the thread has room for it."""

from __future__ import annotations

from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.checks import SessionRules, session_problems
from recollect.benchmarks.subtlememory.generate.threads import SAID
from recollect.benchmarks.subtlememory.generate.writer import write_session
from recollect.benchmarks.subtlememory.items import LEVELS, Turn

from tests.unit.benchmarks.subtlememory.generate.spoken import CLUES, brief, briefs

STOPS = "The Morvane Line has 141 stops."


def _written(count: int = 60) -> list[tuple[Brief, tuple[Turn, ...]]]:
    return [(one, write_session(one, Random(number))) for number, one in enumerate(briefs(count))]


def _said(turns: tuple[Turn, ...], role: str) -> list[str]:
    return [turn.content for turn in turns if turn.role == role]


def _steps(one: Brief, turns: tuple[Turn, ...]) -> list[int]:
    """Which steps of the thread are there, in the order of the session."""
    answers = [step.assistant for step in one.thread.steps]
    return [place for text in _said(turns, "assistant") for place, answer in enumerate(answers) if answer in text]


def test_every_session_keeps_the_rules_of_sessions() -> None:
    """Exact length, user first, alternating, no sentence twice, each telling word for word and not in the opening."""
    for one, turns in _written():
        rules = SessionRules(lengths=(one.messages,), told=one.tellings)
        assert session_problems(turns, rules) == (), one.thread.conversation_type


def test_the_same_brief_and_seed_give_the_same_session() -> None:
    """And another seed another one."""
    assert write_session(brief(3), Random(7)) == write_session(brief(3), Random(7))
    assert write_session(brief(3), Random(7)) != write_session(brief(3), Random(8))


def test_a_session_is_its_thread_with_steps_left_out_and_never_moved() -> None:
    """Opening and closing are always there; a session of fourteen messages has all five steps."""
    for one, turns in _written():
        steps = _steps(one, turns)
        assert len(steps) == one.messages // 2 - 2
        assert steps == sorted(steps)
        assert turns[0].content.startswith(one.thread.opening.user)
        assert one.thread.closing.assistant in turns[-1].content


def test_each_step_is_left_out_at_times() -> None:
    """Of sessions of ten messages each of the five steps stands in some and lacks in others."""
    kept = [set(_steps(one, write_session(one, Random(seed)))) for seed in range(40) if (one := brief(0, messages=10))]
    assert set.union(*kept) == set(range(5))
    assert set.intersection(*kept) == set()


def test_texts_have_no_slots_or_double_spaces_left() -> None:
    """Nor a quotation that is not closed."""
    for _, turns in _written():
        for turn in turns:
            assert not set("{}[]|") & set(turn.content)
            assert turn.content == " ".join(turn.content.split())
            assert turn.content.count('"') % 2 == 0, turn.content


def test_what_the_user_tells_stands_behind_its_lead_and_is_taken_note_of() -> None:
    """Where the step has its place for it, and in the assistant's answer."""
    for number in range(20):
        one = brief(number)
        turns = write_session(one, Random(number))
        for clue in CLUES[:2]:
            place = next(at for at, turn in enumerate(turns) if clue in turn.content)
            step = next(step for step in one.thread.steps if step.assistant in turns[place + 1].content)
            before, _, after = step.user.partition(SAID)
            assert f"{step.lead} {clue}" in turns[place].content
            assert turns[place].content.endswith(f"{clue} {after.strip()}".strip())
            assert before.strip() in turns[place].content
            assert turns[place + 1].content.startswith(step.take)


def test_what_names_its_occasion_by_itself_has_no_lead() -> None:
    """Neither at first, nor where it comes back to it; what follows at once is led to again."""
    telling = Telling(
        fact=0, role="user", turns=(f"I mean the hut by the lake. {CLUES[0]}", *CLUES[1:]), framed=True,
        again=("Back to the hut.", "Still the hut."),
    )  # fmt: skip
    seen = set()
    for number in range(40):
        one = brief(number, telling, messages=14)
        said = _said(write_session(one, Random(number)), "user")
        leads = [step.lead for step in one.thread.steps]
        assert not any(f"{lead} I mean the hut" in text for text in said for lead in leads)
        for clue, back in zip(CLUES[1:], telling.again, strict=True):
            text = next(text for text in said if clue in text)
            led = any(f"{lead} {clue}" in text for lead in leads)
            assert led != (f"{back} {clue}" in text)
            seen.add(led)
    assert seen == {True, False}


def test_a_step_in_which_nothing_is_told_has_no_lead_and_no_take() -> None:
    """They would lead nowhere."""
    one = brief(0, messages=14)
    turns = write_session(one, Random(1))
    leads = [step.lead for step in one.thread.steps if any(step.lead in text for text in _said(turns, "user"))]
    takes = [step.take for step in one.thread.steps if any(step.take in text for text in _said(turns, "assistant"))]
    assert (len(leads), len(takes)) == (2, 2)


def test_what_the_assistant_tells_is_asked_for_and_answered() -> None:
    """By name, in the message before; the user's answer begins the next one."""
    telling = Telling(fact=0, role="assistant", turns=(STOPS,), echoes=("Oh, so many.",), subject="the Morvane Line")
    for number in range(10):
        one = brief(number, telling, messages=8, signal=None)
        turns = write_session(one, Random(number))
        place = next(at for at, turn in enumerate(turns) if STOPS in turn.content)
        step = next(step for step in one.thread.steps if step.assistant in turns[place].content)
        assert turns[place].role == "assistant"
        assert turns[place].content.endswith(f"{step.found} {STOPS}")
        assert turns[place - 1].content.endswith("?")
        assert "the Morvane Line" in turns[place - 1].content.replace("The Morvane", "the Morvane")
        assert turns[place + 1].content.startswith("Oh, so many.")


def test_a_name_that_begins_a_question_gets_a_capital() -> None:
    """Questions that begin with the name are among those of the bundled threads, or could be."""
    from dataclasses import replace

    one = brief(0, Telling(fact=0, role="assistant", turns=(STOPS,), subject="the Morvane Line"), signal=None)
    steps = tuple(replace(step, ask="{entity}, how long is it?") for step in one.thread.steps)
    turns = write_session(replace(one, thread=replace(one.thread, steps=steps)), Random(1))
    assert any(turn.content.endswith("The Morvane Line, how long is it?") for turn in turns)


def test_where_a_telling_is_as_long_as_a_short_session_it_ends_in_the_closing_and_begins_in_the_opening() -> None:
    """One sentence more does not fit."""
    told = brief(0, Telling(fact=0, role="user", turns=CLUES), messages=6)
    turns = write_session(told, Random(1))
    assert [clue in text for clue, text in zip(CLUES, _said(turns, "user"), strict=True)] == [True] * 3
    with pytest.raises(ValueError, match="4 sentences of one telling do not fit into 6 messages"):
        write_session(brief(0, Telling(fact=0, role="user", turns=(*CLUES, "And so on.")), messages=6), Random(1))


@pytest.mark.parametrize("messages", [4, 16])
def test_a_session_that_its_thread_cannot_fill_is_refused(messages: int) -> None:
    """Five steps are for six to fourteen messages."""
    with pytest.raises(ValueError, match=f"5 steps does not fill {messages} messages"):
        write_session(brief(0, messages=messages), Random(1))


def test_the_more_of_the_person_shows_the_more_asides_there_are() -> None:
    """More at `high` than at `medium`, more there than at `low`; hardly any in sessions about the world."""

    def said(signal: str | None) -> int:
        made = [brief(number, signal=signal) for number in range(30)]
        talks = [" ".join(_said(write_session(one, Random(at)), "user")) for at, one in enumerate(made)]
        return sum(step.aside in text for one, text in zip(made, talks, strict=True) for step in one.thread.steps)

    counts = [said(signal) for signal in LEVELS]
    assert counts == sorted(counts)
    assert counts[2] > 2 * counts[0]
    assert said(None) < 30


def test_a_session_in_which_nothing_is_to_be_told_is_its_thread_alone() -> None:
    """As of the sessions of no case."""
    one = Brief(tellings=(), thread=brief(0).thread, messages=14, signal="low")
    turns = write_session(one, Random(1))
    assert turns[1].content == one.thread.opening.assistant
    assert len(turns) == 14
