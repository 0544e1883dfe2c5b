"""How an agent replies: from its memories, the messages that are still local, and the last message or question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from recollect.contracts.memory import Room
from recollect.contracts.models import Turn
from recollect.contracts.reading import Prompt, Reader
from recollect.domain.exchange import Context, ContextItem, Recall, RecallItem, Reply
from recollect.domain.messages import Message
from recollect.domain.questions import AnswerFormat, Question
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.prompts import filled
from recollect.offline.lexicon import FRAMES
from recollect.text.tokens import count

By = Literal["rules", "model"]
Memories = Sequence[RecallItem] | None
"""Earliest first; `None` for an agent that has no memory but the talk itself."""
_PROMPT = Prompt(name="agents/rules", text="")


class Responder(Protocol):
    """Words replies and answers."""

    def reply(self, message: Message, memories: Memories, talk: Sequence[Message]) -> str:
        """The next turn of the talk."""
        ...

    def answer(self, question: Question, memories: Memories, talk: Sequence[Message]) -> Reply:
        """An answer that is no part of the talk."""
        ...


def responder_of(by: By, room: Room, agent: str) -> Responder:
    """Rules, or the room's chat model."""
    if by == "model":
        return ModelResponder(Chat.of(room, agent))
    from recollect.offline.reading import RuleReader

    return RuleResponder(RuleReader(room.embedder))


@dataclass(frozen=True, slots=True)
class RuleResponder:
    """The rule replier and the rule reader."""

    reader: Reader

    def reply(self, message: Message, memories: Memories, talk: Sequence[Message]) -> str:
        """A polite reply, with a memory that fits."""
        from recollect.offline.chat import RuleReplier

        return RuleReplier().reply(message.text, Recall(items=repeated_memories(memories, talk)))

    def answer(self, question: Question, memories: Memories, talk: Sequence[Message]) -> Reply:
        """What the rule reader reads.

        Left out is what such a reply repeats: it is there already, and said again it would look newer than it is.
        """
        items = tuple(_item(one) for one in repeated_memories(memories, talk) if not _is_repeated(one))
        text = "\n".join(item.text for item in items)
        return self.reader.read(Context(items=items, text=text, tokens=count(text)), question, _PROMPT)


@dataclass(frozen=True, slots=True)
class ModelResponder:
    """A chat model: memories in the system text, local messages as the turns they were, then what is asked."""

    chat: Chat

    def reply(self, message: Message, memories: Memories, talk: Sequence[Message]) -> str:
        """One call."""
        return self.chat.text(turns_of("reply", memories, talk, _turn(message)))

    def answer(self, question: Question, memories: Memories, talk: Sequence[Message]) -> Reply:
        """One call."""
        asked = filled("question", {"question": _asked(question), "shape": _shape(question)}).rstrip()
        last = Turn(role="user", text=asked)
        return Reply(text=self.chat.text(turns_of("answer", memories, talk, last), question.output_tokens))


def turns_of(role: str, memories: Memories, talk: Sequence[Message], last: Turn) -> list[Turn]:
    """All that the model is sent; an agent without a memory has no system text."""
    system = [] if memories is None else [Turn(role="system", text=filled(role, {"memories": listed(memories)}))]
    return [*system, *map(_turn, talk), last]


def listed(memories: Sequence[RecallItem]) -> str:
    """One a line, with its time."""
    return "\n".join(f"- {f'[{one.said_at}] ' if one.said_at else ''}{_told(one)}" for one in memories)


def repeated_memories(memories: Memories, talk: Sequence[Message]) -> tuple[RecallItem, ...]:
    """All that an answer may come from: memories, then the local messages."""
    return (*(memories or ()), *Recall.of_messages(talk).items)


def _told(item: RecallItem) -> str:
    speaker = item.message.speaker or item.message.role if item.message else ""
    return f"{speaker}: {item.text}" if speaker else item.text


def _item(item: RecallItem) -> ContextItem:
    speaker = item.message.speaker if item.message else ""
    return ContextItem(text=item.text, sources=item.sources, said_at=item.said_at, speaker=speaker)


def _is_repeated(item: RecallItem) -> bool:
    return item.message is not None and item.message.role == "assistant" and item.text.startswith(FRAMES)


def _turn(message: Message) -> Turn:
    """A message as it was said; only what the assistant said itself stands without its time, or it would copy that."""
    if message.role == "assistant":
        return Turn(role="assistant", text=message.text)
    day = f"[{message.said_at}] " if message.said_at else ""
    speaker = f"{message.speaker}: " if message.speaker else ""
    return Turn(role="system" if message.role == "system" else "user", text=f"{day}{speaker}{message.text}")


def _asked(question: Question) -> str:
    """The question with its date and options."""
    lines = [f"[{question.asked_at}]"] if question.asked_at else []
    return "\n".join([*lines, question.text, *(f"{option.letter}: {option.text}" for option in question.options)])


def _shape(question: Question) -> str:
    """What the answer should look like, by its format."""
    fields = "; ".join(f"{name}: {meaning}" for name, meaning in question.template.items())
    many = "" if question.items is None else f"{question.items} "
    shapes = {
        AnswerFormat.LETTER: (
            "Reply with the sign in front of the option that is right, or, where advice is asked for, that suits the "
            "user's present situation and preferences, and nothing else."
        ),
        AnswerFormat.NUMBER: "Reply with a number and nothing else.",
        AnswerFormat.DATE_SPAN: "Reply with the day, or with the first and the last day, as YYYY-MM-DD.",
        AnswerFormat.LIST: f"Reply with {many}entries, one a line.",
        AnswerFormat.JSON: f"Reply with one JSON object with these fields and nothing else: {fields}.",
        AnswerFormat.SUMMARY: "Reply with a summary in whole sentences.",
    }
    return shapes.get(question.answer_format, "Reply as briefly as you can; if you do not know, say so.")
