"""The pool of the scripted user."""

from __future__ import annotations

from dataclasses import fields

import pytest

from recollect.benchmarks.amemgym.users.integrity import checker_of
from recollect.benchmarks.amemgym.users.turns import Turns, digest_of_turns, of_any_domain, of_the_domain, read_turns

from tests.unit.benchmarks.amemgym.users.dialogues import generated, script, scripts

POOLS = read_turns()


@pytest.mark.parametrize("lang", sorted(POOLS))
def test_there_are_thirty_follow_ups_and_no_turn_twice(lang: str) -> None:
    """In each language, over all kinds of turns."""
    pool = POOLS[lang]
    said = [turn.casefold() for one in fields(Turns) for turn in getattr(pool, one.name)]
    assert len(pool.follow_ups) >= 30
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("lang", sorted(POOLS))
def test_only_turns_about_lists_have_placeholders(lang: str) -> None:
    """One each, by its name."""
    pool = POOLS[lang]
    assert all(turn.count("$") == turn.count("$item") == 1 for turn in pool.items)
    assert all(turn.count("$") == turn.count("$place") == 1 for turn in pool.points)
    rest = [name for one in fields(Turns) if (name := one.name) not in ("items", "points")]
    assert not any("$" in turn for name in rest for turn in getattr(pool, name))


def test_nearly_no_turn_has_to_be_left_out_for_a_generated_user() -> None:
    """A turn is left out where one of its words is a value; it surely tells none."""
    for history in generated():
        one = next(scripts(history))
        findings = [checker_of(one).findings(turn) for turn in (*POOLS["en"].follow_ups, *POOLS["en"].asked)]
        assert not any(found.sure for several in findings for found in several)
        assert sum(map(bool, findings)) <= 2


def test_follow_ups_are_of_the_domain_that_the_opening_shows() -> None:
    """Four a domain; none for a user whom the catalogue does not know, nor in Chinese."""
    assert {len(of_the_domain(one)) for one in scripts(generated()[0])} == {4}
    assert of_the_domain(script()) == ()
    assert of_any_domain(script())
    assert not of_any_domain(script(lang="zh"))


def test_the_digest_is_of_the_files() -> None:
    """The same every time."""
    assert digest_of_turns() == digest_of_turns()
    assert digest_of_turns().startswith("r1:")
