"""What the settings of these systems must hold, and what follows from who does the work: rules or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

from recollect.memories.published.prompts import inputs_of

By = Literal["rules", "model"]


class HasBy(Protocol):
    """Settings that say who does the work."""

    @property
    def by(self) -> By:
        """Rules, or the chat model of `--memory-model`."""
        ...


def check_counts(config: object, *names: str, least: int = 1) -> None:
    """Refuse numbers that are too small.

    Raises:
        ValueError: One of *names* is below *least*.
    """
    for name in names:
        if getattr(config, name) < least:
            raise ValueError(f"{name} starts at {least}, got {getattr(config, name)}")


def check_shares(config: object, *names: str) -> None:
    """Refuse what is no share of a whole.

    Raises:
        ValueError: One of *names* is not above 0, or is above 1.
    """
    for name in names:
        if not 0 < getattr(config, name) <= 1:
            raise ValueError(f"{name} lies above 0 and is at most 1, got {getattr(config, name)}")


def by_model(config: HasBy) -> bool:
    """Whether a chat model is asked."""
    return config.by == "model"


def prompts_where(asks: Callable[[Any], bool], name: str) -> Callable[[Any], Mapping[str, str]]:
    """Of settings: digests of all prompts that the system *name* may send; none where it asks no model."""
    return lambda config: inputs_of(name) if asks(config) else {}
