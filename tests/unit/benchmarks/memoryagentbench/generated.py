"""Rows of one family, as its specs make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.benchmarks.memoryagentbench.generate.spec import Order, Spec
from recollect.domain.histories import Keyed


def generated(specs: Iterable[Spec[Any, Any]], size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """All rows of a size."""
    return (one for spec in specs for one in spec.make(Order(size, seed, held_out)))


def shared(specs: Iterable[Spec[Any, Any]], size: str, seed: int, held_out: bool) -> Mapping[str, Shared]:
    """What the keys of a size use, by task."""
    return {task: data for spec in specs for task, data in spec.shared(Order(size, seed, held_out)).items()}
