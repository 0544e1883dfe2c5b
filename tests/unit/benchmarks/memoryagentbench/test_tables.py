"""The columns of the paper's table 2: what belongs to a mean is all there, or the mean is not."""

from __future__ import annotations

import pytest

from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.tables import GENERATED, MCC, PAPER, PUBLISHED, TWINS
from recollect.contracts.tables import Column, PaperTable

NAMES = ("SH-QA", "MH-QA", "LME(S*)", "EventQA", "MCC", "Recom", "Summ", "DetQA", "FC-SH", "FC-MH")
ROWS = {
    "GPT-4o": ((72.0, 51.0, 32.0, 77.2, 87.6, 12.3, 32.2, 77.5, 60.0, 5.0), (58.1, 50.0, 54.9, 32.5, 48.8)),
    "Claude-3.7-Sonnet": ((77.0, 53.0, 34.0, 74.6, 89.4, 18.3, 52.5, 71.8, 43.0, 2.0), (59.7, 53.9, 62.2, 22.5, 49.6)),
    "BM25": ((66.0, 56.0, 45.3, 74.6, 75.4, 13.6, 19.0, 52.1, 48.0, 3.0), (60.5, 44.5, 35.6, 25.5, 41.5)),
    "Mem0": ((25.0, 32.0, 36.0, 37.5, 32.4, 10.0, 4.8, 36.6, 18.0, 2.0), (32.6, 21.2, 20.7, 10.0, 21.1)),
    "MIRIX": ((62.0, 61.0, 37.3, 29.8, 38.4, 9.8, 9.9, 40.8, 14.0, 2.0), (47.5, 24.1, 25.4, 8.0, 26.2)),
}
"""MemoryAgentBench, table 2 (March 2026): the tasks of a row, and its means AR, TTL, LRU, SF, overall; percent."""
GROUPS = ("AR", "TTL", "LRU", "SF", "overall")
ROUNDING = 0.11
"""Columns and means are printed with one digit."""


def _by_task(row: tuple[float, ...]) -> dict[str, float]:
    values = dict(zip(NAMES, row, strict=True))
    return {task: values[name] / 100 for name, tasks in PUBLISHED.items() for task in tasks}


@pytest.mark.parametrize("row", ROWS)
def test_means_are_those_that_the_paper_prints(row: str) -> None:
    tasks, means = ROWS[row]
    found = PAPER.means(_by_task(tasks))
    for name, printed in zip(GROUPS, means, strict=True):
        assert 100 * (found[name] or 0.0) == pytest.approx(printed, abs=ROUNDING), name


def test_classification_is_the_mean_of_its_five_tasks() -> None:
    """Table 6, GPT-4o: 87.6 is the mean of 96, 96, 90, 87 and 69."""
    assert len(MCC) == 5
    found = PAPER.means(dict(zip(MCC, [0.96, 0.96, 0.90, 0.87, 0.69], strict=True)))
    assert found["MCC"] == pytest.approx(0.876)


@pytest.mark.parametrize("task", sorted(PAPER.tasks))
def test_one_missing_task_leaves_its_means_undefined_and_the_others_as_they_were(task: str) -> None:
    whole = _by_task(ROWS["BM25"][0])
    found, all_there = PAPER.means({name: one for name, one in whole.items() if name != task}), PAPER.means(whole)
    assert found["overall"] is None
    gone = {name for name in found if found[name] is None}
    assert len(gone) == 3, "the column, its group, and the mean of all"
    assert {name: one for name, one in found.items() if name not in gone} == {
        name: one for name, one in all_there.items() if name not in gone
    }


def test_published_and_generated_tasks_never_mix() -> None:
    assert not PAPER.tasks & TWINS.tasks
    assert not any(SOURCES[task].made for task in PAPER.tasks)
    assert all(SOURCES[task].made for task in TWINS.tasks)
    published = TWINS.means(_by_task(ROWS["BM25"][0]))
    assert set(published.values()) == {None}


def test_both_tables_have_the_same_columns_and_stand_on_the_card() -> None:
    assert [one.name for one in PAPER.columns] == [one.name for one in TWINS.columns]
    assert set(PUBLISHED) == set(GENERATED) == set(NAMES)
    assert CARD.tables == (PAPER, TWINS)
    assert PAPER.tasks | TWINS.tasks <= set(CARD.tasks)


def test_every_generated_task_stands_in_a_column() -> None:
    assert TWINS.tasks == {name for name, source in SOURCES.items() if source.made}


def test_a_column_of_columns_that_come_later_is_refused() -> None:
    with pytest.raises(ValueError, match="'a' is not an earlier column"):
        PaperTable(title="", columns=(Column(name="mean", columns=("a",)), Column(name="a", tasks=("t",))))


def test_a_column_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="needs either `tasks` or `columns`"):
        Column(name="empty")
