"""Asking the rule judge in one line, and the hand-made pairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from recollect.contracts.reading import Judge
from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.offline.judge.rule_judge import RuleJudge

FOLDER = Path(__file__).parent
ID = QuestionId("q")


class Pair(NamedTuple):
    """A hand-made pair, as the judge gets it, with its label."""

    question: Question
    key: Key
    reply: Reply
    right: bool
    kind: str


def read_pairs(name: str) -> list[Pair]:
    """The pairs of one file."""
    return [_pair(row) for row in json.loads((FOLDER / name).read_text(encoding="utf-8"))]


def _pair(row: Mapping[str, Any]) -> Pair:
    options = tuple(Option(letter=chr(65 + place), text=text) for place, text in enumerate(row.get("options", ())))
    question = Question(
        question_id=ID,
        text=row["question"],
        options=options,
        answer_format=AnswerFormat(row.get("format", "text")),
        items=row.get("items"),
    )
    key = Key(
        question_id=ID,
        gold=tuple(row["gold"]),
        rejected=tuple(row.get("rejected", ())),
        abstain=row.get("abstain", False),
        field_gold={name: tuple(values) for name, values in row.get("fields", {}).items()},
        labels={"conflict": "yes"} if row.get("conflict") else {},
    )
    reply = Reply(text=row["reply"], abstained=row.get("abstained", False))
    return Pair(question, key, reply, row["right"], row["kind"])


Ask = Callable[..., Verdict]


@pytest.fixture(scope="session")
def ask() -> Ask:
    """`ask(question, gold, reply, rejected=...)` gives the verdict of the rules without an embedder."""
    judge: Judge = RuleJudge()

    def _ask(question: str, gold: str | Sequence[str], reply: str, *, rejected: Sequence[str] = ()) -> Verdict:
        accepted = (gold,) if isinstance(gold, str) else tuple(gold)
        key = Key(question_id=ID, gold=accepted, rejected=tuple(rejected))
        return judge.judge(Question(question_id=ID, text=question), key, Reply(text=reply))

    return _ask


@pytest.fixture(scope="session")
def pairs() -> Mapping[str, list[Pair]]:
    """Both halves of the hand-made pairs."""
    return {half: read_pairs(f"pairs_{half}.json") for half in ("seen", "held_out")}


def code_of(verdict: Verdict) -> str:
    """The reason code of the verdict's first part."""
    return verdict.parts[0].why.partition(":")[0]


@pytest.fixture(scope="session")
def code() -> Callable[[Verdict], str]:
    """`code(verdict)`: the reason code."""
    return code_of
