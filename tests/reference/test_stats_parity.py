"""Every case of the frozen file `parity/stats.json`: scipy, statsmodels, scikit-learn, irrCAC, and two papers.

Two of 32 Gwet cases are not compared in full; `DEVIATIONS` says why.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recollect.stats.agreement import cohen_kappa, gwet
from recollect.stats.correlation import kendall, pearson, spearman
from recollect.stats.paired import compare_paired
from recollect.stats.proportions import clopper_pearson_interval, wilson_interval
from recollect.stats.significance import holm, mcnemar, mcnemar_p
from recollect.stats.strata import paired_interval, stratified_interval

DATA = os.environ.get("RECOLLECT_DATA")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not DATA, reason="RECOLLECT_DATA names no folder with the source data"),
]
Case = dict[str, Any]

DEVIATIONS = {
    "gwet-105": "the reference takes scipy 1.12's t quantile, which is off by 8e-9 at 39 degrees of freedom",
    "gwet-120": "one category only: the reference gives 1 with an undefined error; ours is undefined",
}


def cases(kind: str) -> Iterator[Case]:
    """The cases of one kind, each with its expected value at hand."""
    path = Path(str(DATA)) / "parity" / "stats.json"
    found = [case for case in json.loads(path.read_text(encoding="utf-8"))["cases"] if case["kind"] == kind]
    assert found, f"{path} holds no case of kind {kind}"
    yield from found


def same(ours: float | None, theirs: object, within: float = 1e-9) -> bool:
    """NaN in the reference is undefined here."""
    if theirs == "NaN" or theirs is None:
        return ours is None
    return ours is not None and isinstance(theirs, int | float) and abs(ours - theirs) <= within


def answers(parts: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Right and wrong answers, and the part of each, from (right, all) per part."""
    right = [value for count, n in parts for value in [1] * count + [0] * (n - count)]
    return right, [part for part, (_, n) in enumerate(parts) for _ in range(n)]


def test_mcnemar() -> None:
    for case in cases("mcnemar"):
        p = mcnemar_p(case["input"]["b"], case["input"]["c"])
        assert math.isclose(p, case["expected"]["value"]["p"], rel_tol=1e-9), case["id"]


def test_mcnemar_of_vectors() -> None:
    for case in cases("mcnemar_pairs"):
        ours, wanted = mcnemar(case["input"]["first"], case["input"]["second"]), case["expected"]["value"]
        assert [[ours.both, ours.first_only], [ours.second_only, ours.neither]] == wanted["table"], case["id"]
        assert same(ours.p, wanted["p"]), case["id"]


def test_holm() -> None:
    for case in cases("holm"):
        ours, wanted = holm(case["input"]["p"]), case["expected"]["value"]
        assert ours == pytest.approx(wanted["adjusted"], abs=1e-9), case["id"]
        assert [p <= case["input"]["alpha"] for p in ours] == wanted["reject"], case["id"]


@pytest.mark.parametrize("kind", ["wilson", "clopper_pearson"])
def test_proportions(kind: str) -> None:
    interval = {"wilson": wilson_interval, "clopper_pearson": clopper_pearson_interval}[kind]
    for case in cases(kind):
        given, (low, high) = case["input"], case["expected"]["value"]
        ours = interval(given["count"], given["n"], level=1 - given["alpha"])
        assert same(ours.low, low), case["id"]
        assert same(ours.high, high), case["id"]


def test_cohen_kappa() -> None:
    for case in cases("cohen_kappa"):
        given, expected = case["input"], case["expected"]
        ours = cohen_kappa(
            given["first"], given["second"], categories=given["labels"], weights=given["weights"] or "none"
        )
        assert same(ours.coefficient, expected.get("value")), case["id"]


def test_gwet() -> None:
    for case in cases("gwet"):
        if case["id"] == "gwet-120":
            continue
        given, wanted = case["input"], case["expected"]["value"]
        ours = gwet(given["ratings"], categories=given["categories"], weights=given["weights"])
        assert ours.name == wanted["name"], case["id"]
        assert same(ours.coefficient, wanted["coefficient"]), case["id"]
        assert same(ours.observed, wanted["observed_agreement"]), case["id"]
        assert same(ours.chance, wanted["chance_agreement"]), case["id"]
        assert same(ours.standard_error, wanted["se"]), case["id"]
        within = 1e-8 if case["id"] in DEVIATIONS else 1e-9
        assert same(ours.low, wanted["interval"][0], within), case["id"]
        assert same(ours.high, wanted["interval"][1], within), case["id"]


def test_one_category_is_undefined_where_the_reference_gives_a_perfect_score() -> None:
    (case,) = [case for case in cases("gwet") if case["id"] == "gwet-120"]
    assert case["expected"]["value"]["se"] == "NaN"
    assert gwet(case["input"]["ratings"]).coefficient is None


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_correlation(name: str) -> None:
    measure: Callable[..., Any] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}[name]
    for case in cases("correlation"):
        given, expected = case["input"], case["expected"][name]
        if len(given["x"]) != len(given["y"]):
            with pytest.raises(ValueError):
                measure(given["x"], given["y"])
            continue
        ours, wanted = measure(given["x"], given["y"]), expected.get("value", {"statistic": None, "p": None})
        assert same(ours.coefficient, wanted["statistic"]), case["id"]
        assert same(ours.p, wanted["p"]), case["id"]


