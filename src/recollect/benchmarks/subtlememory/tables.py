"""The paper's columns of a table of scores, and the figures that it gives of its data."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.benchmarks.subtlememory.histories import TASK
from recollect.contracts.tables import Column, PaperTable


def _of(name: str, label: str, value: str) -> Column:
    return Column(name=name, tasks=(TASK,), label=label, value=value, over="questions")


TABLE = PaperTable(
    title="Table 1 of the paper",
    columns=(
        _of("Multi-evidence", "subtype", "K>1"),
        _of("Any-one", "subtype", "any_one"),
        _of("Complementary", "relation", "complementary"),
        _of("Temporal", "subtype", "Temporal"),
        _of("Contextual", "subtype", "Context"),
        _of("Nuanced", "relation", "nuanced"),
        _of("Contradictory", "relation", "contradictory"),
        Column(name="All", tasks=(TASK,), over="questions"),
    ),
    note="Each column is over all its questions. The paper's numbers are of its own strong prompt and judge.",
    strata="relation",
)

TOKENS, TOKENS_OF_HISTORY = "tokens of sessions (the authors' rule)", "tokens of a history (the authors' rule)"


def sets(stratum: str, value: str) -> str:
    """Name of the figure that counts sets of one kind."""
    return f"sets, {stratum} {value}"


def questions(stratum: str, value: str) -> str:
    """Name of the figure that counts questions of one kind."""
    return f"questions, {stratum} {value}"


EXPECTED_QUESTIONS = {"K>1": 211, "any_one": 150, "Temporal": 396, "Context": 388, "contradictory": 377}
"""By folded sub-type: the only whole numbers that fit all percentages of the paper's tables."""
_DOMAINS = {
    "Culture": 191,
    "Media": 188,
    "Competition": 147,
    "World": 143,
    "Society": 123,
    "Cuisine": 67,
    "Lifestyle": 65,
    "Development": 59,
    "STEM": 55,
    "Nature": 52,
}
_COUNTS = {
    "histories": "10",
    "sessions": "2,364",
    "sessions of a history": "236.4",
    TOKENS: "about 2.12M",
    TOKENS_OF_HISTORY: "about 211.6K",
    "sets": "1,090",
    "questions": "1,522",
    sets("source", "user-related"): "545",
    sets("source", "user-unrelated"): "545",
    sets("relation", "complementary"): "361",
    sets("relation", "nuanced"): "352",
    sets("relation", "contradictory"): "377",
    questions("source", "user-related"): "707",
    questions("source", "user-unrelated"): "815",
    questions("relation", "complementary"): "361",
    questions("relation", "nuanced"): "784",
    questions("relation", "contradictory"): "377",
    **{questions("sub-type", name): f"{count} (derived)" for name, count in EXPECTED_QUESTIONS.items()},
    **{sets("domain", name): str(count) for name, count in _DOMAINS.items()},
}
FIGURES: Mapping[str, Mapping[str, str]] = {name: {"both": said} for name, said in _COUNTS.items()}
"""Figure -> what tables 7 and 8 say; the counts of sub-types follow from the shares of the result tables."""
