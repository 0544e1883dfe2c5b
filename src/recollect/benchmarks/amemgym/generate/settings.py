"""What can be set about generated users, and the sizes that have a name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date

from recollect.benchmarks.amemgym.settings import BASE, EXTRA, EnvConfig
from recollect.worlds.sizes import Sizes, at_least


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings(EnvConfig):
    """The paper's base configuration, with what only this generator knows; its models and its seed have no meaning."""

    max_state_variants: int = 7
    """Most choices of a question."""
    num_shared_domains: int = 2
    """Domains of which two questions are asked; they share a variable."""
    paired_changes: float = 0.12
    """Share of changes that come with another of the same domain, as one event."""
    told_together: float = 0.75
    """Chance in period 0 that a variable is told in the same query as the last one of its domain."""
    held_out: bool = False
    """The user speaks only in the sentences that are held out."""

    def __post_init__(self) -> None:
        date.fromisoformat(self.start_date)
        if self.lang != "en":
            raise ValueError(f"the catalogue speaks English (`en`), got lang {self.lang!r}")
        least = {
            "num_user_profiles": 1, "num_questions": 1, "num_periods": 0, "num_months_per_period": 1,
            "num_choices_per_state": 2, "num_changes_per_period": 1, "max_changes_per_state": 1,
            "min_state_variants": 2, "num_rounds_init": 1, "num_rounds_update": 1, "num_shared_domains": 0,
        }  # fmt: skip
        at_least(self, least)
        if self.num_states_per_question not in (2, 3):
            raise ValueError(f"num_states_per_question must be 2 or 3, got {self.num_states_per_question}")
        combinations = self.num_choices_per_state**self.num_states_per_question
        if self.min_state_variants > min(self.max_state_variants, combinations):
            raise ValueError(
                f"min_state_variants must be <= max_state_variants ({self.max_state_variants}) and <= the combinations "
                f"of a question's values ({combinations}), got {self.min_state_variants}"
            )


def settings_of(config: EnvConfig, **ours: int | float | bool) -> GenerationSettings:
    """The settings that a configuration of the authors' form says, with knobs that only this generator has.

    Raises:
        ValueError: A life cannot be made so.
    """
    return GenerationSettings(**{**{one.name: getattr(config, one.name) for one in fields(EnvConfig)}, **ours})


SIZES = Sizes(
    plain={
        "small": GenerationSettings(num_user_profiles=4, num_questions=5, num_periods=4, num_shared_domains=1),
        "base": settings_of(BASE),
        "extra": settings_of(EXTRA, num_shared_domains=0, paired_changes=0.3),
    }
)
"""Those with `-held-out` behind their names tell the same lives in other sentences."""
