"""The kinds of third-party systems: their settings, traits and workers."""

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
    """A model writes the memories."""
    takes: Takes = "pair"
    """Of one write, which is one call of the model; all its messages are sources of what it keeps."""


@dataclass(frozen=True, slots=True)
class Mem0RawConfig:
    """Mem0 without a model that writes the memories."""

    infer: bool = False


@dataclass(frozen=True, slots=True)
class AMemConfig:
    """How A-Mem embeds, and what it shows."""

    weights: str = ""
    """Folder or name of a sentence-transformers model; empty for its bundled MiniLM."""
    shows: Literal["note", "content"] = "note"
    """Whether the reader sees context, key words and tags with the message."""


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """No settings."""


@dataclass(frozen=True, slots=True)
class LangMemConfig:
    """How LangMem is fed."""

    takes: Takes = "session"
    """Of one write, which is one round of the model; all its messages are sources of what it changes."""
    near: int = 5
    """Memories that the model sees with the new messages."""

    def __post_init__(self) -> None:
        if self.near < 4:
            raise ValueError(f"near starts at 4, under which the system looks for none, got {self.near}")


@dataclass(frozen=True, slots=True)
class McpConfig:
    """How the server's search is used; it finds entities with an exact text, and does not rank."""

    search: Literal["words", "phrase"] = "words"
    """`words`: one search for each word of the cue, most and rarest words first; `phrase`: the whole cue."""


def _kind(
    name: str, folder: str, summary: str, config: type[Any], traits: Callable[[Any], Traits], *, node: bool = False
) -> MemoryKind:
    """The system behind the adapter in *folder*, which is also the name of its environment."""
    path = _HERE / folder
    environment = Environment(
        name=folder.replace("_", "-"),
        requirements=None if node else path / "requirements.txt",
        node=path / "package.json" if node else None,
    )
    files = (*path.glob("*.py"), *_HERE.glob("shared/*.py"))
    adapted = AdapterSystem(who=name, adapter=path / "adapter.py", files=files, environment=environment)
    needs = () if node else ("gateway",)
    return adapter_kind(adapted, version=1, summary=summary, config=config, traits=traits, needs=needs)


def _mem0(config: Mem0Config | Mem0RawConfig) -> Traits:
    infers = isinstance(config, Mem0Config) and config.infer
    return Traits(
        can=_KEEPS,
        takes=WriteUnit(config.takes) if isinstance(config, Mem0Config) and config.infer else WriteUnit.MESSAGE,
        speaker="text",
        channel="text",
        score="similarity",
        provenance="mapped" if infers else "native",
        keeps="some" if infers else "all",
        models_on_write=True,
        models_on_search=True,
    )


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


_AMEM = Traits(can=_KEEPS, speaker="text", channel="text", score="distance", keeps="all", models_on_write=True)
_STORE = Traits(can=_KEEPS, score="similarity", keeps="all", models_on_write=True, models_on_search=True)

MEM0 = _kind("mem0", "mem0", "Mem0: a model words facts, found by vectors", Mem0Config, _mem0)
MEM0_RAW = _kind("mem0-raw", "mem0", "Mem0 that keeps messages as they are", Mem0RawConfig, _mem0)
AMEM = _kind("amem", "amem", "A-Mem: notes that a model annotates and links", AMemConfig, lambda _: _AMEM)
LANGGRAPH_STORE = _kind(
    "langgraph-store",
    "langgraph_store",
    "LangGraph's store with its vector index",
    StoreConfig,
    lambda _: _STORE,
)
LANGMEM = _kind("langmem", "langmem", "LangMem: a model adds, rewrites and drops memories", LangMemConfig, _langmem)
MCP_MEMORY = _kind("mcp-memory", "mcp_memory", "MCP's reference memory server, over stdio", McpConfig, _mcp, node=True)
