"""Lets an agent write its next policy from what came of the last one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from recollect.domain.errors import RetryableError, UsageError
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm, Evolve
from recollect.engine.plan import Cell, Trial
from recollect.engine.records_writer import RecordsWriter, recall_of
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_text
from recollect.records.feedback import QuestionFeedback, feedback_lines


def evolve(driver: Driver, step: Evolve, trial: Trial, book: RecordsWriter, recorded: str | None) -> str:
    """The policy adopted. On a replay it is the recorded one: the agent's model is not asked again."""
    face = driver.policy()
    policy = recorded if recorded is not None else _proposed(driver, step, trial, book)
    face.adopt(policy)
    return policy


def _proposed(driver: Driver, step: Evolve, trial: Trial, book: RecordsWriter) -> str:
    maker = driver.policy_maker()
    if maker is None:
        raise UsageError(f"row {trial.row.label!r} evolves, but is registered without a model that proposes policies")
    exposed = step.feedback.exposed if step.feedback.kind == "complete" else {}
    feedback = list(feedback_lines(_lessons(_asked_before(trial, step), step, book), exposed))
    return validate_text(maker.propose(driver.policy().policy(), feedback), "a proposed policy")


def _asked_before(trial: Trial, step: Evolve) -> Iterator[Cell]:
    """The cells of the checkpoint that were asked before this step; the same name may come again later.

    Where answers are repeated, the first ones teach: a policy is made from one answer to a question.
    """
    for stage in trial.stages:
        if stage.step is step:
            return
        asked = [cell for cell in stage.cells if cell.checkpoint == step.checkpoint and cell.arm is Arm.SYSTEM]
        yield from (cell for cell in asked if cell.take == FIRST)


def _lessons(cells: Iterable[Cell], step: Evolve, book: RecordsWriter) -> Iterator[QuestionFeedback]:
    """One a question; how much it tells is the step's setting, and named in the card.

    Raises:
        RetryableError: An answer is missing: a policy made without it would be another one.
    """
    for cell in cells:
        if book.why_unavailable(cell) is not None:
            continue
        if not book.has(cell.answer):
            raise RetryableError(f"question {cell.question.question_id} has no answer yet to make a policy from")
        lesson = QuestionFeedback(question=cell.question.text)
        yield lesson if step.feedback.kind == "questions" else _answered(lesson, cell, step, book)


def _answered(lesson: QuestionFeedback, cell: Cell, step: Evolve, book: RecordsWriter) -> QuestionFeedback:
    return replace(
        lesson,
        options={option.letter: option.text for option in cell.question.options},
        answer=book.journal.body(cell.answer).text,
        remembered=tuple(_remembered(cell, book)),
        right=cell.key.gold if step.feedback.kind == "complete" else (),
    )


def _remembered(cell: Cell, book: RecordsWriter) -> Iterator[str]:
    """As it is recorded; nothing where the agent does not tell."""
    content = book.journal.body(cell.recall).content if book.has(cell.recall) else None
    if content is not None:
        found = recall_of(book.journal.body(content), book.shown)
        yield from (item.text for item in found.to_read())
