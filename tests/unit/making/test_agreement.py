"""Shares, means and agreement of a sheet; expected numbers are counted by hand where nothing else is said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recollect.contracts.sheets import Best, Scale
from recollect.making.agreement import SheetFindings, findings
from recollect.making.ratings import RatedItem, Ratings

POINTS = dict.fromkeys(("0", "1", "2"), "")


def _of(
    rows: Sequence[Sequence[str | None]], *, best: Best = "last", rules: Sequence[str] = (), points: int = 3
) -> SheetFindings:
    """SheetFindings of a sheet with a row of labels for each item, a cluster each, and what the rules say."""
    people = [f"rater_{number}" for number in range(1, len(rows[0]) + 1)]
    items = [
        RatedItem(
            name=f"l{place}",
            item=str(place),
            cluster=f"c{place}",
            scale=Scale(points=dict.fromkeys(map(str, range(points)), ""), best=best),
            people={name: label for name, label in zip(people, row, strict=True) if label is not None},
            others={"rules": rules[place]} if place < len(rules) and rules[place] else {},
        )
        for place, row in enumerate(rows)
    ]
    return findings(Ratings(sheet="s", people=tuple(people), items=tuple(items)))


def test_labels_are_rescaled_so_that_one_is_best() -> None:
    """(2 + 2 + 1 + 0) / 4 / 2 = 0.625 where 2 is best; where 0 is best, the rest."""
    rows = [["2"], ["2"], ["1"], ["0"]]
    for best, wanted in (("last", 0.625), ("first", 0.375)):
        people = _of(rows, best="last" if best == "last" else "first").people
        assert people is not None
        assert people.mean is not None
        assert people.mean.estimate == pytest.approx(wanted)
        assert people.mean.low is not None
        assert people.mean.low < wanted
        assert people.shares == {"0": 0.25, "1": 0.25, "2": 0.5}


def test_an_item_is_the_mean_of_its_ratings() -> None:
    """Items 1, 1/4 and 1: the one that a single person rated weighs as much as the others."""
    people = _of([["2", "2"], ["1", "0"], ["2", None]]).people
    assert people is not None
    assert people.mean is not None
    assert people.mean.estimate == pytest.approx((1 + 0.25 + 1) / 3)
    assert people.rated == 3
    assert people.shares["2"] == pytest.approx(3 / 5)


def test_a_scale_without_order_has_shares_and_no_mean() -> None:
    found = _of([["1", "1"], ["0", "2"]], best="none")
    assert found.people is not None
    assert found.people.mean is None
    assert found.agreement is not None
    assert found.agreement.ac2 is None
    assert found.agreement.same == 0.5


@pytest.mark.parametrize(
    ("far", "wanted"), [pytest.param("1", 5 / 6, id="one-step"), pytest.param("0", 0.5, id="two-steps")]
)
def test_ordinal_agreement_counts_how_far_two_labels_are_apart(far: str, wanted: float) -> None:
    """Gwet's ordinal weights of three points: 1 for equal, 2/3 for neighbours, 0 for the ends."""
    found = _of([["2", "2"], ["2", far]]).agreement
    assert found is not None
    assert found.ac2 is not None
    assert found.same == 0.5
    assert found.ac2.observed == pytest.approx(wanted)


def test_nearly_all_of_one_label_leaves_ac1_high() -> None:
    """99 of 100 the same: 0.99, less a chance of (0.995 * 0.005 * 2) / 2 = 0.004975; irrCAC says 0.98995, as we do."""
    found = _of([*[["2", "2"]] * 99, ["2", "1"]]).agreement
    assert found is not None
    assert found.ac1.coefficient == pytest.approx((0.99 - 0.004975) / (1 - 0.004975))
    assert found.ac1.name == "AC1"


def test_all_of_one_label_agree_fully() -> None:
    """The scale has other points, though nobody used them."""
    found = _of([["2", "2"]] * 5).agreement
    assert found is not None
    assert found.ac1.coefficient == 1.0


def test_rules_are_a_further_rater_and_no_person() -> None:
    """Two of the three items that rules can tell agree; the fourth is left out of that pair, also of its chance.

    Of the six labels three are 2 and three 0: (1/4 + 1/4) / 2 by chance.
    """
    found = _of([["2"], ["2"], ["0"], ["1"]], rules=["2", "0", "0", ""])
    assert [rater.name for rater in found.raters] == ["rater_1", "rules"]
    assert found.agreement is None
    (pair,) = found.pairs
    assert (pair.raters, pair.items) == (("rater_1", "rules"), 3)
    assert pair.same == pytest.approx(2 / 3)
    assert pair.ac1.chance == pytest.approx(0.25)
    assert found.people is not None
    assert found.people.rated == 4


def test_what_nobody_rated_is_counted_and_in_no_number() -> None:
    found = _of([["2", "2"], [None, None], ["2", None]])
    assert (found.items, found.unrated) == (3, 1)
    assert found.agreement is not None
    assert found.agreement.items == 1


def test_an_empty_sheet_has_reasons_and_no_numbers() -> None:
    item = RatedItem(name="l", item="0", cluster="c", scale=Scale(points=POINTS, best="last"))
    found = findings(Ratings(sheet="s", people=(), items=(item,)))
    assert (found.people, found.agreement, found.pairs) == (None, None, ())
    none = _of([["2", None], [None, "2"]])
    assert none.agreement is not None
    assert (none.agreement.ac1.coefficient, none.agreement.ac1.why) == (None, "no subject has two ratings")


def test_means_go_by_clusters() -> None:
    """Two users of ten equal labels each are two cases, not twenty."""
    items = [
        RatedItem(
            name=f"l{place}",
            item=str(place),
            cluster=f"c{place // 10}",
            scale=Scale(points=POINTS, best="last"),
            people={"rater_1": "2" if place < 10 else "1"},
        )
        for place in range(20)
    ]
    people = findings(Ratings(sheet="s", people=("rater_1",), items=tuple(items))).people
    assert people is not None
    assert people.mean is not None
    assert (people.mean.clusters, people.mean.n) == (2, 20)
    assert people.mean.low == 0.0
