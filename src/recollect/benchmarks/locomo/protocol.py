"""Sessions are shown in their order; all questions are asked at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.contracts.benchmark import StepSettings
from recollect.domain.histories import Asking, History
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Ask, Observe, Step


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """The conversation as it was, turn by turn, then the questions; nobody talks, and there is nothing to set."""
    questions = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield Observe(session=event)
        elif isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(questions[name] for name in event.question_ids))
