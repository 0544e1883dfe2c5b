"""What counts as accepted, which wordings a value has, and what a right answer must and must not name."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.benchmarks.subtlememory.make.sources.seeds import Evidence
from recollect.benchmarks.subtlememory.make.world.progress import Chosen, Fact, wordings
from recollect.benchmarks.subtlememory.make.world.questions import wanted
from recollect.benchmarks.subtlememory.make.world.sessions import rejected


def decided(decision: str = "yes", content: str = "fine", name: str = "q1") -> dict[str, Any]:
    return {"question_id": name, "decision": decision, "reason": "so", "content": content}


@pytest.mark.parametrize(
    ("decisions", "told"),
    [
        ([decided()], None),
        ([], "`q1`: nobody decided on it"),
        ([decided(name="q2")], "`q1`: nobody decided on it"),
        ([decided("no")], "`q1`: so"),
        ([decided(content="identifying")], "`q1`: identifying: so"),
        ([decided(content="offensive")], "`q1`: offensive: so"),
        ([decided(), decided("no")], "`q1`: so"),
    ],
)
def test_only_what_was_decided_for_and_is_fit_for_all_is_accepted(decisions: list[Any], told: str | None) -> None:
    assert rejected(decisions, "question_id", ["q1"]).get("q1") == told


def test_a_value_has_the_other_wordings_of_its_source_only_if_it_is_one_of_them() -> None:
    """One name of a list is not the list."""
    source = Evidence(memory_id="e1", asked="Who?", accepted=("Ada Brun", "A. Brun"))
    listed = Evidence(memory_id="e2", asked="Who all?", accepted=("Ada Brun, Dag Elvin",))
    assert wordings("A. Brun", source) == ("A. Brun", "Ada Brun")
    assert wordings("Ada Brun", listed) == ("Ada Brun",)


def test_a_right_answer_names_its_own_value_and_none_of_another_date() -> None:
    """The third snapshot says what the first does, and so is no rival of it."""
    values = {"e1": ("854",), "e2": ("858",), "e3": ("854",)}
    chosen = Chosen(
        question="How many?",
        description="It is about cups.",
        topic="World",
        facts=tuple(Fact(memory_id=name, statement=f"{name}.", accepted=each) for name, each in values.items()),
    )
    assert wanted(chosen, {"target_memory_id": "e1"}) == ({"value": ("854",)}, ("858",))


def test_where_every_question_has_the_same_answer_its_parts_are_named() -> None:
    chosen = Chosen(question="?", description=".", topic="World", facts=(), parts={"first": ("a",), "second": ("b",)})
    assert wanted(chosen, {}) == ({"first": ("a",), "second": ("b",)}, ())
