"""Cases about a user: even shares, each trait once, facts told as they hold, questions with one way to be right."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.briefs import CasePlan
from recollect.benchmarks.subtlememory.generate.drafts import Aim, draft
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.stretches import Calendar
from recollect.benchmarks.subtlememory.generate.tellings import Held, tellings
from recollect.benchmarks.subtlememory.generate.user_cases import user_cases
from recollect.benchmarks.subtlememory.generate.user_words import user_words
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
    """One fact each; 10, 12 or 14 messages; types differ inside a case and lie within three of each other."""
    briefs = [plan.brief for case in cases for plan in case.sessions]
    assert all(len(brief.tellings) == 1 for brief in briefs)
    kinds = Counter(brief.thread.conversation_type for brief in briefs)
    assert set(kinds) == set(TYPES)
    assert max(kinds.values()) - min(kinds.values()) <= 3
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
        assert len({told(case, place) for place in range(len(case.sessions))}) == len(case.sessions)
        if len(told_here) <= 5:
            assert len({turn.split()[2] if turn[0] == "I" else turn for turn in told_here}) == len(told_here)


def test_a_nuanced_fact_names_its_situation_before_the_clue(cases: tuple[CasePlan, ...]) -> None:
    """Another one in each session, the same that the fact names."""
    for case in of(cases, "Context"):
        situations = [
            told(case, place).partition("days of ")[2].split()[0].strip(".,") for place in range(len(case.facts))
        ]
        assert len(set(situations)) == len(case.facts)
        assert all(" when " in fact for fact in case.facts)


def test_a_situation_begins_the_clue_that_holds_in_it() -> None:
    """A lasting one says that it will pass; `I` keeps its capital, other words do not."""
    trait, when = topics()[0].traits[0], topics()[0].traits[0].conditions[0]
    held = Held(trait=trait.name, value=trait.values[0], condition=when)
    for seed in range(20):
        (one,) = tellings([held], GenerationSettings(clues=2), Random(seed))
        assert re.match(rf"On {when.said[3:]}, I (carry|bring) \w+ along here\. I ", one.text)
        (other,) = tellings([held], GenerationSettings(clues=1, held_out=True), Random(seed))
        assert re.match(rf"On {when.said[3:]}, my (bag|box) has \w+ in it\.$", other.text)
        (lasting,) = tellings([replace(held, lasting=True)], GenerationSettings(clues=1), Random(seed))
        before, _, clue = lasting.text.casefold().partition(f"{when.said}, ")
        assert before in {"", "these days, ", "at present, ", "just now, ", "for the time being, "}
        assert clue.startswith("i ")
        assert lasting.text[0].isupper()


def test_what_is_told_has_its_step_in_the_thread(cases: tuple[CasePlan, ...]) -> None:
    """Of the trait that it is about."""
    for plan in (plan for case in cases for plan in case.sessions):
        (one,) = plan.brief.tellings
        assert one.moment == plan.brief.thread.tell(one.of).exchange


def test_a_trait_has_the_stretches_that_suit_it_where_the_year_has_them() -> None:
    """All of ten names, over forty calendars; without names any."""
    suited = {one.name for one in user_words().stretches[::2]}
    drawn = [
        one.stretch.name for seed in range(40) for one in Calendar(GenerationSettings(), Random(seed)).draw(2, suited)
    ]
    assert sum(name in suited for name in drawn) > 70
    free = [one.stretch.name for seed in range(40) for one in Calendar(GenerationSettings(), Random(seed)).draw(2)]
    assert set(free) - suited


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


def test_stretches_of_time_differ_in_kind_and_follow_each_other(cases: tuple[CasePlan, ...]) -> None:
    """They are dated, do not overlap within a case, and one stretch has one date in all cases of a person."""
    dates: dict[str, set[str | None]] = {}
    groups = {one.fact.replace("{name}", ""): one.group for one in user_words().stretches}
    for case in of(cases, "Temporal"):
        for one, other in pairwise(case.sessions):
            assert str(one.starts) <= str(one.ends) < str(other.starts) <= str(other.ends)
        found = []
        for fact, plan in zip(case.facts, case.sessions, strict=True):
            name = fact.split()[0]
            stretch = next(key for key in groups if fact.replace(name, "").rstrip(".").endswith(key))
            dates.setdefault(stretch, set()).add(plan.starts)
            found.append(groups[stretch])
        assert len(set(found)) == len(found)
    assert all(len(starts) == 1 for starts in dates.values())


def test_a_calendar_never_gives_a_case_two_stretches_of_one_kind() -> None:
    """Forty calendars, drawn from ten times each."""
    for seed in range(40):
        calendar = Calendar(GenerationSettings(), Random(seed))
        for _ in range(10):
            drawn = calendar.draw(3)
            assert len({one.stretch.group for one in drawn}) == 3


def test_there_are_stretches_enough_and_each_is_asked_for_in_other_words() -> None:
    """At least 14; no word of five letters or more comes back."""
    assert len(user_words().stretches) >= 14
    for one in user_words().stretches:
        said, asked_for = (set(re.findall(r"\w{5,}", text)) for text in (one.said, one.asked))
        assert not said & asked_for - {"while", "weeks", "which"}


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


def test_knobs_set_how_many_facts_and_how_much_a_clue_tells() -> None:
    """Four facts where the sub-type allows them; one sentence each; held-out sentences alone."""
    cases = planned(2, variants=4, clues=1)
    most = {"K>1": 3, "any_one": 3, "Temporal": 4, "Context": 3, "contradictory": 2}
    assert {case.relation_subtype: len(case.facts) for case in cases} == most
    assert {len(told(case, place).split(".")) for case in cases for place in range(len(case.sessions))} == {2}
    tellings = [plan.brief.tellings[0] for case in planned(2, clues=0) for plan in case.sessions]
    assert {telling.text.count("along here") for telling in tellings} == {1, 2, 3}
    held = [told(case, place) for case in planned(2, held_out=True) for place in range(len(case.sessions))]
    assert all("in it." in one and "along here" not in one for one in held)


def test_high_overlap_tells_the_facts_of_a_case_alike() -> None:
    """Any-one: the very same sentence; nuanced: the same frame."""
    for case in of(planned(2, overlap="high"), "any_one"):
        assert len({told(case, place) for place in range(len(case.sessions))}) == 1


def test_same_seed_same_cases() -> None:
    """And another seed, others."""
    assert planned(5) == planned(5)
    assert planned(5) != planned(6)
