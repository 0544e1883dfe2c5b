"""Sessions: a thread as long as planned, alternating, with a moment for everything that is to be told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import SAID
from recollect.benchmarks.subtlememory.generate.catalogue.words import backs
from recollect.benchmarks.subtlememory.generate.checks.sessions import SessionRules, session_problems
from recollect.benchmarks.subtlememory.generate.plans import Brief, Telling
from recollect.benchmarks.subtlememory.generate.sessions.writer import write_session
from recollect.benchmarks.subtlememory.items import LEVELS, Turn
from recollect.text.sentences import split
from recollect.worlds.patterns import filled, wordings
from recollect.worlds.sentences import content

from tests.unit.benchmarks.subtlememory.generate.spoken import CLUES, LOOKUP, OWN, REPORT, apart, brief, briefs

STOPS = "The Morvane Line has 141 stops."


def _written(count: int = 60) -> list[tuple[Brief, tuple[Turn, ...]]]:
    return [(one, write_session(one, Random(number))) for number, one in enumerate(briefs(count))]


def _said(turns: tuple[Turn, ...], role: str) -> list[str]:
    return [turn.content for turn in turns if turn.role == role]


def _steps(one: Brief, turns: tuple[Turn, ...]) -> list[int]:
    """Which steps of the thread are there, in the order of the session."""
    answers = [" ".join(step.assistant.split()) for step in one.thread.steps]
    return [answers.index(text) for text in _said(turns, "assistant") if text in answers]


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
    """Opening and closing are always there; what is not told is a step."""
    for one, turns in _written():
        steps = _steps(one, turns)
        moments = len({telling.moment for telling in one.tellings})
        assert len(steps) == one.messages // 2 - 2 - moments
        assert steps == sorted(steps)
        assert turns[0].content == one.thread.opening.user
        assert turns[-1].content == one.thread.closing.assistant


def test_each_step_is_left_out_at_times() -> None:
    """Of sessions of ten messages each of the five steps stands in some and lacks in others."""
    one = brief(0, messages=10)
    kept = [set(_steps(one, write_session(one, Random(seed)))) for seed in range(60)]
    assert set.union(*kept) == set(range(5))
    assert set.intersection(*kept) == set()


def test_texts_have_no_slots_or_double_spaces_left() -> None:
    """Nor a quotation that is not closed."""
    for _, turns in _written():
        for turn in turns:
            assert not set("{}[]|") & set(turn.content)
            assert turn.content == " ".join(turn.content.split())
            assert turn.content.count('"') % 2 == 0, turn.content


def test_what_the_user_tells_stands_in_its_step() -> None:
    """With the words around it, and the answer that belongs to it; the last exchange is another step."""
    text = " ".join(CLUES[:2])
    for number in range(30):
        one = brief(number, messages=(10, 12, 14)[number % 3])
        turns = write_session(one, Random(number))
        place = next(at for at, turn in enumerate(turns) if text in turn.content)
        assert turns[place].content == OWN[0].user.replace(SAID, text)
        assert turns[place + 1].content == OWN[0].assistant
        assert _steps(one, turns[-4:-2])


def test_what_is_told_on_one_occasion_stands_together_and_the_rest_apart_where_there_is_room() -> None:
    """Two exchanges among five are never neighbours; two facts of one are in one message, in their order."""
    first, second, third = apart(*CLUES)
    for number in range(60):
        one = brief(number, first, replace(third, moment=second.moment), second, messages=14)
        said = _said(write_session(one, Random(number)), "user")
        places = [next(at for at, text in enumerate(said) if clue in text) for clue in CLUES]
        assert abs(places[0] - places[1]) > 1
        assert f"{CLUES[2]} {CLUES[1]}" in said[places[1]]


def test_what_the_assistant_tells_is_asked_for() -> None:
    """In the message before, and told in the answer."""
    telling = Telling(fact=0, role="assistant", text=STOPS, moment=LOOKUP)
    turns = write_session(brief(4, telling, messages=8, signal=None), Random(1))
    place = next(at for at, turn in enumerate(turns) if STOPS in turn.content)
    assert (turns[place].role, turns[place].content) == ("assistant", LOOKUP.assistant.replace(SAID, STOPS))
    assert turns[place - 1].content == LOOKUP.user


def test_after_straying_the_errand_is_named_where_the_step_does_not_name_it() -> None:
    """Each time in other words; not after a step or between occasions. What strays comes last, so it is the closing."""
    patterns = [text for pattern in backs() for text in wordings(pattern)]
    for one, turns in _written():
        wordings_of = [filled(pattern, {"task": one.thread.task}) for pattern in patterns]
        said = _said(turns, "user")
        told = [any(telling.text in " ".join(pair) for telling in one.tellings) for pair in _pairs(turns)]
        strays = [
            any(telling.text in " ".join(pair) for telling in one.tellings if not telling.of) for pair in _pairs(turns)
        ]
        back = [next((text for text in wordings_of if words.startswith(f"{text} ")), "") for words in said]
        for place, now in enumerate(told[1:], 1):
            bare = said[place].removeprefix(back[place]).lstrip()
            named = content(split(bare)[0]) & content(one.thread.task)
            assert bool(back[place]) == (strays[place - 1] and not now and not named)
        assert strays[1:-1] == sorted(strays[1:-1])
        used = [text for text in back if text]
        assert len(set(used)) == len(used)


def _pairs(turns: tuple[Turn, ...]) -> list[tuple[str, str]]:
    return list(zip(_said(turns, "user"), _said(turns, "assistant"), strict=True))


def test_a_session_may_be_full_of_what_is_told() -> None:
    """Three exchanges fill ten messages; a fourth does not fit, nor do five steps fill sixteen."""
    turns = write_session(brief(0, *apart(*CLUES), messages=10), Random(1))
    assert all(any(clue in text for clue in CLUES) for text in _said(turns, "user")[1:-1])
    with pytest.raises(ValueError, match="3 moments and up to 5 steps do not fill 2 exchanges"):
        write_session(brief(0, *apart(*CLUES), messages=8), Random(1))
    with pytest.raises(ValueError, match="0 moments and up to 5 steps do not fill 6 exchanges"):
        write_session(replace(brief(0, messages=16), tellings=()), Random(1))


def test_the_more_of_the_person_shows_the_more_asides_there_are() -> None:
    """More at `high` than at `medium`, more there than at `low`; hardly any in sessions about the world."""

    def said(signal: str | None) -> int:
        told = Telling(fact=0, role="user", text=STOPS, moment=REPORT)
        made = [brief(number, told, signal=signal) for number in range(30)]
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
    assert _steps(one, turns) == list(range(5))
