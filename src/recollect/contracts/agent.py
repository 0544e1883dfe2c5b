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

    Hiding the options from its own retrieval, keeping the budget and not changing while it answers are its promise.
    """

    def observe(self, batch: Batch) -> Receipt:
        """Take in what others said."""
        ...

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """Answer a turn of the dialogue; changes its memory. *reply_id* will name the reply."""
        ...

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """Answer a question; *given* replaces its own search (oracle or readback)."""
        ...

    def settle(self) -> None:
        """Return when all that was taken in can be found."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class Policy(Protocol):
    """Follows a written memory policy that can be replaced."""

    def policy(self) -> str:
        """The policy in force."""
        ...

    def adopt(self, policy: str) -> None:
        """Follow *policy* from now on."""
        ...


class PolicyMaker(Protocol):
    """The agent's own model, asked for its next policy."""

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change a policy."""
        ...

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The next policy, made from the one in force and what came of it: lines of JSON (`records.lessons`)."""
        ...


class User(Protocol):
    """The simulated user."""

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change what it says."""
        ...

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """What it says next; never called for the opening, which the script has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UserKind:
    """A way to play the simulated user of a benchmark that converses."""

    name: str
    summary: str
    """One line for `show`."""
    open: Callable[[ChatModel | None, int], User]
    """Of a model, where one speaks, and the run's seed."""
    by_model: bool = False
    """A chat model speaks; without one, rules do."""
