"""What is counted over the dialogues of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.amemgym.users.counts import integrity_of
from recollect.benchmarks.amemgym.users.scripted import ScriptedUser
from recollect.domain.histories import History, Script
from recollect.domain.ids import HistoryId

from tests.unit.benchmarks.amemgym.users.dialogues import generated, hold, script, scripts

ONE, OTHER = script(session="s1"), script(session="s2")
HISTORY = History(history_id=HistoryId("h1"), timeline=(ONE, OTHER), questions=())


class _Says:
    """A user that reads from a sheet."""

    fingerprint = "sheet"

    def __init__(self, *said: str) -> None:
        self.said = list(said)

    def next(self, script: Script, talk: object) -> str:
        return self.said.pop(0)


def test_turns_that_tell_and_turns_that_contradict_are_counted() -> None:
    """Six turns of two dialogues: one true value that the opening shows, one true and hidden, two false, one suspected.

    Of six pairs of a dialogue and a variable two are contradicted, one of them twice: 1 - 2/6.
    """
    first = _Says("I am strictly vegan.", "As a couch potato?", "Really, as a couch potato?")
    second = _Says("My running is regular. And my diet: meat eater.", "Any regular shop?", "Thanks.")
    talk = [*hold(first, ONE, ["a"] * 3), *hold(second, OTHER, ["a"] * 3)]
    found = integrity_of({HISTORY.history_id: talk}, [HISTORY])
    assert (found.dialogues, found.turns, found.items) == (2, 6, 6)
    assert (found.telling, found.suspected, found.unexposed) == (4, 1, 3)
    assert (found.contradicting, found.contradicted) == (3, 2)
    assert found.consistency == pytest.approx(4 / 6)
    assert found.clean == pytest.approx(2 / 6)
    assert [one.session for one in found.remarks] == ["s1"] * 3 + ["s2"] * 3


def test_what_the_assistant_and_the_opening_say_does_not_count() -> None:
    """The opening is part of the data, the replies are another's."""
    telling = replace(ONE, opening=replace(ONE.opening, text="I am strictly vegan."))
    history = replace(HISTORY, timeline=(telling,))
    found = integrity_of({HISTORY.history_id: hold(_Says("Thanks."), telling, ["You couch potato."])}, [history])
    assert (found.turns, found.telling, found.suspected) == (1, 0, 0)


def test_dialogues_that_were_not_held_are_passed_over() -> None:
    """And without any, no share is defined."""
    none = integrity_of({}, [HISTORY])
    assert (none.dialogues, none.turns, none.items) == (0, 0, 0)
    assert none.consistency is None
    assert none.clean is None
    assert integrity_of({HISTORY.history_id: hold(_Says("Thanks."), OTHER, ["a"])}, [HISTORY]).dialogues == 1


def test_a_dialogue_of_one_round_has_no_turn_to_look_at() -> None:
    """Its items count: nothing in it contradicts them."""
    found = integrity_of({HISTORY.history_id: hold(_Says(), ONE, [])}, [HISTORY])
    assert (found.dialogues, found.turns, found.items, found.clean, found.consistency) == (1, 0, 3, None, 1.0)


def test_the_scripted_user_comes_out_clean() -> None:
    """On a generated user, three turns a dialogue."""
    history = generated()[1]
    user = ScriptedUser(seed=3)
    replies = ["Do it.", "What is it?", "- One thing\n- Another"]
    talk = [message for one in scripts(history) for message in hold(user, one, replies)]
    found = integrity_of({history.history_id: talk}, [history])
    assert found.turns == 3 * found.dialogues > 0
    assert (found.telling, found.suspected, found.remarks) == (0, 0, ())
