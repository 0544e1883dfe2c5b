"""Which facts are told together, and in what sessions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.placing import Told, arranged
from recollect.benchmarks.subtlememory.generate.threads import Exchange, Step
from recollect.benchmarks.subtlememory.generate.world_sessions import WorldBriefs, grouped
from recollect.benchmarks.subtlememory.generate.world_values import Claim, named

from tests.unit.benchmarks.subtlememory.generate.worlds import festivals, occasions

KIND = festivals()[0]


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


TOLD = occasions("stops", 4)
FACTS = [Claim(subject="the Morvane Line", value=named(str(at)), text=f"Fact {at}.", occasions=TOLD) for at in range(4)]


def test_sessions_have_room_for_their_facts_and_are_dealt_evenly() -> None:
    """Threads, voices and lengths within two of each other; three facts stand in three messages."""
    briefs = WorldBriefs(Random(5))
    made = [
        brief
        for turn in range(60)
        for brief in briefs.deal(KIND, FACTS, (((0, 1, 2), (3,)), ((0, 1), (2, 3)))[turn % 2])
    ]
    for counted in (
        Counter(brief.thread for brief in made),
        Counter(one.role for brief in made for one in brief.tellings),
    ):
        assert max(counted.values()) - min(counted.values()) <= 2
    assert {brief.thread for brief in made} == set(KIND.threads)
    assert {brief.messages for brief in made} == {8, 10, 12, 14}
    for brief in made:
        middle = arranged(brief.tellings, brief.thread.steps, brief.messages // 2 - 2, Random(1))
        assert sum(isinstance(one, Told) for one in middle) == len(brief.tellings)
        assert isinstance(middle[-1], Step)
        assert brief.signal is None


def test_claims_are_made_by_whom_they_must_be() -> None:
    """Given roles are kept."""
    made = WorldBriefs(Random(5)).deal(KIND, FACTS[:2], ((0,), (1,)), ("user", "assistant"))
    assert [one.role for brief in made for one in brief.tellings] == ["user", "assistant"]


def test_no_two_facts_of_a_case_are_told_on_one_occasion() -> None:
    """Each moment stands once in a case; over the cases of a person they are used evenly."""
    briefs = WorldBriefs(Random(5))
    counted: Counter[str] = Counter()
    for _ in range(300):
        made = briefs.deal(KIND, FACTS, ((0, 1, 2), (3,)))
        moments = [moment.assistant for brief in made for one in brief.tellings for moment in one.moments]
        assert len(set(moments)) == len(moments)
        counted.update(moments)
    asked = [counted[one.assistant] for one in TOLD.lookups]
    assert max(asked) - min(asked) <= 1


def test_the_assistant_is_asked_by_name_and_a_name_in_front_gets_a_capital() -> None:
    """`the Morvane Line` at the start of a sentence, and inside one."""
    asks = ("I am stuck. {entity}, what is that?", "{entity}, again?", "What of {entity}, and why?")
    told = replace(TOLD, lookups=tuple(Exchange(user=one, assistant="{said}") for one in asks))
    facts = [replace(fact, occasions=told) for fact in FACTS[:3]]
    made = WorldBriefs(Random(1)).deal(KIND, facts, ((0,), (1, 2)), ("assistant",) * 3)
    assert sorted(moment.user for brief in made for one in brief.tellings for moment in one.moments) == [
        "I am stuck. The Morvane Line, what is that?", "The Morvane Line, again?", "What of the Morvane Line, and why?",
    ]  # fmt: skip
