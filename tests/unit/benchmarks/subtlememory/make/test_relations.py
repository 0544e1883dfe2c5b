"""What models are told of relations and talks covers all there are, in the names of the files."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import FLOWS
from recollect.benchmarks.subtlememory.items import LEVELS, RELATIONS, SUBTYPES, TYPES
from recollect.benchmarks.subtlememory.make.relations import aliases, kinds, levels, relations, topic_of


def test_all_relations_and_subtypes_are_told() -> None:
    assert (set(relations().relations), set(relations().subtypes)) == (set(RELATIONS), set(SUBTYPES))


def test_kinds_of_talk_and_their_flows_are_those_of_the_procedural_generator() -> None:
    assert tuple(kinds()) == TYPES
    assert {name: tuple(one.flows) for name, one in kinds().items()} == FLOWS
    assert tuple(levels()) == LEVELS


@pytest.mark.parametrize(
    ("said", "topic"),
    [("tunes", "Music"), ("FILMS", "Film and television"), (" interior_design ", "Home"), ("space law", "Space law")],
)
def test_a_topic_comes_under_one_name(said: str, topic: str) -> None:
    assert topic_of(said) == topic


def test_no_alias_is_the_name_of_another_topic() -> None:
    named = {topic.casefold(): topic for topic in aliases().values()}
    assert all(aliases()[folded] == topic for folded, topic in named.items())
