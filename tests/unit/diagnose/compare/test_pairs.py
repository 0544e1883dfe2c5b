"""Two rows are compared question by question, and only where they had the same conditions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.diagnose.compare import pairs as module
from recollect.diagnose.compare.pairs import compare, side_of, sides_of
from recollect.diagnose.records import conditions
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.records.tables.summary import Comparison
from recollect.stats.paired import compare_paired
from recollect.store.run_folder import RunFolder

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, build, lost, make_history, oracle_row, right

HISTORIES = [make_history(number, questions=5) for number in range(10)]
TASKS = [make_history(number, task=name, questions=5) for name in ("facts", "graded") for number in range(10)]


def some(share: float, salt: int = 0) -> Callable[[Case], Said]:
    """Right on about *share* of the questions, spread over the histories."""

    def says(case: Case) -> Said:
        place = case.number * 7 + int(case.keyed.history.history_id[-1]) * 3 + salt
        return right(case) if place % 10 < share * 10 else lost(case)

    return says


def run(path: Path, first: Callable[[Case], Said], second: Callable[[Case], Said], **options: object) -> RunFolder:
    rows = [RowSpec(label="a", says=first), RowSpec(label="b", says=second)]
    return build(path, rows, options.pop("histories", HISTORIES), **options)  # type: ignore[arg-type]


def compared(folder: RunFolder) -> Comparison:
    return compare(*sides_of(folder, ["a", "b"], BENCHMARK))


def test_a_clear_win_is_a_win_and_turned_around_a_loss(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", some(0.9), some(0.2))
    one = compared(folder).tasks[0]
    assert (one.verdict, one.first, one.second, one.dropped) == ("win", 0.9, 0.2, 0)
    assert one.difference.estimate == pytest.approx(0.7)
    assert (one.difference.n, one.difference.clusters) == (50, 10)
    assert one.p is not None
    assert one.p < 0.05
    other = compare(*sides_of(folder, ["b", "a"], BENCHMARK)).tasks[0]
    assert other.verdict == "loss"
    assert other.difference.estimate == pytest.approx(-0.7)


def test_noise_is_a_tie_with_the_difference_that_could_have_been_found(tmp_path: Path) -> None:
    one = compared(run(tmp_path / "run", some(0.5), some(0.5, salt=3))).tasks[0]
    assert one.verdict == "tie"
    assert one.minimum_detectable_effect is not None
    assert one.minimum_detectable_effect > 0


def test_a_row_ties_with_itself(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", some(0.5), some(0.5))
    assert compare(*sides_of(folder, ["a", "a"], BENCHMARK)).tasks[0].verdict == "tie"


def test_the_numbers_are_those_of_the_statistics_with_holm_over_the_tasks(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", some(0.6), some(0.3), histories=TASKS)
    facts, graded = compared(folder).tasks
    histories = [number for number in range(10) for _ in range(5)]
    first, second = ([some(share)(_case(number, at)).right or 0.0 for number in range(10) for at in range(5)]
                     for share in (0.6, 0.3))  # fmt: skip
    plain = compare_paired(first, second, histories, rng_seed=7)
    assert facts.p == graded.p == pytest.approx(plain.p)
    assert facts.p_adjusted == pytest.approx(2 * (plain.p or 0.0))  # two tasks of equal data: both are doubled
    assert facts.difference.low == pytest.approx(plain.difference.low)


def test_leaving_out_the_correction_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above."""
    monkeypatch.setattr(module, "holm", list)
    with pytest.raises(AssertionError):
        test_the_numbers_are_those_of_the_statistics_with_holm_over_the_tasks(tmp_path)


def test_questions_that_one_side_lost_to_a_fault_are_dropped_and_counted(tmp_path: Path) -> None:
    def faulty(case: Case) -> Said:
        return Said(fault=("answer", "timeout")) if case.number == 0 else right(case)

    one = compared(run(tmp_path / "run", faulty, lost)).tasks[0]
    assert (one.dropped, one.difference.n, one.first) == (10, 40, 1.0)


def test_two_runs_are_compared_and_each_is_named(tmp_path: Path) -> None:
    here, there = (run(tmp_path / name, some(share), lost) for name, share in (("new", 0.9), ("old", 0.2)))
    found = compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK))
    assert (found.first_run, found.second_run, found.tasks[0].verdict) == ("new", "old", "win")
    assert found.conditions["budget_tokens"] == 100


@pytest.mark.parametrize("knob", ["track", "preset", "budget_tokens", "reader", "judge"])
def test_other_conditions_are_refused_by_name(tmp_path: Path, knob: str) -> None:
    here, there = run(tmp_path / "a", right, lost), run(tmp_path / "b", right, lost, **{knob: "paper"})
    with pytest.raises(UsageError, match=f"`a` of run `a` and `a` of run `b` .* `{knob}` was"):
        compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK))


def test_all_differences_are_named_at_once(tmp_path: Path) -> None:
    here = run(tmp_path / "a", right, lost)
    there = run(tmp_path / "b", right, lost, reader="gpt", budget_tokens=200)
    with pytest.raises(UsageError, match='`budget_tokens` was 200, now 100; `reader` was "gpt", now "rules"'):
        compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK))


