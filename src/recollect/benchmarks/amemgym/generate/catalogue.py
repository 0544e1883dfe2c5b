"""The catalogue of life domains: what may change in a life, and the sentences that show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from recollect.text.normal import search_tokens
from recollect.worlds.catalogues import catalogue, read


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """One value of a variable, and how a person shows it without naming it."""

    value: str
    told: tuple[str, ...]
    """What the user says while the value holds."""
    held_out: tuple[str, ...]
    """The same in other words; used only where `held_out` is asked for."""
    event: str
    advice: tuple[str, ...]
    """What suits this value among the variable's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableWords:
    """One fact of a life that changes over months."""

    name: str
    kind: Literal["ordinal", "nominal"]
    """An ordinal one changes by one step in the order of its values."""
    values: tuple[ValueWords, ...]

    def named(self, value: str) -> ValueWords:
        """The value of this name."""
        return next(one for one in self.values if one.value == value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceQuestion:
    """A question that can be asked at any time, with the variables that its answer needs."""

    query: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeDomain:
    """One part of a life: three variables, three questions about them, and talk that tells nothing."""

    domain: str
    questions: tuple[AdviceQuestion, ...]
    variables: tuple[VariableWords, ...]
    asks: tuple[str, ...]
    """Requests that fit whatever the values are."""
    chat: tuple[str, ...]
    """Follow-up turns that tell no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """Words that belong to no domain and tell nothing."""

    openers: tuple[str, ...]
    bridges: tuple[str, ...]
    """Between two sentences that tell something."""
    leads: tuple[str, ...]
    """Before what is asked."""
    neutral: tuple[str, ...]
    """Whole turns that go on with any talk."""


def files(folder: Path | None = None) -> list[Path]:
    """Of the domains of a folder, by name; of the data package's if there is none."""
    return sorted((folder or catalogue("amemgym") / "domains").glob("*.json"))


@cache
def read_catalogue(folder: Path | None = None) -> tuple[LifeDomain, ...]:
    """All domains of a folder, by name; read once.

    Raises:
        DataError: A file is not valid JSON or has another shape; all that is wrong is named at once.
    """
    return tuple(sorted((read(LifeDomain, file) for file in files(folder)), key=lambda one: one.domain))


@cache
def small_talk() -> SmallTalk:
    """That of the data package; read once."""
    return read(SmallTalk, catalogue("amemgym") / "small_talk.json")


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry the topic; underscores part words."""
    return frozenset(search_tokens(text.replace("_", " ")))
