"""An audit finds what lies too close, comes again, or spells what it should not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.subtlememory.items import Bundle, Talk, Turn
from recollect.benchmarks.subtlememory.statistics import audited
from recollect.contracts.benchmark import Figure

from tests.unit.benchmarks.subtlememory.bundles import CASES, bundle

NEAR = "share of cases with sessions less than 2 others apart"


def found_in(*bundles: Bundle) -> dict[str, Figure]:
    return {one.name: one for one in audited(bundles)}


def with_talk(one: Bundle, place: int, talk: Talk) -> Bundle:
    return replace(one, talks=(*one.talks[:place], talk, *one.talks[place + 1 :]))


def test_sessions_of_a_case_are_as_far_apart_as_they_are() -> None:
    """Twelve sessions, one a day; the two of each of six cases have five others between them."""
    found = found_in(bundle(0))
    assert (found["days that a history spans"].value, found[NEAR].value) == (11, 0)
    assert found["sessions between two of one case"].value == 5
    assert found["days between two sessions of one case"].value == 6


def test_the_authors_layout_is_told_by_adjacent_sessions() -> None:
    """Two cases: the sessions of each have one other between them, and two days."""
    found = found_in(bundle(0, cases=CASES[:2]), bundle(1))
    assert found[NEAR].value == 0.25
    between = found["sessions between two of one case"]
    assert (between.value, between.low, between.high) == (4, 1, 5)


def test_two_others_between_are_enough() -> None:
    """Three cases of two sessions: two others lie between the two of each."""
    found = found_in(bundle(0, cases=CASES[:3]))
    assert (found[NEAR].value, found["sessions between two of one case"].value) == (0, 2)


def test_a_case_of_one_session_is_near_to_nothing() -> None:
    single = replace(CASES[0], facts=CASES[0].facts[:1])
    found = found_in(bundle(0, cases=[single]))
    assert (found[NEAR].value, found[NEAR].why) == (None, "no case has two sessions")
    assert found["days between two sessions of one case"].value is None


def test_nothing_of_the_example_comes_again_but_the_profile() -> None:
    found = found_in(bundle(0))
    repeats = ("sessions that repeat another", "facts that repeat another", "questions that repeat another")
    assert [found[name].value for name in repeats] == [0, 0, 0]
    assert found["profiles that repeat another of the person"].value == 5
    assert found["sessions of no set"].value == 0


def test_what_another_person_has_too_comes_again() -> None:
    """Two persons with the same cases, of which the first has 4 questions and 6 facts."""
    found = found_in(bundle(0, cases=CASES[:3]), bundle(1, cases=CASES[:3]))
    assert found["sessions that repeat another"].value == 6
    assert found["facts that repeat another"].value == 6
    assert found["questions that repeat another"].value == 4
    assert "such as `on night trains i take the window.`" in found["facts that repeat another"].why


def test_a_session_that_no_set_names_is_counted() -> None:
    one = bundle(0)
    extra = replace(one.talks[0], session_id="more", order=12, timestamp="2025-04-20T08:00:00+08:00")
    assert found_in(replace(one, talks=(*one.talks, extra)))["sessions of no set"].value == 1


@pytest.mark.parametrize(
    "word",
    ["complementary", "A nuanced view", "nuance", "contradiction", "They contradict", "any_one", "K>1", "K=1",
     "a_user_vs_user", "c_non_user_vs_non_user", "multi-evidence"],
)  # fmt: skip
def test_a_label_word_is_found_in_what_a_system_sees(word: str) -> None:
    one = bundle(0)
    assert found_in(one)["sessions with a label word"].value == 0
    turn = Turn(role="user", content=f"So {word}, then.")
    changed = with_talk(one, 3, replace(one.talks[3], history=(turn, *one.talks[3].history)))
    found = found_in(changed)["sessions with a label word"]
    assert found.value == 1
    assert f"such as `So {word}, then." in found.why
    instance = one.instances[0]
    qas = (replace(instance.qas[0], query=f"Is it {word}?"), *instance.qas[1:])
    asked = replace(one, instances=(replace(instance, qas=qas), *one.instances[1:]))
    assert found_in(asked)["questions with a label word"].value == 1


@pytest.mark.parametrize("text", ["the context of a temporal change", "anyone", "annuity", "a user and another"])
def test_plain_words_are_no_labels(text: str) -> None:
    one = bundle(0)
    turn = Turn(role="user", content=text)
    changed = with_talk(one, 3, replace(one.talks[3], history=(turn,)))
    assert found_in(changed)["sessions with a label word"].value == 0


@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param("unrelated-persona_0-ctr-a-00057-s1", 1, id="contradiction"),
        pytest.param("unrelated-persona_0-nu-temp-00122-s1", 1, id="temporal"),
        pytest.param("unrelated-persona_0-comp-from-12-s1", 1, id="complementary"),
        pytest.param("x-Context-2", 1, id="context"),
        pytest.param("related-persona_0-related-export-0a1b2c3d4e5f-s1", 0, id="digest"),
        pytest.param("company-template-number", 0, id="longer words"),
    ],
)
def test_an_id_that_spells_a_label_is_found(name: str, count: int) -> None:
    """The first three have the form of published ids."""
    one = bundle(0)
    changed = with_talk(one, 0, replace(one.talks[0], session_id=name))
    instance = one.instances[0]
    linked = replace(changed, instances=(replace(instance, session_ids=(name,)), *one.instances[1:]))
    assert found_in(linked)["ids that spell a label"].value == count
