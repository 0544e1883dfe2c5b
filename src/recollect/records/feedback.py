"""What an agent is told about its answers before it makes a new policy: a line of JSON per question, then states."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFeedback:
    """One question, with as much about its outcome as the feedback tells."""

    question: str
    options: Mapping[str, str] = field(default_factory=dict)
    answer: str | None = None
    remembered: tuple[str, ...] = ()
    """What it had recalled for that."""
    right: tuple[str, ...] = ()
    """Empty where the feedback does not tell."""

    @property
    def was_right(self) -> bool:
        """The agent's answer is known to be right, letter for letter."""
        return self.answer is not None and _bare(self.answer) in map(_bare, self.right)


class Feedback(NamedTuple):
    asked: Sequence[QuestionFeedback]
    exposed: Mapping[str, str]
    """State -> the value that the user told since the last feedback; may be empty."""


def feedback_lines(asked: Iterable[QuestionFeedback], exposed: Mapping[str, str]) -> Iterator[str]:
    """The feedback as lines, without empty fields."""
    for lesson in asked:
        fields: dict[str, Any] = {"question": lesson.question, "options": dict(lesson.options), "answer": lesson.answer}
        fields |= {"right answer": list(lesson.right), "remembered": list(lesson.remembered)}
        known = {name: value for name, value in fields.items() if value not in (None, [], {})}
        yield json.dumps(known, ensure_ascii=False)
    if exposed:
        yield json.dumps({"told by the user since": dict(exposed)}, ensure_ascii=False)


def read_feedback(lines: Iterable[str]) -> Feedback:
    """Read the lines again; a line that is not such JSON is taken as a question."""
    asked: list[QuestionFeedback] = []
    exposed: dict[str, str] = {}
    for line in lines:
        fields: Any = {}
        with suppress(ValueError):
            fields = json.loads(line)
        fields = fields if isinstance(fields, dict) else {}
        if "told by the user since" in fields:
            exposed |= {str(name): str(value) for name, value in fields["told by the user since"].items()}
            continue
        lesson = QuestionFeedback(
            question=str(fields.get("question", line)),
            options=fields.get("options", {}),
            answer=fields.get("answer"),
            right=tuple(fields.get("right answer", ())),
            remembered=tuple(fields.get("remembered", ())),
        )
        asked.append(lesson)
    return Feedback(asked, exposed)


def _bare(answer: str) -> str:
    return answer.strip().strip(".()").casefold()
