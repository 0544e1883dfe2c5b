"""Lets an agent write its next policy from what came of the last one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recollect.domain.errors import RetryableError, UsageError
from recollect.domain.steps import Arm, Evolve
from recollect.domain.takes import FIRST
from recollect.engine.book import Book
from recollect.engine.drivers import Driver
from recollect.engine.plan import Cell, Trial
from recollect.engine.sound import sound_text


def evolve(driver: Driver, step: Evolve, trial: Trial, book: Book, recorded: str | None) -> str:
    """The policy adopted. On a replay it is the recorded one: the agent's model is not asked again."""
    face = driver.policy()
    policy = recorded if recorded is not None else _proposed(driver, step, trial, book)
    face.adopt(policy)
    return policy


def _proposed(driver: Driver, step: Evolve, trial: Trial, book: Book) -> str:
    maker = driver.policy_maker()
    if maker is None:
        raise UsageError(f"row {trial.row.label!r} evolves, but is registered without a model that proposes policies")
    feedback = list(_feedback(_asked_before(trial, step), step, book))
    return sound_text(maker.propose(driver.policy().policy(), feedback), "a proposed policy")


def _asked_before(trial: Trial, step: Evolve) -> Iterator[Cell]:
    """The cells of the checkpoint that were asked before this step; the same name may come again later.

    Where answers are repeated, the first ones teach: a policy is made from one answer to a question.
    """
    for stage in trial.stages:
        if stage.step is step:
            return
        asked = [cell for cell in stage.cells if cell.checkpoint == step.checkpoint and cell.arm is Arm.SYSTEM]
        yield from (cell for cell in asked if cell.take == FIRST)


def _feedback(cells: Iterable[Cell], step: Evolve, book: Book) -> Iterator[str]:
    """One line a question; how much it tells is the step's setting, and named in the card.

    Raises:
        RetryableError: An answer is missing: a policy made without it would be another one.
    """
    for cell in cells:
        if book.why_unavailable(cell) is not None:
            continue
        if not book.has(cell.answer):
            raise RetryableError(f"question {cell.question.question_id} has no answer yet to make a policy from")
        line = f"Question: {cell.question.text}"
        if step.feedback.kind != "questions":
            line += f" | Your answer: {book.journal.body(cell.answer).text}"
        if step.feedback.kind == "complete":
            line += f" | Right answer: {'; '.join(cell.key.gold)}"
        yield line