def test_bootstrap_reaches_the_exact_limit() -> None:
    for case in cases("bootstrap_limit"):
        given, wanted = case["input"], case["expected"]["value"]
        right, _ = answers([(given["correct"], given["n"])])
        ours = stratified_interval(right, [0] * given["n"], rng_seed=7, level=given["level"])
        within = 0.11 * wanted["se"] + 1 / given["n"] + 1e-12
        assert same(ours.estimate, wanted["mean"]), case["id"]
        assert same(ours.low, wanted["low"], within), case["id"]
        assert same(ours.high, wanted["high"], within), case["id"]


def test_stratified_bootstrap_reaches_the_exact_limit() -> None:
    for case in cases("stratified_limit"):
        right, part = answers(case["input"]["strata"])
        ours, wanted = stratified_interval(right, part, rng_seed=7), case["expected"]["value"]
        within = 0.11 * wanted["se"] + 1 / len(right) + 1e-12
        assert same(ours.estimate, wanted["mean"]), case["id"]
        assert same(ours.low, wanted["low"], within), case["id"]
        assert same(ours.high, wanted["high"], within), case["id"]


def two_systems(n: int, first_only: int, second_only: int) -> tuple[list[int], list[int]]:
    """Two systems that differ on so many questions and are both wrong on the others."""
    first = [1] * first_only + [0] * (n - first_only)
    second = [0] * first_only + [1] * second_only + [0] * (n - first_only - second_only)
    return first, second


def test_paired_bootstrap_reaches_the_exact_limit() -> None:
    """Differences that never vary get no width in the plain bootstrap; `compare_paired` bounds them instead."""
    for case in cases("paired_limit"):
        given, wanted = case["input"], case["expected"]["value"]
        first, second = two_systems(given["n"], given["first_only"], given["second_only"])
        plain = stratified_interval(np.array(first) - np.array(second), [0] * given["n"], rng_seed=7)
        ours = compare_paired(first, second, range(given["n"]), rng_seed=7).difference
        within = 0.11 * wanted["se"] + 1 / given["n"] + 1e-12
        papers = paired_interval(first, second, rng_seed=7)
        for found in (plain, papers, ours) if wanted["se"] else (plain, papers):
            assert same(found.estimate, wanted["delta"]), case["id"]
            assert same(found.low, wanted["low"], within), case["id"]
            assert same(found.high, wanted["high"], within), case["id"]


def test_macro_mean_and_its_error() -> None:
    """The half-width of a 95 % interval is 1.96 standard errors, to the 5 % that skewed parts allow."""
    for case in cases("macro_se"):
        right, part = answers(case["input"]["tasks"])
        ours, wanted = stratified_interval(right, part, rng_seed=7, macro=True), case["expected"]["value"]
        assert same(ours.estimate, wanted["macro"]), case["id"]
        assert same(float(np.mean(right)), wanted["micro"]), case["id"]
        assert ours.half_width == pytest.approx(1.96 * wanted["se_macro"], rel=0.05), case["id"]


def test_published_intervals_of_subtlememory() -> None:
    for case in cases("paper_interval"):
        given, computed = case["input"], case["expected"]["computed"]
        right, part = answers(list(zip(given["correct_by_relation"], given["n_by_relation"].values(), strict=True)))
        ours, within = stratified_interval(right, part, rng_seed=7), case["expected"]["tolerance"] / 100
        published = case["published"]
        assert same(ours.estimate, computed["accuracy"] / 100), case["id"]
        for wanted in (computed, published):
            assert same(ours.low, wanted["low"] / 100, within + 5e-4), case["id"]
            assert same(ours.high, wanted["high"] / 100, within + 5e-4), case["id"]


def test_published_half_widths_of_evermembench() -> None:
    for case in cases("paper_halfwidth"):
        given, computed, within = case["input"], case["expected"]["computed"], case["expected"]["tolerance"]
        parts = list(zip(given["correct"], given["n"], strict=True))
        ours = stratified_interval(*answers(parts), rng_seed=7, macro=True)
        assert same(ours.estimate, computed["average"] / 100), case["id"]
        assert same(ours.half_width, computed["average_halfwidth"] / 100, within["average_halfwidth"] / 100), case["id"]
        for part, wanted, near in zip(parts, computed["halfwidth"], within["halfwidth"], strict=True):
            one = stratified_interval(*answers([part]), rng_seed=7)
            assert same(one.half_width, wanted / 100, near / 100), case["id"]


def test_published_paired_difference_of_subtlememory() -> None:
    """Difference and interval as computed and as published; the p value, after Holm, in its order of magnitude."""
    for case in cases("paper_paired"):
        given, computed, published = case["input"], case["expected"]["computed"], case["published"]
        first, second = two_systems(given["n"], given["first_only"], given["second_only"])
        ours, within = compare_paired(first, second, range(given["n"]), rng_seed=7), case["expected"]["tolerance"] / 100
        assert same(ours.difference.estimate, computed["delta"] / 100), case["id"]
        for wanted in (computed, published):
            assert same(ours.difference.low, wanted["low"] / 100, within), case["id"]
            assert same(ours.difference.high, wanted["high"] / 100, within), case["id"]
        p = mcnemar_p(given["first_only"], given["second_only"]) * given["holm_factor"]
        assert p == pytest.approx(computed["holm_p"], rel=1e-9)
        assert abs(math.log10(p / published["holm_p"])) < 1
