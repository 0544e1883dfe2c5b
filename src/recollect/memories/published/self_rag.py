"""`self-rag-like`: an agent that decides whether to search, answers from each passage alone and keeps the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.reading import Prompt, Reader
from recollect.contracts.systems import AgentKind
from recollect.domain.exchange import Batch, Context, ContextItem, Recall, RecallItem, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import AnswerFormat, Question
from recollect.memories.published.chat import ModelCaller, flag, object_schema
from recollect.memories.published.settings import By, by_model, check_counts, prompts_where
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog, stored
from recollect.text.normal import search_tokens
from recollect.text.tokens import count

FULL, PART, NONE = "full", "part", "none"
SUPPORT: Mapping[str, int] = {NONE: 0, PART: 1, FULL: 2}
MOST_USEFUL = 5
_BOOLEAN = {"type": "boolean"}
_WEIGH = object_schema(
    support={"type": "string", "enum": [FULL, PART, NONE]}, usefulness={"type": "integer", "minimum": 1, "maximum": 5}
)


class Weight(NamedTuple):
    """What an answer is worth; the greater the better."""

    support: int
    usefulness: int


class Critic(Protocol):
    """Takes the decisions."""

    def wants_to_search(self, question: Question) -> bool:
        """Whether the memory is needed."""
        ...

    def relevant(self, question: Question, passages: Sequence[RecallItem]) -> list[bool]:
        """Of each passage."""
        ...

    def answer(self, question: Question, passages: Sequence[RecallItem]) -> list[Reply]:
        """One answer from each passage alone."""
        ...

    def weigh(self, question: Question, passages: Sequence[RecallItem], answers: Sequence[Reply]) -> list[Weight]:
        """What each answer is worth beside its own passage."""
        ...

    def without(self, question: Question) -> Reply:
        """An answer without any passage."""
        ...


@dataclass(frozen=True, slots=True)
class RuleCritic:
    """Always searches; goes by words that question, passage and answer share."""

    reader: Reader

    def wants_to_search(self, question: Question) -> bool:  # noqa: ARG002 - rules know nothing by themselves
        """Rules know nothing by themselves."""
        return True

    def relevant(self, question: Question, passages: Sequence[RecallItem]) -> list[bool]:
        """It shares a stem with what is searched for; where none does, rules cannot tell, and all are."""
        asked = set(search_tokens(question.seen_by_search))
        shared = [not asked.isdisjoint(search_tokens(_told(one))) for one in passages]
        return shared if any(shared) else [True] * len(shared)

    def answer(self, question: Question, passages: Sequence[RecallItem]) -> list[Reply]:
        """What the rule reader reads in each."""
        return [self._read(question, [one]) for one in passages]

    def weigh(self, question: Question, passages: Sequence[RecallItem], answers: Sequence[Reply]) -> list[Weight]:
        """Support: the share of the answer's stems that the passage has. Usefulness: that of the question's."""
        return [_shared(question, one, reply) for one, reply in zip(passages, answers, strict=True)]

    def without(self, question: Question) -> Reply:
        """What the rule reader says to an empty context."""
        return self._read(question, [])

    def _read(self, question: Question, passages: Sequence[RecallItem]) -> Reply:
        text = "\n\n".join(map(worded, passages))
        context = Context(items=tuple(map(_item, passages)), text=text, tokens=count(text))
        return self.reader.read(context, question, Prompt(name="likes/rules", text=""))


@dataclass(frozen=True, slots=True)
class ModelCritic:
    """Any chat model: a call for the question, and three for each passage at most."""

    asker: ModelCaller

    def wants_to_search(self, question: Question) -> bool:
        """The model's decision."""
        schema = object_schema(retrieve=_BOOLEAN)
        return self.asker.value("decide", {"question": _asked(question)}, schema, flag("retrieve"))

    def relevant(self, question: Question, passages: Sequence[RecallItem]) -> list[bool]:
        """A call each."""
        return self.asker.together([partial(self._helps, question, one) for one in passages])

    def answer(self, question: Question, passages: Sequence[RecallItem]) -> list[Reply]:
        """A call each."""
        return self.asker.together([partial(self._answer, question, worded(one)) for one in passages])

    def weigh(self, question: Question, passages: Sequence[RecallItem], answers: Sequence[Reply]) -> list[Weight]:
        """A call each."""
        pairs = zip(passages, answers, strict=True)
        return self.asker.together([partial(self._weigh, question, one, reply) for one, reply in pairs])

    def without(self, question: Question) -> Reply:
        """A call."""
        return self._answer(question, "")

    def _helps(self, question: Question, passage: RecallItem) -> bool:
        values = {"question": _asked(question), "passage": worded(passage)}
        return self.asker.value("relevant", values, object_schema(relevant=_BOOLEAN), flag("relevant"))

    def _answer(self, question: Question, passage: str) -> Reply:
        values = {"question": _asked(question), "passage": passage, "shape": _shape(question)}
        values["grounds"] = (
            "Go by the passage alone; if it does not say, reply that you do not know." if passage else ""
        )
        return Reply(text=self.asker.text("answer", values, question.output_tokens))

    def _weigh(self, question: Question, passage: RecallItem, reply: Reply) -> Weight:
        values = {"question": _asked(question), "passage": worded(passage), "answer": reply.text}
        return self.asker.value("weigh", values, _WEIGH, _weight)


