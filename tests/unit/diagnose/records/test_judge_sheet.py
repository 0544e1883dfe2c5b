"""The sheet that lets people judge after a judge: five answers to a question, and all that the judge is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from recollect.diagnose.records.join import read_run
from recollect.diagnose.records.judge_sheet import CANDIDATES, JudgeSheet, judge_sheet
from recollect.domain.questions import Key

from tests.fakes.run_builder import BENCHMARK, TASKS, Case, RowSpec, Said, build, make_history, oracle_row, right

CARDS = {**TASKS, "essay": replace(TASKS["essay"], split_by="kind")}


def _key(number: int, key: Key) -> Key:
    return replace(key, gold=(*key.gold, "also right"), rejected=("bad", "worse"), guidance=f"Mind {number}.")


def says(*texts: str) -> tuple[RowSpec, ...]:
    """A row for each answer, the first of which the judge takes for right."""

    def row(place: int, text: str) -> RowSpec:
        def said(case: Case) -> Said:
            return Said(text=text, right=float(place == 0))

        return RowSpec(label=f"row{place}", says=said)

    return tuple(row(place, text) for place, text in enumerate(texts))


def made(path: Path, *rows: RowSpec, seed: int = 0, row: str = "") -> JudgeSheet:
    history = make_history(0, task="essay", labels=lambda n: {"kind": "rain" if n % 2 else "sun"}, change=_key)
    run = read_run(build(path / "run", rows, [history]), replace(BENCHMARK, card=replace(BENCHMARK.card, tasks=CARDS)))
    return judge_sheet(run, CARDS, seed=seed, row=row)


def test_few_answers_are_filled_up_from_the_key_and_marked_so(tmp_path: Path) -> None:
    """Two distinct ones of three; then accepted 1, wrong 1, accepted 2 stand in."""
    found = made(tmp_path, *says("one", "two", "One "))
    groups = Counter(item.group for item in found.sheet.items)
    assert set(groups.values()) == {CANDIDATES}
    first = [item for item in found.sheet.items if item.group == found.sheet.items[0].group]
    assert {(item.origin, item.judge, item.gold) for item in first} == {
        ("row0, arm system", "1", ""),
        ("row1, arm system", "0", ""),
        ("the data: accepted answer 1", "", "1"),
        ("the data: wrong answer 1", "", "0"),
        ("the data: accepted answer 2", "", "1"),
    }
    assert set(found.unweighed) == {item.item for item in found.sheet.items if item.origin.startswith("the data")}


def test_raters_see_what_the_judge_sees_and_not_whose_answer_it_is(tmp_path: Path) -> None:
    found = made(tmp_path, *says("one"))
    (item,) = [item for item in found.sheet.items if item.origin == "row0, arm system"][:1]
    for part in ("what is item 0?", "- value0", "- also right", "- bad", "Mind 0.", "Answer to be judged:\none"):
        assert part in item.text
    assert "row0" not in item.text
    assert item.stratum == "sun"


def test_of_many_answers_the_seed_takes_five(tmp_path: Path) -> None:
    rows = says(*(f"answer {number}" for number in range(9)))
    sheets = [made(tmp_path / str(n), *rows, seed=seed).sheet for n, seed in enumerate((0, 0, 1))]
    assert sheets[0] == sheets[1] != sheets[2]
    assert Counter(item.group for item in sheets[0].items) == dict.fromkeys({i.group for i in sheets[0].items}, 5)
    assert not any(item.origin.startswith("the data") for item in sheets[0].items)


def test_one_row_alone_may_be_asked_for(tmp_path: Path) -> None:
    items = made(tmp_path, *says("one", "two"), row="row1").sheet.items
    assert not any("row0" in item.origin for item in items)
    assert sum("row1" in item.origin for item in items) == 4


def test_a_run_without_verdicts_has_no_items_and_says_why(tmp_path: Path) -> None:
    run = read_run(build(tmp_path / "run", [RowSpec(label="a", says=right), oracle_row()]), BENCHMARK)
    sheet = judge_sheet(run, TASKS, seed=0).sheet
    assert (sheet.items, sheet.why) == ((), "no answer of this run was weighed by a judge")


def test_an_undecided_verdict_is_no_label(tmp_path: Path) -> None:
    def undecided(case: Case) -> Said:
        return Said(text="hm", right=0.5)

    items = made(tmp_path, RowSpec(label="a", says=undecided)).sheet.items
    assert {item.judge for item in items} == {""}


def test_the_order_of_candidates_says_nothing(tmp_path: Path) -> None:
    found = made(tmp_path, *says("one", "two"))
    places = {int(item.item.rpartition(":")[2]) for item in found.sheet.items if item.origin == "row0, arm system"}
    assert len(places) > 1, "the run's answers do not always stand first"
