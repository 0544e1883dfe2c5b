"""How long the contexts of a run will be, as far as that is known without running it."""

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
class _KnownText:
    """What one history shows to all systems alike."""

    stages: Sequence[Stage]
    shown: VisibleMessages
    maker: ContextMaker
    sizes: dict[str, int] = field(default_factory=dict)
    _before: dict[int, tuple[Session, ...]] = field(default_factory=dict)
    _whole: dict[int, int] = field(default_factory=dict)

    def sessions(self, index: int) -> tuple[Session, ...]:
        """What was shown before a step."""
        if index not in self._before:
            steps = [stage.step for stage in self.stages[:index]]
            self._before[index] = tuple(step.session for step in steps if isinstance(step, Observe))
        return self._before[index]

    def messages(self, index: int) -> list[Message]:
        """The same as messages."""
        return [message for session in self.sessions(index) for message in session.messages]

    def whole(self, index: int) -> int:
        """Tokens of a context with all of it."""
        if index not in self._whole:
            self._whole[index] = sum(map(self.size, self.messages(index)))
        return self._whole[index]

    def size(self, message: Message) -> int:
        """Tokens of one message in a context."""
        if message.message_id not in self.sizes:
            made = self.maker.make(Recall.of_messages([message]), limit=_ENDLESS)
            self.sizes[message.message_id] = made.tokens
        return self.sizes[message.message_id]


_ENDLESS = 1 << 40


@dataclass(slots=True)
class ContextEstimates:
    """Contexts of all trials of a run; what all rows of a history share is counted once."""

    conditions: Conditions
    window_tokens: int
    kept: Mapping[str, int] = field(default_factory=dict)
    """Row -> tokens of the newest messages that it keeps and shows, for memories of a fixed size."""
    _told: dict[HistoryId, _KnownText] = field(default_factory=dict)
    _asked: dict[tuple[QuestionId, str], int] = field(default_factory=dict)
    _prompts: dict[str, int] = field(default_factory=dict)
    _means: dict[tuple[HistoryId, int, object], tuple[float, int]] = field(default_factory=dict)

    def of(self, trial: Trial, stage: Stage, cell: Cell) -> Bounds:
        """Tokens of the context in which a question is answered by the harness's reader.

        Exact for the oracle, for rows that show everything and for the one that holds nothing. A memory that searches
        is expected to find as many pieces as it may, of the mean length of what it was fed.
        """
        told, window = self._of_history(trial), self._window(trial.row, cell)
        if cell.arm is Arm.ORACLE:
            tokens = told.maker.make(oracle(trial, cell), limit=window).tokens
            return Bounds(tokens, tokens)
        if trial.row.traits.holds_nothing:
            return Bounds(0, 0)
        whole = told.whole(stage.index)
        if cell.arm is not Arm.SYSTEM:
            return Bounds(min(window, self._read_back(trial, told, stage, cell)), min(window, whole))
        if trial.row.traits.bound == "window":
            return Bounds(min(window, whole), min(window, whole))
        most = min(window, self.conditions.budget_tokens, whole)
        return Bounds(min(most, self._searched(trial, told, stage)), most)

    def _of_history(self, trial: Trial) -> _KnownText:
        history = trial.keyed.history
        if history.history_id not in self._told:
            shown = all_visible(stage.step for stage in trial.stages)
            known = {message.message_id: message for message in history.messages()}
            maker = ContextMaker({**known, **shown.messages})
            self._told[history.history_id] = _KnownText(trial.stages, shown, maker)
        return self._told[history.history_id]

    def _window(self, row: Row, cell: Cell) -> int:
        """What the reader's window leaves beside prompt, question and answer."""
        question = cell.question
        name = (question.question_id, question.text)
        if name not in self._asked:
            asked = count(question.text) + sum(count(option.text) for option in question.options)
            self._asked[name] = asked + (question.output_tokens or 0)
        prompt = prompt_name(row, question.prompt, self.conditions.prompts)
        if prompt not in self._prompts:
            self._prompts[prompt] = count(self.conditions.prompts[prompt].whole)
        return max(0, self.window_tokens - self._asked[name] - self._prompts[prompt])

    def _read_back(self, trial: Trial, told: _KnownText, stage: Stage, cell: Cell) -> int:
        wanted = told.shown.showing(cell.key.evidence)
        return sum(told.size(message) for message in self._held(trial, told, stage) if message.message_id in wanted)

    def _searched(self, trial: Trial, told: _KnownText, stage: Stage) -> int:
        traits = trial.row.traits
        if traits.limit == "fixed":
            return sum(map(told.size, self._held(trial, told, stage)))
        if traits.limit == "tokens":
            return self.conditions.budget_tokens
        mean, pieces = self._fed(trial, told, stage)
        return round(min(self.conditions.search_limit, pieces) * mean)

    def _held(self, trial: Trial, told: _KnownText, stage: Stage) -> list[Message]:
        """What a memory still has of what it was shown: all of it, unless its size is known to be fixed."""
        messages = told.messages(stage.index)
        kept = self.kept.get(trial.row.label)
        return messages if kept is None else _newest(messages, kept)

    def _fed(self, trial: Trial, told: _KnownText, stage: Stage) -> tuple[float, int]:
        """Mean tokens of what a system is fed before a step, and how many pieces these are."""
        traits = trial.row.traits
        name = (trial.keyed.history.history_id, stage.index, (traits.takes, traits.unit_size, traits.time))
        if name not in self._means:
            if traits.takes is WriteUnit.MESSAGE:
                sizes = [told.size(message) for message in told.messages(stage.index)]
            else:
                sessions = told.sessions(stage.index)
                sizes = [count(fed.batch.text + SEPARATOR) for session in sessions for fed in feed(session, traits)]
            self._means[name] = (sum(sizes) / len(sizes) if sizes else 0.0, len(sizes))
        return self._means[name]


def _newest(messages: Sequence[Message], tokens: int) -> list[Message]:
    """The newest messages whose texts have so many tokens; the newest one always."""
    kept: list[Message] = []
    left = tokens
    for message in reversed(messages):
        left -= count(message.text)
        if left < 0 and kept:
            break
        kept.append(message)
    return kept


def texts_of(stages: Iterable[Stage]) -> list[str]:
    """What a system is shown."""
    steps = (stage.step for stage in stages)
    return [message.text for step in steps if isinstance(step, Observe) for message in step.session.messages]
