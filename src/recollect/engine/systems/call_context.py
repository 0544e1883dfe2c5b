"""Gives each call of a system, reader or judge a context, so that every model call inside it belongs to a record.

A system may swallow the error of its own model and go on with nothing, which would look like a bad memory. So a model
call that failed fails the call it was made for, whether or not the system raises.
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
    """The context of a call of *trial*."""
    replicate = trial.replicate
    if cell is not None:  # a repeated verdict judges the same answer
        take = cell.take if stage == "judge" else Take(answer=cell.take.answer)
        replicate = take.replicate_id(replicate)
    return CallContext(
        stage=stage,
        key=key or "",
        replicate=replicate,
        trial=trial.trial_id,
        row=trial.row.label,
        task=trial.keyed.task,
        history=trial.keyed.history.history_id,
        question=cell.question.question_id if cell else "",
        checkpoint=cell.checkpoint if cell else "",
        arm=cell.arm.value if cell else "",
    )


def run_in_context(context: CallContext, call: Callable[[], T], current: CurrentCall | None = None) -> T:
    """The result of *call*.

    Raises:
        RecollectError: A model call inside it failed, even if *call* swallowed the error.
    """
    before = current.now if current else None
    if current is not None:
        context.failed.update(current.late.failed if current.late else {})  # between two calls
        current.now = context
    try:
        with in_context(context):
            result = call()
    except Exception as error:
        # systems wrap the errors of their models: a spent budget, or Ctrl-C, would become a fault of theirs
        failed = next(iter(tuple(context.failed.values())), error)
        if failed is error:
            raise
        raise failed from error
    finally:
        if current is not None:
            current.now, current.late = before, replace(context, failed={})
    for model_error in tuple(context.failed.values()):
        raise model_error
    return result


@dataclass(slots=True)
class CurrentCall:
    """What a system is doing right now: for calls from threads of its own, which have no context."""

    now: CallContext | None = field(default=None)
    late: CallContext | None = field(default=None)
    """The last call: for model calls that it makes in between."""

    def occasion(self) -> CallContext | None:
        """The context of a model call at this moment."""
        return self.now or self.late

    def note_late(self, asked: CallContext) -> None:
        """A model call of context *asked* failed: where that is over, the current call fails."""
        current = self.occasion()
        if current is not None and current is not asked:
            current.failed.update(asked.failed)


@dataclass(frozen=True, slots=True)
class RoomModel:
    """The model of a system; its calls belong to the current call of the system."""

    model: ChatModel
    current: CurrentCall

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        return _at(self.current, lambda: self.model.complete(turns, max_tokens=max_tokens, schema=schema))

    def __getattr__(self, name: str) -> Any:
        """Further methods of the model: tools."""
        found = getattr(self.model, name)
        return found if not callable(found) else lambda *a, **k: _at(self.current, lambda: found(*a, **k))


@dataclass(frozen=True, slots=True)
class EmbedderProxy:
    """Wraps an embedder; a subclass makes its calls."""

    embedder: Embedder

    @property
    def fingerprint(self) -> str:
        return self.embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self.embedder.dimensions


@dataclass(frozen=True, slots=True)
class RoomEmbedder(EmbedderProxy):
    """The embedder of a system."""

    current: CurrentCall

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _at(self.current, lambda: self.embedder.embed(texts))


def _at(current: CurrentCall, call: Callable[[], T]) -> T:
    context = current_context() or current.occasion()
    if context is None:
        return call()
    try:
        with in_context(context):
            return call()
    except RecollectError:
        current.note_late(context)
        raise
