"""Agents as the harness opens them, and a small talk for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from recollect.contracts.agent import Agent, Policy
from recollect.contracts.memory import Forget, Listing, Readback, Room, Snapshot
from recollect.contracts.models import ChatModel
from recollect.domain.exchange import Batch, Reply
from recollect.domain.ids import MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Role
from recollect.domain.questions import Question
from recollect.domain.steps import Arm
from recollect.engine.rows import Row
from recollect.runs.setup.config import SystemChoice
from recollect.runs.setup.models import Supplies
from recollect.runs.setup.rows import agent_row

from tests.unit.memories.hash_embedder import HashEmbedder

Held = TypeVar("Held", bound=Agent)
ARMS = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK)


class Able(Agent, Listing, Readback, Snapshot, Forget, Policy, Protocol):
    """An agent with all that one may have."""


def row(name: str, chat: ChatModel | None = None, **settings: Any) -> Row:
    """The row of a registered agent."""
    supplies = Supplies(embedder=HashEmbedder(dimensions=256), model=chat)
    by = {"by": "model"} if chat else {}
    return agent_row(SystemChoice(name=name, settings={**by, **settings}), ARMS, supplies)


def opened(folder: Path, name: str, chat: ChatModel | None = None, **settings: Any) -> Able:
    """A registered agent in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    room = Room(folder=folder, namespace=folder.name, seed=0, embedder=HashEmbedder(dimensions=256), model=chat)
    opens = row(name, chat, **settings).open_agent
    assert opens is not None
    return cast("Able", opens(room))


def said(number: int, text: str, role: Role = "user") -> Message:
    """A message; two of one session a day."""
    return Message(
        message_id=MessageId(f"{role[0]}{number}"),
        session_id=SessionId(f"s{number // 2}"),
        text=text,
        speaker="Ana" if role == "user" else role,
        role=role,
        said_at=f"2024-03-{1 + number // 2 % 28:02}T10:00",
    )


def one_round(number: int, text: str, answer: str = "I see.") -> Batch:
    """A round that others held."""
    messages = (said(number, text), said(number, answer, "assistant"))
    return Batch(messages=messages, text="\n".join(message.text for message in messages))


def told(agent: Held, *texts: str, first: int = 0) -> Held:
    """*agent* after it has observed a round for each text."""
    for number, text in enumerate(texts, start=first):
        agent.observe(one_round(number, text))
    agent.settle()
    return agent


def talked(agent: Agent, *texts: str) -> list[Reply]:
    """What it replied to each text."""
    return [agent.reply(said(number, text), MessageId(f"r{number}")) for number, text in enumerate(texts)]


def asked(text: str, **more: Any) -> Question:
    """A question."""
    return Question(question_id=QuestionId("q1"), text=text, **more)


def texts(agent: Listing) -> Sequence[str]:
    """All that it holds."""
    return [unit.text for unit in agent.units()]
