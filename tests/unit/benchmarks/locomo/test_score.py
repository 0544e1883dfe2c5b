"""What a reply gets: the authors' F1 as the score, the judge and the rest beside it."""

from __future__ import annotations

import pytest

from recollect.benchmarks.locomo import BENCHMARK
from recollect.benchmarks.locomo.tables import TABLE
from recollect.contracts.benchmark import Dataset
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Outcome, Status, Verdict

from tests.unit.benchmarks.locomo.talks import saved, talk

LIST, DATE, NUMBER, OPEN, PLAIN, PICTURE, TRAP, TRAP_WITH_ANSWER = range(8)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return BENCHMARK.load(saved(tmp_path_factory.mktemp("data") / "invented.json", talk()))


def scored(data: Dataset, place: int, reply: Reply, right: float | None = None) -> Outcome:
    asked = [(question, one.keys[question.question_id]) for one in data.histories for question in one.history.questions]
    verdict = None if right is None else Verdict(parts=(Judgement(name="right", value=right, why="x"),), judge="hand")
    return BENCHMARK.score(*asked[place], reply, verdict, {})


def part(outcome: Outcome, name: str) -> float | None:
    return next(part.value for part in outcome.parts if part.name == name)


@pytest.mark.parametrize(
    ("place", "said", "expected"),
    [
        pytest.param(LIST, "She planted fig trees", 2 / 3 / 2, id="half-of-a-list"),  # she plant fig tree: P 2/4, R 1
        pytest.param(DATE, "2 February", 0.8, id="date-without-year"),  # P 1, R 2/3
        pytest.param(NUMBER, "3", 1.0, id="a-number-in-the-file-is-text-here"),
        pytest.param(OPEN, "likely yes", 1.0, id="the-reason-is-not-wanted"),
        pytest.param(OPEN, "he binds books", 0.0, id="the-reason-alone-is-nothing"),
        pytest.param(PLAIN, "Ruta", 1.0, id="exact"),
        pytest.param(TRAP, "Not mentioned", 1.0, id="declined"),
        pytest.param(TRAP, "a goose", 0.0, id="trapped"),
        pytest.param(TRAP_WITH_ANSWER, "No", 0.0, id="an-answer-to-an-adversarial-question-does-not-count"),
    ],
)
def test_the_score_is_the_authors_f1(data: Dataset, place: int, said: str, expected: float) -> None:
    outcome = scored(data, place, Reply(text=said))
    assert outcome.status is Status.SCORED
    assert outcome.value == pytest.approx(expected)
    assert part(outcome, "declined" if place >= TRAP else "f1") == outcome.value


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_the_judge_stands_beside_and_moves_nothing(data: Dataset, right: float) -> None:
    outcome = scored(data, PLAIN, Reply(text="the neighbour Ruta"), right)
    assert part(outcome, "right") == right
    assert outcome.value == pytest.approx(2 / 3)  # neighbour, ruta: P 1/2, R 1


def test_without_a_verdict_the_score_stands_and_right_is_undefined(data: Dataset) -> None:
    outcome = scored(data, PLAIN, Reply(text="Ruta"))
    assert (outcome.value, part(outcome, "right")) == (1.0, None)


def test_a_flag_declines_whatever_the_words(data: Dataset) -> None:
    assert scored(data, TRAP, Reply(text="hm", abstained=True)).value == 1.0
    wrong = scored(data, PLAIN, Reply(text="Ruta", abstained=True))
    assert (wrong.status, wrong.value, part(wrong, "declined")) == (Status.ABSTAINED, 0.0, 1.0)


def test_the_trap_is_measured_on_adversarial_questions_only(data: Dataset) -> None:
    assert part(scored(data, TRAP, Reply(text="He adopted a goose")), "trap_f1") == pytest.approx(0.5)  # P 1/3, R 1
    assert part(scored(data, TRAP, Reply(text="A goose is not mentioned")), "trap_f1") == 0.0
    assert "trap_f1" not in {part.name for part in scored(data, PLAIN, Reply(text="Ruta")).parts}


def test_every_part_is_explained_on_the_card(data: Dataset) -> None:
    for task, places in (("qa", range(TRAP)), ("adversarial", range(TRAP, 8))):
        named = {part.name for place in places for part in scored(data, place, Reply(text="x"), 1.0).parts}
        assert named == set(BENCHMARK.card.tasks[task].parts)


def test_exactly_one_part_of_a_task_is_its_score(data: Dataset) -> None:
    for place in range(8):
        weights = [part.weight for part in scored(data, place, Reply(text="x"), 1.0).parts]
        assert weights == [1.0] + [0.0] * (len(weights) - 1)


def test_the_overall_column_is_over_questions_and_with_the_adversarial_ones() -> None:
    *categories, overall = TABLE.columns
    assert [column.value for column in categories[:-1]] == ["multi_hop", "temporal", "open_domain", "single_hop"]
    assert (overall.tasks, overall.over, overall.label) == (("qa", "adversarial"), "questions", "")
