"""The reader turns context and question into an answer; the judge scores it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from recollect.domain.exchange import Context, Reply
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question

THEN = "\n\n=== then, with the reply as context ===\n\n"
"""Between the texts of a prompt of several calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A versioned prompt file; its digest is in every key and record that used it."""

    name: str
    """`benchmark/role.vN`."""
    text: str
    """With `$placeholders`."""
    first: Prompt | None = None
    """Prompt of an earlier call, whose reply replaces the context in this one. Rules read the context itself."""

    @property
    def calls(self) -> tuple[Prompt, ...]:
        """The prompts of all calls, in order."""
        return (*self.first.calls, self) if self.first else (self,)

    @property
    def whole(self) -> str:
        """The texts of all calls, in order."""
        return THEN.join(prompt.text for prompt in self.calls)

    @property
    def digest(self) -> str:
        """Of the texts alone."""
        return sha256(self.whole.encode()).hexdigest()[:16]


class Reader(Protocol):
    """The harness's reader; may be called by several threads at once."""

    @property
    def fingerprint(self) -> str:
        """Model and settings: everything but the prompt that can change an answer."""

    @property
    def window_tokens(self) -> int:
        """Its limit for prompt and context together."""

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        """Answer *question* from *context* alone.

        Raises:
            NotAvailableError: It cannot answer this format or kind of question.
            CallError: The model failed.
        """


class Judge(Protocol):
    """Compares a reply with the key; may be called by several threads at once."""

    @property
    def fingerprint(self) -> str:
        """Everything that can change a verdict."""

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        """A verdict with its parts; a part that cannot be judged is undecided."""
