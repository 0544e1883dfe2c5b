"""Cases about a user: even shares, each trait once, facts told as they hold, questions with one way to be right."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.cases.requests import Aim, draft
from recollect.benchmarks.subtlememory.generate.cases.user import Calendar, user_cases
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Trait
from recollect.benchmarks.subtlememory.generate.catalogue.words import user_words
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.plans import CasePlan
from recollect.benchmarks.subtlememory.generate.sessions.briefs import Held, telling
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import LEVELS, SUBTYPES, TYPES, Asked
from recollect.domain.errors import UsageError
from recollect.text.sentences import split

from tests.unit.benchmarks.subtlememory.generate.made import planned, topics

VALUES = {value.value: value for topic in topics() for trait in topic.traits for value in trait.values}


@pytest.fixture(scope="module")
def cases() -> tuple[CasePlan, ...]:
    """Those of one person of the base size."""
    return planned(11)


def of(cases: tuple[CasePlan, ...], *subtypes: str) -> list[CasePlan]:
    return [case for case in cases if case.relation_subtype in subtypes]


def asked(case: CasePlan) -> list[Asked]:
    return [qa.asked for qa in case.qas if qa.asked is not None]


def told(case: CasePlan, place: int) -> str:
    return " ".join(one.text for one in case.sessions[place].brief.tellings)


def test_relations_have_their_shares_and_questions_their_number(cases: tuple[CasePlan, ...]) -> None:
    """54 cases: 18 of each relation, two questions where it is nuanced, three answers of each side."""
    assert Counter(case.relation_type for case in cases) == {"complementary": 18, "nuanced": 18, "contradictory": 18}
    for case in cases:
        assert case.relation_type == SUBTYPES[case.relation_subtype]
        assert len(case.qas) == (2 if case.relation_type == "nuanced" else 1)
        for qa in case.qas:
            assert len(set(qa.correct_answers)) == len(set(qa.incorrect_answers)) == 3
            assert not set(qa.correct_answers) & set(qa.incorrect_answers)


def test_no_trait_is_in_two_cases(cases: tuple[CasePlan, ...]) -> None:
    """Not even as one of several."""
    used = [trait for case in cases for trait in case.used.values()]
    assert len(used) == len(set(used)) >= 63


def test_a_trait_that_the_profile_mentions_is_left_out() -> None:
    """The first value of every second trait stands in the profile."""
    person = draw_personas(1, 0)[0]
    said = [trait.values[0].value for topic in topics() for trait in topic.traits[:1]]
    marked = replace(person, persona_str=json.dumps({"short_persona": ", ".join(said)}))
    settings = GenerationSettings(related_cases=30)
    used = {trait for case in user_cases(marked, settings, Random(1), topics()) for trait in case.used.values()}
    assert used.isdisjoint(f"{topic.topic}: {topic.traits[0].name}" for topic in topics())


def test_too_few_traits_are_told_with_their_number() -> None:
    """63 are needed, and four topics have 12."""
    with pytest.raises(UsageError, match=r"need 63 traits, and the catalogue has 12 for this person\. Ask for fewer"):
        user_cases(draw_personas(1, 0)[0], GenerationSettings(), Random(1), topics(4))


def test_sessions_are_of_the_published_kinds_in_even_shares(cases: tuple[CasePlan, ...]) -> None:
    """One fact each; 10, 12 or 14 messages; types differ inside a case and lie within six of each other."""
    briefs = [plan.brief for case in cases for plan in case.sessions]
    assert all(len(brief.tellings) == 1 for brief in briefs)
    kinds = Counter(brief.thread.conversation_type for brief in briefs)
    assert set(kinds) == set(TYPES)
    assert max(kinds.values()) - min(kinds.values()) <= 6
    for counted in (Counter(brief.messages for brief in briefs), Counter(brief.signal for brief in briefs)):
        assert max(counted.values()) - min(counted.values()) <= 1
    assert {brief.messages for brief in briefs} == {10, 12, 14}
    assert {brief.signal for brief in briefs} == set(LEVELS)
    for case in (*cases, *planned(3, 6)):
        assert len(case.facts) == len(case.sessions)
        assert [plan.brief.tellings[0].fact for plan in case.sessions] == list(range(len(case.facts)))
        assert len({plan.brief.thread.conversation_type for plan in case.sessions}) == len(case.sessions)


def test_clues_and_questions_do_not_name_what_is_right(cases: tuple[CasePlan, ...]) -> None:
    """No value in a session; no query tells more of the right choice than of the others."""
    for case in cases:
        said = " ".join(told(case, place) for place in range(len(case.sessions)))
        assert not [value for value in VALUES if value in said]
        for qa, one in zip(case.qas, asked(case), strict=True):
            shown = [*one.options] or [choice for given in one.template.values() for choice in given[8:].split(" / ")]
            assert [qa.query.count(name) for name in shown] == [1] * len(shown)


def test_one_value_is_told_in_other_words_each_time(cases: tuple[CasePlan, ...]) -> None:
    """Any-one: no sentence comes twice, and no fact either."""
    for case in of(cases, "any_one"):
        told_here = [each for plan in case.sessions for each in split(plan.brief.tellings[0].text)]
        assert len(set(case.facts)) == len(case.facts)
        assert len(set(told_here)) == len(told_here)


def test_a_nuanced_fact_names_its_situation_before_the_clue(cases: tuple[CasePlan, ...]) -> None:
    """Another one in each session, the same that the fact names."""
    for case in of(cases, "Context"):
        situations = [
            told(case, place).partition("days of ")[2].split()[0].strip(".,") for place in range(len(case.facts))
        ]
        assert len(set(situations)) == len(case.facts)
        assert all(" when " in fact for fact in case.facts)


def test_a_situation_stands_where_the_showing_has_a_place_for_it() -> None:
    """Behind its reason; a lasting one is told by that alone. Without one, what is usual stands there."""
    trait, when = topics()[0].traits[0], topics()[0].traits[0].conditions[0]
    held = Held(trait=trait.name, value=trait.values[0], condition=when)
    texts = ("{said}, I go.", "Well, {said}, I go.")
    opening, later = (replace(trait.values[0].showings[0], shown=text) for text in texts)
    once, lasting, why = GenerationSettings(clues=1), set(), when.reason
    for seed in range(60):
        assert telling(0, held, opening, once, Random(seed)).text == f"{why} O{when.said[1:]}, I go."
        assert telling(0, held, later, once, Random(seed)).text == f"{why} Well, {when.said}, I go."
        assert telling(0, replace(held, condition=None), later, once, Random(seed)).text == "Well, as a rule, I go."
        lasting.add(telling(0, replace(held, lasting=True), opening, once, Random(seed)).text)
    assert lasting == {f"{why} {now[0].upper()}{now[1:]}, I go." for now in user_words().now}


def test_what_is_told_stands_in_the_exchange_that_was_written_for_the_thread(cases: tuple[CasePlan, ...]) -> None:
    """Of the value that it is about; the question comes after it, and the answer is its own."""
    shown = {value.showings for topic in topics() for trait in topic.traits for value in trait.values}
    for plan in (plan for case in cases for plan in case.sessions):
        (one,) = plan.brief.tellings
        fitting = [
            next(showing for showing in each if showing.thread == kind)
            for each in shown
            if (kind := plan.brief.thread.conversation_type) in {other.thread for other in each}
        ]
        assert [each for each in fitting if one.moment == each.exchange and each.more in f"{one.text} {each.more}"]


def test_stretches_are_those_of_the_trait_and_lie_apart_in_the_year() -> None:
    """All of them come up over forty draws; four leave no two of six seasons in one."""
    trait = topics()[0].traits[0]
    drawn = [Calendar(GenerationSettings(), Random(seed)).draw(trait, 1 + seed % 4) for seed in range(40)]
    assert {one.stretch for each in drawn for one in each} == set(trait.stretches)
    for each in drawn:
        assert len({one.stretch for one in each}) == len(each)
        assert all(one.starts <= one.ends < other.starts <= other.ends for one, other in pairwise(each))
    assert min(one.starts for each in drawn for one in each) == "2025-04-01"
    assert max(one.ends for each in drawn for one in each) == "2026-03-31"


def test_the_two_questions_of_a_nuanced_case_want_different_values_and_reject_the_other(
    cases: tuple[CasePlan, ...],
) -> None:
    """One form and one list; the right value of either is among the wrong ones of the other."""
    for case in of(cases, "Context", "Temporal"):
        form, offers = asked(case)
        assert (form.form, offers.form) == ("structured_form", "resource_arrangement")
        right = next(iter(form.fields.values()))[0]
        name = offers.fields["choice"][0]
        suits = [value for value in VALUES if offers.described[name] in VALUES[value].resources]
        assert len(suits) == 1
        assert suits[0] != right
        wrong = " ".join(case.qas[0].incorrect_answers[:2])
        assert suits[0] in wrong


def test_stretches_of_time_are_the_traits_own_and_follow_each_other(cases: tuple[CasePlan, ...]) -> None:
    """They are dated, do not overlap within a case, and the fact names the one in which its session lies."""
    known = {one.fact.partition("has ")[2] for topic in topics() for trait in topic.traits for one in trait.stretches}
    for case in of(cases, "Temporal"):
        for one, other in pairwise(case.sessions):
            assert str(one.starts) <= str(one.ends) < str(other.starts) <= str(other.ends)
        found = [fact.rpartition("has ")[2].rstrip(".") for fact in case.facts]
        assert set(found) <= known
        assert len(set(found)) == len(found)


def test_a_conflict_needs_both_sides_and_a_single_side_is_wrong(cases: tuple[CasePlan, ...]) -> None:
    """No condition in either fact; both names in every right answer, one in the silent choices."""
    for case in of(cases, "contradictory"):
        (one,), (qa,) = asked(case), case.qas
        first, second = one.fields
        assert one.chance == 0.0
        assert len(one.others) == 2
        assert all(first in answer and second in answer for answer in qa.correct_answers)
        assert first in qa.incorrect_answers[0]
        assert second in qa.incorrect_answers[1]
        assert not [name for name in (first, second) if name in qa.incorrect_answers[2]]
        assert all(" when " not in fact and " while " not in fact for fact in case.facts)


def test_values_that_go_together_make_no_conflict() -> None:
    """In every second trait of each topic all pairs go together but one; in the others, all do."""

    def half(trait: Trait, at: int) -> Trait:
        pairs = tuple((one.value, other.value) for one, other in combinations(trait.values, 2))
        return replace(trait, together=pairs[at % 2 :])

    some = tuple(replace(one, traits=tuple(half(trait, at) for at, trait in enumerate(one.traits))) for one in topics())
    rivals = {frozenset(value.value for value in trait.values[:2]) for one in some for trait in one.traits[1::2]}
    cases = user_cases(draw_personas(1, 0)[0], GenerationSettings(related_cases=30), Random(1), some)
    of_fact = {fact.split()[-1]: value.value for value in VALUES.values() for fact in value.facts}
    conflicts = [frozenset(of_fact[fact.split()[-1]] for fact in case.facts) for case in of(cases, "contradictory")]
    assert len(conflicts) == 10
    assert set(conflicts) <= rivals
    none = tuple(replace(one, traits=tuple(half(trait, 0) for trait in one.traits)) for one in topics())
    with pytest.raises(UsageError, match=r"no trait is left for a case of `contradictory`\. Ask for fewer cases"):
        user_cases(draw_personas(1, 0)[0], GenerationSettings(related_cases=30), Random(1), none)


def test_sides_of_a_conflict_are_told_of_no_situation(cases: tuple[CasePlan, ...]) -> None:
    """What is usual in a showing may be one, as evenings are; a habit stands there instead."""
    (trait, *_), always = topics()[0].traits, user_words().always
    held = Held(trait=trait.name, value=trait.values[0], opposed=True)
    evening = replace(trait.values[0].showings[0], shown="{said}, I go.", usual="Most evenings")
    once = GenerationSettings(clues=1)
    texts = {telling(0, held, evening, once, Random(seed)).text for seed in range(200)}
    pauses = {one: "" if " " not in one else "," for one in always}
    assert texts == {f"{one[0].upper()}{one[1:]}{pauses[one]} I go." for one in always}
    for case in of(cases, "contradictory"):
        assert all(told(case, place).casefold().startswith(always) for place in range(2))


def test_a_question_offers_the_values_of_all_conditions() -> None:
    """Of a trait of six values, four are offered: the right one, the two rivals, and one more."""
    (trait, *_), values = topics()[0].traits, [value for one in topics()[0].traits[:2] for value in one.values][:6]
    wide = replace(trait, values=tuple(values))
    for seed in range(30):
        right, *rivals = Random(seed).sample(values, 3)
        aim = Aim(traits=(wide,), right=(right,), rivals=tuple(rivals))
        for form in ("structured_form", "resource_arrangement"):
            offered = {one.values[0].value for one in draft(form, aim, Random(seed)).offers}
            assert len(offered) == 4
            assert {right.value, *(value.value for value in rivals)} <= offered


def test_several_facts_are_all_needed(cases: tuple[CasePlan, ...]) -> None:
    """Three traits fill a form of three fields; two make a list in which each value comes twice."""
    for case in of(cases, "K>1"):
        (one,) = asked(case)
        assert len(case.used) == len(case.facts)
        if len(case.facts) == 3:
            assert one.chance == pytest.approx(1 / 64)
            assert len(one.fields) == 3
        else:
            halves = [one.described[name].split("; ") for name in one.options]
            values = Counter(
                value for parts in halves for part in parts for value in VALUES if part in VALUES[value].resources
            )
            assert sorted(values.values()) == [2, 2, 2, 2]
            assert len({part for parts in halves for part in parts}) == 8


def test_knobs_set_how_many_facts_and_how_much_shows() -> None:
    """Four facts where the sub-type allows them; one detail each, or two; held-out exchanges alone."""
    cases = planned(2, variants=4, clues=1)
    most = {"K>1": 3, "any_one": 3, "Temporal": 4, "Context": 3, "contradictory": 2}
    assert {case.relation_subtype: len(case.facts) for case in cases} == most
    assert {(case.relation_type == "nuanced", len(split(told(case, 0)))) for case in cases} == {(False, 1), (True, 2)}
    settled = [case for case in planned(2, clues=0) if case.relation_type != "nuanced"]
    drawn = [plan.brief.tellings[0] for case in settled for plan in case.sessions]
    assert {len(split(one.text)) for one in drawn} == {1, 2}
    rich = [told(case, place) for case in planned(2, clues=2) for place in range(len(case.sessions))]
    assert all("in it." in one for one in rich)
    hidden = planned(2, variants=3, held_out=True)
    assert all("I hide" in told(case, place) for case in hidden for place in range(len(case.sessions)))
    assert {len(case.facts) for case in of(hidden, "any_one")} == {2}  # each value has two that are held out


def test_high_overlap_tells_the_facts_of_a_case_in_talk_of_one_errand() -> None:
    """Where another value is told; one value never shows twice in one thread."""

    def shared(overlap: str) -> tuple[int, int]:
        cases = [case for case in planned(2, overlap=overlap) if case.relation_subtype != "any_one"]
        threads = [{plan.brief.thread for plan in case.sessions} for case in cases]
        return sum(len(case.sessions) for case in cases), sum(map(len, threads))

    (told_low, low), (told_high, high) = shared("low"), shared("high")
    assert low == told_low
    assert high < told_high * 0.75
    for case in of(planned(2, overlap="high"), "any_one"):
        assert len({plan.brief.thread for plan in case.sessions}) == len(case.sessions)


def test_same_seed_same_cases() -> None:
    """And another seed, others."""
    assert planned(5) == planned(5)
    assert planned(5) != planned(6)


def test_a_stretch_that_several_traits_have_is_at_one_time_for_all_of_them() -> None:
    """Ten draws each of forty calendars, from two traits that share three of their five stretches."""
    one, other = topics()[0].traits[:2]
    shared = replace(other, stretches=(*one.stretches[:3], *other.stretches[:2]))
    several = 0
    for seed in range(40):
        calendar = Calendar(GenerationSettings(), Random(seed))
        starts: dict[str, set[str]] = {}
        for _ in range(5):
            for each in (*calendar.draw(one, 2), *calendar.draw(shared, 2)):
                starts.setdefault(each.stretch.said, set()).add(each.starts)
        several += sum(len(found) > 1 for found in starts.values())
    assert several == 0
