"""Benchmarks, memories, agents and models by name; each is imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recollect.contracts.systems import MemoryKind
from recollect.domain.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from recollect.contracts.benchmark import Benchmark
    from recollect.contracts.models import ChatModel, Embedder
    from recollect.contracts.reading import Judge, Reader
    from recollect.contracts.systems import AgentKind, Environment
    from recollect.making.recipe import Recipe

BENCHMARKS: Mapping[str, str] = {
    "amemgym": "recollect.benchmarks.amemgym:BENCHMARK",
    "locomo": "recollect.benchmarks.locomo:BENCHMARK",
    "memoryagentbench": "recollect.benchmarks.memoryagentbench:BENCHMARK",
    "own": "recollect.benchmarks.own:BENCHMARK",
    "subtlememory": "recollect.benchmarks.subtlememory:BENCHMARK",
}
RECIPES: Mapping[str, str] = {
    "amemgym": "recollect.benchmarks.amemgym.make:RECIPES",
    "memoryagentbench": "recollect.benchmarks.memoryagentbench.make:RECIPES",
    "subtlememory": "recollect.benchmarks.subtlememory.make:RECIPES",
}
"""Benchmarks with tasks that models make."""
MEMORIES: Mapping[str, str] = {
    "none": "recollect.memories.none:KIND",
    "window": "recollect.memories.window:KIND",
    "full": "recollect.memories.full:KIND",
    "bm25": "recollect.memories.bm25:KIND",
    "dense": "recollect.memories.dense:KIND",
    "hybrid": "recollect.memories.hybrid:KIND",
    "files": "recollect.memories.files:KIND",
    "raptor-like": "recollect.memories.published.raptor:KIND",
    "graph-like": "recollect.memories.published.graph:KIND",
    "ppr-like": "recollect.memories.published.ppr:KIND",
}
SYSTEMS: Mapping[str, str] = {
    "mem0": "recollect.memories.vendors.kinds:MEM0",
    "mem0-raw": "recollect.memories.vendors.kinds:MEM0_RAW",
    "amem": "recollect.memories.vendors.kinds:AMEM",
    "langgraph-store": "recollect.memories.vendors.kinds:LANGGRAPH_STORE",
    "langmem": "recollect.memories.vendors.kinds:LANGMEM",
    "mcp-memory": "recollect.memories.vendors.kinds:MCP_MEMORY",
}
"""Third-party memories: each needs its own environment, which `recollect install` creates."""
AGENTS: Mapping[str, str] = {
    "answers": "recollect.memories.connectors.answers:KIND",
    "self-rag-like": "recollect.memories.published.self_rag:KIND",
    "native": "recollect.memories.agents.native:KIND",
    "rag": "recollect.memories.agents.rag:KIND",
    "awe": "recollect.memories.agents.awe:KIND",
    "awi": "recollect.memories.agents.awi:KIND",
}
READERS: Mapping[str, str] = {"rules": "recollect.offline.reading:RuleReader"}
CHATS: Mapping[str, str] = {"rules": "recollect.offline.chat:RuleChat"}
JUDGES: Mapping[str, str] = {"rules": "recollect.offline.judge.rule_judge:RuleJudge"}
_DEFINITIONS = (".yaml", ".yml")
"""Suffixes of files that describe a memory."""


def benchmark(name: str) -> Benchmark:
    """A benchmark by name."""
    return cast("Benchmark", _find("benchmark", name, BENCHMARKS))


def recipes(name: str) -> tuple[Recipe, ...]:
    """The recipes by which models make tasks of a benchmark; empty if there are none."""
    return cast("tuple[Recipe, ...]", _find("benchmark", name, RECIPES)) if name in RECIPES else ()


def memory(name: str) -> MemoryKind:
    """A memory by name, from `KIND` of your Python file, or from a YAML file that describes the connection."""
    if name.endswith(_DEFINITIONS):
        from recollect.memories.connectors.definition import kind_of

        return kind_of(Path(name))
    return cast("MemoryKind", _of_file(Path(name)) if is_file(name) else _find("memory", name, {**MEMORIES, **SYSTEMS}))


def is_file(name: str) -> bool:
    """Whether a name is a file of yours."""
    return name.endswith((".py", *_DEFINITIONS))


def environment(name: str) -> Environment | None:
    """The environment that a memory needs, if any; it may not be installed yet."""
    if name.endswith(_DEFINITIONS):
        from recollect.memories.connectors.definition import environment_of

        return environment_of(Path(name))
    return memory(name).environment


def agent(name: str) -> AgentKind:
    """An agent by name."""
    return cast("AgentKind", _find("agent", name, AGENTS))


def reader(name: str, embedder: Embedder | None) -> Reader:
    """A reader by name; the embedder is optional."""
    return cast("Reader", _find("reader", name, READERS)(embedder))


def chat(name: str) -> ChatModel:
    """A chat model without an endpoint, by name."""
    return cast("ChatModel", _find("model", name, CHATS)())


def judge(name: str, embedder: Embedder | None) -> Judge:
    """A judge by name; the embedder is optional."""
    return cast("Judge", _find("judge", name, JUDGES)(embedder))


def _of_file(path: Path) -> object:
    """`KIND` of a Python file; the file is run, as it is your own."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file. `--memory` takes a name or a Python file that defines KIND.")
    spec = spec_from_file_location(f"recollect_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path}: cannot be loaded as a Python module.")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise UsageError(f"{path}:{error.lineno}: {error.msg}.") from None
    except (Exception, SystemExit) as error:  # the user's own file may raise anything
        raise UsageError(f"{path}: {type(error).__name__}: {error}.") from error
    kind = getattr(module, "KIND", None)
    if not isinstance(kind, MemoryKind):
        raise UsageError(f"{path}: defines no KIND that is a MemoryKind. docs/add_a_memory.md shows one.")
    return kind


def _find(kind: str, name: str, table: Mapping[str, str]) -> Any:
    if name not in table:
        raise UnknownNameError(kind, name, table)
    module, _, attribute = table[name].partition(":")
    return getattr(import_module(module), attribute)
