"""One user's episode on its way from the first turn to the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.agent import User
from recollect.contracts.benchmark import Scorer
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.ids import CheckpointId, QuestionId
from recollect.domain.messages import Message
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Feedback, Observe, Step
from recollect.environment.dialogues import Dialogue
from recollect.environment.turns import Rewards, Turn
from recollect.records.feedback import QuestionFeedback, feedback_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The steps of one user's episode, with what nobody who plays may see."""

    keyed: Keyed
    steps: tuple[Step, ...]
    shared: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Episode:
    """Stands at a turn of a story, and goes on from there."""

    story: Story
    user: User
    score: Scorer
    talk: list[Message] = field(default_factory=list)
    """What was said in dialogues that are over."""
    _left: Iterator[Step] = field(init=False)
    _dialogue: Dialogue | None = None
    _asking: Ask | None = None
    _given: dict[CheckpointId, list[tuple[Question, Reply]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._left = iter(self.story.steps)

    def reply(self, said: Reply) -> Turn:
        """Say something to the user's message; what comes next.

        Raises:
            UsageError: Nobody waits for a reply.
        """
        if self._dialogue is None:
            raise UsageError(f"nobody waits for a reply: {self._waits_for()}.")
        self._dialogue.reply(said)
        if self._dialogue.waiting is None:
            self.talk.extend(self._dialogue.talk)
            self._dialogue = None
        return self.go_on()

    def asked(self) -> Ask:
        """The questions that are due.

        Raises:
            UsageError: None are.
        """
        if self._asking is None:
            raise UsageError(f"no questions are due: {self._waits_for()}.")
        return self._asking

    def answer(self, said: Mapping[QuestionId, Reply]) -> Rewards:
        """What the answers are worth, and what comes next.

        Raises:
            UsageError: No questions are due, or the answers are not to these.
        """
        asked = self.asked()
        _check(asked.questions, said)
        self._given.setdefault(asked.checkpoint, []).extend((one, said[one.question_id]) for one in asked.questions)
        self._asking = None
        scored = [question for question in asked.questions if question.purpose != "probe"]
        probes = [question for question in asked.questions if question.purpose == "probe"]
        return Rewards(
            checkpoint=asked.checkpoint,
            scores=self._values(scored, said),
            states=self._values(probes, said),
            gold={one.question_id: self._key(one).gold for one in scored} if self._tells_all() else {},
            turn=self.go_on(),
        )

    def go_on(self) -> Turn:
        """To the next place where somebody has to do something."""
        heard: list[Message] = []
        feedback: list[str] = []
        while self._dialogue is None and self._asking is None:
            step = next(self._left, None)
            if step is None:
                break
            self._begin(step, heard, feedback)
        waiting = self._dialogue.waiting if self._dialogue else None
        message, reply_id = waiting or (None, None)
        return Turn(
            message=message,
            reply_id=reply_id,
            due=self._asking is not None,
            heard=tuple(heard),
            feedback=tuple(feedback),
        )

    def _begin(self, step: Step, heard: list[Message], feedback: list[str]) -> None:
        if isinstance(step, Converse):
            self._dialogue = Dialogue(step.script, self.user)
        elif isinstance(step, Observe):
            heard.extend(step.session.messages)
        elif isinstance(step, Evolve):
            feedback.extend(self._feedback(step))
        elif step.arms is None or Arm.SYSTEM in step.arms:  # others are for the harness's own reader
            self._asking = step

    def _waits_for(self) -> str:
        if self._asking is not None:
            return "the questions of this period are due, `answer` them"
        if self._dialogue is not None:
            return "the user waits for a reply, `step` takes it"
        return "the episode is over, `reset` begins one"

    def _key(self, question: Question) -> Key:
        return self.story.keyed.keys[question.question_id]

    def _values(self, questions: Sequence[Question], said: Mapping[QuestionId, Reply]) -> dict[QuestionId, float]:
        """By rule; what a rule cannot decide has no value."""
        outcomes = {
            one.question_id: self.score(one, self._key(one), said[one.question_id], None, self.story.shared)
            for one in questions
        }
        return {name: outcome.value for name, outcome in outcomes.items() if outcome.value is not None}

    def _tells_all(self) -> bool:
        return any(isinstance(step, Evolve) and step.feedback.kind == "complete" for step in self.story.steps)

    def _feedback(self, step: Evolve) -> Iterator[str]:
        """As the engine tells it."""
        lessons = (self._lesson(question, reply, step.feedback) for question, reply in self._given[step.checkpoint])
        return feedback_lines(lessons, step.feedback.exposed if step.feedback.kind == "complete" else {})

    def _lesson(self, question: Question, reply: Reply, feedback: Feedback) -> QuestionFeedback:
        if feedback.kind == "questions":
            return QuestionFeedback(question=question.text)
        return QuestionFeedback(
            question=question.text,
            options={option.letter: option.text for option in question.options},
            answer=reply.text,
            remembered=tuple(item.text for item in reply.recall.to_read()) if reply.recall else (),
            right=self._key(question).gold if feedback.kind == "complete" else (),
        )


def _check(questions: Sequence[Question], said: Mapping[QuestionId, Reply]) -> None:
    named = {question.question_id for question in questions}
    if named != said.keys():
        missing, unknown = len(named - said.keys()), len(said.keys() - named)
        raise UsageError(f"{missing} questions without an answer, {unknown} answers without a question.")
