"""Every judged score says whether its judge was measured."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace

import pytest

from recollect.cli.reports import headline_table
from recollect.records.tables.summary import Summary
from recollect.report.status import check_worded, checks_of
from recollect.report.tables import as_csv, scores
from recollect.report.writer import write

from tests.fakes.report_builder import Made, run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("calibration") / "run", histories=2, questions=3)


def judged(summary: Summary, *, config: Mapping[str, object]) -> Summary:
    """The summary with its first task judged and all others not."""
    tasks = tuple(replace(task, judged=place == 0) for place, task in enumerate(summary.tasks))
    return replace(summary, tasks=tasks, config={**summary.config, **config})


@pytest.mark.parametrize(
    ("config", "said"),
    [({"judge_check": "jc12"}, "jc12"), ({}, "uncalibrated"), ({"judge_check": None}, "uncalibrated")],
)
def test_judged_tasks_have_the_check_of_the_run_or_none(made: Made, config: Mapping[str, object], said: str) -> None:
    summary = judged(made.summary, config=config)
    assert checks_of(summary) == {summary.tasks[0].task: said}


def test_it_is_worded_for_a_sentence() -> None:
    assert [check_worded(check) for check in ("jc12", "uncalibrated", "")] == ["judge check jc12", "uncalibrated", ""]


@pytest.mark.parametrize(("config", "said"), [({"judge_check": "jc12"}, ">judge check jc12<"), ({}, ">uncalibrated<")])
def test_the_report_says_it_beside_judged_tasks_alone(made: Made, config: Mapping[str, object], said: str) -> None:
    def page(summary: Summary) -> str:
        path = write(made.folder, summary, made.cells, card=made.card, identity=made.identity)
        return path.read_text(encoding="utf-8")

    summary = judged(made.summary, config=config)
    assert page(summary).count(said) == 1
    unjudged = replace(summary, tasks=tuple(replace(task, judged=False) for task in summary.tasks))
    assert said not in page(unjudged)


def test_a_check_that_is_markup_stays_text(made: Made) -> None:
    summary = judged(made.summary, config={"judge_check": "<b onclick=x>"})
    path = write(made.folder, summary, made.cells, card=made.card, identity=made.identity)
    assert "<b onclick" not in path.read_text(encoding="utf-8").split('type="application/json"')[0]


def test_scores_and_lifts_of_judged_tasks_carry_it_in_the_csv(made: Made) -> None:
    summary = judged(made.summary, config={"judge_check": "jc12"})
    task = summary.tasks[0].task
    lines = list(csv.DictReader(io.StringIO(as_csv(scores(summary)).decode())))
    for line in lines:
        mine = line["task"] == task and line["what"] in ("score", "lift")
        assert line["judge_check"] == ("jc12" if mine else "")
    assert sum(bool(line["judge_check"]) for line in lines) > 2


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ({"judge_check": "jc12"}, "judged: {}: judge check jc12\n"),
        ({}, "judged: {}: uncalibrated; `recollect judge check` measures the judge\n"),
    ],
)
def test_the_table_of_scores_ends_with_it(
    made: Made, capsys: pytest.CaptureFixture[str], config: Mapping[str, object], line: str
) -> None:
    summary = judged(made.summary, config=config)
    headline_table(summary)
    assert line.format(summary.tasks[0].task) in capsys.readouterr().out


def test_a_run_without_judged_tasks_says_nothing_of_judges(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = tuple(replace(task, judged=False) for task in made.summary.tasks)
    headline_table(replace(made.summary, tasks=tasks))
    assert "judged" not in capsys.readouterr().out
