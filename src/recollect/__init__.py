"""Recollect measures what an agent's memory keeps, finds and uses.

In Python: `run` a benchmark, `load` a run, `compare` two rows, `list_benchmarks` and `list_memories`. They are imported
on first use. What a plug-in needs is in `recollect.contracts` and `recollect.domain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.domain.version import VERSION

if TYPE_CHECKING:
    from recollect.runs.api import ComparisonResult, RunResult, compare, list_benchmarks, list_memories, load, run

__version__ = VERSION
__all__ = [
    "ComparisonResult",
    "RunResult",
    "__version__",
    "compare",
    "list_benchmarks",
    "list_memories",
    "load",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'recollect' has no attribute {name!r}")
    from recollect.runs import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
