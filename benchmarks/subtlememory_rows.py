"""Answers of as many systems and questions as the paper's main table has, and what is made of them; for benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from recollect.benchmarks.subtlememory import BENCHMARK
from recollect.benchmarks.subtlememory.histories import END, TASK, dataset_of
from recollect.benchmarks.subtlememory.items import Bundle, Instance, Qa, Talk, Turn
from recollect.benchmarks.subtlememory.tables import EXPECTED_QUESTIONS
from recollect.contracts.benchmark import Dataset
from recollect.diagnose.compare.pairs import Side, compare
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.headlines import headlines
from recollect.diagnose.numbers import numbers, strata
from recollect.diagnose.paper_tables import paper_tables
from recollect.diagnose.waterfall.arms import splits, waterfalls
from recollect.diagnose.waterfall.failures import failures
from recollect.domain.exchange import Reply
from recollect.domain.ids import HistoryId, TrialId
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, RowKind
from recollect.stats.significance import holm

PERSONS, SYSTEMS, MODELS = 10, 11, 2
RELATION = {"K>1": "complementary", "any_one": "complementary", "Temporal": "nuanced", "Context": "nuanced"}


class Answered(NamedTuple):
    """One answer with its verdict, before it is scored."""

    model: int
    row: str
    kind: RowKind
    arm: Arm
    history: HistoryId
    question: Question
    key: Key
    reply: Reply
    verdict: Verdict


def questions() -> Dataset:
    """1,522 questions, as many of each sub-type as published, spread over ten persons of one session each."""
    subtypes = [name for name, many in EXPECTED_QUESTIONS.items() for _ in range(many)]
    return dataset_of([_person(rank, subtypes[rank::PERSONS]) for rank in range(PERSONS)], "made for a benchmark")


def _person(rank: int, subtypes: Sequence[str]) -> Bundle:
    talk = Talk(
        order=0, persona_id=str(rank), session_id=f"{rank}-s", timestamp="2025-04-01T08:00:00+08:00",
        source="user-related", case_id=f"{rank}-0", conversation_type="planning", conversation_flow="ask",
        persona_signal_level="low", history=(Turn(role="user", content="Good day."),),
    )  # fmt: skip
    asked = tuple(_instance(rank, place, subtype) for place, subtype in enumerate(subtypes))
    return Bundle(key=f"persona_{rank}", talks=(talk,), instances=asked)


def _instance(rank: int, place: int, subtype: str) -> Instance:
    qa = Qa(
        query=f"What is to be done in matter {place}?",
        correct_answers=(f"The first thing in {place}.", f"Thing one in {place}.", f"In {place} the first."),
        incorrect_answers=(f"The second thing in {place}.", f"Nothing in {place}."),
    )
    return Instance(
        instance_id=f"related-{rank}-{place}", persona_id=str(rank), persona_str="{}", source="user-related",
        case_id=f"{rank}-{place}", topic="Music", relation_type=RELATION.get(subtype, "contradictory"),
        relation_subtype=subtype, case="A case.", facts=("One fact.", "Another fact."), qas=(qa,),
        session_ids=(f"{rank}-s",),
    )  # fmt: skip


def answered(*, readback: bool) -> list[Answered]:
    """What every row says to every question; systems are right in 20 to 70 of 100 questions, the oracle in 85."""
    draw = Random("subtlememory:statistics")
    rows: list[tuple[str, RowKind, Arm, float]] = []
    for place in range(SYSTEMS):
        arms = (Arm.SYSTEM, Arm.READBACK) if readback else (Arm.SYSTEM,)
        rows += [(f"system {place}", "memory", arm, 0.2 + 0.05 * place) for arm in arms]
    rows.append(("oracle", "oracle", Arm.ORACLE, 0.85))
    found = []
    for keyed in questions().histories:
        for question in keyed.history.questions:
            key = keyed.keys[question.question_id]
            for model in range(MODELS):
                for row, kind, arm, share in rows:
                    right = float(draw.random() < share)
                    verdict = Verdict(parts=(Judgement(name="right", value=right, why="drawn"),), judge="drawn")
                    text = f"It is the {'first' if right else 'second'} thing, as far as I remember."
                    history = keyed.history.history_id
                    found.append(Answered(model, row, kind, arm, history, question, key, Reply(text=text), verdict))
    return found


def score_all(rows: Sequence[Answered]) -> list[Grid]:
    """The cells of each answer model."""
    cells: list[list[CellOutcome]] = [[] for _ in range(MODELS)]
    for one in rows:
        cells[one.model].append(_cell(one))
    return [grid_of(mine) for mine in cells]


def _cell(one: Answered) -> CellOutcome:
    outcome = BENCHMARK.score(one.question, one.key, one.reply, one.verdict, {})
    return CellOutcome(
        row=one.row, kind=one.kind, reference=one.kind == "oracle", task=TASK, trial=TrialId(one.row),
        history=one.history, question=one.key.question_id, checkpoint=END, arm=one.arm,
        replicate=0, labels=one.key.labels, evidence=one.key.evidence, status=outcome.status.value,
        value=outcome.value, parts=outcome.parts, why=outcome.why, answer=one.reply.text, verdict=one.verdict,
    )  # fmt: skip


def tables(grids: Sequence[Grid]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each kind of table, of both answer models."""
    estimator, cards = Estimator(seed=0), BENCHMARK.card.tasks
    yield "means", lambda: [numbers(grid, estimator) for grid in grids]
    yield "strata", lambda: [strata(grid, estimator) for grid in grids]
    yield "headlines", lambda: [headlines(grid, cards, estimator) for grid in grids]
    yield (
        "the paper's columns and intervals",
        lambda: [paper_tables(BENCHMARK.card.tables, grid, estimator) for grid in grids],
    )
    yield (
        "waterfalls",
        lambda: [
            (splits(grid, waterfalls(grid, cards, estimator), cards, estimator), failures(grid, cards))
            for grid in grids
        ],
    )
    yield "oracle against the best", lambda: against_best(grids)


def against_best(grids: Sequence[Grid]) -> Mapping[int, float]:
    """Answer model -> p value of McNemar's test after Holm; intervals of the difference are made too."""
    found = [compare(_side(grid, "oracle"), _side(grid, f"system {SYSTEMS - 1}"), by="relation") for grid in grids]
    exact = [one.tasks[0].mcnemar for one in found]
    return dict(enumerate(holm([one.p for one in exact if one is not None])))


def _side(grid: Grid, row: str) -> Side:
    return Side(run="made", row=row, grid=grid, cards=BENCHMARK.card.tasks, conditions={}, seed=0)
