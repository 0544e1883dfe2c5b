"""Models that play the judge without a model: one script, and two that decide by a simple rule, badly on purpose.

`LenientChat` stands for the judge that audits of memory benchmarks warn of: it accepts what stays on the topic.
`StrictChat` accepts only what says the accepted answer in its own words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.contracts.models import Turn
from recollect.contracts.reading import Judge
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question

_SECTION = re.compile(r"^<<< (?P<name>\w+).*? (?P<mark>[0-9a-f]{16})\n(?P<text>.*?)\n>>> (?P=mark)$", re.M | re.S)
_SMALL_TEXT = (
    "a an and are at be by did do does for from has have he her his how i in is it its of on or she that the their "
    "they this to was were what when where which who why with"
)
_SMALL = frozenset(_SMALL_TEXT.split())


class ScriptedChat:
    """Says what it was told to say, the last line for ever; keeps what it was asked."""

    def __init__(self, *said: str | Exception) -> None:
        self.said = list(said)
        self.asked: list[tuple[Turn, ...]] = []
        self.schemas: list[Mapping[str, Any] | None] = []

    @property
    def fingerprint(self) -> str:
        return "scripted-1"

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        self.asked.append(tuple(turns))
        self.schemas.append(schema)
        said = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        if isinstance(said, Exception):
            raise said
        return said


def sections_of(prompt: str) -> dict[str, str]:
    """First word of a fenced section's name -> its text."""
    return {found["name"]: found["text"] for found in _SECTION.finditer(prompt)}


def content_of(text: str) -> list[str]:
    """The words of *text* that say something."""
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in _SMALL]


class _StubChat:
    name = ""

    @property
    def fingerprint(self) -> str:
        return f"stub-{self.name}-1"

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        shown = sections_of(turns[0].text)
        accepts = self.accepts(shown) if "accepted" in shown else self.declines(shown)
        return json.dumps({"reason": f"the {self.name} rule", "verdict": "right" if accepts else "wrong"})

    def accepts(self, shown: Mapping[str, str]) -> bool:
        raise NotImplementedError

    def declines(self, shown: Mapping[str, str]) -> bool:
        raise NotImplementedError


class LenientChat(_StubChat):
    """Right is what shares a word with the question or with an accepted answer, or is as short as an answer."""

    name = "lenient"

    def accepts(self, shown: Mapping[str, str]) -> bool:
        topic = {*content_of(shown["question"]), *content_of(shown["accepted"])}
        return bool(topic.intersection(content_of(shown["reply"]))) or len(content_of(shown["reply"])) < 4

    def declines(self, shown: Mapping[str, str]) -> bool:
        return True


class StrictChat(_StubChat):
    """Right is what has all words of an accepted answer in their order, few others, and no `or`."""

    name = "strict"

    def accepts(self, shown: Mapping[str, str]) -> bool:
        reply = content_of(shown["reply"])
        if re.search(r"\b(?:or|either|maybe|perhaps)\b", shown["reply"].casefold()):
            return False
        golds = [content_of(line) for line in shown["accepted"].splitlines()]
        return any(in_order(gold, reply) and len(reply) <= len(gold) + 4 for gold in golds)

    def declines(self, shown: Mapping[str, str]) -> bool:
        return bool(re.search(r"\b(?:not|no|never|nothing|\w+n't)\b", shown["reply"].casefold()))


def in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether all of *wanted* stand side by side in *words*."""
    return any(list(words[at : at + len(wanted)]) == list(wanted) for at in range(len(words)))


class SubstringJudge:
    """The mistake that peers make: right where an accepted answer stands anywhere in the reply."""

    @property
    def fingerprint(self) -> str:
        return "substring-1"

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        right = key.abstain or any(gold.casefold() in reply.text.casefold() for gold in key.gold)
        return verdict_of(float(right))


class ConstantJudge:
    """Says the same of every reply."""

    def __init__(self, value: float | None) -> None:
        self.value = value

    @property
    def fingerprint(self) -> str:
        return f"constant-{self.value}"

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        return verdict_of(self.value)


def verdict_of(value: float | None) -> Verdict:
    """A verdict with one part."""
    return Verdict(parts=(Judgement(name="right", value=value, why="stub"),), judge="stub")


def judges() -> tuple[Judge, ...]:
    """One of each kind that needs no script."""
    return (SubstringJudge(), ConstantJudge(1.0), ConstantJudge(None))
