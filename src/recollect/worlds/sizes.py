"""How much is generated: sizes that have a name, their held-out twins, and the knobs of a size."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from recollect.domain.errors import UnknownNameError, UsageError

HELD_OUT = "-held-out"
"""Ends the name of a size that is told in sentences which no other size uses."""
KNOB = "+"
"""Parts a size from its knobs: `base+gap_days=21+distractors=0.3`."""
_NUMBERS: Mapping[str, type[int] | type[float]] = {"int": int, "float": float}


class Settings(Protocol):
    """What can be set about generated histories: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def held_out(self) -> bool:
        """Whether the sentences are those that are held out."""


S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, kw_only=True)
class Sizes(Generic[S]):
    """The sizes of one generator."""

    plain: Mapping[str, S]
    """Name -> settings."""
    without_twin: Collection[str] = ()
    """Sizes of which there is no held-out twin."""
    knobs: Mapping[str, str] = field(default_factory=dict)
    """What may be set beside a size -> what it does."""

    @property
    def named(self) -> dict[str, S]:
        """Every size with its settings, the held-out twins last."""
        twins = (name for name in self.plain if name not in self.without_twin)
        return {**self.plain, **{f"{name}{HELD_OUT}": replace(self.plain[name], held_out=True) for name in twins}}

    def settings(self, size: str) -> S:
        """The settings of a size with its knobs, such as `base+gap_days=21`.

        Raises:
            UnknownNameError: There is no such size or knob.
            UsageError: A knob cannot have that value; all such are told.
        """
        name, *given = size.split(KNOB)
        if name not in self.named:
            raise UnknownNameError("size", name, self.named)
        settings = self.named[name]
        kinds = {setting.name: str(setting.type) for setting in fields(settings)}
        values: dict[str, Any] = {}
        problems: list[str] = []
        for knob in given:
            key, _, value = knob.partition("=")
            if key not in self.knobs:
                raise UnknownNameError("knob", key, self.knobs)
            try:
                values[key] = _NUMBERS.get(kinds[key], str)(value)
                replace(settings, **{key: values[key]})
            except ValueError as error:
                problems.append(f"knob `{key}`: {value!r} is no number" if key not in values else str(error))
        if not problems:
            try:
                return replace(settings, **values)
            except ValueError as error:
                problems.append(str(error))
        raise UsageError(f"size `{size}`: {'; '.join(problems)}.")


def twinned(names: Iterable[str]) -> tuple[str, ...]:
    """Each name with its held-out twin behind it."""
    return tuple(f"{name}{end}" for name in names for end in ("", HELD_OUT))


def at_least(settings: Settings, least: Mapping[str, float]) -> None:
    """Refuse settings below their least value.

    Raises:
        ValueError: Names the first of them.
    """
    for name, low in least.items():
        if getattr(settings, name) < low:
            raise ValueError(f"{name} must be >= {low}, got {getattr(settings, name)}")
