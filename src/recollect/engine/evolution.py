"""Lets an agent write its next policy from what came of the last one."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.domain.errors import UsageError
from recollect.domain.steps import Arm, Evolve
from recollect.engine.book import Book
from recollect.engine.drivers import Driver
from recollect.engine.plan import Cell, Trial


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
    cells = [cell for cell in trial.cells if cell.checkpoint == step.checkpoint and cell.arm is Arm.SYSTEM]
    return maker.propose(driver.policy().policy(), list(_feedback(cells, step, book)))


def _feedback(cells: list[Cell], step: Evolve, book: Book) -> Iterator[str]:
    """One line a question; how much it tells is the step's setting, and named in the card."""
    for cell in cells:
        line = f"Question: {cell.question.text}"
        if step.feedback.kind != "questions" and book.has(cell.answer):
            line += f" | Your answer: {book.journal.body(cell.answer).text}"
        if step.feedback.kind == "complete":
            line += f" | Right answer: {'; '.join(cell.key.gold)}"
        yield line
