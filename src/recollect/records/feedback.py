"""What an agent is told about its answers before it makes a new policy: a line of JSON per question, then states."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFeedback:
    """One question with as much of what came of it as the feedback tells."""

    question: str
    options: Mapping[str, str] = field(default_factory=dict)
    """Letter -> text."""
    answer: str | None = None
    """What the agent said."""
    remembered: tuple[str, ...] = ()
    """What it had in mind when it said so."""
    right: tuple[str, ...] = ()
    """Empty where the feedback does not tell."""

    @property
    def was_right(self) -> bool:
        """The agent's answer is known to be right, letter for letter."""
        return self.answer is not None and _bare(self.answer) in map(_bare, self.right)


class Feedback(NamedTuple):
    """All that one feedback tells."""

    asked: Sequence[QuestionFeedback]
    exposed: Mapping[str, str]
    """State -> the value that the user told since the last feedback; empty where that is not told."""


def feedback_lines(asked: Iterable[QuestionFeedback], exposed: Mapping[str, str]) -> Iterator[str]:
    """The feedback as lines; what is not told goes unsaid."""
    for lesson in asked:
        said: dict[str, Any] = {"question": lesson.question, "options": dict(lesson.options), "answer": lesson.answer}
        said |= {"right answer": list(lesson.right), "remembered": list(lesson.remembered)}
        yield _line({name: value for name, value in said.items() if value not in (None, [], {})})
    if exposed:
        yield _line({"told by the user since": dict(exposed)})


def read_feedback(lines: Iterable[str]) -> Feedback:
    """Read the lines again; one that is no such JSON is taken for a question."""
    asked: list[QuestionFeedback] = []
    exposed: dict[str, str] = {}
    for line in lines:
        said = _object(line)
        if "told by the user since" in said:
            exposed |= {str(name): str(value) for name, value in said["told by the user since"].items()}
        else:
            asked.append(_lesson(said, line))
    return Feedback(asked, exposed)


def _lesson(said: Mapping[str, Any], line: str) -> QuestionFeedback:
    return QuestionFeedback(
        question=str(said.get("question", line)),
        options=said.get("options", {}),
        answer=said.get("answer"),
        right=tuple(said.get("right answer", ())),
        remembered=tuple(said.get("remembered", ())),
    )


def _object(line: str) -> Mapping[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _line(said: Mapping[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False)


def _bare(said: str) -> str:
    return said.strip().strip(".()").casefold()
