"""How an agent replies: from its memories, the messages that are still local, and the last message or question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from recollect.contracts.memory import Room
from recollect.contracts.models import Turn
from recollect.contracts.reading import Prompt, Reader
from recollect.domain.exchange import Context, ContextItem, Recall, RecallItem, Reply
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.prompts import filled
from recollect.memories.prompt_files import By, shape_of
from recollect.offline.lexicon import FRAMES
from recollect.text.tokens import count

Memories = Sequence[RecallItem] | None
"""Earliest first; `None` for an agent that has no memory but the dialogue itself."""
_PROMPT = Prompt(name="agents/rules", text="")
_LETTER = (
    "Reply with the sign in front of the option that is right, or, where advice is asked for, that suits the "
    "user's present situation and preferences, and nothing else."
)
_OTHER = "Reply as briefly as you can; if you do not know, say so."


class Responder(Protocol):
    """Writes replies and answers."""

    def reply(self, message: Message, memories: Memories, dialogue: Sequence[Message]) -> str:
        """The next turn of the dialogue."""

    def answer(self, question: Question, memories: Memories, dialogue: Sequence[Message]) -> Reply:
        """An answer that is no part of the dialogue."""


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

    def reply(self, message: Message, memories: Memories, dialogue: Sequence[Message]) -> str:
        from recollect.offline.chat import RuleReplier

        return RuleReplier().reply(message.text, Recall(items=readable(memories, dialogue)))

    def answer(self, question: Question, memories: Memories, dialogue: Sequence[Message]) -> Reply:
        """What the rule reader reads.

        An earlier polite reply that repeats a memory is left out: it would make the memory look newer than it is.
        """
        items = []
        for found in readable(memories, dialogue):
            message = found.message
            if message is None or message.role != "assistant" or not found.text.startswith(FRAMES):
                speaker = message.speaker if message else ""
                items.append(
                    ContextItem(text=found.text, sources=found.sources, said_at=found.said_at, speaker=speaker)
                )
        text = "\n".join(item.text for item in items)
        plain = replace(question, text=question.seen_by_search) if question.worded else question
        return self.reader.read(Context(items=tuple(items), text=text, tokens=count(text)), plain, _PROMPT)


@dataclass(frozen=True, slots=True)
class ModelResponder:
    """A chat model: memories in the system text, local messages as the turns they were, then the question."""

    chat: Chat

    def reply(self, message: Message, memories: Memories, dialogue: Sequence[Message]) -> str:
        return self.chat.text(turns_of("reply", memories, dialogue, _turn(message)))

    def answer(self, question: Question, memories: Memories, dialogue: Sequence[Message]) -> Reply:
        """One call; unless the benchmark words the question, it is shown with its date, options and form."""
        last = Turn(role="user", text=question.text if question.worded else _asked(question))
        return Reply(text=self.chat.text(turns_of("answer", memories, dialogue, last), question.output_tokens))


def _asked(question: Question) -> str:
    lines = [f"[{question.asked_at}]"] if question.asked_at else []
    lines += [question.text, *(f"{option.letter}: {option.text}" for option in question.options)]
    shape = shape_of(question, letter=_LETTER, json_end=" and nothing else", other=_OTHER)
    return filled("question", {"question": "\n".join(lines), "shape": shape}).rstrip()


def turns_of(role: str, memories: Memories, dialogue: Sequence[Message], last: Turn) -> list[Turn]:
    """All that the model is sent; an agent without a memory has no system text."""
    system = []
    if memories is not None:
        lines = []
        for item in memories:
            day = f"[{item.said_at}] " if item.said_at else ""
            speaker = item.message.speaker or item.message.role if item.message else ""
            lines.append(f"- {day}{speaker}: {item.text}" if speaker else f"- {day}{item.text}")
        system = [Turn(role="system", text=filled(role, {"memories": "\n".join(lines)}))]
    return [*system, *map(_turn, dialogue), last]


def readable(memories: Memories, dialogue: Sequence[Message]) -> tuple[RecallItem, ...]:
    """All that an answer may come from: memories, then the local messages."""
    return (*(memories or ()), *Recall.of_messages(dialogue).items)


def _turn(message: Message) -> Turn:
    """A message as a turn; the assistant's own have no time, or the model would copy the format."""
    if message.role == "assistant":
        return Turn(role="assistant", text=message.text)
    day = f"[{message.said_at}] " if message.said_at else ""
    speaker = f"{message.speaker}: " if message.speaker else ""
    return Turn(role="system" if message.role == "system" else "user", text=f"{day}{speaker}{message.text}")
