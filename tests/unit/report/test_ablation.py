"""The page of an ablation: plots, tables, and what a reader must know of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from recollect.records.tables.cells import Estimate
from recollect.records.tables.multi_run import Ablation, AblationLine, AblationPlot, AblationPoint, AblationRun
from recollect.report.ablation import page, records, write_ablation


def _line(row: str, *scores: float | None) -> AblationLine:
    points = (
        AblationPoint(
            value=value, score=Estimate(estimate=one, why="" if one is not None else "lacks it"), truncated=0.5
        )
        for value, one in zip(("2", "<b>10</b>"), scores, strict=True)
    )
    return AblationLine(row=row, kind="memory", reference=False, points=tuple(points))


def _run(value: str, unfinished: int = 0) -> AblationRun:
    said = {"reader": "rules", "preset": "paper", "search_limit": value}
    return AblationRun(value=value, run=f"k={value}", identity="r1:0", conditions=said, unfinished=unfinished)


FOUND = Ablation(
    name="k",
    benchmark="toy",
    over="search_limit",
    runs=(_run("2"), _run("<b>10</b>")),
    plots=(
        AblationPlot(name="facts", measure="accuracy", lines=(_line("bm25", 0.25, 0.5), _line("broken", None, None))),
    ),
)


def test_there_is_one_plot_a_task_and_rows_without_any_score_have_no_line() -> None:
    told = page(FOUND).decode()
    assert told.count('<svg class="chart curves"') == 1
    assert 'aria-label="score of facts: bm25 50.0\u00a0%"' in told
    assert 'title="lacks it"' in told


def test_what_a_user_named_is_text_and_nothing_runs_or_loads() -> None:
    told = page(FOUND).decode()
    assert "<b>10</b>" not in told
    assert "&lt;b&gt;10&lt;/b&gt;" in told
    assert "<script" not in told
    assert "default-src &#39;none&#39;" in told


def test_rules_cut_contexts_and_open_ends_are_said() -> None:
    told = page(replace(FOUND, runs=(_run("2", unfinished=3), _run("<b>10</b>")))).decode()
    for words in ("Made with rules.", "Not finished.", "50.0 % of the answers"):
        assert words in told
    assert "Not finished." not in page(FOUND).decode()


def test_only_conditions_that_all_values_share_are_named() -> None:
    assert set(FOUND.shared) == {"reader", "preset"}


def test_files_hold_every_point_and_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    first = {file.name: file.read_bytes() for file in write_ablation(tmp_path / "a", FOUND).parent.iterdir()}
    second = {file.name: file.read_bytes() for file in write_ablation(tmp_path / "b", FOUND).parent.iterdir()}
    assert first == second
    assert set(first) == {"index.html", "ablation.csv", "ablation.json"}
    assert [one["value"] for one in json.loads(first["ablation.json"])["runs"]] == ["2", "<b>10</b>"]
    assert [(one["row"], one["value"], one["estimate"]) for one in records(FOUND)] == [
        ("bm25", "2", 0.25), ("bm25", "<b>10</b>", 0.5), ("broken", "2", None), ("broken", "<b>10</b>", None),
    ]  # fmt: skip
