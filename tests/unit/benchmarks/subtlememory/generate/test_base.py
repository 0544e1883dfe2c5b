"""Ten generated histories as a whole: what nobody must see in single questions and sessions, seen over all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from recollect.benchmarks.subtlememory.generate import bundles
from recollect.benchmarks.subtlememory.generate.blind import blind_rows
from recollect.benchmarks.subtlememory.generate.settings import SIZES
from recollect.benchmarks.subtlememory.items import RELATED, Bundle
from recollect.benchmarks.subtlememory.statistics import tokens_of
from recollect.worlds.checks import MOST, repeated

GAIN = 0.05
"""What a solver may have beyond chance, at the upper end of its interval."""


@pytest.fixture(scope="module")
def ten() -> tuple[Bundle, ...]:
    return bundles(SIZES.settings("base"), 0)


def test_who_sees_the_question_alone_stays_at_chance(ten: tuple[Bundle, ...]) -> None:
    """Every solver in every sub-type; constant answers to contradictions are never right."""
    table = blind_rows(ten)
    assert len({row.group for row in table}) == 5
    assert [row for row in table if row.upper > row.chance + GAIN] == []
    assert {row.right for row in table if row.group == "contradictory"} == {0}


@pytest.mark.full
def test_no_long_sentence_stands_in_more_than_one_session_of_a_hundred(ten: tuple[Bundle, ...]) -> None:
    names = {name for one in ten for name in names_of(one)}
    found = repeated([[turn.content for turn in talk.history] for one in ten for talk in one.talks], names)
    assert next(iter(found.values())) <= MOST


def names_of(one: Bundle) -> set[str]:
    """Whatever has a capital in the facts; common words that begin a sentence mask more than they should."""
    words = [fact.split() for instance in one.instances for fact in instance.facts]
    return {word.strip(".,'’s") for said in words for word in said[1:] if word[:1].isupper() and len(word) > 3}


@pytest.mark.full
def test_histories_are_as_large_as_the_papers(ten: tuple[Bundle, ...]) -> None:
    """236.4 sessions and 211.6 thousand tokens a history, 109 sets of facts, half of them about the user."""
    sessions = [len(one.talks) for one in ten]
    tokens = [sum(tokens_of(turn.content) for talk in one.talks for turn in talk.history) for one in ten]
    assert 225 <= sum(sessions) / 10 <= 250
    assert 180_000 <= sum(tokens) / 10 <= 230_000
    assert {len(one.instances) for one in ten} == {109}
    sources = Counter(instance.source for one in ten for instance in one.instances)
    assert abs(sources[RELATED] - 545) <= 5
