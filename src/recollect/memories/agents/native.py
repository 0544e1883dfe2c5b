"""`native`: an agent whose memory is the talk itself, as much of its end as fits into the window."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind
from recollect.domain.exchange import Batch, Recall, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.agent import AGENT_TRAITS, asks, prompts_asked, said
from recollect.memories.agents.responders import By, Responder, responder_of
from recollect.memories.storage.message_log import LoggedMemory, MessageLog, stored
from recollect.text.tokens import count

NAME = "native"


@dataclass(frozen=True, slots=True)
class NativeConfig:
    """Who speaks, and from how much of the talk."""

    by: By = "rules"
    """Who replies and answers: rules, or the chat model of `--memory-model`."""
    window_tokens: int = 100_000
    """Messages at the end of the talk that hold no more tokens than this; the newest is always there."""

    def __post_init__(self) -> None:
        if self.window_tokens < 1:
            raise ValueError(f"window_tokens starts at 1, got {self.window_tokens}")


@dataclass
class NativeAgent(LoggedMemory):
    """Keeps all messages, and reads the newest."""

    config: NativeConfig
    voice: Responder

    def observe(self, batch: Batch) -> Receipt:
        """Keep what others said."""
        self.log.append(batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        """Bring the file up to date."""
        self.log.flush()

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """A turn of the talk; both messages are kept."""
        talk = self._talk()
        text = self.voice.reply(message, None, talk)
        self.log.append([message, said(message, reply_id, text)])
        return Reply(text=text, recall=Recall.of_messages(talk, order="time"))

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """From the talk, or from what is *given* alone."""
        if given is not None:
            reply = self.voice.answer(question, given.to_read(), ())
            return Reply(text=reply.text, recall=given, abstained=reply.abstained)
        talk = self._talk()
        reply = self.voice.answer(question, None, talk)
        return Reply(text=reply.text, recall=Recall.of_messages(talk, order="time"), abstained=reply.abstained)

    def save(self, folder: Path) -> None:
        """Copy the log."""
        self.log.save(folder)

    def load(self, folder: Path) -> None:
        """Take over a copy of the log."""
        self.log.load(folder)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*."""
        self.log.forget(sources)

    def _talk(self) -> Sequence[Message]:
        """The newest messages that fit, in their order."""
        kept: list[Message] = []
        left = self.config.window_tokens
        for place in range(len(self.log) - 1, -1, -1):
            left -= count(self.log[place].text)
            if left < 0 and kept:
                break
            kept.append(self.log[place])
        return kept[::-1]


def _open(config: NativeConfig, room: Room) -> Agent:
    return NativeAgent(MessageLog(room.folder), config, responder_of(config.by, room, NAME))


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="the whole talk in its context, cut at the front to the window",
    config=NativeConfig,
    traits=lambda _: AGENT_TRAITS,
    open=_open,
    needs=(MAY_EMBED,),
    asks=asks,
    inputs=partial(prompts_asked, agent=NAME),
)
