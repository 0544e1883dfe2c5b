"""Scores of replies: the verdict, what became of conflicts, the authors' bypass, and probes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.protocol import steps
from recollect.benchmarks.subtlememory.score import exact_side, score
from recollect.contracts.benchmark import StepSettings
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Outcome, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Ask
from recollect.offline.judge.rule_judge import RuleJudge

from tests.unit.benchmarks.subtlememory.people import GENERATED, PUBLISHED


def asked() -> Mapping[tuple[str, str], tuple[Question, Key]]:
    """Case and purpose -> a question with its key."""
    found: dict[tuple[str, str], tuple[Question, Key]] = {}
    for keyed in dataset_of([PUBLISHED, GENERATED], "by hand").histories:
        made = steps(keyed.history, StepSettings(extra={"classify": "yes"}))
        for question in [question for step in made if isinstance(step, Ask) for question in step.questions]:
            key = keyed.keys[question.question_id]
            case = key.original_id.split(":")[1].removeprefix("related-")
            found[case, question.purpose] = (question, key)
    return found


ASKED = asked()


def told(outcome: Outcome) -> dict[str, float | None]:
    return {part.name: part.value for part in outcome.parts}


def scored(case: str, text: str, right: float | None = 1.0) -> Outcome:
    question, key = ASKED[case, "score"]
    verdict = Verdict(parts=(Judgement(name="right", value=right, why="by hand"),), judge="hand")
    return score(question, key, Reply(text=text), verdict, {})


def ruled(case: str, text: str) -> dict[str, float | None]:
    """The parts of a reply that the rule judge has weighed."""
    question, key = ASKED[case, "score"]
    reply = Reply(text=text)
    return told(score(question, key, reply, RuleJudge().judge(question, key, reply), {}))


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_a_reply_is_worth_what_the_judge_says(right: float) -> None:
    assert scored("seat", "Aisle, please.", right).value == right


def test_without_a_usable_verdict_nothing_is_scored() -> None:
    """The authors' code counts it as wrong."""
    question, key = ASKED["seat", "score"]
    for outcome in (scored("seat", "Aisle", None), score(question, key, Reply(text="Aisle"), None, {})):
        assert (outcome.status, outcome.value) == (Status.UNDECIDED, None)


def test_who_declines_stays_in_the_denominator_with_nothing() -> None:
    question, key = ASKED["bags", "score"]
    verdict = Verdict(parts=(Judgement(name="right", value=0.0, why="declined"),), judge="hand")
    outcome = score(question, key, Reply(text="", abstained=True), verdict, {})
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, 0.0)


@pytest.mark.parametrize(
    ("case", "text", "side"),
    [
        pytest.param("seat", " aisle,  AS it is a\nday train.", "right", id="an-accepted-one"),
        pytest.param("seat", "WINDOW.", "wrong", id="a-wrong-one"),
        pytest.param("seat", "Window", "", id="not-to-the-letter"),
        pytest.param("torn", "Take the Larch Room.", "wrong", id="a-side-that-the-judge-is-not-told"),
        pytest.param("torn", "Depot Room", "", id="what-only-the-judge-is-told"),
    ],
)
def test_the_bypass_knows_both_sides_of_the_files(case: str, text: str, side: str) -> None:
    """Equal but for case and white space, as in the authors' code."""
    assert exact_side(ASKED[case, "score"][1], text) == side
    assert told(scored(case, text))["exact_bypass"] == float(bool(side))


def test_the_bypass_is_counted_and_decides_nothing() -> None:
    assert scored("seat", "Window.", 1.0).value == 1.0


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Your words speak for the Larch Room and for the Tinsel Room.", (1.0, 1.0, 0.0)),
        ("The Tinsel Room.", (0.0, 0.0, 1.0)),
        ("Any of Larch Room, Tinsel Room, Depot Room and Meadow Room.", (0.0, 0.0, 0.0)),
        ("What do you like best?", (0.0, 0.0, 0.0)),
    ],
)
def test_of_a_conflict_it_is_told_how_many_sides_are_named(text: str, parts: tuple[float, float, float]) -> None:
    found = ruled("torn", text)
    assert (found["right"], found["conflict_named"], found["one_side"]) == parts


def test_of_a_published_conflict_it_cannot_be_told() -> None:
    found = told(scored("bags", "They contradict each other."))
    assert (found["conflict_named"], found["one_side"]) == (None, None)


def test_other_questions_have_no_sides() -> None:
    assert set(told(scored("room", "Larch Room"))) == {"right", "exact_bypass"}


@pytest.mark.parametrize(("text", "value"), [("D", 1.0), ("(d) they hold at a place of their own", 1.0), ("C", 0.0)])
def test_a_probe_is_scored_by_its_letter(text: str, value: float) -> None:
    """The case is one of `Context`, the fourth."""
    question, key = ASKED["seat", "probe"]
    outcome = score(question, key, Reply(text=text), None, {})
    assert (outcome.value, told(outcome)) == (value, {"classified": value})


def test_a_probe_that_is_declined_counts_as_wrong() -> None:
    question, key = ASKED["seat", "probe"]
    assert score(question, key, Reply(text="D", abstained=True), None, {}).value == 0.0


def test_a_probe_for_a_sub_type_that_is_not_offered_is_not_available() -> None:
    question, key = ASKED["seat", "probe"]
    outcome = score(question, Key(question_id=key.question_id), Reply(text="D"), None, {})
    assert outcome.status is Status.NOT_AVAILABLE
