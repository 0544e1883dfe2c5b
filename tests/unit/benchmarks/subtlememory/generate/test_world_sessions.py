"""Which facts are told together, and in what sessions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import SAID, Step, Tell
from recollect.benchmarks.subtlememory.generate.sessions.briefs import WorldBriefs, grouped
from recollect.benchmarks.subtlememory.generate.sessions.claims import Claim, named
from recollect.benchmarks.subtlememory.generate.sessions.writer import Told, arranged
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings

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


LINKED = occasions("home", 4)
FACTS = [Claim(subject="the Morvane Line", value=named(str(at)), text=f"Fact {at}.", of="kites") for at in range(4)]
STRAYS = [Claim(subject="Ubo", value=named(str(at)), text=f"Stray {at}.", occasions=LINKED) for at in range(4)]


def test_sessions_have_room_for_what_they_tell_and_are_dealt_evenly() -> None:
    """Threads and lengths within two of each other; facts of one property stand in one message, others apart."""
    briefs = WorldBriefs(GenerationSettings(), Random(5))
    facts = [FACTS[0], STRAYS[1], FACTS[2], STRAYS[3]]
    made = [
        brief
        for turn in range(60)
        for brief in briefs.deal(KIND, facts, (((0, 1, 2), (3,)), ((0, 1), (2, 3)))[turn % 2])
    ]
    counted = Counter(brief.thread for brief in made)
    assert max(counted.values()) - min(counted.values()) <= 2
    assert {brief.thread for brief in made} == set(KIND.threads)
    assert {brief.messages for brief in made} == {8, 10, 12, 14}
    for brief in made:
        middle = arranged(brief.tellings, brief.thread.steps, brief.messages // 2 - 2, Random(1))
        assert sum(isinstance(one, Told) for one in middle) == len({one.of for one in brief.tellings})
        strays = [isinstance(one, Told) and one.strays for one in middle]
        assert strays == sorted(strays)
        assert isinstance(middle[strays.count(False) - 1], Step)
        assert brief.signal is None
        for one in brief.tellings:
            assert one.role == ("user" if one.moment is not None and SAID in one.moment.user else "assistant")


def test_claims_are_made_by_whom_they_must_be() -> None:
    """In threads that have it so."""
    for seed in range(20):
        made = WorldBriefs(GenerationSettings(), Random(seed)).deal(
            KIND, FACTS[:2], ((0,), (1,)), ("user", "assistant")
        )
        assert [one.role for brief in made for one in brief.tellings] == ["user", "assistant"]
        assert [brief.thread.tell("kites").reports for brief in made] == [True, False]


def test_no_two_facts_that_stray_are_told_on_one_occasion() -> None:
    """Each stands once in a case; over the cases of a person they are used evenly."""
    briefs = WorldBriefs(GenerationSettings(), Random(5))
    counted: Counter[str] = Counter()
    for _ in range(300):
        made = briefs.deal(KIND, STRAYS, ((0, 1, 2), (3,)))
        told = [one.moment.assistant for brief in made for one in brief.tellings if one.moment is not None]
        assert len(set(told)) == len(told) == 4
        counted.update(told)
    asked = [counted[one.assistant] for one in LINKED.lookups]
    assert max(asked) - min(asked) <= 1


def test_the_assistant_is_asked_by_name_and_a_name_in_front_gets_a_capital() -> None:
    """`the Morvane Line` at the start of a sentence and inside one; of several all names."""
    told = Tell(
        of="kites",
        user="I am stuck. {entity}, what is there? And why?",
        assistant="{said}",
        told="There's {value} at {entity}.",
        held_out="{entity} has {value}.",
    )
    kind = replace(KIND, threads=tuple(replace(thread, tells=(told,)) for thread in KIND.threads))
    facts = [*FACTS[:2], replace(FACTS[2], subject="the Ubo Line")]
    made = WorldBriefs(GenerationSettings(), Random(1)).deal(kind, facts, ((0,), (1, 2)))
    assert [one.text for brief in made for one in brief.tellings] == [
        "There's 0 at the Morvane Line.",
        "There's 1 at the Morvane Line;",
        "for the Ubo Line it's 2.",
    ]
    assert {one.moment.user for brief in made for one in brief.tellings if one.moment is not None} == {
        "I am stuck. The Morvane Line, what is there? And why?",
        "I am stuck. The Morvane Line and the Ubo Line, what is there? And why?",
    }


def test_a_question_says_which_editions_it_means_and_no_dates() -> None:
    """Behind the first question mark; who tells it unasked is not asked."""
    asked = Tell(of="kites", user="At {entity}, what is there? And why?", assistant="{said}",
                 told="{entity} has {value}.", held_out="{entity} shows {value}.")  # fmt: skip
    unasked = replace(asked, user="{said} Why?", assistant="Who knows?")
    leads = ("In its winter edition", "On open days")
    claims = [replace(fact, lead=lead) for fact, lead in zip(FACTS, leads, strict=False)]

    def question(tell: Tell, facts: list[Claim]) -> str:
        kind = replace(KIND, threads=(replace(KIND.threads[0], tells=(tell,)),))
        (made,) = WorldBriefs(GenerationSettings(), Random(1)).deal(kind, facts, (tuple(range(len(facts))),))
        (moment,) = {one.moment.user for one in made.tellings if one.moment is not None}
        return moment

    said = "At the Morvane Line, what is there? In its winter edition and on open days, that is. And why?"
    assert question(asked, claims) == said
    assert question(unasked, claims) == "{said} Why?"
    dated = [replace(FACTS[0], lead="As of 1 May 2025", date="1 May 2025")]
    assert question(asked, dated) == "At the Morvane Line, what is there? And why?"


def test_what_only_acquaintances_know_is_told_by_the_user() -> None:
    """Where there is no occasion for the assistant to be asked."""
    private = [replace(one, occasions=replace(LINKED, lookups=())) for one in STRAYS]
    briefs = WorldBriefs(GenerationSettings(), Random(1))
    made = [brief for _ in range(9) for brief in briefs.deal(KIND, [FACTS[0], private[1]], ((0,), (1,)))]
    assert {one.role for brief in made for one in brief.tellings if not one.of} == {"user"}


def test_what_is_told_of_one_thing_is_told_in_a_row() -> None:
    """Of several things by their names, of one by its dates; held out in other words, alike in those of the fact."""
    told = Tell(of="kites", user="So it is. {said} Is it?", assistant="Yes.", told="{entity} has {value}.",
                held_out="There's {value} at {entity}.")  # fmt: skip
    kind = replace(KIND, threads=(replace(KIND.threads[0], tells=(told,)),))

    def said(claims: list[Claim], seed: int = 1, **knobs: str | bool) -> list[str]:
        settings = GenerationSettings(**knobs)  # type: ignore[arg-type]
        (made,) = WorldBriefs(settings, Random(seed)).deal(kind, claims, (tuple(range(len(claims))),))
        return [one.text for one in made.tellings]

    dated = [replace(FACTS[at], lead=f"As of {1 + at} May 2025", date=f"{1 + at} May 2025") for at in range(3)]
    assert {said(dated, seed)[0] for seed in range(20)} == {
        "As of 1 May 2025, the Morvane Line has 0;",
        "By the figures of 1 May 2025, the Morvane Line has 0;",
        "The Morvane Line has 0, as of 1 May 2025;",
    }
    assert said(dated)[1:] == ["by 2 May 2025 it was up to 1,", "and by 3 May 2025 it was up to 2."]
    kind = replace(KIND, threads=(replace(KIND.threads[0], tells=(replace(told, told="{entity} is a {value}."),)),))
    assert said([*FACTS[:1], replace(FACTS[1], lead="On open days")])[1] == "on open days it's a 1."
    assert ["As of 1 May 2025, there's 0 at the Morvane Line."] in [
        said(dated[:1], seed, held_out=True) for seed in range(20)
    ]
    assert said(FACTS[:1], overlap="high") == ["Fact 0."]
