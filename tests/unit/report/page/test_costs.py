"""What a run cost is on its page, in the table beside it, and in the order of reading."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from recollect.contracts.models import Usage
from recollect.diagnose.costs.totals import costs_of
from recollect.records.calls import CallLine
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Summary
from recollect.report.page.costs import CostSection, cost_section
from recollect.report.tables import as_csv, costs_table
from recollect.report.writer import write

from tests.fakes.report_builder import Made, hostile, hostile_run, run


def ledger(cells: tuple[CellOutcome, ...], *, priced: bool = True) -> Iterator[CallLine]:
    """A call for each answer and verdict, writing for one row, a probe, a cached reply, a call that was given up."""
    rng = random.Random(3)
    yield CallLine(call="probe", kind="chat", role="reader", status="paid", model="m-1", stage="probe", money=0.0001)
    written = set()
    for place, cell in enumerate(cells):
        about = {"trial": cell.trial, "row": cell.row, "task": cell.task, "history": cell.history, "model": "m-1"}
        if cell.row == "extractor" and cell.trial not in written:
            written.add(cell.trial)
            yield call(f"w{cell.trial}", role="memory", stage="observe", money=0.05 if priced else None, **about)
        asked = {"question": cell.question, "checkpoint": cell.checkpoint, "arm": str(cell.arm)}
        money = {"full": 0.02, "none": 0.0005}.get(cell.row, 0.001) * rng.uniform(0.8, 1.2)
        told = {"seconds": rng.uniform(0.2, 3), "waited": 0.1, **about, **asked}
        yield call(f"a{place}", stage="answer", money=round(money, 9) if priced else None, **told)
        if cell.task == "facts":
            yield call(f"j{place}", role="judge", stage="judge", money=0.001 if priced else None, **told)
    yield call("a0", status="cached", stage="answer", money=0.0, task="facts", row="bm25", trial="x", question="q")
    yield call("f", status="failed", stage="answer", usage=None, money=None, task="facts", row="bm25", trial="x")


def call(name: str, **facts: object) -> CallLine:
    told = {
        "kind": "chat", "role": "reader", "status": "paid", "model": "m-1", "usage": Usage(input=900, output=20),
        "priced": "2026-11-20", "arm": "system", **facts,
    }  # fmt: skip
    return CallLine(call=name, **told)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    found = run(tmp_path_factory.mktemp("cost") / "run", histories=2, questions=3)
    return found._replace(summary=replace(found.summary, costs=costs_of(ledger(found.cells))))


def section_of(summary: Summary) -> CostSection:
    found = cost_section(summary)
    assert found is not None
    return found


class Texts(HTMLParser):
    """Texts and elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.seen: set[tuple[str, str]] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {(tag, name) for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def written(made: Made) -> str:
    return write(made.folder, made.summary, made.cells, card=made.card, identity=made.identity).read_text("utf-8")


def test_a_run_without_calls_says_so_and_has_no_table(tmp_path: Path) -> None:
    plain = run(tmp_path / "run", histories=1, questions=2)
    page = written(plain)
    assert cost_section(plain.summary) is None
    assert '<h2>What it cost</h2>\n<p class="quiet">No model was called.</p>' in page
    assert "Cost a question" not in page
    assert not (plain.folder.report / "costs.csv").exists()


def test_the_page_says_what_was_paid_saved_and_waited(made: Made) -> None:
    page = written(made)
    text = " ".join(" ".join(Texts(page).texts).split())
    assert made.summary.costs is not None
    total = made.summary.costs.total
    for part in (
        "What it cost", f"{total.calls:,}", f"{total.input_tokens:,}", "From the cache", "Waited", "Cheaper than full",
        "list prices read on 2026-11-20", "m-1", "costs.csv", "no other row is as good for less", "(of no row)",
    ):  # fmt: skip
        assert part in text, part
    assert 'href="#cost"' in page
    assert 'id="cost"' in page
    assert 'class="frontier"' in page


def test_rows_stand_in_the_order_of_the_other_tables_and_stages_in_that_of_a_run(made: Made) -> None:
    section = section_of(made.summary)
    order = [row.row for row in made.summary.rows]
    rows = [line.row for line in section.stages if line.row in order]
    assert rows == sorted(rows, key=order.index)
    mine = [line.stage for line in section.stages if line.row == "extractor"]
    assert mine == ["observe", "answer", "judge"]


def test_the_stages_add_up_to_the_total(made: Made) -> None:
    section = section_of(made.summary)
    assert sum(line.sums.input_tokens for line in section.stages) == section.costs.total.input_tokens
    assert sum(line.sums.calls for line in section.stages) == section.costs.total.calls


def test_a_task_is_shown_with_score_over_cost_and_the_best_rows_marked(made: Made) -> None:
    """`none` is the cheapest of all, so nothing beats it; the oracle is no rival."""
    for task in section_of(made.summary).tasks:
        best = {line.cost.row for line in task.lines if line.best}
        assert task.plane is not None
        assert task.unit == "money"
        assert "none" in best
        assert "oracle" not in best


def test_with_tokens_alone_the_chart_is_in_tokens(made: Made) -> None:
    costs = costs_of(ledger(made.cells, priced=False))
    section = section_of(replace(made.summary, costs=costs))
    assert {task.unit for task in section.tasks} == {"tokens"}
    assert "over tokens a question" in str(section.tasks[0].plane)
    page = written(made._replace(summary=replace(made.summary, costs=costs)))
    assert "paid calls have no known price" in page


def test_the_csv_adds_up_to_its_last_line(made: Made) -> None:
    written(made)
    text = (made.folder.report / "costs.csv").read_text("utf-8")
    *lines, total = csv.DictReader(io.StringIO(text))
    assert made.summary.costs is not None
    assert text.encode() == as_csv(costs_table(made.summary.costs))
    assert total["stage"] == "total"
    for column in ("paid", "cached", "failed", "input_tokens", "output_tokens"):
        assert sum(int(line[column]) for line in lines) == int(total[column]), column
    assert sum(float(line["money"]) for line in lines) == pytest.approx(float(total["money"]))


def test_hostile_names_make_no_element_and_no_attribute(made: Made, tmp_path: Path) -> None:
    changed = hostile_run(tmp_path / "evil", made)
    assert changed.summary.costs is not None
    assert made.summary.costs is not None
    units = {
        hostile(task): unit for task, unit in made.summary.costs.units.items()
    }  # money and tokens stay as they are
    costs = replace(changed.summary.costs, units=units)
    changed = changed._replace(summary=replace(changed.summary, costs=costs))
    plain, evil = Texts(written(made)), Texts(written(changed))
    assert evil.seen <= plain.seen
    assert not [name for _, name in evil.seen if name.startswith("on")]
