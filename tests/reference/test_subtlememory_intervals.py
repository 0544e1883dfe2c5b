"""The statistics of SubtleMemory from what it prints: tables 1, 11 and 12, and the counts of its sub-types.

A printed percentage and the number of questions behind it leave one whole number of right answers; from these the
paper's intervals must come out again. The paper does not tell its seed, so that ends differ in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import pytest

from recollect.benchmarks.subtlememory.card import EXPECTED
from recollect.benchmarks.subtlememory.tables import EXPECTED_QUESTIONS
from recollect.runs.setup.config import RunConfig
from recollect.stats.significance import holm, mcnemar_p
from recollect.stats.strata import paired_interval, stratified_interval

SEED = RunConfig(benchmark="subtlememory").seed
"""As shipped: of a run whose command names none."""
WITHIN = 0.2
"""Points."""
RELATIONS = (("K>1", "any_one"), ("Temporal", "Context"), ("contradictory",))
SUBTYPES = tuple(name for relation in RELATIONS for name in relation)
PRINTED = """
gpt-5.4 | MemoBase | 26.5 43.3 33.5 33.3 44.6 38.9 16.7 32.1 | 29.8 34.4
gpt-5.4 | MIRIX | 47.9 52.0 49.6 51.8 69.3 60.5 14.6 46.5 | 44.2 48.8
gpt-5.4 | MemOS | 51.2 58.0 54.0 70.2 77.8 74.0 23.9 56.8 | 54.5 59.1
gpt-5.4 | Mem0 | 61.1 61.3 61.2 81.3 85.8 83.5 46.2 69.0 | 66.8 71.2
gpt-5.4 | EverMemOS | 63.5 66.7 64.8 81.8 87.4 84.6 37.1 68.1 | 66.0 70.2
gpt-5.4 | A-Mem | 58.3 61.3 59.6 83.1 85.3 84.2 50.4 70.0 | 67.8 72.1
gpt-5.4 | MetaClaw | 15.6 20.0 17.5 17.7 26.8 22.2 19.1 20.3 | 18.3 22.3
gpt-5.4 | OpenClaw | 62.6 55.3 59.6 80.3 83.0 81.6 25.5 62.5 | 60.4 64.6
gpt-5.4 | MemOS + OpenClaw | 57.3 66.7 61.2 67.7 80.2 73.9 15.9 56.5 | 54.3 58.6
gpt-5.4 | Mem0 + OpenClaw | 70.1 61.3 66.5 86.4 85.3 85.8 45.6 71.3 | 69.2 73.4
gpt-5.4 | EverMemOS + OpenClaw | 66.8 67.3 67.0 85.4 89.7 87.5 32.6 69.1 | 67.0 71.1
gpt-5.4 | Oracle | 79.6 87.3 82.8 95.5 93.8 94.6 68.7 85.4 | 83.7 87.1
gpt-oss-120b | MemoBase | 16.1 38.7 25.5 27.8 37.4 32.5 10.1 25.3 | 23.2 27.5
gpt-oss-120b | MIRIX | 38.9 47.3 42.4 42.7 61.3 51.9 12.2 39.8 | 37.6 42.2
gpt-oss-120b | MemOS | 48.8 58.7 52.9 66.9 69.8 68.4 18.0 52.2 | 49.9 54.5
gpt-oss-120b | Mem0 | 57.8 58.7 58.2 80.1 79.4 79.7 40.6 64.9 | 62.7 67.2
gpt-oss-120b | EverMemOS | 53.1 60.7 56.2 75.5 81.7 78.6 26.8 60.4 | 58.2 62.7
gpt-oss-120b | A-Mem | 58.3 52.0 55.7 80.3 80.4 80.4 37.7 63.9 | 61.7 66.2
gpt-oss-120b | MetaClaw | 10.9 16.7 13.3 13.6 21.1 17.3 14.1 15.6 | 13.8 17.4
gpt-oss-120b | OpenClaw | 46.4 44.0 45.4 71.5 69.8 70.7 20.7 52.3 | 50.1 54.6
gpt-oss-120b | MemOS + OpenClaw | 40.8 52.7 45.7 57.8 70.6 64.2 15.9 47.8 | 45.5 50.1
gpt-oss-120b | Mem0 + OpenClaw | 60.2 57.3 59.0 72.2 80.4 76.3 39.0 62.9 | 60.6 65.2
gpt-oss-120b | EverMemOS + OpenClaw | 55.9 57.3 56.5 74.2 82.7 78.4 24.1 59.8 | 57.6 62.0
gpt-oss-120b | Oracle | 82.0 78.7 80.6 90.9 88.7 89.8 41.6 75.7 | 73.8 77.5
"""
"""Answer model, system, table 1 (multi-evidence, any-one, complementary, temporal, contextual, nuanced, contradictory,
all), the interval of table 11."""
BEST = {"gpt-5.4": "Mem0 + OpenClaw", "gpt-oss-120b": "Mem0"}
"""Answer model -> the system that the paper holds against the oracle."""
TABLE_12 = {"gpt-5.4": (14.1, 12.0, 16.4, 4.96e-34), "gpt-oss-120b": (10.8, 8.5, 13.0, 5.41e-20)}
"""Answer model -> difference, interval, p value after Holm."""


class Row(NamedTuple):
    """One line of the tables."""

    model: str
    system: str
    table_1: tuple[float, ...]
    ends: tuple[float, float]

    @property
    def of_subtypes(self) -> list[float]:
        """Printed, in the order of `SUBTYPES`."""
        return [self.table_1[place] for place in (0, 1, 3, 4, 6)]

    @property
    def of_relations(self) -> list[float]:
        """Printed, in the order of `RELATIONS`."""
        return [self.table_1[place] for place in (2, 5, 6)]


def _row(line: str) -> Row:
    model, system, table, ends = (part.strip() for part in line.split("|"))
    low, high = map(float, ends.split())
    return Row(model, system, tuple(map(float, table.split())), (low, high))


ROWS = [_row(line) for line in PRINTED.strip().splitlines()]


def printed(right: int, n: int) -> str:
    return f"{100 * right / n:.1f}"


def rights(row: Row, counts: Mapping[str, int] = EXPECTED_QUESTIONS) -> list[tuple[int, ...]]:
    """Right answers by sub-type: every choice of whole numbers that prints as the row does, means included."""
    fitting = [
        [right for right in range(counts[name] + 1) if printed(right, counts[name]) == f"{shown:.1f}"]
        for name, shown in zip(SUBTYPES, row.of_subtypes, strict=True)
    ]
    return [choice for choice in product(*fitting) if _means_fit(row, dict(zip(SUBTYPES, choice, strict=True)), counts)]


def _means_fit(row: Row, right: Mapping[str, int], counts: Mapping[str, int]) -> bool:
    told = zip((*RELATIONS, SUBTYPES), (*row.of_relations, row.table_1[-1]), strict=True)
    return all(
        printed(sum(right[name] for name in names), sum(counts[name] for name in names)) == f"{shown:.1f}"
        for names, shown in told
    )


def answers(row: Row) -> tuple[list[int], list[int]]:
    """Right or wrong of every question, and its relation."""
    (choice,) = rights(row)
    right = dict(zip(SUBTYPES, choice, strict=True))
    sizes = [
        (sum(right[name] for name in names), sum(EXPECTED_QUESTIONS[name] for name in names)) for names in RELATIONS
    ]
    values = [value for count, n in sizes for value in [1] * count + [0] * (n - count)]
    return values, [place for place, (_, n) in enumerate(sizes) for _ in range(n)]


def ends(*, stratified: bool, seed: int = SEED) -> list[tuple[float, float]]:
    """Ours beside the paper's, in percent: 24 low and 24 high ones."""
    found = []
    for row in ROWS:
        values, relation = answers(row)
        ours = stratified_interval(values, relation if stratified else [0] * len(values), rng_seed=seed)
        assert ours.low is not None
        assert ours.high is not None
        found += [(100 * ours.low, row.ends[0]), (100 * ours.high, row.ends[1])]
    return found


