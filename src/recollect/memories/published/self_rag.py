"""`self-rag-like`: an agent that decides whether to search, answers from each passage alone and keeps the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.reading import Prompt, Reader
from recollect.contracts.systems import AgentKind
from recollect.domain.exchange import Batch, Context, ContextItem, Recall, RecallItem, Receipt, Reply
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.prompt_files import By, by_model, check_counts, shape_of
from recollect.memories.published.chat import ModelCaller, flag, object_schema
from recollect.memories.published.prompts import inputs_where
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog, turn_of_agent
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
    """Worth of an answer; the greater the better."""

    support: int
    usefulness: int


@dataclass(frozen=True, slots=True)
class RuleCritic:
    """Always searches; compares the words of question, passage and answer."""

    reader: Reader

    def wants_to_search(self, question: Question) -> bool:  # noqa: ARG002 - rules know nothing by themselves
        return True

    def relevant(self, question: Question, passages: Sequence[RecallItem]) -> list[bool]:
        """Those that share a stem with the cue; all where none does."""
        asked = set(search_tokens(question.seen_by_search))
        shared = [not asked.isdisjoint(search_tokens(_attributed(passage))) for passage in passages]
        return shared if any(shared) else [True] * len(shared)

    def answer(self, question: Question, passages: Sequence[RecallItem]) -> list[Reply]:
        return [self._read(question, [passage]) for passage in passages]

    def weigh(self, question: Question, passages: Sequence[RecallItem], answers: Sequence[Reply]) -> list[Weight]:
        """Support: the share of the answer's stems that the passage has. Usefulness: that of the question's."""
        weights = []
        options = {option.letter: option.text for option in question.options}
        for passage, reply in zip(passages, answers, strict=True):
            if reply.abstained:
                weights.append(Weight(SUPPORT[NONE], 1))
                continue
            text = _attributed(passage)
            answer = options.get(reply.text.strip().rstrip("."), reply.text)
            support = _share(search_tokens(answer, stop=False), search_tokens(text, stop=False))
            useful = _share(search_tokens(question.seen_by_search), search_tokens(text))
            level = FULL if support == 1 else PART if support >= 0.5 else NONE
            weights.append(Weight(SUPPORT[level], 1 + round((MOST_USEFUL - 1) * useful)))
        return weights

    def without(self, question: Question) -> Reply:
        return self._read(question, [])

    def _read(self, question: Question, passages: Sequence[RecallItem]) -> Reply:
        text = "\n\n".join(map(worded, passages))
        items = [
            ContextItem(text=item.text, sources=item.sources, said_at=item.said_at, speaker=_speaker(item))
            for item in passages
        ]
        context = Context(items=tuple(items), text=text, tokens=count(text))
        return self.reader.read(context, question, Prompt(name="likes/rules", text=""))


@dataclass(frozen=True, slots=True)
class ModelCritic:
    """Any chat model: a call for the question, and three for each passage at most."""

    asker: ModelCaller

    def wants_to_search(self, question: Question) -> bool:
        schema = object_schema(retrieve=_BOOLEAN)
        return self.asker.value("decide", {"question": _asked(question)}, schema, flag("retrieve"))

    def relevant(self, question: Question, passages: Sequence[RecallItem]) -> list[bool]:
        schema, asked = object_schema(relevant=_BOOLEAN), _asked(question)
        each = [{"question": asked, "passage": worded(passage)} for passage in passages]
        calls = [partial(self.asker.value, "relevant", values, schema, flag("relevant")) for values in each]
        return self.asker.together(calls)

    def answer(self, question: Question, passages: Sequence[RecallItem]) -> list[Reply]:
        return self.asker.together([partial(self._answer, question, worded(passage)) for passage in passages])

    def weigh(self, question: Question, passages: Sequence[RecallItem], answers: Sequence[Reply]) -> list[Weight]:
        asked = _asked(question)
        each = [
            {"question": asked, "passage": worded(passage), "answer": reply.text}
            for passage, reply in zip(passages, answers, strict=True)
        ]
        return self.asker.together([partial(self.asker.value, "weigh", values, _WEIGH, _weight) for values in each])

    def without(self, question: Question) -> Reply:
        return self._answer(question, "")

    def _answer(self, question: Question, passage: str) -> Reply:
        shape = shape_of(question, letter="Reply with the letter of one option and nothing else.")
        values = {
            "question": _asked(question),
            "passage": passage,
            "shape": "" if question.worded else shape,
            "grounds": "Go by the passage alone; if it does not say, reply that you do not know." if passage else "",
        }
        return Reply(text=self.asker.text("answer", values, question.output_tokens))


Critic = RuleCritic | ModelCritic
"""Takes the decisions; answers come from each passage alone, or from none."""


def worded(passage: RecallItem) -> str:
    """A passage as a model reads it: when, who, what."""
    day = f"[{passage.said_at}] " if passage.said_at else ""
    return f"{day}{_attributed(passage)}"


def _attributed(passage: RecallItem) -> str:
    speaker = _speaker(passage)
    return f"{speaker}: {passage.text}" if speaker else passage.text


def _speaker(passage: RecallItem) -> str:
    return passage.message.speaker if passage.message else ""


def _asked(question: Question) -> str:
    """The question with its date and options, which a worded one has in it."""
    if question.worded:
        return question.text
    lines = [f"(asked at {question.asked_at})"] if question.asked_at else []
    return "\n".join([*lines, question.text, *(f"{option.letter}. {option.text}" for option in question.options)])


def _share(wanted: Sequence[str], present: Sequence[str]) -> float:
    """Share of the different words in *wanted* that are *present*; 0 without words."""
    different = set(wanted)
    return len(different.intersection(present)) / len(different) if different else 0.0


def _weight(reply: Mapping[str, Any]) -> Weight:
    support, usefulness = reply.get("support"), reply.get("usefulness")
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
    """Keeps all messages, and searches them by vector."""

    config: SelfRagLikeConfig
    critic: Critic
    asker: ModelCaller | None

    def observe(self, batch: Batch) -> Receipt:
        return self.write(batch)

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """The best of the answers that single passages give; one without passages where none is needed or helps.

        Passages that are *given* take the place of the search, and of the decision to search.
        """
        if given is None and not self.critic.wants_to_search(question):
            return self.critic.without(question)
        recall = self._search(question.seen_by_search) if given is None else given
        found = recall.to_read()
        relevant = self.critic.relevant(question, found)
        kept = [passage for passage, keep in zip(found, relevant, strict=True) if keep]
        if not kept:
            reply = self.critic.without(question)
        else:
            answers = self.critic.answer(question, kept)
            weights = self.critic.weigh(question, kept, answers)
            reply = answers[max(range(len(kept)), key=lambda place: (weights[place], -place))]
        return Reply(text=reply.text, recall=recall, abstained=reply.abstained)

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """A turn of a dialogue: one search and one reply; both messages are kept."""
        self.settle()
        recall = self._search(message.text)
        if self.asker is None:
            from recollect.offline.chat import RuleReplier

            text = RuleReplier().reply(message.text, recall)
        else:
            passages = "\n".join(map(worded, recall.items))
            text = self.asker.text("reply", {"passages": passages, "message": message.text})
        self.log.append([message, turn_of_agent(message, reply_id, text)])
        return Reply(text=text, recall=recall)

    def _search(self, text: str) -> Recall:
        if not text.strip() or not len(self.log):
            return Recall()
        return self.ranked(self.dense.search(self.dense.vector(text), self.config.k))


def _open(config: SelfRagLikeConfig, room: Room) -> Agent:
    from recollect.memories.storage.dense_index import DenseLogIndex
    from recollect.offline.reading import RuleReader

    dense = DenseLogIndex(room, NAME, piece_tokens=config.piece_tokens)
    asker = ModelCaller.of(room, NAME, config.at_once) if by_model(config) else None
    critic: Critic = RuleCritic(RuleReader(room.embedder)) if asker is None else ModelCritic(asker)
    return SelfRagLikeAgent(MessageLog(room.folder), dense, config, critic, asker)


KIND = AgentKind(
    name=NAME,
    version=2,
    summary="decides whether to search, answers from each passage alone, weighs the answers and keeps the best",
    config=SelfRagLikeConfig,
    traits=lambda _: replace(WITH_MODELS, limit="fixed", score="similarity"),
    open=_open,
    needs=("embedder",),
    asks=by_model,
    inputs=inputs_where(by_model, NAME),
)
