"""The gateway as the engine sees it, and the two services behind it: one completes chats, one embeds texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access
from recollect.domain.errors import RecollectError


class CallSource(Protocol):
    """What a system is doing; asked at every call that it makes."""

    def occasion(self) -> CallContext | None:
        """What its calls are for, at this moment."""
        ...


class Gateway(Protocol):
    """Serves models over HTTP on this machine, to systems that hold a token."""

    def open(self, work: CallSource) -> Access:
        """An access of its own for a system; its calls are made on the occasions of *work*."""
        ...

    def close(self, token: str) -> None:
        """Answer no call with *token* any more."""
        ...

    def shut(self) -> None:
        """Stop serving."""
        ...


Body = Mapping[str, Any]
"""A request or reply of OpenAI's protocol."""


class BadRequestError(RecollectError):
    """A request that nobody here can answer: the caller's mistake, or a part of the protocol that is not served."""

    def __init__(self, message: str, *, status: int = 400, code: str = "bad_request") -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (str(self), self.status, self.code))


def _rebuilt(message: str, status: int, code: str) -> BadRequestError:
    return BadRequestError(message, status=status, code=code)


class ChatService(Protocol):
    """Completes chats."""

    @property
    def model(self) -> str:
        """The name that `/v1/models` tells."""
        ...

    @property
    def fingerprint(self) -> str:
        """Everything that can change a reply."""
        ...

    async def chat(self, body: Body) -> bytes:
        """A whole chat completion, as JSON, for a request that asks for no stream.

        Raises:
            RecollectError: There is none; the caller is told over HTTP.
        """
        ...


class EmbeddingService(Protocol):
    """Embeds texts."""

    @property
    def model(self) -> str:
        """The name that `/v1/models` tells."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """A list of embeddings, as JSON: base64 of little-endian floats where *packed*, else numbers.

        Raises:
            RecollectError: There is none; the caller is told over HTTP.
        """
        ...
