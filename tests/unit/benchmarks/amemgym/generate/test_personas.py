"""Seeded people: as different as the paper's, and never two the same."""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.amemgym.generate.personas import draw_personas
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.worlds.people import people_words

BASE = SIZES.settings("base")


def test_twenty_people_are_as_diverse_as_the_papers() -> None:
    """Appendix C.1: 18 to 85 years in 6 groups, 9 levels of education, 16 occupations among 20 users."""
    for seed in range(5):
        people = draw_personas(BASE, seed)
        ages = [one.age for one in people]
        assert all(any(low <= age <= high for age in ages) for low, high in people_words().ages)
        assert min(ages) >= 18
        assert max(ages) <= 85
        assert len({one.education_level.partition(" (")[0] for one in people}) == 9
        assert len({one.occupation.removeprefix("retired ") for one in people}) >= 16
        assert len({one.name for one in people}) == len({one.uuid for one in people}) == 20
        assert {one.gender for one in people} == {"Female", "Male"}


def test_nobody_is_too_young_for_what_they_are() -> None:
    """Schooling and marriage take their years, and who is old is retired."""
    for one in draw_personas(replace(BASE, num_user_profiles=200), 3):
        words = people_words()
        level = one.education_level.partition(" (")[0]
        assert one.age >= next(each.from_age for each in words.education if each.level == level)
        assert one.age >= next(each.from_age for each in words.marital if each.status == one.marital_status)
        assert one.occupation.startswith("retired ") is (one.age >= 66)


def test_the_profile_is_told_in_the_order_of_the_format() -> None:
    """A line a field; the id is not told."""
    one = draw_personas(BASE, 1)[0]
    assert [line.partition(": ")[0] for line in one.formatted_str.splitlines()] == [
        "name", "age", "gender", "marital_status", "education_level", "occupation", "hobbies_and_interests",
        "skills_and_expertise", "complementary_info",
    ]  # fmt: skip
    assert one.uuid not in one.formatted_str
    assert f"\nage: {one.age}\n" in one.formatted_str


def test_excluded_people_are_left_out_and_the_next_take_their_place() -> None:
    """The others stay as they are."""
    people = draw_personas(BASE, 1)
    others = draw_personas(replace(BASE, exclude_ids=(people[2].uuid,)), 1)
    assert others[:19] == (*people[:2], *people[3:])
    assert len(others) == 20


def test_another_seed_gives_other_people() -> None:
    """No id comes again."""
    assert not {one.uuid for one in draw_personas(BASE, 1)} & {one.uuid for one in draw_personas(BASE, 2)}