def worded(passage: RecallItem) -> str:
    """A passage as a model reads it: when, who, what."""
    day = f"[{passage.said_at}] " if passage.said_at else ""
    return f"{day}{_told(passage)}"


def _told(passage: RecallItem) -> str:
    speaker = passage.message.speaker if passage.message else ""
    return f"{speaker}: {passage.text}" if speaker else passage.text


def _item(passage: RecallItem) -> ContextItem:
    speaker = passage.message.speaker if passage.message else ""
    return ContextItem(text=passage.text, sources=passage.sources, said_at=passage.said_at, speaker=speaker)


def _asked(question: Question) -> str:
    """The question with its date and options."""
    lines = [f"(asked at {question.asked_at})"] if question.asked_at else []
    return "\n".join([*lines, question.text, *(f"{option.letter}. {option.text}" for option in question.options)])


def _shape(question: Question) -> str:
    """What the answer should look like, by its format."""
    fields = "; ".join(f"{name}: {meaning}" for name, meaning in question.template.items())
    many = "" if question.items is None else f"{question.items} "
    shapes = {
        AnswerFormat.LETTER: "Reply with the letter of one option and nothing else.",
        AnswerFormat.NUMBER: "Reply with a number and nothing else.",
        AnswerFormat.DATE_SPAN: "Reply with the day, or with the first and the last day, as YYYY-MM-DD.",
        AnswerFormat.LIST: f"Reply with {many}entries, one a line.",
        AnswerFormat.JSON: f"Reply with one JSON object with these fields: {fields}.",
        AnswerFormat.SUMMARY: "Reply with a summary in whole sentences.",
    }
    return shapes.get(question.answer_format, "")


def _shared(question: Question, passage: RecallItem, reply: Reply) -> Weight:
    if reply.abstained:
        return Weight(SUPPORT[NONE], 1)
    told = set(search_tokens(_told(passage)))
    borne = _share(
        search_tokens(_full_answer(question, reply), stop=False), set(search_tokens(_told(passage), stop=False))
    )
    usefulness = 1 + round((MOST_USEFUL - 1) * _share(search_tokens(question.seen_by_search), told))
    return Weight(SUPPORT[FULL if borne == 1 else PART if borne >= 0.5 else NONE], usefulness)


def _full_answer(question: Question, reply: Reply) -> str:
    """The words of the option that a letter stands for; else the answer itself."""
    said = reply.text.strip().rstrip(".")
    return next((option.text for option in question.options if option.letter == said), reply.text)


def _share(wanted: Sequence[str], told: set[str]) -> float:
    """Of the different words in *wanted*, how many were told; 0 where there is none."""
    different = set(wanted)
    return len(different & told) / len(different) if different else 0.0


def _weight(said: Mapping[str, Any]) -> Weight:
    support, usefulness = said.get("support"), said.get("usefulness")
    if not isinstance(support, str) or support not in SUPPORT:
        raise ValueError(f"`support` is none of {', '.join(SUPPORT)}")
    if not isinstance(usefulness, int) or isinstance(usefulness, bool) or not 1 <= usefulness <= MOST_USEFUL:
        raise ValueError(f"`usefulness` is no whole number from 1 to {MOST_USEFUL}")
    return Weight(SUPPORT[support], usefulness)


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
    asker: ModelCaller | None

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
            from recollect.offline.chat import RuleReplier

            return RuleReplier().reply(message.text, recall)
        passages = "\n".join(map(worded, recall.items))
        return self.asker.text("reply", {"passages": passages, "message": message.text})


def _those(passages: Sequence[RecallItem], wanted: Sequence[bool]) -> list[RecallItem]:
    return [one for one, keep in zip(passages, wanted, strict=True) if keep]


def _open(config: SelfRagLikeConfig, room: Room) -> Agent:
    from recollect.memories.storage.dense_index import DenseLogIndex
    from recollect.offline.reading import RuleReader

    part = DenseLogIndex.open(room, NAME, piece_tokens=config.piece_tokens)
    asker = ModelCaller.of(room, NAME, config.at_once) if by_model(config) else None
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
