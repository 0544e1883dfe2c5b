"""The conditions that bind one row: those that could change its numbers, and no others."""

from __future__ import annotations

from typing import Any

from recollect.diagnose.records.conditions import ITS_OWN, conditions_of_row

CONFIG: dict[str, Any] = {
    "benchmark": "b",
    "reader": "rules",
    "prompts": {"facts": "1", "facts@rag": "2", "facts@agentic": "3", "labels": "4"},
    "rows": [{"label": "bm25", "asked_as": "rag"}, {"label": "full"}, {"label": "awe", "asked_as": "agentic"}],
}


def test_a_row_is_bound_by_the_prompts_it_is_asked_with() -> None:
    """Its own variants, and the plain prompt where there is none: those of other rows change nothing of it."""
    assert conditions_of_row(CONFIG, "memory", "bm25")["prompts"] == {"facts@rag": "2", "labels": "4"}
    assert conditions_of_row(CONFIG, "memory", "full")["prompts"] == {"facts": "1", "labels": "4"}


def test_a_memory_meets_itself_in_a_run_that_an_agent_had_no_part_in() -> None:
    """The agent's prompt stands in one run only, and the memory's numbers may still be compared."""
    without = {**CONFIG, "prompts": {name: one for name, one in CONFIG["prompts"].items() if "agentic" not in name}}
    assert conditions_of_row(CONFIG, "memory", "bm25") == conditions_of_row(without, "memory", "bm25")


def test_another_wording_of_the_rows_own_variant_is_another_condition() -> None:
    """Only then."""
    other = {**CONFIG, "prompts": {**CONFIG["prompts"], "facts@rag": "5"}}
    assert conditions_of_row(CONFIG, "memory", "bm25") != conditions_of_row(other, "memory", "bm25")
    assert conditions_of_row(CONFIG, "memory", "full") == conditions_of_row(other, "memory", "full")


def test_an_agent_words_its_own_questions_unless_a_variant_is_for_agents() -> None:
    """Then that prompt binds it, as another's binds a memory; reader and budget are its own in any case."""
    assert conditions_of_row(CONFIG, "agent", "awe")["prompts"] == {"facts@agentic": "3"}
    assert conditions_of_row(CONFIG, "agent", "awe")["reader"] == ITS_OWN
    plain = {**CONFIG, "prompts": {"facts": "1"}, "rows": [{"label": "awe"}]}
    assert conditions_of_row(plain, "agent", "awe")["prompts"] == ITS_OWN
