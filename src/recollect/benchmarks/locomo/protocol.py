"""Sessions are shown in their order; all questions are asked at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.contracts.benchmark import StepSettings, in_order
from recollect.domain.histories import History
from recollect.domain.messages import Message
from recollect.domain.steps import Step


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """The conversation as it was, turn by turn, then the questions; nobody talks, and there is nothing to set."""
    return in_order(history)
