"""Which facts are told together, and in what sessions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.placing import place
from recollect.benchmarks.subtlememory.generate.world_sessions import WorldBriefs, grouped
from recollect.benchmarks.subtlememory.generate.world_values import Claim, named

from tests.unit.benchmarks.subtlememory.generate.worlds import festivals

THREADS = festivals()[0].threads


@pytest.mark.parametrize(("count", "needed", "sessions"), [(2, 2, 2), (3, 2, 2), (3, 3, 2), (4, 3, 2), (5, 4, 3)])
def test_facts_are_dealt_once_and_what_is_needed_never_to_one_session(count: int, needed: int, sessions: int) -> None:
    """Two sessions for up to four facts, three for more (construction of the paper's session plans)."""
    seen = set()
    for seed in range(200):
        groups = grouped(count, range(needed), Random(seed))
        seen.add(groups)
        assert len(groups) == sessions
        assert sorted(fact for group in groups for fact in group) == list(range(count))
        assert all(1 <= len(group) <= 3 for group in groups)
        assert not [group for group in groups if set(range(needed)) <= set(group)]
    assert len(seen) > 1


FACTS = [Claim(subject="the Morvane Line", value=named(str(at)), text=f"Fact {at}.") for at in range(4)]


def test_sessions_have_room_for_their_facts_and_are_dealt_evenly() -> None:
    """Threads, voices and lengths within two of each other; three facts stand in three messages."""
    briefs = WorldBriefs(Random(5))
    made = [
        brief
        for turn in range(60)
        for brief in briefs.deal(THREADS, FACTS, (((0, 1, 2), (3,)), ((0, 1), (2, 3)))[turn % 2])
    ]
    for counted in (
        Counter(brief.thread for brief in made),
        Counter(one.role for brief in made for one in brief.tellings),
    ):
        assert max(counted.values()) - min(counted.values()) <= 2
    assert {brief.thread for brief in made} == set(THREADS)
    assert {brief.messages for brief in made} == {6, 8, 10, 12, 14}
    for brief in made:
        plan = place(brief.tellings, brief.messages // 2, Random(1))
        assert max(len(placed.told) for placed in plan.values()) == 1
        assert brief.signal is None


def test_claims_are_made_by_whom_they_must_be() -> None:
    """Given roles are kept."""
    made = WorldBriefs(Random(5)).deal(THREADS, FACTS[:2], ((0,), (1,)), ("user", "assistant"))
    assert [one.role for brief in made for one in brief.tellings] == ["user", "assistant"]


def test_no_two_facts_of_a_case_are_answered_alike() -> None:
    """Answers are short, so two in one session would stand out."""
    briefs = WorldBriefs(Random(5))
    for _ in range(1000):
        made = briefs.deal(THREADS, FACTS, ((0, 1, 2), (3,)))
        echoes = [echo for brief in made for one in brief.tellings for echo in one.echoes]
        assert len(set(echoes)) == len(echoes)
