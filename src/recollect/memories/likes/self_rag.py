"""`self-rag-like`: an agent that decides whether to search, answers from each passage alone and keeps the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import AgentKind
from recollect.domain.exchange import Batch, Recall, RecallItem, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.embedded_log import EmbeddedMemory
from recollect.memories.likes.asking import Asker
from recollect.memories.likes.critics import Critic, ModelCritic, RuleCritic, worded
from recollect.memories.likes.settings import By, by_model, check_counts, prompts_where
from recollect.memories.message_log import WITH_MODELS, MessageLog, stored

NAME = "self-rag-like"


@dataclass(frozen=True, slots=True)
class SelfRagLikeConfig:
    """Who decides, and from how many passages."""

    by: By = "rules"
    """Who decides, answers and weighs: rules, or the chat model of `--memory-model`."""
    k: int = 10
    """Passages that a search gives; each costs a model up to three calls a question."""
    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""
    at_once: int = 4
    """Calls of the model under way at the same time."""

    def __post_init__(self) -> None:
        check_counts(self, "at_once", "k", "piece_tokens")


@dataclass
class SelfRagLikeAgent(EmbeddedMemory):
    """Keeps all messages, and searches them by the likeness of their vectors."""

    config: SelfRagLikeConfig
    critic: Critic
    asker: Asker | None

    def observe(self, batch: Batch) -> Receipt:
        """Keep the batch; it is embedded with others by `settle`."""
        self.log.append(batch.messages)
        return stored(batch.messages)

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """The best of the answers that single passages give; one without passages where none is needed or helps.

        Passages that are *given* take the place of the search, and of the decision to search.
        """
        if given is None and not self.critic.wants_to_search(question):
            return self.critic.without(question)
        recall = self._search(question.seen_by_search) if given is None else given
        found = recall.to_read()
        kept = _those(found, self.critic.relevant(question, found))
        if not kept:
            reply = self.critic.without(question)
        else:
            answers = self.critic.answer(question, kept)
            weights = self.critic.weigh(question, kept, answers)
            reply = answers[max(range(len(kept)), key=lambda place: (weights[place], -place))]
        return Reply(text=reply.text, recall=recall, abstained=reply.abstained)

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """Go on with a dialogue: one search and one reply, both turns kept."""
        self.settle()
        recall = self._search(message.text)
        text = self._word(message, recall)
        said = Message(
            message_id=reply_id,
            session_id=message.session_id,
            text=text,
            speaker="assistant",
            role="assistant",
            said_at=message.said_at,
            channel=message.channel,
        )
        self.log.append([message, said])
        return Reply(text=text, recall=recall)

    def _search(self, text: str) -> Recall:
        if not text.strip() or not len(self.log):
            return Recall()
        found = self.dense.search(self.dense.vector(text), self.config.k)
        return Recall.of_messages((self.log[place] for place, _ in found), scores=[score for _, score in found])

    def _word(self, message: Message, recall: Recall) -> str:
        if self.asker is None:
            from recollect.models.offline.chat import RuleReplier

            return RuleReplier().reply(message.text, recall)
        passages = "\n".join(map(worded, recall.items))
        return self.asker.text("reply", {"passages": passages, "message": message.text})


def _those(passages: Sequence[RecallItem], wanted: Sequence[bool]) -> list[RecallItem]:
    return [one for one, keep in zip(passages, wanted, strict=True) if keep]


def _open(config: SelfRagLikeConfig, room: Room) -> Agent:
    from recollect.memories.dense_part import DensePart
    from recollect.models.offline.reading import RuleReader

    part = DensePart.open(room, NAME, piece_tokens=config.piece_tokens)
    asker = Asker.of(room, NAME, config.at_once) if by_model(config) else None
    critic: Critic = RuleCritic(RuleReader(room.embedder)) if asker is None else ModelCritic(asker)
    return SelfRagLikeAgent(MessageLog(room.folder), part, config, critic, asker)


KIND = AgentKind(
    name=NAME,
    version=2,
    summary="decides whether to search, answers from each passage alone, weighs the answers and keeps the best",
    config=SelfRagLikeConfig,
    traits=lambda _: replace(WITH_MODELS, limit="fixed", score="similarity"),
    open=_open,
    needs=("embedder",),
    asks=by_model,
    inputs=prompts_where(by_model, NAME),
)
