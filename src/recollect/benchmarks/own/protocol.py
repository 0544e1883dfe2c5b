"""Sessions are shown in their order; questions are asked where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.contracts.benchmark import StepSettings
from recollect.domain.histories import Asking, History
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Ask, Observe, Step


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """The timeline as it is; there is nothing to set and nobody talks."""
    questions = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield Observe(session=event)
        elif isinstance(event, Asking):
            asked = tuple(questions[name] for name in event.question_ids)
            yield Ask(checkpoint=event.checkpoint, questions=asked)
