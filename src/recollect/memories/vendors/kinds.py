"""The kinds of the third-party systems: what each is fed, what it can, and how its worker is started."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from recollect.contracts.systems import Environment, MemoryKind
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.memories.worker.adapter import AdapterSystem, adapter_kind

_HERE = Path(__file__).parent
_KEEPS = frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET})
Takes = Literal["message", "pair", "session"]


@dataclass(frozen=True, slots=True)
class Mem0Config:
    """How Mem0 is fed."""

    infer: bool = True
    """A model words what is kept."""
    takes: Takes = "pair"
    """Of one write, which is one call of the model; what is kept names all of its messages as sources."""


@dataclass(frozen=True, slots=True)
class Mem0RawConfig:
    """Mem0 without a model that words what is kept."""

    infer: bool = False


@dataclass(frozen=True, slots=True)
class AMemConfig:
    """How A-Mem embeds and is shown."""

    weights: str = ""
    """Folder or name of a sentence-transformers model; empty for the MiniLM that is installed with it."""
    shows: Literal["note", "content"] = "note"
    """Whether the reader sees context, key words and tags beside what was said."""


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Nothing to set."""


@dataclass(frozen=True, slots=True)
class LangMemConfig:
    """How LangMem is fed."""

    takes: Takes = "session"
    """Of one write, which is one round of the model; what it changes names all of its messages as sources."""
    near: int = 5
    """Memories that the model sees beside what is new."""

    def __post_init__(self) -> None:
        if self.near < 4:
            raise ValueError(f"near starts at 4, under which the system looks for none, got {self.near}")


@dataclass(frozen=True, slots=True)
class McpConfig:
    """How the server's search is used; it finds entities that hold a text letter for letter, and does not rank."""

    search: Literal["words", "phrase"] = "words"
    """`words`: one search for each word of the cue, most and rarest words first; `phrase`: the cue as it stands."""


def _adapted(name: str, folder: str, *, shared: str | None = None, node: bool = False) -> AdapterSystem:
    """The adapter in *folder*; *shared* is the environment's name where it is that of another system."""
    place = _HERE / folder
    environment = Environment(
        name=shared or name,
        requirements=None if node else place / "requirements.txt",
        node=place / "package.json" if node else None,
    )
    beside = (*place.glob("*.py"), *_HERE.glob("shared/*.py"))
    return AdapterSystem(who=name, adapter=place / "adapter.py", files=beside, environment=environment)


def _mem0(config: Mem0Config) -> Traits:
    takes = WriteUnit(config.takes) if config.infer else WriteUnit.MESSAGE
    return Traits(
        can=_KEEPS,
        takes=takes,
        speaker="text",
        channel="text",
        score="similarity",
        provenance="mapped" if config.infer else "native",
        keeps="some" if config.infer else "all",
        models_on_write=True,
        models_on_search=True,
    )


def _mem0_raw(_: Mem0RawConfig) -> Traits:
    return _mem0(Mem0Config(infer=False))


def _amem(_: AMemConfig) -> Traits:
    return Traits(can=_KEEPS, speaker="text", channel="text", score="distance", keeps="all", models_on_write=True)


def _store(_: StoreConfig) -> Traits:
    return Traits(can=_KEEPS, score="similarity", keeps="all", models_on_write=True, models_on_search=True)


def _langmem(config: LangMemConfig) -> Traits:
    return Traits(
        can=_KEEPS - {Capability.FORGET},
        takes=WriteUnit(config.takes),
        time="text",
        speaker="text",
        channel="text",
        score="similarity",
        provenance="difference",
        models_on_write=True,
        models_on_search=True,
    )


def _mcp(config: McpConfig) -> Traits:
    ranked: Literal["similarity", "none"] = "similarity" if config.search == "words" else "none"
    return Traits(can=_KEEPS, speaker="text", channel="text", score=ranked, keeps="all", snapshot_deterministic=True)


def _kind(adapted: AdapterSystem, summary: str, config: type[Any], traits: Callable[[Any], Traits]) -> MemoryKind:
    models = adapted.environment is not None and adapted.environment.node is None
    needs = ("gateway",) if models else ()
    return adapter_kind(adapted, version=1, summary=summary, config=config, traits=traits, needs=needs)


MEM0 = _kind(_adapted("mem0", "mem0"), "Mem0: a model words facts, found by vectors", Mem0Config, _mem0)
MEM0_RAW = _kind(
    _adapted("mem0-raw", "mem0", shared="mem0"), "Mem0 that keeps messages as they are", Mem0RawConfig, _mem0_raw
)
AMEM = _kind(_adapted("amem", "amem"), "A-Mem: notes that a model annotates and links", AMemConfig, _amem)
LANGGRAPH_STORE = _kind(
    _adapted("langgraph-store", "langgraph_store"), "LangGraph's store with its vector index", StoreConfig, _store
)
LANGMEM = _kind(
    _adapted("langmem", "langmem"), "LangMem: a model adds, rewrites and drops memories", LangMemConfig, _langmem
)
MCP_MEMORY = _kind(
    _adapted("mcp-memory", "mcp_memory", node=True), "MCP's reference memory server, over stdio", McpConfig, _mcp
)
