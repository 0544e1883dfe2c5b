"""`raptor-like`: finds messages, and summaries of groups of like messages, by the likeness of their vectors.

The tree is built when the memory is settled, from all messages at once. Searching looks at all its levels as one list.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.memories.published.settings import By, by_model, check_counts, prompts_where
from recollect.memories.storage.message_log import WITH_MODELS, LoggedMemory, MessageLog, units_of
from recollect.records.digests import opaque

if TYPE_CHECKING:
    from recollect.memories.published.tree import LogTree, Node
    from recollect.memories.storage.dense_index import DenseLogIndex

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
class RaptorLikeMemory(LoggedMemory):
    """Messages and summaries, the nearest first; of equally near ones messages first."""

    dense: DenseLogIndex
    tree: LogTree

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch; no ids are told, since summaries of it are made later, by `settle`."""
        self.log.append(batch.messages)
        return Receipt.stored()

    def settle(self) -> None:
        """Embed what is new, and let the tree grow anew around it."""
        self.log.flush()
        if self.tree.covers < len(self.log):
            self.dense.add(enumerate(self.log))
            self.tree.grow(list(self.log), self.dense.centres(range(len(self.log))))

    def search(self, cue: Cue) -> Recall:
        """The nearest of all levels."""
        if not cue.text.strip() or cue.limit < 1 or not len(self.log):
            return Recall()
        vector = self.dense.vector(cue.text)
        leaves = [(-cosine, 0, place) for place, cosine in self.dense.search(vector, cue.limit)]
        nodes = [(-cosine, 1, place) for place, cosine in self.tree.near(vector, cue.limit)]
        best = sorted([*leaves, *nodes])[: cue.limit]
        return Recall(items=tuple(self._item(kind, place, -away) for away, kind, place in best))

    def units(self) -> Iterator[Unit]:
        """Every message, then every summary, lower levels first."""
        yield from units_of(self.log)
        for node in self.tree.nodes:
            yield Unit(unit_id=unit_id(node), text=node.text, sources=self._sources(node))

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The messages of *sources*, then each summary that one of them stands below."""
        places = {self.log.place(source) for source in sources if source in self.log}
        nodes = [number for number, node in enumerate(self.tree.nodes) if not places.isdisjoint(node.leaves)]
        items = [*(self._item(0, place) for place in sorted(places)), *(self._item(1, number) for number in nodes)]
        return Recall(items=tuple(items))

    def save(self, folder: Path) -> None:
        """Copy log, vectors and tree."""
        self.settle()
        self.log.save(folder)
        self.dense.save(folder)
        self.tree.save(folder)

    def load(self, folder: Path) -> None:
        """Take over copies of log, vectors and tree."""
        self.log.load(folder)
        self.dense.load(folder, self.log)
        self.tree.load(folder, len(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*; the tree grows anew from the rest, without any summary that knew them."""
        if self.log.forget(sources):
            self.dense.clear()
            self.tree.clear()
            self.settle()

    def _item(self, kind: int, place: int, score: float | None = None) -> RecallItem:
        if kind == 0:
            scores = None if score is None else [score]
            return Recall.of_messages([self.log[place]], scores=scores).items[0]
        node = self.tree.nodes[place]
        return RecallItem(text=node.text, sources=self._sources(node), unit_id=unit_id(node), score=score)

    def _sources(self, node: Node) -> tuple[MessageId, ...]:
        return tuple(self.log[place].message_id for place in node.leaves)


def unit_id(node: Node) -> UnitId:
    """Names a summary by what it was made of, and from where."""
    return UnitId(opaque("n", node.level, node.made_of, *node.leaves))


def _open(config: RaptorLikeConfig, room: Room) -> Memory:
    from recollect.memories.published.tree import LogTree
    from recollect.memories.storage.dense_index import DenseLogIndex

    part = DenseLogIndex.open(room, NAME, piece_tokens=config.piece_tokens)
    return RaptorLikeMemory(MessageLog(room.folder), part, LogTree.open(config, room))


KIND = MemoryKind(
    name=NAME,
    version=1,
    summary="messages and summaries of groups of like messages, ranked by the likeness of their vectors",
    config=RaptorLikeConfig,
    traits=lambda _: replace(WITH_MODELS, score="similarity", provenance="mapped"),
    open=_open,
    needs=("embedder",),
    asks=by_model,
    inputs=prompts_where(by_model, NAME),
)
