"""`graph-like`: walks from the messages most like the cue to those that are tied to them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.published.chat import ModelCaller, flag, object_schema
from recollect.memories.published.settings import By, by_model, check_counts, check_shares, prompts_where
from recollect.memories.storage.message_log import WITH_MODELS, LoggedMemory, MessageLog, stored

if TYPE_CHECKING:
    from recollect.memories.published.passage_graph import LogGraph
    from recollect.memories.storage.dense_index import DenseLogIndex

NAME = "graph-like"
_COMPLETE = object_schema(complete={"type": "boolean"})


@dataclass(frozen=True, slots=True)
class GraphLikeConfig:
    """What ties passages together, and how the walk goes."""

    by: By = "rules"
    """Who names the concepts of a passage: rules, or the chat model of `--memory-model`, with a call for each."""
    least_cosine: float = 0.8
    """Passages are tied if they are at least so much alike."""
    cosine_share: float = 0.7
    """Share of likeness in the weight of a tie; the rest is that of shared concepts."""
    neighbours: int = 20
    """Earlier passages that one is tied to, at most."""
    seeds: int = 5
    """Passages from which the walk starts; more where it can go no further."""
    checks: int = 0
    """How often, at most, the model is asked in the course of a walk whether what was found is enough."""
    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""
    at_once: int = 4
    """Calls of the model under way at the same time."""

    def __post_init__(self) -> None:
        check_counts(self, "at_once", "neighbours", "seeds", "piece_tokens")
        check_counts(self, "checks", least=0)
        check_shares(self, "least_cosine", "cosine_share")


@dataclass
class GraphLikeMemory(LoggedMemory):
    """Messages in the order in which the walk comes to them."""

    config: GraphLikeConfig
    dense: DenseLogIndex
    graph: LogGraph
    asker: ModelCaller | None

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch; it is embedded and tied with others by `settle`."""
        self.log.append(batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        """Embed and tie what is new."""
        self.log.flush()
        if self.graph.covers < len(self.log):
            self.dense.add(enumerate(self.log))
            self.graph.grow(list(self.log), self.dense.centres(range(len(self.log))))

    def search(self, cue: Cue) -> Recall:
        """The messages on the way of a walk."""
        if not cue.text.strip() or cue.limit < 1 or not len(self.log):
            return Recall()
        ranked = self.dense.search(self.dense.vector(cue.text), max(cue.limit, self.config.seeds))
        places = self.graph.walk(ranked, cue.limit, self.config.seeds, _Enough(self, cue.text))
        return Recall.of_messages(self.log[place] for place in places)

    def save(self, folder: Path) -> None:
        """Copy log and vectors, and note concepts and ties."""
        self.settle()
        self.log.save(folder)
        self.dense.save(folder)
        self.graph.save(folder)

    def load(self, folder: Path) -> None:
        """Take over copies of log, vectors, concepts and ties."""
        self.log.load(folder)
        self.dense.load(folder, self.log)
        self.graph.load(folder, len(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*; the others keep their concepts and are embedded and tied anew."""
        kept = [place for place, message in enumerate(self.log) if message.message_id not in sources]
        if self.log.forget(sources):
            self.dense.clear()
            self.dense.add(enumerate(self.log))
            self.graph.keep(kept, self.dense.centres(range(len(self.graph.kept(kept)))))
            self.settle()


@dataclass
class _Enough:
    """Asks the model at most `checks` times whether what was found is enough; without checks nothing is."""

    memory: GraphLikeMemory
    question: str
    asked: int = 0
    passages: tuple[str, ...] = ()

    def __call__(self, place: int) -> bool:
        self.passages = (*self.passages, self.memory.log[place].text)
        if self.memory.asker is None or self.asked >= self.memory.config.checks:
            return False
        self.asked += 1
        values = {"question": self.question, "passages": "\n\n".join(self.passages)}
        return self.memory.asker.value("complete", values, _COMPLETE, flag("complete"))


def _open(config: GraphLikeConfig, room: Room) -> Memory:
    from recollect.memories.published.passage_graph import LogGraph
    from recollect.memories.storage.dense_index import DenseLogIndex

    part = DenseLogIndex.open(room, NAME, piece_tokens=config.piece_tokens)
    asker = ModelCaller.of(room, NAME, config.at_once) if _asks(config) else None
    return GraphLikeMemory(MessageLog(room.folder), config, part, LogGraph.open(config, asker), asker)


def _asks(config: GraphLikeConfig) -> bool:
    return by_model(config) or config.checks > 0


KIND = MemoryKind(
    name=NAME,
    version=1,
    summary="messages on a walk from those most like the cue to those tied to them by likeness and shared concepts",
    config=GraphLikeConfig,
    traits=lambda _: WITH_MODELS,
    open=_open,
    needs=("embedder",),
    asks=_asks,
    inputs=prompts_where(_asks, NAME),
)
