"""The kit's people as profiles."""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.amemgym.generate.personas import draw_personas
from recollect.benchmarks.amemgym.generate.settings import SIZES

BASE = SIZES.settings("base")


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
