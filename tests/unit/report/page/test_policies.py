"""The page, the tables and the terminal say how policies evolved; nothing is said where none did."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from recollect.cli.policy_tables import print_policies
from recollect.domain.ids import HistoryId
from recollect.records.tables.cells import Estimate
from recollect.records.tables.policies import Cover, PolicyNumbers, PolicyRow, PolicyVersion
from recollect.records.tables.supplement import Supplement
from recollect.report.page.policies import changes_table, policies_table, policy_sections
from recollect.report.writer import files_of

from tests.fakes.report_builder import Made, run

ODD = '<script>alert("policy")</script>'


def numbers(period: int | None, score: float) -> PolicyNumbers:
    one = Estimate(estimate=score, low=score - 0.1, high=score + 0.1, n=10, clusters=2)
    none = Estimate(estimate=None, why="no state was asked for")
    covers: dict[Cover, Estimate] = {
        "absent": replace(one, estimate=0.75),
        "implied": replace(one, estimate=0.25),
        "explicit": replace(one, estimate=0.0),
    }
    return PolicyNumbers(
        period=period, score=one, by_source=one, by_words=one, by_probe=none,
        covers=covers, lines=2.0, added=1.0, removed=0.5,
    )  # fmt: skip


def evolved(name: str = "agent") -> PolicyRow:
    first = PolicyVersion(history=HistoryId("u"), replicate=0, period=0, lines=("work", "food"))
    second = replace(
        first,
        period=1,
        lines=("work", ODD),
        added=(ODD,),
        removed=("food",),
        covers={"pet": "absent", "oven": "implied"},
    )
    return PolicyRow(
        task="facts",
        row=name,
        evolved=True,
        whole=numbers(None, 0.5),
        periods=(numbers(0, 0.375), numbers(1, 0.625)),
        versions=(first, second),
    )


STILL = replace(evolved("still"), evolved=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("policies") / "run", histories=2, questions=3, tasks=("facts",))


def files(made: Made, *rows: PolicyRow) -> dict[str, bytes]:
    beside = Supplement(policies=rows)
    return files_of(made.folder, made.summary, made.cells, card=made.card, identity=made.identity, beside=beside)


def test_the_page_has_the_table_the_curves_and_one_users_policies_as_text(made: Made) -> None:
    page = files(made, evolved(), STILL)["index.html"].decode()
    section = page[page.index('id="policies-1"') : page.index("</section>", page.index('id="policies-1"'))]
    assert "62.5" in section
    assert 'aria-label="right answers of facts, by period: agent 62.5\u00a0%, still 62.5\u00a0%"' in section
    assert "<del><bdi>food</bdi></del>" in section
    assert "<ins><bdi>&lt;script&gt;" in section
    assert ODD not in page
    assert section.count("The policies of") == 1


def test_a_page_of_rows_that_stayed_with_their_policy_says_nothing_of_it(made: Made) -> None:
    found = files(made, STILL)
    assert b'id="policies-1"' not in found["index.html"]
    assert policy_sections([STILL]) == ()


def test_numbers_and_lines_stand_in_json_and_csv(made: Made) -> None:
    found = files(made, evolved())
    (row,) = json.loads(found["report.json"])["policies"]
    assert [version.get("added", []) for version in row["versions"]] == [[], [ODD]]
    lines = list(csv.DictReader(io.StringIO(found["policies.csv"].decode())))
    assert [one["estimate"] for one in lines if one["measure"] == "score"] == ["0.375", "0.625", "0.5"]
    assert next(one["why"] for one in lines if one["measure"] == "held by probe") == "no state was asked for"
    changes = [(one["period"], one["what"], one["line"]) for one in changes_table([evolved()])]
    assert (1, "removed", "food") in changes
    assert (1, "added", ODD) in changes
    assert (1, "kept", "work") in changes
    assert (1, "states absent", "pet") in changes


def test_a_run_without_policies_has_no_such_files(made: Made) -> None:
    found = files(made)
    assert not {"policies.csv", "policy_lines.csv"} & set(found)
    assert "policies" not in json.loads(found["report.json"])


def test_the_table_has_a_line_for_each_measure_of_each_period() -> None:
    assert len(policies_table([evolved()])) == 3 * (7 + 3)


def test_the_terminal_has_a_line_for_each_row_and_period(capsys: pytest.CaptureFixture[str]) -> None:
    print_policies([evolved(), STILL])
    said = capsys.readouterr().out
    assert "37.5" in said
    assert said.count("agent") == said.count("still") == 3
    print_policies([STILL])
    assert capsys.readouterr().out == ""
