from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.report.page.tasks import sections
from recollect.report.text import link_to

from tests.fakes.report_builder import Made, run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("sections") / "run", histories=2, questions=3)


def test_systems_come_before_reference_rows_and_those_before_rules(made: Made) -> None:
    groups = [line.group for line in sections(made.summary, made.cells)[0].scores]
    assert groups == sorted(groups, key=["system", "reference", "rule"].index)
    assert set(groups) == {"system", "reference", "rule"}


def test_every_row_has_one_score_the_oracle_that_of_its_own_arm(made: Made) -> None:
    for section in sections(made.summary, made.cells):
        labels = [line.label for line in section.scores if line.number]
        assert sorted(labels) == sorted(row.row for row in made.summary.rows)


def test_floor_and_ceiling_are_drawn_at_their_own_scores(made: Made) -> None:
    section = sections(made.summary, made.cells)[0]
    scores = {line.label: line.score.estimate for line in section.scores}
    guides = {guide.name: guide.at for guide in section.guides}
    assert (guides["floor"], guides["ceiling"]) == (scores["none"], scores["oracle"])


def test_rows_without_a_headline_are_gathered_by_reason(made: Made) -> None:
    withheld = tuple(replace(one, withheld="too many faults") for one in made.summary.headlines)
    section = sections(replace(made.summary, headlines=withheld), made.cells)[0]
    assert set(section.withheld) == {"too many faults"}
    assert len(section.withheld["too many faults"]) == sum(one.task == section.facts.task for one in withheld)


def test_the_pieces_of_each_bar_are_all_that_was_planned(made: Made) -> None:
    for section in sections(made.summary, made.cells):
        for line in section.outcomes:
            assert sum(many for _, many in line.counts) == line.number.counts.planned


def test_a_rule_without_a_score_says_why_instead_of_standing_at_zero(made: Made) -> None:
    facts = next(one for one in sections(made.summary, made.cells) if one.facts.task == "facts")
    assert ("chance", "guessing has no meaning for this task") in facts.no_rules
    assert "chance" not in [line.label for line in facts.scores]


def test_links_are_escaped_and_stay_on_the_page() -> None:
    assert link_to(row="a&b=c #<>", task="t") == "#row=a%26b%3Dc%20%23%3C%3E&task=t"
