"""Says what each call of a system, reader or judge is for, so that every model call inside it has an owner.

A system may swallow the error of its own model and go on with nothing: what follows would look like a bad memory. So a
call that got no reply breaks the work it was made for, whether or not the system says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.contracts.call_context import CallContext, current_context, in_context
from recollect.contracts.models import ChatModel, Embedder, Turn
from recollect.domain.errors import RecollectError
from recollect.domain.ids import RecordKey
from recollect.domain.repeats import Take
from recollect.engine.plan import Cell, Trial

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


def call_context_of(trial: Trial, stage: str, key: RecordKey | None, cell: Cell | None = None) -> CallContext:
    """What a call of *trial* is for."""
    return CallContext(
        stage=stage,
        key=key or "",
        replicate=trial.replicate if cell is None else _done_over(cell.take, stage).told_apart(trial.replicate),
        trial=trial.trial_id,
        row=trial.row.label,
        task=trial.keyed.task,
        history=trial.keyed.history.history_id,
        question=cell.question.question_id if cell else "",
        checkpoint=cell.checkpoint if cell else "",
        arm=cell.arm.value if cell else "",
    )


def _done_over(take: Take, stage: str) -> Take:
    """The take as far as *stage* does its work again: a repeated verdict weighs the same answer."""
    return take if stage == "judge" else Take(answer=take.answer)


def run_in_context(occasion: CallContext, call: Callable[[], T], desk: CurrentCall | None = None) -> T:
    """What *call* gives.

    Raises:
        RecollectError: A model call inside it got no reply, and why, whatever *call* made of that.
    """
    before = desk.now if desk else None
    if desk is not None:
        occasion.failed.update(desk.late.failed if desk.late else {})  # what broke when nobody looked
        desk.now = occasion
    try:
        with in_context(occasion):
            result = call()
    except Exception as error:
        # systems wrap what their model raised: a spent budget, or Ctrl-C, would become a fault of theirs
        failed = next(iter(tuple(occasion.failed.values())), error)
        if failed is error:
            raise
        raise failed from error
    finally:
        if desk is not None:
            desk.now, desk.late = before, replace(occasion, failed={})
    for unanswered in tuple(occasion.failed.values()):
        raise unanswered
    return result


@dataclass(slots=True)
class CurrentCall:
    """What a system is doing right now: for calls from threads of its own, which have no occasion."""

    now: CallContext | None = field(default=None)
    late: CallContext | None = field(default=None)
    """What it did last: for calls that it makes when nobody asked it for anything."""

    def occasion(self) -> CallContext | None:
        """What a call of the system is for, at this moment."""
        return self.now or self.late

    def note_late(self, asked: CallContext) -> None:
        """A call failed that was made on *asked*: where that is over, what the system does now answers for it."""
        looked_at = self.occasion()
        if looked_at is not None and looked_at is not asked:
            looked_at.failed.update(asked.failed)


@dataclass(frozen=True, slots=True)
class RoomModel:
    """The model handed to a system; its calls belong to what the system is doing."""

    model: ChatModel
    desk: CurrentCall

    @property
    def fingerprint(self) -> str:
        """That of the model."""
        return self.model.fingerprint

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        """As the model."""
        return _at(self.desk, lambda: self.model.complete(turns, max_tokens=max_tokens, schema=schema))

    def __getattr__(self, name: str) -> Any:
        """What this model can beside: tools."""
        found = getattr(self.model, name)
        return found if not callable(found) else lambda *a, **k: _at(self.desk, lambda: found(*a, **k))


@dataclass(frozen=True, slots=True)
class RoomEmbedder:
    """The embedder handed to a system."""

    embedder: Embedder
    desk: CurrentCall

    @property
    def fingerprint(self) -> str:
        """That of the embedder."""
        return self.embedder.fingerprint

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.embedder.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder."""
        return _at(self.desk, lambda: self.embedder.embed(texts))


def _at(desk: CurrentCall, call: Callable[[], T]) -> T:
    occasion = current_context() or desk.occasion()
    if occasion is None:
        return call()
    try:
        with in_context(occasion):
            return call()
    except RecollectError:
        desk.note_late(occasion)
        raise
