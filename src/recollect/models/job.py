"""A model call as a value: what is sent, to which model, and how its reply is parsed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from recollect.contracts.models import Usage
from recollect.models.settings import ModelSettings, Role


class Counted(Protocol):
    """A parsed reply that knows its tokens."""

    @property
    def usage(self) -> Usage | None:
        """As the provider counted them."""
        ...


A_co = TypeVar("A_co", bound=Counted, covariant=True)


@dataclass(slots=True, kw_only=True)  # one is made for every hit of the cache, and freezing costs time
class Job(Generic[A_co]):
    """One call."""

    kind: Literal["chat", "embedding"]
    role: Role
    settings: ModelSettings
    path: str
    """Below the base URL."""
    body: Mapping[str, Any]
    read: Callable[[bytes], A_co]
    """Parses a reply; raises MalformedError, RetryableError or RefusedError."""
    again: Callable[[bytes, Usage | None], A_co] | None = None
    """Parses a cached reply, with its tokens; `None`: as `read`."""
    samples: bool = False
    """Two equal calls may give two replies that are both meant."""
    kept: bool = True
    """Its reply is cached; vectors have a cache of their own."""


@dataclass(slots=True, kw_only=True)
class Sent:
    """An answered call and its measurements."""

    raw: bytes
    reply: Any
    """*raw* as the job reads it."""
    usage: Usage | None
    seconds: float
    waited: float
    tries: int
    causes: tuple[str, ...]


Send = Callable[[bytes], Awaitable[bytes]]
"""Sends a request's body once; gives the reply's body, or raises a CallError."""