def check_ends(found: Sequence[tuple[float, float]]) -> None:
    """All near, and most equal as they are printed."""
    assert len(found) == 48
    assert max(abs(ours - theirs) for ours, theirs in found) <= WITHIN
    assert sum(f"{ours:.1f}" == f"{theirs:.1f}" for ours, theirs in found) >= 30


def test_the_counts_of_sub_types_leave_one_number_of_right_answers_for_every_row() -> None:
    assert sum(EXPECTED_QUESTIONS.values()) == EXPECTED["questions"]
    assert {len(rights(row)) for row in ROWS} == {1}
    assert len({(row.model, row.system) for row in ROWS}) == 24


def test_one_question_moved_between_sub_types_no_longer_fits() -> None:
    """The counts are derived and printed nowhere: this is what holds them in place."""
    moved = {**EXPECTED_QUESTIONS, "Temporal": 397, "Context": 387}
    assert not all(rights(row, moved) for row in ROWS)


def test_all_ends_of_table_11_come_out_by_resampling_within_relations() -> None:
    """By the shipped seed 34 of 48 ends are equal in print, and the farthest is 0.12 points off."""
    check_ends(ends(stratified=True))


@pytest.mark.parametrize("seed", [1, 7, 42])
def test_that_is_no_luck_of_the_seed(seed: int) -> None:
    assert max(abs(ours - theirs) for ours, theirs in ends(stratified=True, seed=seed)) <= WITHIN


