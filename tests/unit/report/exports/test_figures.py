"""The figures of a run: which there are, what they are called, and that their charts are those of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.states.summary import states
from recollect.domain.ids import HistoryId
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.policies import PolicyNumbers, PolicyRow, PolicyVersion
from recollect.records.tables.states import StateRow
from recollect.records.tables.supplement import Supplement
from recollect.report.exports.drawing import Figure
from recollect.report.exports.figures import figures, write
from recollect.report.exports.material import Material
from recollect.report.page.states import state_sections
from recollect.report.page.tasks import sections

from tests.fakes.report_builder import Made, run
from tests.fakes.state_cells import gold_of, oracle, probe, scored

ODD = 'a/b "c" <i>'
NONE = Estimate(estimate=None, why="not measured")


def material(made: Made, beside: Supplement) -> Material:
    """What an export of the built run is made of."""
    return Material(
        run="r",
        identity=made.identity,
        made_at="2026-01-01T00:00:00+00:00",
        ended_at="2026-01-01T00:00:00+00:00",
        summary=made.summary,
        cells=made.cells,
        histories={keyed.history.history_id: keyed for keyed in made.folder.histories()},
        beside=beside,
    )


def state_rows(*names: str) -> tuple[StateRow, ...]:
    """Two users, two periods, one question, for each of the rows."""
    cells: list[CellOutcome] = []
    for user in ("u1", "u2"):
        for period in (0, 1):
            cells.append(oracle(user, period, "q0", True))
            for row in names:
                cells.append(scored(user, period, "q0", not period, row=row))
                cells.append(probe(user, period, "q0", {"a": True}, written={"a": 0}, row=row))
    return states(grid_of(cells), gold_of, Estimator(seed=0))


def policy_row(*, evolved: bool) -> PolicyRow:
    """An agent with one policy, scored in one period."""

    def numbers(period: int | None) -> PolicyNumbers:
        score = Estimate(estimate=0.5, n=10, clusters=2)
        return PolicyNumbers(
            period=period, score=score, by_source=NONE, by_words=NONE, by_probe=NONE,
            covers={"absent": NONE, "implied": NONE, "explicit": NONE}, lines=1.0, added=0.0, removed=0.0,
        )  # fmt: skip

    first = PolicyVersion(history=HistoryId("u"), replicate=0, period=0, lines=("work",))
    return PolicyRow(
        task="facts", row="agent", evolved=evolved, whole=numbers(None), periods=(numbers(0),), versions=(first,)
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("figures") / "run", histories=2, questions=3, tasks=("facts",))


@pytest.fixture(scope="module")
def all_of(made: Made) -> dict[str, Figure]:
    beside = Supplement(states=state_rows("mem", ODD), policies=(policy_row(evolved=True),))
    return {figure.name: figure for figure in figures(material(made, beside))}


def test_figures_are_called_by_section_task_and_row_or_measure(all_of: dict[str, Figure], made: Made) -> None:
    """A waterfall for each row that has one; of the others one for the task."""
    names = set(all_of)
    assert {"scores-facts", "evidence-facts", "states-overall-losses", "policies-facts-right answers"} <= names
    assert {"states-overall-memory score by row", "states-overall-right answers by row"} <= names
    told = {one.row for one in made.summary.waterfalls if one.n and one.variant == "readback"}
    assert {f"waterfall-facts-{row}" for row in told} <= names
    assert len(told) > 1


def test_charts_are_those_of_the_page(all_of: dict[str, Figure], made: Made) -> None:
    """The same bars, maps and lines; nothing is drawn anew."""
    (task,) = sections(made.summary, made.cells)
    assert [strip.chart for strip in all_of["scores-facts"].strips] == [*(one.chart for one in task.scores), task.axis]
    assert [strip.chart for strip in all_of["evidence-facts"].strips] == [task.curves]
    (shown,) = state_sections(state_rows("mem", ODD))
    assert [strip.chart for strip in all_of["states-overall-losses"].strips] == [one.chart for one in shown.lines]
    curves = {f"states-overall-{curve.name.lower()}": curve.chart for curve in shown.curves}
    assert len(curves) == 5
    assert {name: all_of[name].strips[0].chart for name in curves} == curves


def test_each_counts_the_rows_that_it_shows(all_of: dict[str, Figure]) -> None:
    for name in ("states-overall-memory score by row", "states-overall-losses", "states-overall-right answers"):
        assert all_of[name].rows == 2, name
    assert all_of["policies-facts-right answers"].rows == 1


def test_what_a_run_does_not_have_has_no_figure(made: Made) -> None:
    """No states, and a policy that nothing replaced."""
    names = [figure.name for figure in figures(material(made, Supplement(policies=(policy_row(evolved=False),))))]
    assert "scores-facts" in names
    assert not [name for name in names if name.startswith(("states", "policies", "costs"))]


def test_names_of_files_are_plain_whatever_a_row_is_called(made: Made, tmp_path: Path) -> None:
    """Each is XML, and begins with the benchmark and the task."""
    odd = [replace(one, row=ODD if one.row == "full" else one.row) for one in made.summary.waterfalls]
    summary = replace(made.summary, waterfalls=tuple(odd))
    written = write(material(made._replace(summary=summary), Supplement()), tmp_path)
    assert "waterfall-facts-a_b_c_i.svg" in {one.file for one in written}
    assert {one.file for one in written} == {file.name for file in tmp_path.iterdir()}
    for one in written:
        title = ElementTree.parse(tmp_path / one.file).getroot()[0].text or ""
        assert title.startswith(f"{summary.benchmark}, facts: ")
