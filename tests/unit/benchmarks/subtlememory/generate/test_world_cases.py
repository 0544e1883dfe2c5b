"""Cases about the world: told once, over several sessions, and asked for so that one answer is right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.blind import hits
from recollect.benchmarks.subtlememory.generate.catalogue.texts import kinds
from recollect.benchmarks.subtlememory.generate.catalogue.words import world_words
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.generate.checks.sessions import session_problems
from recollect.benchmarks.subtlememory.generate.plans import CasePlan
from recollect.benchmarks.subtlememory.generate.sessions.writer import write_session
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import FOLDED, SUBTYPES, Qa

from tests.unit.benchmarks.subtlememory.generate.case_rules import rules_of
from tests.unit.benchmarks.subtlememory.generate.worlds import asked, day_of, festivals, names, objections, of, planned

PATTERN = {link.name: link for link in world_words().links}


@pytest.fixture(scope="module")
def cases() -> tuple[CasePlan, ...]:
    """Those of two persons of the base size."""
    return planned(11, 2)


@pytest.fixture(scope="module")
def bundled() -> tuple[CasePlan, ...]:
    """Those of two persons, of the catalogue that is shipped."""
    return planned(12, 2, kinds())


def test_nobody_objects_to_any_case(cases: tuple[CasePlan, ...], bundled: tuple[CasePlan, ...]) -> None:
    """Coverage, sessions, claims, values, answers and dates of 220 cases."""
    assert len(cases) == len(bundled) == 110
    assert [(case.key, found) for case in (*cases, *bundled) if (found := objections(case))] == []


@pytest.mark.parametrize(
    "settings",
    [
        GenerationSettings(variants=2),
        GenerationSettings(variants=4),
        GenerationSettings(held_out=True),
        GenerationSettings(overlap="high"),
    ],
    ids=["few facts", "many facts", "held out", "alike"],
)
def test_nobody_objects_to_cases_of_other_settings(settings: GenerationSettings) -> None:
    """Neither where facts are many or few, nor where they are told in other or in the same words."""
    assert [found for case in planned(3, 1, kinds(), settings) if (found := objections(case))] == []


def _dropped(case: CasePlan) -> CasePlan:
    first, *rest = case.sessions
    return replace(case, sessions=(replace(first, brief=replace(first.brief, tellings=())), *rest))


def _swapped_roles(case: CasePlan) -> CasePlan:
    first, *rest = case.sessions
    told = tuple(replace(one, role={"user": "assistant"}.get(one.role, "user")) for one in first.brief.tellings)
    return replace(case, sessions=(replace(first, brief=replace(first.brief, tellings=told)), *rest))


def _all_in_one(case: CasePlan) -> CasePlan:
    first, *rest = case.sessions
    told = tuple(one for plan in case.sessions for one in plan.brief.tellings)
    return replace(case, sessions=(replace(first, brief=replace(first.brief, tellings=told)), *rest))


def _too_early(case: CasePlan) -> CasePlan:
    return replace(case, sessions=tuple(replace(plan, starts=None) for plan in case.sessions))


def _asks_outright(case: CasePlan) -> CasePlan:
    return _with(case, lambda qa: replace(qa, query=f"{qa.query} Is it {asked(case)[0].others[0]}?"))


def _accepts_the_wrong(case: CasePlan) -> CasePlan:
    return _with(case, lambda qa: replace(qa, incorrect_answers=qa.correct_answers))


def _says_the_date(case: CasePlan) -> CasePlan:
    easy, medium, hard = case.qas
    return replace(case, qas=(easy, medium, replace(hard, query=easy.query)))


def _with(case: CasePlan, change: Callable[[Qa], Qa]) -> CasePlan:
    return replace(case, qas=tuple(map(change, case.qas)))


@pytest.mark.parametrize(
    ("subtype", "change"),
    [
        ("K>1", _dropped),
        ("b_user_vs_non_user", _swapped_roles),
        ("b_user_vs_non_user", _all_in_one),
        ("Context", _asks_outright),
        ("any_one", _accepts_the_wrong),
        ("Temporal", _says_the_date),
        ("Temporal", _too_early),
    ],
)
def test_a_broken_case_is_objected_to(
    subtype: str, change: Callable[[CasePlan], CasePlan], cases: tuple[CasePlan, ...]
) -> None:
    """The objections are worth something: each way to break a case is found in those that it breaks."""
    broken = [
        change(case)
        for case in of(cases, subtype)
        if change is not _too_early or any(plan.starts for plan in case.sessions)
    ]
    assert broken
    assert all(map(objections, broken))


def test_relations_have_their_shares_and_questions_their_number(cases: tuple[CasePlan, ...]) -> None:
    """Temporal three, Context one or two, others one; three answers of each side."""
    assert Counter(case.relation_type for case in cases) == {"complementary": 36, "nuanced": 38, "contradictory": 36}
    counts = {"Temporal": {3}, "Context": {1, 2}}
    for case in cases:
        folded = FOLDED.get(case.relation_subtype, case.relation_subtype)
        assert case.relation_type == SUBTYPES[folded]
        assert len(case.qas) in counts.get(folded, {1})
        assert not [problem for qa in case.qas for problem in question_problems(qa)]
        assert {(one.form, one.chance) for one in asked(case)} == {("knowledge", 0.0)}
    assert {len(case.qas) for case in of(cases, "Context")} == {1, 2}


def test_nothing_can_be_guessed(cases: tuple[CasePlan, ...]) -> None:
    """No solver that sees the question alone, and no constant answer, is ever right."""
    assert [hits(one) for case in cases for one in asked(case) if hits(one)] == []


def test_no_entity_is_in_two_cases_of_ten_persons() -> None:
    """Not even a word of a name, nor a surname or town; 550 cases."""
    made = planned(4, 10)
    used = [name for case in made for name in case.used.values()]
    assert len(made) == 550
    assert len(set(used)) == len(used) > 650
    common = {"the", "kite", "festival", "days", "of", "wind", "meeting", "festival:"}
    rare = [word for name in used for word in name.lower().split() if word not in common]
    assert len(set(rare)) == len(rare)


def test_a_sum_is_the_sum_of_what_is_told_of_the_entities_that_are_asked_for(bundled: tuple[CasePlan, ...]) -> None:
    """Recomputed from the facts; whoever adds one entity too many names what is wrong."""
    sums = [case for case in of(bundled, "K>1") if "total" in asked(case)[0].fields]
    assert len(sums) == 6
    for case in sums:
        told = {name.partition(": ")[2]: _number(case.facts[at]) for at, name in enumerate(case.used.values())}
        wanted = [number for name, number in told.items() if name in case.qas[0].query]
        holds = asked(case)[0]
        assert f"{sum(wanted):,}" == holds.fields["total"][0]
        if len(wanted) < len(told):
            assert f"{sum(told.values()):,}" in holds.others


def _number(fact: str) -> int:
    (found,) = re.findall(r"\d[\d,]*", fact)
    return int(found.replace(",", ""))


def test_a_list_wants_the_value_of_each_entity_and_no_other(cases: tuple[CasePlan, ...]) -> None:
    """Each wanted entity stands in the question, in one fact with its value; one that is not asked for is wrong."""
    lists = [case for case in of(cases, "K>1") if next(iter(asked(case)[0].fields)).startswith("the ")]
    assert len(lists) == 6
    for case in lists:
        holds = asked(case)[0]
        for name, accepted in holds.fields.items():
            assert name in case.qas[0].query
            assert len([fact for fact in case.facts if names(fact, name) and names(fact, accepted[0])]) == 1
        assert len(holds.fields) + len(holds.others) == len(case.facts) == len(case.used)
    assert any(asked(case)[0].others for case in lists)


def test_a_chain_is_followed_from_the_entity_to_the_answer(bundled: tuple[CasePlan, ...]) -> None:
    """From fact to fact by names alone; facts that follow each other stand in different sessions."""
    chains = [case for case in of(bundled, "K>1") if next(iter(asked(case)[0].fields)) in PATTERN]
    assert len(chains) == 6
    for case in chains:
        assert not re.search(r"(: |but )(can|do) you", case.qas[0].query)
        entity = next(iter(case.used.values())).partition(": ")[2]
        wanted = next(iter(asked(case)[0].fields.values()))[0]
        at = {telling.fact: place for place, plan in enumerate(case.sessions) for telling in plan.brief.tellings}
        left = dict(enumerate(case.facts))
        steps = [next(fact for fact in left if names(left[fact], entity))]
        known = _names(entity)
        while not names(case.facts[steps[-1]], wanted):
            new = _names(left.pop(steps[-1])) - known
            known |= new
            steps.append(next(fact for fact in left if new & _names(left[fact])))
            assert at[steps[-1]] != at[steps[-2]]
        assert len(steps) in (2, 3)
        assert not [value for fact in steps[:-1] for value in (wanted,) if names(case.facts[fact], value)]


def _names(text: str) -> set[str]:
    return set(re.findall(r"[A-Z]\w{4,}", text))


def test_one_value_is_told_in_other_words_each_time(cases: tuple[CasePlan, ...]) -> None:
    """No statement twice, the value in all."""
    for case in of(cases, "any_one"):
        (accepted,) = asked(case)[0].fields.values()
        assert len(set(case.facts)) == len(case.facts) == len(case.sessions)
        assert all(any(names(fact, value) for value in accepted) for fact in case.facts)


def test_each_edition_has_its_value_and_each_question_another_edition(cases: tuple[CasePlan, ...]) -> None:
    """The edition of the question is that of the fact that holds its value."""
    editions = {one.asked: one.told for told in festivals()[0].properties for one in told.editions}
    for case in of(cases, "Context"):
        targets = []
        for qa, one in zip(case.qas, asked(case), strict=True):
            (accepted,) = one.fields.values()
            (fact,) = [fact for fact in case.facts if names(fact, accepted[0])]
            targets.append(fact)
            assert fact.startswith(next(told for end, told in editions.items() if qa.query.endswith(f" {end}?")))
            assert len(one.others) == len(case.facts) - 1
        assert len(set(targets)) == len(targets)


def test_the_three_questions_of_a_series_mean_three_figures(cases: tuple[CasePlan, ...]) -> None:
    """Easy says the date; medium names the task of a session that tells one figure; hard does neither."""
    for case in of(cases, "Temporal"):
        wanted = [next(iter(one.fields.values())) for one in asked(case)]
        facts = [next(fact for fact in case.facts if names(fact, accepted[0])) for accepted in wanted]
        assert len(set(facts)) == 3
        easy, medium, hard = (qa.query for qa in case.qas)
        assert facts[0].split(",")[0].removeprefix("As of ") in easy
        (told,) = [plan for plan in case.sessions if plan.brief.thread.task in medium]
        assert [case.facts[one.fact] for one in told.brief.tellings] == [facts[1]]
        assert not [plan for plan in case.sessions if plan.brief.thread.task in hard]
        assert re.search(r"(before|after) .*\d{4}", hard)
        assert "{" not in easy + medium + hard


def test_no_figure_is_a_number_of_a_date() -> None:
    """Figures from 1 to 28, as days of the month are."""
    kind = festivals()[0]
    small = replace(kind, properties=tuple(replace(p, values=("1", "28")) if p.changes else p for p in kind.properties))
    series = of(planned(8, 1, (small,), GenerationSettings(unrelated_cases=150)), "Temporal")
    assert len(series) == 25
    for case in series:
        days = {day_of(fact)[8:].lstrip("0") for fact in case.facts}
        assert days.isdisjoint(value for one in asked(case) for given in one.fields.values() for value in given)


def test_sessions_that_come_later_tell_later_figures_last(cases: tuple[CasePlan, ...]) -> None:
    """Sessions are in the order of the latest date of each."""
    for case in of(cases, "Temporal"):
        latest = [max(day_of(case.facts[one.fact]) for one in plan.brief.tellings) for plan in case.sessions]
        assert latest == sorted(latest)


def test_a_conflict_has_two_sides_without_a_word_that_settles_it(cases: tuple[CasePlan, ...]) -> None:
    """No date and no edition in either claim; the question names neither; claimants in even shares."""
    conflicts = of(cases, *FOLDED)
    assert Counter(case.relation_subtype for case in conflicts) == dict.fromkeys(FOLDED, 12)
    for case in conflicts:
        (one,) = asked(case)
        assert list(one.fields) == ["first", "second"]
        assert one.others == ()
        assert not [fact for fact in case.facts if fact.startswith(("As of", "In its "))]


def test_the_writer_can_tell_them(bundled: tuple[CasePlan, ...]) -> None:
    """Sessions of the shipped catalogue keep all rules: facts word for word, nothing of the others, no label words."""
    found = [
        (case.key, str(problem))
        for case in bundled
        for number, plan in enumerate(case.sessions)
        for problem in session_problems(
            write_session(plan.brief, Random(f"{case.key} {number}")), rules_of(case, number)
        )
    ]
    assert found == []


def test_the_same_seed_makes_the_same_cases() -> None:
    """And another one others."""
    assert planned(5) == planned(5)
    assert planned(5) != planned(6)