def test_a_comparison_that_looks_away_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: with no controlled knob two runs of different budgets would meet."""
    monkeypatch.setattr(conditions, "CONTROLLED", ())
    here, there = run(tmp_path / "a", right, lost), run(tmp_path / "b", right, lost, budget_tokens=200)
    assert compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK)).tasks[0].verdict == "tie"


def test_what_differs_between_systems_is_no_condition(tmp_path: Path) -> None:
    here, there = run(tmp_path / "a", right, lost, seed=1), run(tmp_path / "b", right, lost, seed=2, repeats=1)
    assert compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK)).tasks


def test_an_agent_reads_for_itself_so_it_is_not_compared_with_a_memory(tmp_path: Path) -> None:
    rows = [RowSpec(label="a", says=right, kind="agent"), RowSpec(label="b", says=lost)]
    with pytest.raises(UsageError, match='`reader` was "rules", now "the agent\'s own"'):
        compared(build(tmp_path / "run", rows))


def test_the_oracles_answers_are_in_its_own_arm(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [RowSpec(label="a", says=lost), oracle_row()])
    assert compare(*sides_of(folder, ["oracle", "a"], BENCHMARK)).tasks[0].first == 1.0


def test_an_unknown_row_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"row of run `run` `c` is not known.*Known: a, b"):
        side_of(run(tmp_path / "run", right, lost), "c", BENCHMARK)


def test_rows_without_a_common_task_are_refused(tmp_path: Path) -> None:
    here = run(tmp_path / "a", right, lost)
    there = run(tmp_path / "b", right, lost, histories=[make_history(0, task="graded")])
    with pytest.raises(UsageError, match="share no task"):
        compare(side_of(here, "a", BENCHMARK), side_of(there, "a", BENCHMARK))


def _case(number: int, at: int) -> Case:
    from recollect.domain.steps import Arm

    keyed = HISTORIES[number]
    question = keyed.history.questions[at]
    return Case(keyed, at, question, keyed.keys[question.question_id], Arm.SYSTEM, 0)


def _kind(number: int) -> dict[str, str]:
    return {"kind": "rain" if number % 2 else "sun"}


LABELLED = [make_history(number, questions=6, labels=_kind) for number in range(10)]


def _fair(case: Case) -> Said:
    """Right where the sun shines."""
    return right(case) if case.number % 2 == 0 else lost(case)


def test_a_label_splits_the_comparison_and_corrects_its_p_values_among_themselves(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", _fair, lost, histories=LABELLED)
    found = compare(*sides_of(folder, ["a", "b"], BENCHMARK), by="kind")
    told = {one.value: one for one in found.parts}
    assert (found.by, list(told), found.tasks[0].value) == ("kind", ["rain", "sun"], None)
    assert (told["sun"].difference.estimate, told["sun"].difference.n) == (1.0, 30)
    assert (told["rain"].difference.estimate, told["rain"].verdict) == (0.0, "tie")
    assert found.tasks[0].difference.estimate == pytest.approx(0.5)
    assert told["sun"].p is not None
    assert told["sun"].p_adjusted == pytest.approx(min(1.0, 2 * told["sun"].p))
    assert found.tasks[0].p_adjusted == found.tasks[0].p


def test_an_unknown_label_is_told_with_those_there_are(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", right, lost, histories=LABELLED)
    with pytest.raises(UnknownNameError, match="Did you mean `kind`"):
        compare(*sides_of(folder, ["a", "b"], BENCHMARK), by="kinds")


def test_questions_taken_alone_are_tested_as_papers_do(tmp_path: Path) -> None:
    """30 of 60 questions to none: McNemar's exact p is 2 / 2**30."""
    folder = run(tmp_path / "run", _fair, lost, histories=LABELLED)
    (one,) = compare(*sides_of(folder, ["a", "b"], BENCHMARK)).tasks
    assert one.mcnemar is not None
    assert (one.mcnemar.both, one.mcnemar.first_only, one.mcnemar.second_only, one.mcnemar.neither) == (0, 30, 0, 30)
    assert one.mcnemar.p == pytest.approx(2 / 2**30)
    assert one.over_questions is not None
    assert one.over_questions.method == "paired bootstrap over questions"
    assert one.over_questions.low == pytest.approx(0.5 - 1.96 * (0.25 / 60) ** 0.5, abs=0.02)


def test_a_graded_task_has_no_such_test(tmp_path: Path) -> None:
    histories = [make_history(number, task="graded") for number in range(3)]
    (one,) = compare(*sides_of(run(tmp_path / "r", right, lost, histories=histories), ["a", "b"], BENCHMARK)).tasks
    assert (one.over_questions, one.mcnemar) == (None, None)


def test_a_memory_and_an_agent_meet_only_where_that_is_asked_for_and_every_difference_is_said(tmp_path: Path) -> None:
    rows = [RowSpec(label="a", says=_fair), RowSpec(label="agent", kind="agent", says=lost)]
    sides = sides_of(build(tmp_path / "run", rows, LABELLED), ["a", "agent"], BENCHMARK)
    with pytest.raises(UsageError, match="--agents-own"):
        compare(*sides)
    found = compare(*sides, by="kind", agents_own=True)
    assert len(found.parts) == 2
    assert any(said.startswith("`budget_tokens` was") for said in found.apart)
    assert all(said.split("`")[1] in conditions.OWN for said in found.apart)


def test_two_memories_may_not_differ_however_it_is_asked(tmp_path: Path) -> None:
    first = run(tmp_path / "first", right, lost)
    second = run(tmp_path / "second", right, lost, budget_tokens=7)
    with pytest.raises(UsageError, match="budget_tokens"):
        compare(side_of(first, "a", BENCHMARK), side_of(second, "b", BENCHMARK), agents_own=True)
