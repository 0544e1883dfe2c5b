"""An agent converses and answers by itself; the simulated user is its counterpart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.contracts.models import ChatModel
from recollect.domain.exchange import Batch, Recall, Receipt, Reply
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question


class Agent(Protocol):
    """A system that converses and answers. Called by one thread at a time.

    It must hide the options from its own retrieval, keep the budget, and not change while it answers.
    """

    def observe(self, batch: Batch) -> Receipt:
        """Take in messages of others."""

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """Answer a turn of the dialogue; changes its memory. *reply_id* becomes the id of the reply."""

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """Answer a question; *given* replaces its own search (oracle or readback)."""

    def settle(self) -> None:
        """Return when all messages can be found."""

    def close(self) -> None:
        """Release all resources."""


class Policy(Protocol):
    """Follows a written memory policy that can be replaced."""

    def policy(self) -> str:
        """The policy in force."""

    def adopt(self, policy: str) -> None:
        """Follow *policy* from now on."""


class PolicyMaker(Protocol):
    """The agent's own model, asked for its next policy."""

    @property
    def fingerprint(self) -> str:
        """Everything that can change a policy."""

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The next policy, from the one in force and its results: lines of JSON (`records.feedback`)."""


class User(Protocol):
    """The simulated user."""

    @property
    def fingerprint(self) -> str:
        """Everything that can change its messages."""

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """Its next message; never called for the opening, which is in the script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserKind:
    """A way to play the simulated user of a benchmark that converses."""

    name: str
    summary: str
    """One line for `show`."""
    open: Callable[[ChatModel | None, int], User]
    """From a model, where one plays it, and the run's seed."""
    by_model: bool = False
    """Played by a chat model; else by rules."""
