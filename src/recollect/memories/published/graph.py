"""`graph-like`: walks from the messages most like the cue to those that are tied to them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Cue, Recall
from recollect.domain.ids import MessageId
from recollect.memories.prompt_files import By, by_model, check_counts, check_shares
from recollect.memories.published.chat import ModelCaller, flag, object_schema
from recollect.memories.published.prompts import inputs_where
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog

if TYPE_CHECKING:
    from recollect.memories.published.passage_graph import Finder, PassageGraph

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
class GraphLikeMemory(EmbeddedMemory):
    """Messages in the order in which the walk comes to them."""

    config: GraphLikeConfig
    graph: PassageGraph
    finder: Finder
    asker: ModelCaller | None

    def settle(self) -> None:
        self.log.flush()
        new = [message.text for message in list(self.log)[self.graph.covers :]]
        if new:
            self.dense.add(enumerate(self.log))
            self.graph.grow(self.finder(new), self.dense.centres(range(len(self.log))))

    def search(self, cue: Cue) -> Recall:
        """The messages on a walk; the model is asked at most `checks` times whether they are enough."""
        if not cue.text.strip() or cue.limit < 1 or not len(self.log):
            return Recall()
        ranked = self.dense.search(self.dense.vector(cue.text), max(cue.limit, self.config.seeds))
        passages, checks = list[str](), self.config.checks

        def enough(place: int) -> bool:
            nonlocal checks
            passages.append(self.log[place].text)
            if self.asker is None or checks == 0:
                return False
            checks -= 1
            values = {"question": cue.text, "passages": "\n\n".join(passages)}
            return self.asker.value("complete", values, _COMPLETE, flag("complete"))

        places = self.graph.walk(ranked, cue.limit, seeds=self.config.seeds, enough=enough)
        return Recall.of_messages(self.log[place] for place in places)

    def save(self, folder: Path) -> None:
        super().save(folder)
        self.graph.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.graph.load(folder, len(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*; the others keep their concepts and are embedded and tied again."""
        kept = [place for place, message in enumerate(self.log) if message.message_id not in sources]
        if self.log.forget(sources):
            self.dense.clear()
            self.dense.add(enumerate(self.log))
            covered = [place for place in kept if place < self.graph.covers]
            self.graph.keep(covered, self.dense.centres(range(len(covered))))
            self.settle()


def _open(config: GraphLikeConfig, room: Room) -> Memory:
    from recollect.memories.published.passage_graph import PassageGraph, Ties, concepts_by_model, concepts_by_rules
    from recollect.memories.storage.dense_index import DenseLogIndex

    dense = DenseLogIndex(room, NAME, piece_tokens=config.piece_tokens)
    asker = ModelCaller.of(room, NAME, config.at_once) if _asks(config) else None
    ties = Ties(least_cosine=config.least_cosine, cosine_share=config.cosine_share, most=config.neighbours)
    finder: Finder = concepts_by_rules
    if asker is not None and by_model(config):
        finder = partial(concepts_by_model, asker=asker)
    return GraphLikeMemory(MessageLog(room.folder), dense, config, PassageGraph(ties), finder, asker)


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
    inputs=inputs_where(_asks, NAME),
)
