"""The page, the tables and the terminal say what became of states; numbers by hand from cells made by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from recollect.cli.inspect.states import lost_rows, print_states
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.states.summary import states
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.states import StateRow
from recollect.records.tables.supplement import Supplement
from recollect.report.charts.curves import Spot
from recollect.report.charts.heat import heat_map
from recollect.report.page.states import state_sections, states_table, users_table
from recollect.report.writer import files_of

from tests.fakes.report_builder import HOSTILE, Made, run
from tests.fakes.state_cells import gold_of, oracle, probe, scored

ODD = '<script>alert("row")</script>'


def _cells(row: str = "mem", *, probes: bool = True) -> list[CellOutcome]:
    """Two users, two periods, one question of four choices: right at first, then wrong though all is known."""
    made = []
    for user in ("u1", "u2"):
        for period in (0, 1):
            made += [scored(user, period, "q0", not period, row=row), oracle(user, period, "q0", True)]
            made += [probe(user, period, "q0", {"a": True}, written={"a": 0}, row=row)] if probes else []
    return made


def _rows(*cells: CellOutcome) -> tuple[StateRow, ...]:
    return states(grid_of(cells), gold_of, Estimator(seed=0))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("states") / "run", histories=2, questions=3, tasks=("facts",))


def _files(made: Made, rows: tuple[StateRow, ...]) -> dict[str, bytes]:
    beside = Supplement(states=rows)
    return files_of(made.folder, made.summary, made.cells, card=made.card, identity=made.identity, beside=beside)


def test_the_page_has_the_table_heat_maps_losses_and_curves(made: Made) -> None:
    """Memory scores by hand: 1 after period 0 and (0 - 1/4) / (1 - 1/4) = -1/3 after period 1; their mean is 1/3."""
    page = _files(made, _rows(*_cells()))["index.html"].decode()
    section = page[page.index('id="states-1"') : page.index("</section>", page.index('id="states-1"'))]
    assert 'aria-label="Memory score by row and period: mem 33.3\u00a0%' in section
    assert 'aria-label="Right answers by row and period: mem 50.0\u00a0%' in section
    assert "mem, 1: \u221233.3\u00a0%" in section
    assert 'aria-label="mem: 2 right, 2 utilisation"' in section
    assert section.count('<svg class="chart curves"') == 5
    assert "the oracle&#39;s answer to the same question" in section


def test_a_run_without_states_has_no_section_and_no_tables(made: Made) -> None:
    files = _files(made, ())
    assert "states.csv" not in files
    assert "states" not in json.loads(files["report.json"])
    assert b'id="states-1"' not in files["index.html"]


def test_names_of_rows_are_text(made: Made) -> None:
    page = _files(made, _rows(*_cells(ODD)))["index.html"].decode()
    assert ODD not in page
    assert "&lt;script&gt;alert(" in page
    hostile = _files(made, _rows(*_cells(HOSTILE)))["index.html"].decode()
    assert HOSTILE not in hostile


def test_json_and_csv_hold_all_numbers(made: Made) -> None:
    rows = _rows(*_cells())
    files = _files(made, rows)
    (told,) = json.loads(files["report.json"])["states"]
    assert told["whole"]["scores"]["memory"]["estimate"] == rows[0].whole.scores.memory.estimate
    assert [one["memory"] for one in told["users"]] == [pytest.approx(1.0), pytest.approx(-1 / 3)] * 2
    found = {(line["period"], line["measure"]): line["estimate"] for line in states_table(rows)}
    assert found["all", "memory_score"] == pytest.approx(1 / 3)
    assert (found["1", "overall"], found["1", "questions utilisation"]) == (0.0, 1.0)
    assert (found["all", "count: questions utilisation"], found["all", "chance"]) == (2, 0.25)
    assert len(users_table(rows)) == files["states_users.csv"].count(b"\n") - 1 == 4


def test_a_withheld_row_shows_no_score_and_says_why(made: Made) -> None:
    cells = [replace(one, status="fault", value=None) if one.question == "u1-p0-q0" else one for one in _cells()]
    rows = _rows(*cells)
    page = _files(made, rows)["index.html"].decode()
    assert "Withheld: 1 of 4 answers are faults." in page
    assert "questions whose loss cannot be told: no answer: fault (1)." in page
    assert "Memory score by row and period" not in page


def test_a_row_without_probes_has_scores_and_no_losses(made: Made) -> None:
    page = _files(made, _rows(*_cells(probes=False)))["index.html"].decode()
    assert "this run asks for no states" in page
    assert "Where answers were lost</h3>" not in page[page.index('id="states-1"') : page.index('id="task-1"')]


def test_rows_are_grouped_by_task_and_bounds_are_said_once() -> None:
    other = [replace(one, task="second") for one in _cells()]
    sections = state_sections(_rows(*_cells(), *_cells("other"), *other))
    assert [(one.task, len(one.lines)) for one in sections] == [("overall", 2), ("second", 1)]
    assert [rows for _, rows in sections[0].bounds] == [["mem", "other"]]


def test_squares_are_as_dark_as_their_number_and_hold_it() -> None:
    """At most 0.6, so that the number in it can be read; what is not known is a dash."""
    known = [Spot(at, Estimate(estimate=one)) for at, one in (("0", -0.5), ("1", 0.5), ("2", 1.5))]
    drawn = str(heat_map("x", {"a <b>": [*known, Spot("all", Estimate(estimate=None, why="lacks it"))]}))
    assert re.findall(r'fill-opacity="([^"]+)"', drawn) == ["0.0", "0.3", "0.6"]
    assert re.findall(r'class="number"[^>]*>([^<]*)<', drawn) == ["\u221250", "50", "150", "\u2013"]
    assert "a &lt;b&gt;, all: lacks it" in drawn


def test_the_terminal_has_a_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _rows(*_cells())
    print_states(rows)
    told = capsys.readouterr().out
    assert re.search(r"overall +mem +50\.0 +33\.3 .*100\.0 +25\.0 +0\.0 +0\.0 +50\.0 +0", told)
    assert "upper bound: the oracle's answer to the same question" in told
    assert lost_rows(rows) == [["overall", "mem", "2", "0", "0", "0", "2", "0"]]


def test_the_terminal_says_nothing_without_states(capsys: pytest.CaptureFixture[str]) -> None:
    print_states(())
    assert capsys.readouterr().out == ""


def test_the_terminal_says_what_was_dropped_and_what_is_withheld(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [replace(one, labels={**one.labels, "choices": "1"}) if one.history == "u1" else one for one in _cells()]
    print_states(_rows(*cells))
    assert "mem: 2 of 4 users and periods have no memory score" in capsys.readouterr().out
    open_ = [replace(one, status="unfinished", value=None) if one.question == "u1-p0-q0" else one for one in _cells()]
    print_states(_rows(*open_))
    told = capsys.readouterr().out
    assert "withheld: mem: 1 of 4 answers are still to come" in told
    assert "33.3" not in told


def test_a_bound_that_is_no_better_than_guessing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """All bounds are 0, and guessing gets 1/4."""
    cells = [replace(one, value=0.0) if one.kind == "oracle" else one for one in _cells()]
    print_states(_rows(*cells))
    assert "mem: the upper bound is not above guessing" in capsys.readouterr().out


def test_the_same_input_gives_the_same_bytes(made: Made) -> None:
    cells = _cells()
    assert _files(made, _rows(*cells)) == _files(made, _rows(*cells[::-1]))
