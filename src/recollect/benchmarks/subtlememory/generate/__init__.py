"""Fresh persons without a model: seeded cases made of a catalogue, with the paper's numbers of everything.

Start at `assembly`: a person's cases are planned (`cases`, of what `catalogue` holds), told (`sessions`) and laid out
in time (`schedule`). `plans` is what passes between these, `blind` keeps guesses at chance. `rules` are for the
catalogue's texts, `checks` for what is made of them; `settings` says how much is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.benchmarks.subtlememory.generate.settings import SIZES, GenerationSettings

if TYPE_CHECKING:
    from recollect.benchmarks.subtlememory.items import Bundle
    from recollect.contracts.benchmark import Dataset


def generate(size: str, seed: int) -> Dataset:
    """Persons of a named size; the same size and seed give the same bytes.

    Args:
        size: `small`, `base` or `authors`, with knobs behind it: `base+gap_days=21`; `small-held-out` and
            `base-held-out` tell the same in sentences that no other size uses.
        seed: Of everything that is drawn.

    Raises:
        UnknownNameError: There is no such size or knob.
        UsageError: A knob cannot have that value, or the settings cannot be met.
    """
    from recollect.benchmarks.subtlememory.histories import dataset_of

    return dataset_of(bundles(SIZES.settings(size), seed), f"generated: {size}, seed {seed}")


def bundles(settings: GenerationSettings, seed: int) -> tuple[Bundle, ...]:
    """Persons with their sessions and questions, by the names of their folders; same settings and seed, same bytes.

    Raises:
        UsageError: There are not so many persons, the catalogue has too little, or gaps cannot be kept.
    """
    from recollect.benchmarks.subtlememory.generate.assembly import persons
    from recollect.benchmarks.subtlememory.generate.personas import draw_personas

    made = persons(settings, seed).make(enumerate(draw_personas(settings.personas, seed)))
    return tuple(sorted(made, key=lambda one: one.key))
