"""Answers from a file, with a line for each question, scored like any other system.

Nothing is stored and nothing is searched, so only the answers are measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

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
        return Receipt.nothing()

    def settle(self) -> None:
        """Nothing to wait for."""

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        if given is not None:
            raise NotAvailableError("the answers in the file were given without the context of this arm")
        if question.question_id not in self.replies:
            raise CallError(f"{self.file}: no line answers question `{question.question_id}`", cause="no_answer")
        return self.replies[question.question_id]

    def reply(self, message: Message, reply_id: MessageId) -> Reply:  # noqa: ARG002
        raise NotAvailableError("answers from a file cannot converse")

    def close(self) -> None:
        """Nothing to close."""


def read_answers(path: Path) -> dict[str, Reply]:
    """The answers in a file of JSON lines."""
    if not path.is_file():
        raise UsageError(f"--answers {path}: no such file. Give a file of JSON lines.")
    return dict(_read(path, path.stat().st_mtime_ns))


@lru_cache(maxsize=4)
def _read(path: Path, _: int) -> Mapping[str, Reply]:
    """Read once for all trials of a run, until the file changes."""
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
        row: Any = json.loads(line)
    except ValueError as error:
        raise DataError(f"no JSON: {error}", path, line=number, fix=_FIX) from None
    if not isinstance(row, dict) or not {"question_id", "answer"} <= row.keys():
        raise DataError("`question_id` or `answer` is missing", path, line=number, fix=_FIX)
    odd = [name for name, value in row.items() if not isinstance(value, _KNOWN.get(name, object))]
    odd += sorted(row.keys() - _KNOWN.keys())
    if odd:
        problem = f"{', '.join(f'`{name}`' for name in odd)}: unknown, or of a wrong type"
        raise DataError(problem, path, line=number, fix=_FIX)
    return row["question_id"], Reply(text=row["answer"], abstained=row.get("abstained", False))


def _inputs(config: AnswersConfig) -> Mapping[str, str]:
    if not config.file:
        raise UsageError("`answers` needs a file: `--answers FILE`.")
    read_answers(Path(config.file))  # so that its errors show before the run begins
    return {"answers": digest(Path(config.file).read_text(encoding="utf-8"))}


KIND = AgentKind(
    name="answers",
    version=1,
    summary="answers that were given somewhere else, in a file",
    config=AnswersConfig,
    traits=lambda _: Traits(provenance="none", bound="window", holds_nothing=True),
    open=lambda config, _: GivenAnswers(config.file, read_answers(Path(config.file))),
    inputs=_inputs,
    reads=False,
)
