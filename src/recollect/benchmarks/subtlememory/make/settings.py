"""How much is made: for persons set in `config.json` beside them, for seeds in `world.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.domain.errors import DataError
from recollect.records.codec import decode

Settings = TypeVar("Settings", "MakeSettings", "WorldSettings")
CONFIG, WORLD_CONFIG = "config.json", "world.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSettings:
    """Settings for persons; defaults are the authors' where they name one."""

    preferences: int = 0
    """Per person, drawn by the seed; 0 takes all."""
    questions: int = 2
    """Requested per case, before any is left out."""
    seed: int = 42
    """Of everything that is drawn before models are called."""
    layout: Literal["year", "authors"] = "year"
    start: str = "2025-04-01"
    end: str = "2026-04-01"
    """The span of the sessions, `YYYY-MM-DD`; the end is not in it."""
    gap_sessions: int = 3
    """Other sessions between two of one case, or as many as there is room for."""
    gap_days: int = 3

    def __post_init__(self) -> None:
        if not 1 <= self.questions <= 4:
            raise ValueError(f"`questions` must be 1 to 4, got {self.questions}")
        if self.preferences < 0:
            raise ValueError(f"`preferences` must be 0 or more, got {self.preferences}")
        laid_out(self, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSettings:
    """Settings for seeds; shared fields are as for persons."""

    cases: int = 0
    """Seeds that are taken, drawn evenly over relations, then over their sub-types; 0 takes all."""
    cases_per_person: int = 55
    """Where the data have no cases about users: 545 of ten persons, in the published data."""
    neighbours: int = 3
    """Related evidence of other seeds that is offered for distractors."""
    seed: int = 42
    layout: Literal["year", "authors"] = "year"
    start: str = "2025-04-01"
    end: str = "2026-04-01"
    gap_sessions: int = 3
    gap_days: int = 3

    def __post_init__(self) -> None:
        for name, least in {"cases": 0, "cases_per_person": 1, "neighbours": 0}.items():
            if getattr(self, name) < least:
                raise ValueError(f"`{name}` must be {least} or more, got {getattr(self, name)}")
        laid_out(self, 1)


def laid_out(settings: MakeSettings | WorldSettings, persons: int) -> GenerationSettings:
    """Settings of the scheduler for so many persons."""
    return GenerationSettings(
        personas=persons,
        layout=settings.layout,
        start=settings.start,
        end=settings.end,
        gap_sessions=settings.gap_sessions,
        gap_days=settings.gap_days,
    )


def read_settings(kind: type[Settings], path: Path) -> Settings:
    """The settings in a file; the defaults if there is none.

    Raises:
        DataError: It is not JSON, or does not fit, with every problem.
    """
    if not path.is_file():
        return kind()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix="It must be one JSON object.") from None
    return decode(kind, data, where=str(path))
