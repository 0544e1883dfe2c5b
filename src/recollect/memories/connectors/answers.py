"""Answers that were given somewhere else: a file with a line for each question is scored like any other system.

Nothing is stored and nothing is searched, so only the answers are measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import AgentKind
from recollect.contracts.traits import Traits
from recollect.domain.errors import CallError, DataError, NotAvailableError, UsageError
from recollect.domain.exchange import Batch, Recall, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.records.digests import digest

_FIX = 'A line is {"question_id": "…", "answer": "…"}, and may say "abstained": true.'
_KNOWN = {"question_id": str, "answer": str, "abstained": bool}


@dataclass(frozen=True, slots=True)
class AnswersConfig:
    """Which file."""

    file: str = ""


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """Answers by question."""

    file: str
    replies: Mapping[str, Reply]

    def observe(self, batch: Batch) -> Receipt:  # noqa: ARG002
        """Whoever answered has read it already."""
        return Receipt.nothing()

    def settle(self) -> None:
        """Nothing is under way."""

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """The answer in the file.

        Raises:
            NotAvailableError: The question is asked with a context of ours, for which there is no answer.
            CallError: The file has no answer to it (`no_answer`).
        """
        if given is not None:
            raise NotAvailableError("answers were given without the context that this arm shows")
        if question.question_id not in self.replies:
            raise CallError(f"{self.file}: no line answers question `{question.question_id}`", cause="no_answer")
        return self.replies[question.question_id]

    def reply(self, message: Message, reply_id: MessageId) -> Reply:  # noqa: ARG002
        """A dialogue cannot be had with a file."""
        raise NotAvailableError("answers that were given beforehand cannot converse")

    def close(self) -> None:
        """Nothing is held."""


def read_answers(path: Path) -> dict[str, Reply]:
    """The answers in a file of JSON lines.

    Raises:
        UsageError: There is no such file.
        DataError: A line is no answer, or the second to one question.
    """
    if not path.is_file():
        raise UsageError(f"--answers {path}: there is no such file.")
    return dict(_read(path, path.stat().st_mtime_ns))


@lru_cache(maxsize=4)
def _read(path: Path, _: int) -> Mapping[str, Reply]:
    """Read once for all trials of a run, as long as it stays as it is."""
    found: dict[str, Reply] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                name, reply = _answer(line, path, number)
                if name in found:
                    raise DataError(f"question `{name}` is answered twice", path, line=number, fix="Keep one of them.")
                found[name] = reply
    return found


def _answer(line: str, path: Path, number: int) -> tuple[str, Reply]:
    try:
        said: Any = json.loads(line)
    except ValueError as error:
        raise DataError(f"no JSON: {error}", path, line=number, fix=_FIX) from None
    if not isinstance(said, dict) or not {"question_id", "answer"} <= said.keys():
        raise DataError("`question_id` or `answer` is missing", path, line=number, fix=_FIX)
    odd = [name for name, value in said.items() if not isinstance(value, _KNOWN.get(name, object))]
    odd += sorted(said.keys() - _KNOWN.keys())
    if odd:
        told = f"{', '.join(f'`{name}`' for name in odd)}: unknown, or of a wrong type"
        raise DataError(told, path, line=number, fix=_FIX)
    return said["question_id"], Reply(text=said["answer"], abstained=said.get("abstained", False))


def _open(config: AnswersConfig, _: Room) -> Agent:
    return GivenAnswers(config.file, read_answers(Path(config.file)))


def _inputs(config: AnswersConfig) -> Mapping[str, str]:
    if not config.file:
        raise UsageError("`answers` needs a file: `--answers FILE`.")
    read_answers(Path(config.file))  # what is wrong with it is said before the run begins
    return {"answers": digest(Path(config.file).read_text(encoding="utf-8"))}


KIND = AgentKind(
    name="answers",
    version=1,
    summary="answers that were given somewhere else, in a file",
    config=AnswersConfig,
    traits=lambda _: Traits(provenance="none", bound="window", holds_nothing=True),
    open=_open,
    inputs=_inputs,
    reads=False,
)
