"""Estimates the length of a run's contexts without running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.contracts.traits import WriteUnit
from recollect.domain.exchange import Recall
from recollect.domain.ids import HistoryId, QuestionId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Arm, Observe
from recollect.engine.execution.asking import oracle
from recollect.engine.feeding.feeder import feed
from recollect.engine.feeding.visibility import VisibleMessages, all_visible
from recollect.engine.feeding.wording import SEPARATOR, ContextMaker
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.prompts import prompt_name
from recollect.engine.rows import Conditions, Row
from recollect.text.tokens import count


class Bounds(NamedTuple):
    """Tokens of a context."""

    expected: int
    most: int


@dataclass(slots=True)
class _ShownText:
    stages: Sequence[Stage]
    visible: VisibleMessages
    maker: ContextMaker
    sizes: dict[str, int] = field(default_factory=dict)
    _before: dict[int, tuple[Session, ...]] = field(default_factory=dict)
    _whole: dict[int, int] = field(default_factory=dict)

    def sessions(self, index: int) -> tuple[Session, ...]:
        if index not in self._before:
            steps = [stage.step for stage in self.stages[:index]]
            self._before[index] = tuple(step.session for step in steps if isinstance(step, Observe))
        return self._before[index]

    def messages(self, index: int) -> list[Message]:
        return [message for session in self.sessions(index) for message in session.messages]

    def whole(self, index: int) -> int:
        """Tokens of a context with all messages."""
        if index not in self._whole:
            self._whole[index] = sum(map(self.size, self.messages(index)))
        return self._whole[index]

    def size(self, message: Message) -> int:
        if message.message_id not in self.sizes:
            context = self.maker.make(Recall.of_messages([message]), limit=_NO_LIMIT)
            self.sizes[message.message_id] = context.tokens
        return self.sizes[message.message_id]


_NO_LIMIT = 1 << 40


@dataclass(slots=True)
class ContextEstimates:
    """Contexts of all trials of a run; what rows of a history share is counted once."""

    conditions: Conditions
    window_tokens: int
    kept: Mapping[str, int] = field(default_factory=dict)
    """Row -> tokens of the newest messages that it keeps and shows, for memories of a fixed size."""
    _shown: dict[HistoryId, _ShownText] = field(default_factory=dict)
    _asked: dict[tuple[QuestionId, str], int] = field(default_factory=dict)
    _prompts: dict[str, int] = field(default_factory=dict)
    _means: dict[tuple[HistoryId, int, object], tuple[float, int]] = field(default_factory=dict)

    def of(self, trial: Trial, stage: Stage, cell: Cell) -> Bounds:
        """Tokens of the context in which a question is answered by the harness's reader.

        Exact for the oracle, for rows that show everything and for the one that holds nothing. A memory that searches
        is expected to find as many pieces as it may, of the mean length of what it was fed.
        """
        history, traits, window = trial.keyed.history, trial.row.traits, self._window(trial.row, cell)
        if history.history_id not in self._shown:
            visible = all_visible(stage.step for stage in trial.stages)
            known = {message.message_id: message for message in history.messages()}
            maker = ContextMaker({**known, **visible.messages})
            self._shown[history.history_id] = _ShownText(trial.stages, visible, maker)
        shown = self._shown[history.history_id]
        if cell.arm is Arm.ORACLE:
            tokens = shown.maker.make(oracle(trial, cell), limit=window).tokens
            return Bounds(tokens, tokens)
        if traits.holds_nothing:
            return Bounds(0, 0)
        whole = shown.whole(stage.index)
        if cell.arm is not Arm.SYSTEM:
            wanted, kept = shown.visible.showing(cell.key.evidence), self._kept(trial, shown, stage)
            read = sum(shown.size(message) for message in kept if message.message_id in wanted)
            return Bounds(min(window, read), min(window, whole))
        if traits.bound == "window":
            return Bounds(min(window, whole), min(window, whole))
        most = min(window, self.conditions.budget_tokens, whole)
        return Bounds(min(most, self._searched(trial, shown, stage)), most)

    def _window(self, row: Row, cell: Cell) -> int:
        """What prompt, question and answer leave of the reader's window."""
        question = cell.question
        name = (question.question_id, question.text)
        if name not in self._asked:
            asked = count(question.text) + sum(count(option.text) for option in question.options)
            self._asked[name] = asked + (question.output_tokens or 0)
        prompt = prompt_name(row, question.prompt, self.conditions.prompts)
        if prompt not in self._prompts:
            self._prompts[prompt] = count(self.conditions.prompts[prompt].whole)
        return max(0, self.window_tokens - self._asked[name] - self._prompts[prompt])

    def _searched(self, trial: Trial, shown: _ShownText, stage: Stage) -> int:
        traits = trial.row.traits
        if traits.limit == "fixed":
            return sum(map(shown.size, self._kept(trial, shown, stage)))
        if traits.limit == "tokens":
            return self.conditions.budget_tokens
        mean, pieces = self._fed(trial, shown, stage)
        return round(min(self.conditions.search_limit, pieces) * mean)

    def _kept(self, trial: Trial, shown: _ShownText, stage: Stage) -> list[Message]:
        """What a memory keeps of what it was shown: all, or the newest messages up to its size; at least one."""
        messages, left = shown.messages(stage.index), self.kept.get(trial.row.label)
        if left is None:
            return messages
        kept: list[Message] = []
        for message in reversed(messages):
            left -= count(message.text)
            if left < 0 and kept:
                break
            kept.append(message)
        return kept

    def _fed(self, trial: Trial, shown: _ShownText, stage: Stage) -> tuple[float, int]:
        traits = trial.row.traits
        name = (trial.keyed.history.history_id, stage.index, (traits.takes, traits.unit_size, traits.time))
        if name not in self._means:
            if traits.takes is WriteUnit.MESSAGE:
                sizes = [shown.size(message) for message in shown.messages(stage.index)]
            else:
                sessions = shown.sessions(stage.index)
                sizes = [count(fed.batch.text + SEPARATOR) for session in sessions for fed in feed(session, traits)]
            self._means[name] = (sum(sizes) / len(sizes) if sizes else 0.0, len(sizes))
        return self._means[name]


def texts_of(stages: Iterable[Stage]) -> list[str]:
    """The texts that a system is shown."""
    steps = (stage.step for stage in stages)
    return [message.text for step in steps if isinstance(step, Observe) for message in step.session.messages]
