"""Scores: strict first, kinder readings beside it, what was stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.score import score
from recollect.contracts.benchmark import Dataset
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Status


def _score(
    task: str, gold: tuple[str, ...], said: str, *, rejected: tuple[str, ...] = (), abstained: bool = False
) -> Outcome:
    one = keyed(SOURCES[task], 0, ["a text"], [Asked(text="What?", gold=gold, rejected=rejected)])
    question = one.history.questions[0]
    return score(question, one.keys[question.question_id], Reply(text=said, abstained=abstained), None, {})


def _parts(outcome: Outcome) -> dict[str, float | None]:
    return {part.name: part.value for part in outcome.parts}


FACT, LABEL = "factconsolidation_sh_6k", "icl_banking77_5900shot_balance"


@pytest.mark.parametrize(
    ("said", "value", "parts"),
    [
        pytest.param("Quill Bay", 1, {"exact_match": 1, "f1": 1, "lenient_word_match": 1, "stale": 0}, id="as-printed"),
        pytest.param("It is now Quill Bay.", 1, {"exact_match": 0, "lenient_word_match": 1, "stale": 0}, id="inside"),
        pytest.param("Answer: the Quill Bay\nor so", 1, {"exact_match": 1}, id="behind-answer"),
        pytest.param("Quillbay", 1, {"exact_match": 1}, id="an-alias"),
        pytest.param('{"answer": "Quill Bay"}', 1, {"exact_match": 0, "lenient_exact_match": 1}, id="json"),
        pytest.param(
            "Quill Bayonne", 1, {"exact_match": 0, "lenient_word_match": 0}, id="inside-a-word-is-strictly-right"
        ),
        pytest.param("Denn", 0, {"exact_match": 0, "stale": 1}, id="stale"),
        pytest.param("Denn, then Quill Bay", 1, {"stale": 0}, id="both"),
        pytest.param("Orvalia", 0, {"f1": 0, "stale": 0}, id="wrong-in-another-way"),
        pytest.param("", 0, {"exact_match": 0, "f1": 0, "lenient_exact_match": 0, "stale": 0}, id="empty"),
        pytest.param("  \n", 0, {"exact_match": 0, "f1": 0}, id="blank"),
    ],
)
def test_an_answer_about_facts(said: str, value: float, parts: dict[str, float]) -> None:
    outcome = _score(FACT, ("Quill Bay", "Quillbay"), said, rejected=("Denn",))
    assert (outcome.status, outcome.value) == (Status.SCORED, value)
    assert {**_parts(outcome), **parts} == _parts(outcome)
    assert outcome.parts[0].name == "substring_exact_match"
    assert [part.weight for part in outcome.parts] == [1.0, *[0.0] * 5]


@pytest.mark.parametrize(
    ("said", "strict", "lenient"),
    [
        pytest.param("43", 1, 1, id="bare"),
        pytest.param(" 43.\n", 1, 1, id="full-stop"),
        pytest.param("label: 43", 0, 1, id="with-label"),
        pytest.param("The label is 43", 0, 1, id="in-words"),
        pytest.param('{"answer": 43}', 0, 1, id="json"),
        pytest.param("Answer: 43", 1, 1, id="behind-answer"),
        pytest.param("4", 0, 0, id="a-part"),
        pytest.param("143", 0, 0, id="more"),
        pytest.param("43 or 44", 0, 0, id="two"),
        pytest.param("", 0, 0, id="empty"),
    ],
)
def test_an_answer_with_a_label(said: str, strict: float, lenient: float) -> None:
    outcome = _score(LABEL, ("43",), said)
    assert outcome.value == strict
    assert _parts(outcome) == {"exact_match": strict, "lenient_exact_match": lenient}


@pytest.mark.parametrize("task", [FACT, LABEL])
def test_a_declined_answer_is_abstained_with_nothing(task: str) -> None:
    outcome = _score(task, ("43",), "43", abstained=True)
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, 0.0)


def test_without_a_known_stale_answer_the_part_is_undefined() -> None:
    assert _parts(_score(FACT, ("Denn",), "Denn"))["stale"] is None


def test_an_alias_without_a_letter_is_not_in_everything() -> None:
    """The reference finds an empty alias in every answer."""
    assert _score(FACT, ("Denn", "..."), "Quill Bay").value == 0


def test_gold_scores_one_empty_scores_zero_and_stale_scores_zero(small: Dataset) -> None:
    for one in (one for one in small.histories if not CARD.tasks[one.task].judged):
        shared = small.shared.get(one.task, {})
        for question in one.history.questions:
            key = one.keys[question.question_id]
            assert score(question, key, Reply(text=key.gold[0]), None, shared).value == 1
            assert score(question, key, Reply(text=""), None, shared).value == 0
            for wrong in key.rejected:
                outcome = score(question, key, Reply(text=wrong), None, shared)
                assert outcome.value == 0
                assert _parts(outcome).get("stale", 1) == 1


@pytest.mark.real
def test_strict_scores_are_those_of_the_reference_program(data: Path) -> None:
    """Frozen output of MemoryAgentBench's `post_process`, see the README of the parity fixtures."""
    cases = json.loads((data / "parity" / "mab_metrics.json").read_text())["cases"]
    tried = 0
    for case in cases:
        task = case["input"].get("sub_dataset", "")
        if case["kind"] != "post_process" or not task.startswith(("icl_", "factconsolidation_")) or task not in SOURCES:
            continue
        expected = case["expected"].get("value")
        if expected is None:
            continue
        answer = case["input"]["answer"]
        gold = (answer,) if isinstance(answer, str) else tuple(answer)
        parts = _parts(_score(task, gold, case["input"]["output"]))
        shared = parts.keys() & expected["metrics"].keys()
        assert {name: parts[name] for name in shared} == pytest.approx(
            {n: float(expected["metrics"][n]) for n in shared}
        ), case["id"]
        tried += 1
    assert tried > 10
