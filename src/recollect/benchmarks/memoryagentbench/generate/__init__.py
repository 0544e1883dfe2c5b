"""Fresh histories without a model: seeded, of any length, and of no use to one who only knows the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import cast

from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Keyed

HELD_OUT = "-held-out"
SIZES = ("small", "medium", "large")
ALL_SIZES = tuple(f"{name}{suffix}" for name in SIZES for suffix in ("", HELD_OUT))

MAKERS = (
    "fact_histories",
    "example_histories",
    "document_histories",
    "event_histories",
    "recommendation_histories",
    "dialogue_histories",
    "summary_histories",
    "detective_histories",
)
"""Modules of this package; each has `make(size, seed, held_out)`, which gives rows of its family."""
Maker = Callable[[str, int, bool], Iterator[Keyed]]
SHARERS = ("recommendation_histories",)
"""Those with `shared(size, seed, held_out)` too: task -> what all its keys use."""
Sharer = Callable[[str, int, bool], Mapping[str, Shared]]


def generate(size: str, seed: int) -> Dataset:
    """Invented twins of all families; the same size and seed give the same bytes.

    Args:
        size: `small`, `medium` or `large`; with `-held-out` behind it, wordings and domains that the others never use.
        seed: Of everything that is drawn.

    Raises:
        UnknownNameError: There is no such size.
    """
    from recollect.benchmarks.memoryagentbench.histories import NAME

    plain = size.removesuffix(HELD_OUT)
    if plain not in SIZES:
        raise UnknownNameError("size", size, ALL_SIZES)
    makers = [cast("Maker", import_module(f"{__name__}.{name}").make) for name in MAKERS]
    histories = [one for make in makers for one in make(plain, seed, size != plain)]
    histories.sort(key=lambda one: one.task)
    return Dataset(
        benchmark=NAME,
        histories=tuple(histories),
        shared={task: data for share in SHARERS for task, data in _shared(share, plain, seed, size != plain)},
        origin=f"generated: {size}, seed {seed}",
    )


def _shared(name: str, size: str, seed: int, held_out: bool) -> Iterable[tuple[str, Shared]]:
    found = cast("Sharer", import_module(f"{__name__}.{name}").shared)(size, seed, held_out)
    return found.items()


def seed_of(what: str, size: str, seed: int, number: int, *, held_out: bool) -> str:
    """The seed of one history of one family; the same everywhere, and no other family's."""
    return f"{what} {size}{HELD_OUT if held_out else ''} {seed} {number}"
