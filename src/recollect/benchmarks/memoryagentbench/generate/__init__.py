"""Fresh histories without a model: seeded, of any length, and of no use to one who only knows the world.

Start at `spec`: what the driver below needs of a family. Each family has a module with its `SPECS`.
"""

from __future__ import annotations

from importlib import import_module

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.worlds.sizes import HELD_OUT, twinned

SIZES = ("small", "medium", "large")
ALL_SIZES = twinned(SIZES)
FAMILIES = ["facts", "examples", "documents", "events", "recommendations", "dialogues", "summaries", "detective"]
"""Modules of this package with `SPECS`."""


def generate(size: str, seed: int) -> Dataset:
    """Invented twins of all families; the same size and seed give the same bytes.

    Args:
        size: `small`, `medium` or `large`; with `-held-out` behind it, wordings and domains that the others never use.
        seed: Of everything that is drawn.

    Raises:
        UnknownNameError: There is no such size.
    """
    from recollect.benchmarks.memoryagentbench.generate.spec import Order
    from recollect.benchmarks.memoryagentbench.histories import NAME

    plain = size.removesuffix(HELD_OUT)
    if plain not in SIZES:
        raise UnknownNameError("size", size, ALL_SIZES)
    order = Order(plain, seed, held_out=size != plain)
    specs = [spec for name in FAMILIES for spec in import_module(f"{__name__}.{name}").SPECS]
    histories = sorted((one for spec in specs for one in spec.make(order)), key=lambda one: one.task)
    return Dataset(
        benchmark=NAME,
        histories=tuple(histories),
        shared={task: data for spec in specs for task, data in spec.shared(order).items()},
        origin=f"generated: {size}, seed {seed}",
    )
