"""What repeats tell of a row: the noise of each stage, its noise floor, and what was not repeated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from recollect.diagnose.compare.pairs import compare, sides_of
from recollect.diagnose.noise import UNKNOWN
from recollect.diagnose.summary import summarise
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm
from recollect.records.tables.noise import Noise
from recollect.records.tables.summary import TaskComparison

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, build, lost, make_history, oracle_row, right

HISTORIES = [make_history(number, questions=5) for number in range(10)]
ESSAYS = [make_history(number, task="essay", questions=5) for number in range(10)]


def drawn(share: float, *stages: str, salt: str = "") -> Callable[[Case], Said]:
    """Right with a chance that is drawn anew wherever one of *stages* is repeated."""

    def says(case: Case) -> Said:
        doing = {"ingest": case.replicate, "answer": case.take.answer, "judge": case.take.judge}
        said = [case.question.question_id, salt, *(doing[stage] for stage in stages)]
        is_right = int(sha256(repr(said).encode()).hexdigest()[:8], 16) / 16**8 < share
        if stages == ("judge",):
            return replace(right(case), right=float(is_right))
        return right(case) if is_right else lost(case)

    return says


def row(says: Callable[[Case], Said], repeats: Repeats, label: str = "a", *, judged: bool = False) -> RowSpec:
    """A row with its repeats."""
    return RowSpec(label=label, says=says, replicates=repeats.ingest, takes=repeats.takes(judged=judged))


def noise(path: Path, says: Callable[[Case], Said], repeats: Repeats, *, judged: bool = False) -> Noise:
    """The noise of the only row."""
    folder = build(path, [row(says, repeats, judged=judged)], ESSAYS if judged else HISTORIES)
    (found,) = summarise(folder, BENCHMARK).noise
    return found


def variances(found: Noise) -> list[float | None]:
    """Of ingest, answer, judge."""
    return [part.variance for part in found.components]


def test_a_run_without_repeats_says_nothing_of_noise(tmp_path: Path) -> None:
    """So that its identity is what it always was."""
    assert summarise(build(tmp_path / "run", [RowSpec(label="a", says=right)]), BENCHMARK).noise == ()


def test_noise_of_answers_is_told_from_noise_of_ingest(tmp_path: Path) -> None:
    """Answers that flip on their own: about p (1 - p), and nothing left for ingest."""
    found = noise(tmp_path / "run", drawn(0.5, "ingest", "answer"), Repeats(ingest=2, answer=4))
    ingest, answer, judge = found.components
    assert answer.variance == pytest.approx(0.25, abs=0.04)
    assert (answer.df, ingest.df) == (2 * 50 * 3, 10)
    assert ingest.variance is not None
    assert ingest.variance < 0.03
    assert judge.why == "no judge weighs this task"
    assert not found.deterministic


def test_noise_of_ingest_is_told_from_noise_of_answers(tmp_path: Path) -> None:
    """What an ingest lost, all of its answers lack."""
    ingest, answer, _ = noise(tmp_path / "run", drawn(0.5, "ingest"), Repeats(ingest=4, answer=2)).components
    assert ingest.variance == pytest.approx(0.25, abs=0.05)
    assert answer.variance == 0.0


def test_noise_of_the_judge_is_its_own(tmp_path: Path) -> None:
    """The same answers, weighed four times."""
    found = noise(tmp_path / "run", drawn(0.5, "judge"), Repeats(answer=2, judge=4), judged=True)
    ingest, answer, judge = found.components
    assert judge.variance == pytest.approx(0.25, abs=0.04)
    assert answer.variance == pytest.approx(0.0, abs=0.03)
    assert ingest.why == "not repeated"
    assert found.floor.source == "answer"


def test_a_stage_that_was_not_repeated_is_said_to_be_in_the_one_around_it(tmp_path: Path) -> None:
    """One answer to each of two ingests cannot say whose noise it is."""
    found = noise(tmp_path / "run", drawn(0.5, "ingest"), Repeats(ingest=2), judged=True)
    ingest, answer, judge = found.components
    assert ingest.holds == ("answer", "judge")
    assert (answer.variance, answer.why, judge.variance, judge.why) == (None, "not repeated", None, "not repeated")


def test_a_negative_component_is_0_and_says_so(tmp_path: Path) -> None:
    """Ingests that lie closer together than their answers allow."""
    says = lambda case: right(case) if (case.take.answer + case.replicate) % 2 else lost(case)  # noqa: E731
    ingest = noise(tmp_path / "run", says, Repeats(ingest=2, answer=2)).components[0]
    assert (ingest.variance, ingest.clamped) == (0.0, True)


def test_a_system_that_repeats_itself_is_called_deterministic_with_a_floor_of_0(tmp_path: Path) -> None:
    """Words and verdicts are equal in all repeats."""
    found = noise(tmp_path / "run", drawn(0.5), Repeats(ingest=2, answer=2))
    assert found.deterministic
    assert variances(found) == [0.0, 0.0, None]
    assert (found.floor.half_width, found.floor.method) == (0.0, "deterministic: no repeat differed")


def test_equal_scores_from_other_words_are_not_deterministic(tmp_path: Path) -> None:
    """The variance is 0 in what was seen; the floor leaves room for what was not."""
    says = lambda case: replace(lost(case), text=f"wrong in run {case.replicate}")  # noqa: E731
    found = noise(tmp_path / "run", says, Repeats(ingest=2))
    assert not found.deterministic
    assert variances(found) == [0.0, None, None]
    assert found.floor.half_width is not None
    assert found.floor.half_width > 0


def test_the_floor_comes_from_the_outermost_stage_that_was_repeated(tmp_path: Path) -> None:
    """Ingest where there are two, else answers, and it says which."""
    whole = noise(tmp_path / "a", drawn(0.5, "ingest", "answer"), Repeats(ingest=2, answer=2)).floor
    answers = noise(tmp_path / "b", drawn(0.5, "ingest", "answer"), Repeats(answer=2)).floor
    assert (whole.source, whole.runs, whole.n, whole.clusters) == ("ingest", 2, 50, 10)
    assert (answers.source, answers.runs) == ("answer", 2)
    for floor in (whole, answers):  # 2 to 2.6 standard errors of sqrt(2 x 0.25 / 50), give or take
        assert floor.half_width == pytest.approx(0.23, abs=0.08)


def test_the_oracles_noise_is_in_its_own_arm(tmp_path: Path) -> None:
    """Every row that was repeated has its line."""
    repeats = Repeats(answer=2)
    folder = build(
        tmp_path / "run", [row(right, repeats), replace(oracle_row(), takes=repeats.takes(judged=False))], HISTORIES
    )
    assert [(one.row, one.arm) for one in summarise(folder, BENCHMARK).noise] == [
        ("a", Arm.SYSTEM),
        ("oracle", Arm.ORACLE),
    ]


def test_a_row_that_could_not_answer_again_says_why(tmp_path: Path) -> None:
    """Its answers were not repeated, for a reason."""
    says = lambda case: Said(unavailable="it cannot be restored") if case.take.answer else right(case)  # noqa: E731
    found = noise(tmp_path / "run", says, Repeats(answer=2))
    assert found.components[1].why == "not repeated: it cannot be restored"
    assert (found.floor.half_width, found.floor.why) == (None, UNKNOWN)


def test_a_row_of_faults_has_no_floor(tmp_path: Path) -> None:
    """Nothing counts, so nothing can be told."""
    found = noise(tmp_path / "run", lambda _: Said(fault=("recall", "timeout")), Repeats(ingest=2))
    assert (found.floor.half_width, found.floor.why) == (None, "no answers that count")


def compared(path: Path, first: RowSpec, second: RowSpec) -> TaskComparison:
    """The only task of a comparison."""
    folder = build(path, [first, second], [make_history(number, questions=40) for number in range(10)])
    return compare(*sides_of(folder, ["a", "b"], BENCHMARK)).tasks[0]


def test_a_difference_within_the_noise_floor_is_a_tie_though_the_test_finds_it(tmp_path: Path) -> None:
    """Five runs of each side find 3 points; two single runs of either lie further apart than that."""

    def better(case: Case) -> Said:
        return right(case) if case.number < 2 else drawn(0.6, "ingest")(case)

    many = Repeats(ingest=8)
    found = compared(tmp_path / "run", row(better, many), row(drawn(0.6, "ingest"), many, "b"))
    assert found.p_adjusted is not None
    assert found.p_adjusted < 0.05
    assert found.floor is not None
    assert found.difference.estimate is not None
    assert 0 < found.difference.estimate <= found.floor
    assert (found.verdict, found.tie) == ("tie", f"the difference is within the noise floor of {found.floor:.4g}")


def test_a_difference_above_the_floor_is_a_win(tmp_path: Path) -> None:
    """The floor of either side is known and lies below it."""
    found = compared(tmp_path / "run", row(drawn(0.9, "answer"), Repeats(answer=2)), row(lost, Repeats(answer=2), "b"))
    assert (found.verdict, found.tie) == ("win", "")
    assert found.floor is not None
    assert found.floor < 0.2


def test_the_larger_of_two_known_floors_counts_and_an_unknown_one_says_how_to_know_it(tmp_path: Path) -> None:
    """One row was repeated, the other was not."""
    found = compared(tmp_path / "run", row(drawn(0.9, "ingest"), Repeats(ingest=2)), row(lost, Repeats(), "b"))
    assert found.first_floor is not None
    assert found.second_floor is not None
    assert found.floor == found.first_floor.half_width
    assert (found.second_floor.half_width, found.second_floor.why) == (None, "unknown: run with --repeats or --aa")


def test_without_repeats_the_floor_is_unknown_and_the_test_alone_decides(tmp_path: Path) -> None:
    """Nothing is taken for 0."""
    found = compared(tmp_path / "run", row(right, Repeats()), row(lost, Repeats(), "b"))
    assert (found.floor, found.verdict) == (None, "win")


@pytest.mark.parametrize("share", [0.5, 0.52])
def test_a_tie_says_which_rule_made_it_one(share: float, tmp_path: Path) -> None:
    """An interval that holds 0 is named first."""
    found = compared(
        tmp_path / "run", row(drawn(share, salt="x"), Repeats()), row(drawn(0.5, salt="y"), Repeats(), "b")
    )
    assert (found.verdict, found.tie) == ("tie", "the interval holds 0")
