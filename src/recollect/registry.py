"""What there is, by name; nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from recollect.domain.errors import UnknownNameError

if TYPE_CHECKING:
    from recollect.contracts.benchmark import Benchmark
    from recollect.contracts.models import Embedder
    from recollect.contracts.reading import Judge, Reader
    from recollect.contracts.systems import AgentKind, MemoryKind

BENCHMARKS: Mapping[str, str] = {
    "memoryagentbench": "recollect.benchmarks.memoryagentbench:BENCHMARK",
    "own": "recollect.benchmarks.own:BENCHMARK",
}
MEMORIES: Mapping[str, str] = {
    "none": "recollect.memories.none:KIND",
    "window": "recollect.memories.window:KIND",
    "full": "recollect.memories.full:KIND",
    "bm25": "recollect.memories.bm25:KIND",
    "dense": "recollect.memories.dense:KIND",
    "hybrid": "recollect.memories.hybrid:KIND",
    "files": "recollect.memories.files:KIND",
}
AGENTS: Mapping[str, str] = {}
READERS: Mapping[str, str] = {"rules": "recollect.models.offline.reading:RuleReader"}
JUDGES: Mapping[str, str] = {"rules": "recollect.judging.rule_judge:RuleJudge"}


def benchmark(name: str) -> Benchmark:
    """A benchmark by name."""
    return cast("Benchmark", _find("benchmark", name, BENCHMARKS))


def memory(name: str) -> MemoryKind:
    """A memory by name."""
    return cast("MemoryKind", _find("memory", name, MEMORIES))


def agent(name: str) -> AgentKind:
    """An agent by name."""
    return cast("AgentKind", _find("agent", name, AGENTS))


def reader(name: str, embedder: Embedder | None) -> Reader:
    """A reader by name; the embedder is optional to it."""
    made = _find("reader", name, READERS)
    return cast("Reader", made(embedder))  # type: ignore[operator]


def judge(name: str, embedder: Embedder | None) -> Judge:
    """A judge by name; the embedder is optional to it."""
    made = _find("judge", name, JUDGES)
    return cast("Judge", made(embedder))  # type: ignore[operator]


def _find(kind: str, name: str, table: Mapping[str, str]) -> object:
    if name not in table:
        raise UnknownNameError(kind, name, table)
    module, _, attribute = table[name].partition(":")
    return getattr(import_module(module), attribute)
