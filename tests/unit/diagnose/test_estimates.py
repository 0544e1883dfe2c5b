"""Values per question become estimates; what has none is left out, never 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.diagnose.estimates import (
    Asked,
    Estimator,
    by_question,
    counted_value,
    given,
    nothing,
    per_question,
    rounded,
)
from recollect.diagnose.records.join import read_run
from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.stats.clusters import infer_means

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, build, lost, make_history, right


def asked(history: int, question: int) -> Asked:
    return Asked(HistoryId(f"h{history:02}"), CheckpointId("end"), QuestionId(f"q{question}"))


VALUES = {asked(h, q): float((h + q) % 3 == 0) for h in range(40) for q in range(3)}


def test_the_estimate_is_that_of_the_statistics_rounded() -> None:
    found = Estimator(seed=3).one(VALUES).estimate
    plain = infer_means(list(VALUES.values()), [name.history for name in VALUES], rng_seed=3)[0].interval
    assert (found.estimate, found.low, found.high) == (rounded(plain.estimate), rounded(plain.low), rounded(plain.high))
    assert (found.n, found.clusters) == (120, 40)


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    fewer = dict(list(VALUES.items())[:50])
    estimator = Estimator(seed=3)
    together = estimator.named({"all": VALUES, "fewer": fewer, "none": {}})
    assert together == {"all": estimator.one(VALUES), "fewer": estimator.one(fewer), "none": estimator.one({})}


def test_the_order_of_questions_changes_nothing() -> None:
    assert Estimator(seed=3).one(dict(reversed(VALUES.items()))) == Estimator(seed=3).one(VALUES)


def test_another_seed_resamples_otherwise() -> None:
    uneven = {asked(h, q): (h * h * 7 + q) % 97 / 96 for h in range(40) for q in range(3)}
    assert Estimator(seed=3).one(uneven).estimate != Estimator(seed=4).one(uneven).estimate


def test_no_values_are_no_estimate_and_the_reason() -> None:
    found = Estimator(seed=3).one({}, why="nothing was right")
    assert (found.estimate.estimate, found.estimate.why, found.standard_error) == (None, "nothing was right", None)


def test_values_beyond_a_ratio_have_no_bounds() -> None:
    assert Estimator(seed=3).one({asked(0, q): 2.0 * q for q in range(4)}).estimate.estimate == 3.0


def test_replicates_of_a_question_are_averaged_before_questions_are(tmp_path: Path) -> None:
    """Question 0 has one outcome of two, so it weighs as much as the others: (1 + 0.5 + 0.5 + 0.5) / 4."""

    def says(case: Case) -> Said:
        if case.replicate == 0:
            return right(case)
        return Said(fault=("answer", "timeout")) if case.number == 0 else lost(case)

    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=says, replicates=2)], [make_history(0)])
    values = per_question(by_question(read_run(folder, BENCHMARK).cells), counted_value)
    assert list(values.values()) == [1.0, 0.5, 0.5, 0.5]


@pytest.mark.parametrize(("value", "stored"), [(None, None), (-0.0, "0.0"), (1 / 3, "0.333333333")])
def test_numbers_are_stored_to_nine_digits(value: float | None, stored: str | None) -> None:
    assert (None if value is None else str(rounded(value))) == stored


def test_a_given_number_says_where_it_is_from_and_nothing_says_why() -> None:
    assert given(0.25, "the card").method == "the card"
    assert nothing("no judge").why == "no judge"
