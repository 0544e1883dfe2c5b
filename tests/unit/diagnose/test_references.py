"""Rules that read nothing are scored by the benchmark's own score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.records.join import read_run
from recollect.diagnose.references import references
from recollect.domain.histories import Keyed
from recollect.domain.questions import Key
from recollect.records.tables.summary import Reference

from tests.fakes.run_builder import BENCHMARK, RowSpec, build, lost, make_history, right


def found(path: Path, histories: Sequence[Keyed]) -> dict[str, Reference]:
    run = read_run(build(path / "run", [RowSpec(label="bm25", says=lost)], histories), BENCHMARK)
    return {one.name: one for one in references(run, BENCHMARK, Estimator(seed=7))}


def test_options_give_chance_by_length_and_the_constant_letter(tmp_path: Path) -> None:
    """Gold letters go A B C A B; the options are 3, 5 and 1 letters long."""
    history = make_history(0, task="choice", questions=5, options=("red", "green", "x"))
    scores = {name: one.score.estimate for name, one in found(tmp_path, [history]).items()}
    assert scores == {
        "chance": pytest.approx(1 / 3),
        "constant": pytest.approx(2 / 5),  # A and B are gold twice each; the first in the alphabet is given
        "longest_option": pytest.approx(2 / 5),  # B
        "shortest_option": pytest.approx(1 / 5),  # C
    }


def test_options_of_equal_length_are_told_apart_by_their_letter(tmp_path: Path) -> None:
    history = make_history(0, task="choice", questions=4, options=("aa", "bb"))
    names = found(tmp_path, [history])
    assert names["longest_option"].score == names["shortest_option"].score == names["constant"].score


def test_without_options_chance_is_what_the_card_says(tmp_path: Path) -> None:
    names = found(tmp_path, [make_history(0)])
    assert set(names) == {"chance", "constant"}
    assert (names["chance"].score.estimate, names["chance"].score.method) == (0.0, "the card")
    assert (names["constant"].answer, names["constant"].score.estimate) == ("value0", 0.25)


def test_the_commonest_gold_is_given_to_all(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, gold=("often", "seldom")) if number else key

    names = found(tmp_path, [make_history(0, change=change)])
    assert (names["constant"].answer, names["constant"].score.estimate) == ("often", 0.75)


def test_a_task_with_unanswerable_questions_shows_what_always_declining_earns(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, abstain=True, gold=()) if number == 0 else key

    assert found(tmp_path, [make_history(0, change=change)])["abstain"].score.estimate == 0.25


def test_a_judged_task_has_no_constant_score_and_says_why(tmp_path: Path) -> None:
    constant = found(tmp_path, [make_history(0, task="essay")])["constant"].score
    assert (constant.estimate, constant.n) == (None, 0)
    assert constant.why == "cannot be scored without a judge or a system: the judge gave nothing usable"


def test_a_question_counts_once_however_many_rows_and_replicates_ask_it(tmp_path: Path) -> None:
    rows = [RowSpec(label="a", says=right, replicates=2), RowSpec(label="b", says=lost)]
    run = read_run(build(tmp_path / "run", rows), BENCHMARK)
    assert {one.score.n for one in references(run, BENCHMARK, Estimator(seed=7)) if one.name == "constant"} == {8}


def test_guessing_without_a_meaning_is_no_number(tmp_path: Path) -> None:
    chance = found(tmp_path, [make_history(0, task="graded")])["chance"].score
    assert (chance.estimate, chance.why) == (None, "guessing has no meaning for this task")


def test_replies_that_the_card_names_are_weighed_by_rules(tmp_path: Path) -> None:
    """Whatever is asked: what nobody accepts gets nothing, and what is the gold of one question gets that one."""
    run = read_run(build(tmp_path / "run", [RowSpec(label="bm25", says=lost)], [make_history(0)]), BENCHMARK)
    said: dict[Literal["clarify", "refuse", "empty"], str]
    said = {"clarify": "Which of the two do you mean?", "empty": "", "refuse": "value2"}
    tasks = {name: replace(task, constants=said) for name, task in BENCHMARK.card.tasks.items()}
    card = replace(BENCHMARK.card, tasks=tasks)
    names: dict[str, Reference]
    names = {one.name: one for one in references(run, replace(BENCHMARK, card=card), Estimator(seed=7))}
    assert {name: names[name].score.estimate for name in said} == {"clarify": 0.0, "empty": 0.0, "refuse": 0.25}
    assert {name: names[name].answer for name in said} == said
