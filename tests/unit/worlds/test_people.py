"""Invented people: as different as a paper's sample, of an age for what they are, and never two the same."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from recollect.worlds.people import RETIRED_FROM, Person, people, people_words


def _drawn(seed: int, count: int) -> list[Person]:
    return list(islice(people(f"people {seed}"), count))


def test_twenty_people_are_as_diverse_as_the_papers() -> None:
    """AMemGym, appendix C.1: 18 to 85 years in 6 groups, 9 levels of education, 16 occupations among 20 users."""
    for seed in range(5):
        drawn = _drawn(seed, 20)
        ages = [one.age for one in drawn]
        assert all(any(low <= age <= high for age in ages) for low, high in people_words().ages)
        assert min(ages) >= 18
        assert max(ages) <= 85
        assert len({one.education.partition(" (")[0] for one in drawn}) == 9
        assert len({one.occupation.removeprefix("retired ") for one in drawn}) >= 16
        assert len({one.name for one in drawn}) == len({one.person_id for one in drawn}) == 20
        assert Counter(one.gender for one in drawn) == {"Female": 10, "Male": 10}


def test_nobody_is_too_young_for_what_they_are() -> None:
    """Schooling and marriage take their years, trades their schooling, and who is old is retired."""
    words = people_words()
    for one in _drawn(3, 200):
        level = next(each for each in words.education if each.level == one.education.partition(" (")[0])
        trade = next(each for each in words.occupations if each.name == one.occupation.removeprefix("retired "))
        assert one.age >= level.from_age
        assert one.age >= next(each.from_age for each in words.marital if each.status == one.marital_status)
        assert trade.rank[0] <= level.rank <= trade.rank[1]
        assert level.fields is ("(" in one.education)
        assert set(one.skills) <= set(trade.skills)
        assert one.occupation.startswith("retired ") is (one.age >= RETIRED_FROM)


def test_a_name_goes_with_its_gender_and_origin() -> None:
    words = people_words()
    for one in _drawn(5, 60):
        first, family = one.name.split(" ", 1)
        given = "female" if one.gender == "Female" else "male"
        assert any(first in getattr(origin, given) and family in origin.family for origin in words.names)


def test_the_first_people_of_a_seed_do_not_depend_on_how_many_are_drawn() -> None:
    assert _drawn(1, 30)[:7] == _drawn(1, 7)
    assert not {one.person_id for one in _drawn(1, 30)} & {one.person_id for one in _drawn(2, 30)}


def test_a_profile_says_the_rest_in_three_sentences() -> None:
    for one in _drawn(2, 10):
        assert one.about.startswith("Grew up ")
        assert [part.split()[0] for part in one.about.split(". ")] == ["Grew", "In", "On"]
        assert "{" not in one.about
