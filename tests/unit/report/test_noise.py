"""Noise in the words of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.summary import findings
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm
from recollect.records.tables.noise import Noise, NoiseComponent, NoiseFloor
from recollect.report.numbers import component_said, floor_in_percent, floor_said, reasons
from recollect.report.page.tasks import TaskSection, sections

from tests.fakes.run_builder import BENCHMARK, RowSpec, Said, build, floor_row, lost, right

INGEST = NoiseComponent(stage="ingest", variance=0.012345, df=10)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (INGEST, "0.0123, df 10"),
        (replace(INGEST, holds=("answer", "judge")), "0.0123, df 10, with answer and judge"),
        (replace(INGEST, variance=0.0, clamped=True), "0.0000, df 10, was below 0"),
        (NoiseComponent(stage="judge", variance=None, why="not repeated"), "not repeated"),
        (NoiseComponent(stage="answer", variance=None, why="not repeated: it cannot"), "not repeated"),
    ],
)
def test_a_component_says_what_it_is_and_what_is_in_it(part: NoiseComponent, said: str) -> None:
    """A stage that was not repeated is never a 0."""
    assert component_said(part) == said


@pytest.mark.parametrize(
    ("floor", "said"),
    [
        (NoiseFloor(half_width=0.0312, source="ingest", runs=2), "0.031 (2 runs of ingest)"),
        (
            NoiseFloor(half_width=0.0, source="answer", runs=3, method="deterministic: no repeat differed"),
            "0 (3 runs of answer: deterministic)",
        ),
        (NoiseFloor(half_width=None, why="unknown: run with --repeats or --aa"), "unknown: run with --repeats or --aa"),
        (None, "unknown"),
    ],
)
def test_a_floor_says_where_it_comes_from_or_how_to_know_it(floor: NoiseFloor | None, said: str) -> None:
    """Unknown is told apart from 0."""
    assert floor_said(floor) == said


def test_a_reason_that_takes_more_than_a_word_is_told_beside_the_table() -> None:
    """With the row and the stage that it is about."""
    parts = (INGEST, NoiseComponent(stage="answer", variance=None, why="not repeated: asking changes it"))
    one = Noise(task="t", row="r", arm=Arm.SYSTEM, components=parts, floor=NoiseFloor(half_width=None))
    assert list(reasons([one])) == ["t, r, answer: not repeated: asking changes it"]


def section(path: Path, rows: Sequence[RowSpec]) -> TaskSection:
    """The only task of a page."""
    return sections(*findings(build(path, rows), BENCHMARK)[:2])[0]


def test_the_page_has_a_line_of_noise_for_each_row_that_was_repeated(tmp_path: Path) -> None:
    """In the order of the summary's rows; none without repeats."""
    takes = Repeats(answer=2).takes(judged=False)
    says = lambda case: Said(unavailable="no: it forgot") if case.take.answer else right(case)  # noqa: E731
    rows = [RowSpec(label="b", says=says, takes=takes), RowSpec(label="a", says=lost, takes=takes), floor_row()]
    made = section(tmp_path / "run", rows)
    assert [line.noise.row for line in made.noise] == ["a", "b"]
    assert made.noise[0].stages == ["not repeated", "0.0000, df 8", "no judge weighs this task"]
    assert made.noise[0].floor == "0 (2 runs of answer: deterministic)"
    assert made.noise_reasons == ["facts, b, answer: not repeated: no: it forgot"]
    assert section(tmp_path / "plain", [floor_row()]).noise == []


def test_strata_count_questions_and_not_takes(tmp_path: Path) -> None:
    """Twelve answers to a stratum of six questions are six questions."""
    from tests.fakes.run_builder import make_history

    histories = [make_history(n, questions=6, labels=lambda at: {"kind": "odd" if at % 2 else "even"}) for n in (0, 1)]
    row = RowSpec(label="a", says=right, takes=Repeats(answer=2).takes(judged=False))
    page = sections(*findings(build(tmp_path / "run", [row], histories), BENCHMARK)[:2])[0]
    assert {(one.value, one.questions) for one in page.strata} == {("even", 6), ("odd", 6)}


def test_the_page_says_the_floor_in_percent_like_its_scores() -> None:
    """The command line says 0.031, the page 3.1."""
    floor = NoiseFloor(half_width=0.031, runs=2, source="ingest")
    assert floor_in_percent(floor) == "3.1 (2 runs of ingest)"
    assert (
        floor_in_percent(NoiseFloor(half_width=None, why="unknown: run with --repeats"))
        == "unknown: run with --repeats"
    )
