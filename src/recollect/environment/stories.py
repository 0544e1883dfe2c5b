"""One user's episode, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from recollect.contracts.agent import User
from recollect.contracts.benchmark import Scorer
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed, Script
from recollect.domain.ids import CheckpointId, MessageId, QuestionId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Observe, Step
from recollect.engine.execution.dialogue import converse
from recollect.engine.systems.driver import Driver
from recollect.environment.turns import Rewards, Turn
from recollect.records.feedback import QuestionFeedback, feedback_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The steps of one user's episode, with its keys, which no player sees."""

    keyed: Keyed
    steps: tuple[Step, ...]
    shared: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Episode:
    """A story in progress."""

    story: Story
    user: User
    score: Scorer
    talk: list[Message] = field(default_factory=list)
    """Messages of the finished dialogues."""
    _left: Iterator[Step] = field(init=False)
    _dialogue: Dialogue | None = None
    _asking: Ask | None = None
    _given: dict[CheckpointId, list[tuple[Question, Reply]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._left = iter(self.story.steps)

    def reply(self, reply: Reply) -> Turn:
        """Reply to the user's message; the next turn.

        Raises:
            UsageError: No message waits for a reply.
        """
        if self._dialogue is None:
            raise UsageError(f"nobody waits for a reply: {self._waits_for()}.")
        self._dialogue.reply(reply)
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

    def answer(self, replies: Mapping[QuestionId, Reply]) -> Rewards:
        """Answer the questions that are due; the rewards and the next turn.

        Raises:
            UsageError: No questions are due, or the answers are not to these.
        """
        asked = self.asked()
        names = {question.question_id for question in asked.questions}
        if names != replies.keys():
            missing, unknown = len(names - replies.keys()), len(replies.keys() - names)
            raise UsageError(f"{missing} questions without an answer, {unknown} answers without a question.")
        self._given.setdefault(asked.checkpoint, []).extend((one, replies[one.question_id]) for one in asked.questions)
        self._asking = None
        scores: dict[QuestionId, float] = {}
        states: dict[QuestionId, float] = {}
        gold: dict[QuestionId, tuple[str, ...]] = {}
        complete = any(isinstance(step, Evolve) and step.feedback.kind == "complete" for step in self.story.steps)
        for question in asked.questions:
            name, key = question.question_id, self.story.keyed.keys[question.question_id]
            value = self.score(question, key, replies[name], None, self.story.shared).value
            if value is not None:  # what a rule cannot decide has none
                (states if question.purpose == "probe" else scores)[name] = value
            if complete and question.purpose != "probe":
                gold[name] = key.gold
        return Rewards(checkpoint=asked.checkpoint, scores=scores, states=states, gold=gold, turn=self.go_on())

    def go_on(self) -> Turn:
        """Proceed to the next message or questions."""
        heard: list[Message] = []
        feedback: list[str] = []
        while self._dialogue is None and self._asking is None:
            step = next(self._left, None)
            if step is None:
                break
            if isinstance(step, Converse):
                self._dialogue = Dialogue(step.script, self.user)
            elif isinstance(step, Observe):
                heard.extend(step.session.messages)
            elif isinstance(step, Evolve):
                feedback.extend(self._feedback(step))
            elif step.arms is None or Arm.SYSTEM in step.arms:  # others are for the harness's own reader
                self._asking = step
        waiting = self._dialogue.waiting if self._dialogue else None
        message, reply_id = waiting or (None, None)
        return Turn(
            message=message,
            reply_id=reply_id,
            due=self._asking is not None,
            heard=tuple(heard),
            feedback=tuple(feedback),
        )

    def _waits_for(self) -> str:
        if self._asking is not None:
            return "the questions of this period are due, `answer` them"
        if self._dialogue is not None:
            return "the user waits for a reply, `step` takes it"
        return "the episode is over, `reset` begins one"

    def _feedback(self, step: Evolve) -> Iterator[str]:
        complete = step.feedback.kind == "complete"
        lessons = []
        for question, reply in self._given[step.checkpoint]:
            lesson = QuestionFeedback(question=question.text)
            if step.feedback.kind != "questions":
                lesson = QuestionFeedback(
                    question=question.text,
                    options={option.letter: option.text for option in question.options},
                    answer=reply.text,
                    remembered=tuple(item.text for item in reply.recall.to_read()) if reply.recall else (),
                    right=self.story.keyed.keys[question.question_id].gold if complete else (),
                )
            lessons.append(lesson)
        return feedback_lines(lessons, step.feedback.exposed if complete else {})


class Dialogue:
    """One dialogue, held by the engine's own function: it is replayed with all replies so far, and stops at the next.

    So no turn of it can differ from a run's. The user is called once for each of its turns.
    """

    def __init__(self, script: Script, user: User) -> None:
        self._script, self._user = script, _CachedUser(user)
        self._replies: list[Reply] = []
        self.talk: tuple[Message, ...] = ()
        self.waiting = self._go_on()
        """The user's turn that waits for a reply, with the id of that reply; `None` after the last one."""

    def reply(self, reply: Reply) -> None:
        """Take the reply to the turn that waits."""
        self._replies.append(reply)
        self.waiting = self._go_on()

    def _go_on(self) -> tuple[Message, MessageId] | None:
        try:
            self.talk = converse(cast("Driver", _Replay(self._replies)), self._script, self._user, ())
        except _WaitsError as waits:
            return waits.message, waits.reply_id
        return None


class _WaitsError(Exception):
    def __init__(self, message: Message, reply_id: MessageId) -> None:
        super().__init__(message, reply_id)
        self.message, self.reply_id = message, reply_id


class _Replay:
    """In place of a run's agent: gives the known replies in order."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._left = iter(replies)
        self.the_agent = self

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        for known in self._left:
            return known
        raise _WaitsError(message, reply_id)


class _CachedUser:
    def __init__(self, user: User) -> None:
        self._user = user
        self.fingerprint = user.fingerprint
        self._turns: dict[int, str] = {}

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        if len(talk) not in self._turns:
            self._turns[len(talk)] = self._user.next(script, talk)
        return self._turns[len(talk)]
