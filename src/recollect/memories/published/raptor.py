"""`raptor-like`: finds messages, and summaries of groups of similar messages, by vector.

The tree is built by `settle`, from all messages at once. A search ranks all levels as one list.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.memories.prompt_files import By, by_model, check_counts
from recollect.memories.published.chat import ModelCaller
from recollect.memories.published.prompts import inputs_where
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog, units_of
from recollect.records.digests import opaque

if TYPE_CHECKING:
    from recollect.memories.published.summaries import Summariser
    from recollect.memories.published.tree import LogTree, Node

NAME = "raptor-like"


@dataclass(frozen=True, slots=True)
class RaptorLikeConfig:
    """How the tree grows, and who writes its summaries."""

    by: By = "rules"
    """Who summarises: rules that pick sentences, or the chat model of `--memory-model`."""
    groups: int = 10
    """Groups of a level; half as many as there are nodes, where that is less, and more where they would be too long."""
    levels: int = 3
    summary_tokens: int = 100
    """Longest summary."""
    read_tokens: int = 3500
    """Text that one summary is made of, at most; a larger group is divided, but two members stay together."""
    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""
    at_once: int = 4
    """Calls of the model under way at the same time."""

    def __post_init__(self) -> None:
        check_counts(self, "groups", "levels", "summary_tokens", "read_tokens", "piece_tokens", "at_once")


@dataclass
class RaptorLikeMemory(EmbeddedMemory):
    """Messages and summaries, the nearest first; of equally near ones messages first."""

    tree: LogTree

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch; the receipt has no ids, since `settle` makes its summaries later."""
        self.log.append(batch.messages)
        return Receipt.stored()

    def settle(self) -> None:
        self.log.flush()
        if self.tree.covers < len(self.log):
            self.dense.add(enumerate(self.log))
            self.tree.grow(list(self.log), self.dense.centres(range(len(self.log))))

    def search(self, cue: Cue) -> Recall:
        if not cue.text.strip() or cue.limit < 1 or not len(self.log):
            return Recall()
        vector = self.dense.vector(cue.text)
        leaves = [(-cosine, 0, place) for place, cosine in self.dense.search(vector, cue.limit)]
        nodes = [(-cosine, 1, place) for place, cosine in self.tree.near(vector, cue.limit)]
        items = []
        for away, is_node, place in sorted([*leaves, *nodes])[: cue.limit]:
            if is_node:
                items.append(self._summary(self.tree.nodes[place], -away))
            else:
                items += Recall.of_messages([self.log[place]], scores=[-away]).items
        return Recall(items=tuple(items))

    def units(self) -> Iterator[Unit]:
        """Every message, then every summary, lower levels first."""
        yield from units_of(self.log)
        for node in self.tree.nodes:
            yield Unit(unit_id=unit_id(node), text=node.text, sources=self._sources(node))

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The messages of *sources*, then each summary made from one of them."""
        places = {self.log.place(source) for source in sources if source in self.log}
        messages = Recall.of_messages(self.log[place] for place in sorted(places)).items
        summaries = [self._summary(node) for node in self.tree.nodes if not places.isdisjoint(node.leaves)]
        return Recall(items=(*messages, *summaries))

    def save(self, folder: Path) -> None:
        super().save(folder)
        self.tree.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.tree.load(folder, len(self.log))

    def clear(self) -> None:
        """Keep only the log; the new tree has no summary of a forgotten message."""
        super().clear()
        self.tree.clear()

    def _summary(self, node: Node, score: float | None = None) -> RecallItem:
        return RecallItem(text=node.text, sources=self._sources(node), unit_id=unit_id(node), score=score)

    def _sources(self, node: Node) -> tuple[MessageId, ...]:
        return tuple(self.log[place].message_id for place in node.leaves)


def unit_id(node: Node) -> UnitId:
    """Identifies a summary by what it was made of."""
    return UnitId(opaque("n", node.level, node.made_of, *node.leaves))


def _open(config: RaptorLikeConfig, room: Room) -> Memory:
    from recollect.memories.published.summaries import summaries_by_model, summaries_by_rules
    from recollect.memories.published.tree import LogTree, Shape
    from recollect.memories.storage.dense_index import DenseLogIndex, embedder_of

    dense = DenseLogIndex(room, NAME, piece_tokens=config.piece_tokens)
    summariser: Summariser = partial(summaries_by_rules, tokens=config.summary_tokens)
    if by_model(config):
        asker = ModelCaller.of(room, NAME, config.at_once)
        summariser = partial(summaries_by_model, asker=asker, tokens=config.summary_tokens)
    shape = Shape(groups=config.groups, levels=config.levels, read_tokens=config.read_tokens, seed=room.seed)
    return RaptorLikeMemory(MessageLog(room.folder), dense, LogTree(embedder_of(room, NAME), shape, summariser))


KIND = MemoryKind(
    name=NAME,
    version=1,
    summary="messages and summaries of groups of like messages, ranked by the likeness of their vectors",
    config=RaptorLikeConfig,
    traits=lambda _: replace(WITH_MODELS, score="similarity", provenance="mapped"),
    open=_open,
    needs=("embedder",),
    asks=by_model,
    inputs=inputs_where(by_model, NAME),
)