def test_resampling_without_relations_misses_table_11() -> None:
    """The wrong twin: intervals come out too wide, 0.4 points at the worst."""
    with pytest.raises(AssertionError):
        check_ends(ends(stratified=False))


def test_table_12_comes_out_of_the_discordant_counts_that_fit_best() -> None:
    """The paper prints no discordant counts: of all whole numbers with its difference, those nearest to its p value."""
    raw, told = {}, {}
    for model, (delta, low, high, _) in TABLE_12.items():
        more = _right_of(model, "Oracle") - _right_of(model, BEST[model])
        assert f"{100 * more / 1522:.1f}" == f"{delta:.1f}"
        oracle_only, other_only = _discordant(more, model)
        first = [1] * oracle_only + [0] * (1522 - oracle_only)
        second = [0] * oracle_only + [1] * other_only + [0] * (1522 - oracle_only - other_only)
        ours = paired_interval(first, second, rng_seed=SEED)
        raw[model], told[model] = mcnemar_p(oracle_only, other_only), (ours.low, ours.high)
        assert ours.low == pytest.approx(low / 100, abs=WITHIN / 100)
        assert ours.high == pytest.approx(high / 100, abs=WITHIN / 100)
    corrected = dict(zip(raw, holm(list(raw.values())), strict=True))
    assert {model: p / raw[model] for model, p in corrected.items()} == pytest.approx({"gpt-5.4": 2, "gpt-oss-120b": 1})
    for model, p in corrected.items():
        assert p == pytest.approx(TABLE_12[model][3], rel=0.25), "no whole numbers come nearer"


def _right_of(model: str, system: str) -> int:
    (row,) = [row for row in ROWS if (row.model, row.system) == (model, system)]
    return sum(answers(row)[0])


def _discordant(more: int, model: str) -> tuple[int, int]:
    wanted = TABLE_12[model][3] / (2 if model == "gpt-5.4" else 1)
    other = min(range(200), key=lambda count: abs(math.log(mcnemar_p(count + more, count) / wanted)))
    return other + more, other


def test_the_best_system_is_chosen_by_its_printed_score() -> None:
    """Chosen after the fact: the paper's interval of the difference is a little too kind to it."""
    for model, best in BEST.items():
        rivals = {row.system: row.table_1[-1] for row in ROWS if row.model == model and row.system != "Oracle"}
        assert max(rivals, key=lambda name: rivals[name]) == best
