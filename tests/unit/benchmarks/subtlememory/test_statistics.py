"""What data are made of: counted by hand on a small bundle, and named as the paper names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import SUBTYPES
from recollect.benchmarks.subtlememory.statistics import composition, statistics, tokens_of
from recollect.benchmarks.subtlememory.tables import FIGURES, TOKENS, TOKENS_OF_HISTORY
from recollect.contracts.benchmark import Figure

from tests.unit.benchmarks.subtlememory.bundles import CASES, bundle


def _values(*, domains: dict[str, str] | None = None) -> dict[str, Figure]:
    return {one.name: one for one in composition([bundle(0), bundle(1, cases=CASES[:3])], domains)}


def test_two_persons_are_counted_by_hand() -> None:
    """Six cases of two sessions and four messages, with 2, 1, 1, 3, 1 and 1 questions; then the first three again."""
    found = {name: one.value for name, one in _values().items()}
    assert (found["histories"], found["sessions"], found["messages"], found["sets"], found["questions"]) == (
        2,
        18,
        72,
        9,
        13,
    )
    assert found["sessions of a history"] == 9
    assert (found["sets, source user-related"], found["questions, source user-related"]) == (6, 8)
    assert (found["sets, source user-unrelated"], found["questions, source user-unrelated"]) == (3, 5)
    assert (found["sets, relation nuanced"], found["questions, relation nuanced"]) == (3, 7)
    assert (found["sets, sub-type Temporal"], found["questions, sub-type Temporal"]) == (1, 3)
    assert (found["sets, topic Cooking"], found["questions, topic Transportation"]) == (2, 4)


def test_contradictions_about_the_world_are_counted_as_one_sub_type_and_as_they_are_spelt() -> None:
    found = _values()
    assert found["sets, sub-type contradictory"].value == 3
    assert found["sets, sub-type as spelt b_user_vs_non_user"].value == 1
    assert "sets, sub-type b_user_vs_non_user" not in found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("Hello, my world!", 5, id="words-and-marks"),
        pytest.param("don't", 3, id="a-mark-inside"),
        pytest.param("snake_case 10:01", 4, id="digits"),
        pytest.param("我喜欢 tea。", 5, id="chinese"),
        pytest.param("喝tea了", 3, id="mixed"),
    ],
)
def test_tokens_are_characters_words_and_marks(text: str, count: int) -> None:
    """Counted by hand by the authors' rule: a Chinese character, a word and a mark are one each."""
    assert tokens_of(text) == count


def test_tokens_are_those_of_the_messages() -> None:
    one = bundle(0)
    told = sum(tokens_of(turn.content) for talk in one.talks for turn in talk.history)
    found = {each.name: each for each in composition([one])}
    assert (found[TOKENS].value, found[TOKENS_OF_HISTORY].value) == (told, told)


def test_domains_are_counted_where_topics_have_one() -> None:
    found = _values(domains={"Cooking": "Cuisine", "Sport": "Competition", "Harbours": "World"})
    assert [found[f"sets, domain {name}"].value for name in ("Cuisine", "Competition", "World")] == [2, 2, 1]
    assert found["questions, domain World"].value == 3
    assert found["domains"].value == 3
    assert (_values()["domains"].value, _values()["domains"].why) == (None, "the files name topics, and no domains")


def test_a_sub_type_that_nobody_knows_is_counted_under_its_own_name() -> None:
    one = bundle(0)
    strange = replace(one, instances=tuple(replace(each, relation_subtype="twisted") for each in one.instances))
    assert {each.name: each.value for each in composition([strange])}["sets, sub-type twisted"] == 6


EXPECTED = {
    name: int(count)
    for name, said in FIGURES.items()
    if (count := said["both"].removesuffix(" (derived)").replace(",", "")).isdecimal()
}
"""The whole numbers among them."""


def test_the_papers_counts_add_up() -> None:
    """Its table 7: sets and questions by source and relation; table 8: domains; the sub-types fit the relations."""
    assert sum(EXPECTED[f"sets, relation {name}"] for name in set(SUBTYPES.values())) == EXPECTED["sets"] == 1090
    assert sum(EXPECTED[f"sets, source user-{name}"] for name in ("related", "unrelated")) == 1090
    assert sum(value for name, value in EXPECTED.items() if name.startswith("sets, domain")) == 1090
    for kind in ("relation", "source", "sub-type"):
        assert sum(value for name, value in EXPECTED.items() if name.startswith(f"questions, {kind}")) == 1522
    for relation in set(SUBTYPES.values()):
        subtypes = [name for name, one in SUBTYPES.items() if one == relation]
        told = EXPECTED[f"questions, relation {relation}"]
        assert sum(EXPECTED[f"questions, sub-type {name}"] for name in subtypes) == told


def test_the_papers_figures_are_of_figures_that_are_computed() -> None:
    domains = ("Culture", "Media", "Competition", "World", "Society", "Cuisine", "Lifestyle", "Development", "STEM")
    named = dict(zip((case.topic for case in CASES), domains, strict=False))
    computed = {one.name for one in composition([bundle(0)], named)}
    missing = {name for name in FIGURES if name not in computed}
    assert all(name.startswith("sets, domain") for name in missing), missing


def test_a_loaded_set_is_counted_as_its_bundles_and_audited() -> None:
    dataset = dataset_of([bundle(0), bundle(1, cases=CASES[:3])], "test")
    found = {one.name: one for one in statistics(dataset, {})}
    assert {name: found[name] for name in _values()} == _values()
    assert "ids that spell a label" in found
    assert len(found) == len(statistics(dataset, {}))
