"""What the judge is told of a case: relation, sub-type and source, the case and its facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.subtlememory.prompts import prompt
from recollect.benchmarks.subtlememory.questions import guidance

from tests.unit.benchmarks.subtlememory.people import TRAIN, instance

ROLES = [
    ("K>1", "complementary", "user-related", ["complementary", "multi", "user"]),
    ("any_one", "complementary", "user-unrelated", ["complementary", "any_one", "world"]),
    ("Temporal", "nuanced", "user-unrelated", ["nuanced", "temporal", "world"]),
    ("Context", "nuanced", "user-related", ["nuanced", "context", "user"]),
    ("contradictory", "contradictory", "user-related", ["contradictory", "conflict_user", "user"]),
    ("contradictory", "contradictory", "user-unrelated", ["contradictory", "conflict_world", "world"]),
    ("K=1", "complementary", "user-related", ["complementary", "user"]),
    ("new", "new", "new", []),
]
ALL = sorted({role for *_, roles in ROLES for role in roles})


@pytest.mark.parametrize(("subtype", "relation", "source", "roles"), ROLES)
def test_each_case_has_its_rules_and_no_others(subtype: str, relation: str, source: str, roles: list[str]) -> None:
    told = guidance(instance("seat", subtype, relation, TRAIN, source=source), subtype)
    assert [role for role in ALL if prompt(f"judge_{role}").text in told] == sorted(roles)


def test_the_case_and_each_fact_stand_on_a_line_of_their_own() -> None:
    odd = replace(instance("seat", "Context", "nuanced", TRAIN), facts=("One\nfact.", "It costs $5."))
    lines = guidance(odd, "Context").splitlines()
    assert "What these facts have in common: Two statements on seat." in lines
    assert lines[-2:] == ["- One fact.", "- It costs $5."]
