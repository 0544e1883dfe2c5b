"""Counts and sizes of a data set, beside those that the paper names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message

if TYPE_CHECKING:
    from recollect.contracts.benchmark import Dataset

Talks = Mapping[HistoryId, Sequence[Message]]
"""What was said in the dialogues of a run, by history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of a data set."""

    name: str
    value: float | None
    """A count, or a mean where there is a range; `None` where there is only a range, or nothing."""
    low: float | None = None
    """The least of single values."""
    high: float | None = None
    why: str = ""
    """Why there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a benchmark says of the make-up of its data."""

    of: Callable[[Dataset, Talks], Sequence[Figure]]
    """In the order of reading; the talks may be empty."""
    paper: Mapping[str, Mapping[str, str]]
    """Name of a figure -> configuration of the paper -> what the paper says of it."""
