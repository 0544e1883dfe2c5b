"""`ppr-like`: ranks messages by a walk over the facts in them, from the entities that the cue names."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Cue, Recall
from recollect.domain.ids import MessageId
from recollect.memories.prompt_files import By, by_model, check_counts, check_shares
from recollect.memories.published.chat import ModelCaller
from recollect.memories.published.prompts import inputs_where
from recollect.memories.storage.message_log import WITH_MODELS, LoggedMemory, MessageLog

if TYPE_CHECKING:
    from recollect.memories.published.fact_graph import FactGraph
    from recollect.memories.published.triples import Extractor

NAME = "ppr-like"


@dataclass(frozen=True, slots=True)
class PprLikeConfig:
    """Who takes out the facts, and how the walk goes."""

    by: By = "rules"
    """Who takes facts out of messages and entities out of cues: rules, or the chat model of `--memory-model`."""
    damping: float = 0.5
    """Probability that a step of the walk follows an edge and does not jump back to an entity of the cue."""
    least_synonym: float = 0.8
    """Entities that are at least so much alike are tied."""
    most_synonyms: int = 10
    """Earlier entities that one is tied to for likeness, at most."""
    at_once: int = 4
    """Calls of the model under way at the same time."""

    def __post_init__(self) -> None:
        check_counts(self, "at_once", "most_synonyms")
        check_shares(self, "least_synonym")
        if not 0 <= self.damping < 1:
            raise ValueError(f"damping lies in [0, 1), got {self.damping}")


@dataclass
class PprLikeMemory(LoggedMemory):
    """Messages whose entities the walk visits most, best first; equal ones in the order of writing."""

    config: PprLikeConfig
    graph: FactGraph
    extractor: Extractor

    def settle(self) -> None:
        super().settle()
        if self.graph.covers < len(self.log):
            self.graph.grow(self.extractor.note(list(self.log)[self.graph.covers :]))

    def search(self, cue: Cue) -> Recall:
        """The messages that the walk leads to; none where cue or memory name nothing."""
        if not cue.text.strip() or cue.limit < 1 or not self.graph.covers:
            return Recall()
        seeds = self.graph.seeds(list(dict.fromkeys(self.extractor.entities(cue.text))))
        if not seeds.any():
            return Recall()
        return self.ranked(self.graph.rank(seeds, self.config.damping, cue.limit))

    def save(self, folder: Path) -> None:
        self.settle()
        super().save(folder)
        self.graph.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.graph.load(folder, len(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources* with their facts; the others keep theirs, and are tied again."""
        noted = list(zip(self.log, self.graph.notes, strict=False))
        if self.log.forget(sources):
            self.graph.keep([notes for message, notes in noted if message.message_id not in sources])
            self.settle()


def _open(config: PprLikeConfig, room: Room) -> Memory:
    from recollect.memories.published.fact_graph import FactGraph
    from recollect.memories.published.triples import ModelExtractor, RuleExtractor
    from recollect.memories.storage.dense_index import embedder_of

    embedder = embedder_of(room, NAME)
    graph = FactGraph(embedder, least_synonym=config.least_synonym, most_synonyms=config.most_synonyms)
    extractor = ModelExtractor(ModelCaller.of(room, NAME, config.at_once)) if by_model(config) else RuleExtractor()
    return PprLikeMemory(MessageLog(room.folder), config, graph, extractor)


KIND = MemoryKind(
    name=NAME,
    version=1,
    summary="messages ranked by a random walk over the facts in them, from the entities that the cue names",
    config=PprLikeConfig,
    traits=lambda _: replace(WITH_MODELS, score="similarity"),
    open=_open,
    needs=("embedder",),
    asks=by_model,
    inputs=inputs_where(by_model, NAME),
)
