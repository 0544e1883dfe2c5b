"""A reader and a judge that do not repeat themselves, but do so the same way in every process."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from recollect.contracts.call_context import current_context
from recollect.contracts.models import Embedder
from recollect.contracts.reading import Judge, Prompt, Reader
from recollect.domain.exchange import Context, Reply
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.offline.reading import RuleReader

FLIPPED = 0.3
"""Share of answers, and of verdicts, that come out otherwise."""


class SamplingReader:
    """The rule reader, whose answer is lost now and then."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._reader: Reader = RuleReader(embedder)

    @property
    def fingerprint(self) -> str:
        """That of a toy."""
        return "sampling-reader-1"

    @property
    def window_tokens(self) -> int:
        """As the rule reader's."""
        return self._reader.window_tokens

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        """The rule reader's answer, or nonsense that no other call gives."""
        drawn = draw("answer", question.question_id)
        reply = self._reader.read(context, question, prompt)
        return replace(reply, text=f"nonsense {drawn}", abstained=False) if drawn < FLIPPED else reply


class SamplingJudge:
    """The rule judge, which turns its verdict now and then."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._judge: Judge = RuleJudge(embedder)

    @property
    def fingerprint(self) -> str:
        """That of a toy."""
        return "sampling-judge-1"

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        """The rule judge's verdict, or its contrary."""
        verdict = self._judge.judge(question, key, reply)
        if draw("judge", question.question_id) >= FLIPPED:
            return verdict
        turned = [part if part.value is None else replace(part, value=1 - part.value) for part in verdict.parts]
        return replace(verdict, parts=tuple(turned))


def draw(stage: str, question: str) -> float:
    """In [0, 1): another number for each repeat of the work that is going on."""
    occasion = current_context()
    if occasion is None:
        raise ValueError("nobody said what this call is for")
    said = repr([stage, occasion.row, occasion.arm, question, occasion.checkpoint, occasion.replicate])
    return int(sha256(said.encode()).hexdigest()[:8], 16) / 16**8
