"""Sessions are shown in their order; questions are asked where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.contracts.benchmark import StepSettings, in_order
from recollect.domain.histories import History
from recollect.domain.messages import Message
from recollect.domain.steps import Step


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """The timeline as it is; there is nothing to set and nobody talks."""
    return in_order(history)
