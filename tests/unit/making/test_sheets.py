"""Label sheets are drawn by seed, whole group by group, and give nothing away."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest

from recollect.making.sheets import KEY_COLUMNS, Drawn

from tests.fakes.filled_sheets import draw, sheet


def _rows(drawn: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(drawn.decode(), newline="")))


def _drawn(count: int = 40, *, seed: int = 0, sample: int | None = None, raters: int = 2, by: int = 1) -> Drawn:
    return draw(sheet(count, by=by), seed=seed, sample=sample, raters=raters)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_sample() -> None:
    """With 10 of 40 drawn, two seeds that agree by chance are out of the question."""
    assert _drawn(sample=10) == _drawn(sample=10)
    first, second = (_rows(_drawn(sample=10, seed=seed).table) for seed in (0, 1))
    assert {row["text"] for row in first} != {row["text"] for row in second}


def test_raters_see_neither_gold_nor_rules_nor_names_of_the_data() -> None:
    made = sheet(3, gold=["2", "2", "2"], rules=["1", "0", ""])
    drawn = draw(made, seed=0, raters=3)
    table = _rows(drawn.table)
    assert list(table[0]) == ["id", "text", "question", "scale", "rater_1", "rater_2", "rater_3", "notes"]
    assert b"user-" not in drawn.table
    assert {row["rater_1"] + row["rater_2"] + row["rater_3"] + row["notes"] for row in table} == {""}
    assert {row["scale"] for row in table} == {"0 not reflected; 1 partly; 2 fully"}


def test_the_key_says_of_the_same_rows_what_they_are() -> None:
    made = sheet(3, gold=["2", "2", "2"], rules=["1", "0", ""])
    drawn = draw(made, seed=0)
    key = _rows(drawn.key)
    assert [row["id"] for row in key] == [row["id"] for row in _rows(drawn.table)]
    assert {(row["item"], row["gold"], row["rules"], row["points"], row["best"]) for row in key} == {
        ("user-0/0", "2", "1", "0|1|2", "last"),
        ("user-0/1", "2", "0", "0|1|2", "last"),
        ("user-1/2", "2", "", "0|1|2", "last"),
    }


def test_items_of_a_group_are_drawn_together_and_stand_together() -> None:
    drawn = _drawn(40, by=4, sample=3)
    assert (drawn.groups, drawn.population, drawn.items) == (3, 10, 12)
    groups = [row["group"] for row in _rows(drawn.key)]
    assert [groups[start : start + 4] for start in (0, 4, 8)] == [[groups[start]] * 4 for start in (0, 4, 8)]


@pytest.mark.parametrize(("asked", "got"), [(None, 6), (4, 4), (100, 6)], ids=["its-own", "fewer", "more-than-there"])
def test_no_more_is_drawn_than_there_is(asked: int | None, got: int) -> None:
    assert _drawn(6, sample=asked).groups == got


def test_an_id_tells_another_text_from_the_same_place() -> None:
    """A sheet of changed data cannot be read with an old key."""
    made = sheet(1)
    changed = replace(made, items=(replace(made.items[0], text="Something else"),))
    assert _rows(draw(made, seed=0).key)[0]["id"] != _rows(draw(changed, seed=0).key)[0]["id"]


def test_no_text_is_a_formula_to_a_spreadsheet() -> None:
    made = sheet(1)
    sly = replace(made, items=(replace(made.items[0], text='=HYPERLINK("x")', question="+1"),))
    (row,) = _rows(draw(sly, seed=0).table)
    assert (row["text"], row["question"]) == ('\'=HYPERLINK("x")', "'+1")


def test_of_each_stratum_as_many_groups_are_drawn_as_long_as_it_has_some() -> None:
    """20 groups, 3 of them rare: of 12 drawn 3 are rare, and of the two common strata 5 and 4 each, first by name."""
    made = sheet(40, by=2)
    strata = {f"g{place}": "rare" if place < 3 else "odd" if place % 2 else "even" for place in range(20)}
    made = replace(made, items=tuple(replace(item, stratum=strata[item.group]) for item in made.items))
    drawn = draw(made, seed=3, sample=12)
    rows = _rows(drawn.key)
    counted = Counter(stratum for stratum, _ in {(row["stratum"], row["group"]) for row in rows})
    assert counted == {"rare": 3, "even": 5, "odd": 4}
    assert (drawn.groups, drawn.items, drawn.population) == (12, 24, 20)
    assert draw(made, seed=3, sample=12) == drawn
    assert b"rare" not in drawn.table


def test_the_judges_label_and_origins_are_in_the_key_alone_and_only_where_there_are_any() -> None:
    made = sheet(2)
    assert list(_rows(draw(made, seed=0).key)[0]) == list(KEY_COLUMNS)
    judged = replace(made, items=tuple(replace(item, judge="1", origin="bm25, arm system") for item in made.items))
    drawn = draw(judged, seed=0)
    assert {(row["judge"], row["origin"]) for row in _rows(drawn.key)} == {("1", "bm25, arm system")}
    assert b"bm25" not in drawn.table
