"""`native`: an agent whose memory is the dialogue itself, as much of its end as fits into the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.contracts.systems import MAY_EMBED, AgentKind
from recollect.domain.exchange import Batch, Recall, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.agent import AGENT_TRAITS
from recollect.memories.agents.prompts import inputs_where
from recollect.memories.agents.responders import Responder, responder_of
from recollect.memories.prompt_files import By, by_model, check_counts
from recollect.memories.storage.message_log import LoggedMemory, MessageLog, turn_of_agent
from recollect.text.tokens import count

NAME = "native"


@dataclass(frozen=True, slots=True)
class NativeConfig:
    """Who speaks, and from how much of the dialogue."""

    by: By = "rules"
    """Who replies and answers: rules, or the chat model of `--memory-model`."""
    window_tokens: int = 100_000
    """Tokens of the newest messages that are shown; the last one always is."""

    def __post_init__(self) -> None:
        check_counts(self, "window_tokens")


@dataclass
class NativeAgent(LoggedMemory):
    """Keeps all messages, and reads the newest."""

    config: NativeConfig
    responder: Responder

    def observe(self, batch: Batch) -> Receipt:
        return self.write(batch)

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """A turn of the dialogue; both messages are kept."""
        dialogue = self._newest()
        text = self.responder.reply(message, None, dialogue)
        self.log.append([message, turn_of_agent(message, reply_id, text)])
        return Reply(text=text, recall=Recall.of_messages(dialogue, order="time"))

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """From the dialogue, or from *given* alone."""
        if given is not None:
            return replace(self.responder.answer(question, given.to_read(), ()), recall=given)
        dialogue = self._newest()
        reply = self.responder.answer(question, None, dialogue)
        return replace(reply, recall=Recall.of_messages(dialogue, order="time"))

    def _newest(self) -> Sequence[Message]:
        """The newest messages that fit, in their order."""
        kept: list[Message] = []
        left = self.config.window_tokens
        for place in range(len(self.log) - 1, -1, -1):
            left -= count(self.log[place].text)
            if left < 0 and kept:
                break
            kept.append(self.log[place])
        return kept[::-1]


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="the whole talk in its context, cut at the front to the window",
    config=NativeConfig,
    traits=lambda _: AGENT_TRAITS,
    open=lambda config, room: NativeAgent(MessageLog(room.folder), config, responder_of(config.by, room, NAME)),
    needs=(MAY_EMBED,),
    asks=by_model,
    inputs=inputs_where(by_model, NAME),
)
