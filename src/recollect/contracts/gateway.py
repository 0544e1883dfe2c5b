"""The gateway as the engine sees it, and the two services behind it: chat completions and embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access
from recollect.domain.errors import RecollectError


class CallSource(Protocol):
    """The current operation of a system; queried on every call."""

    def occasion(self) -> CallContext | None:
        """The context of its calls at this moment."""


class Gateway(Protocol):
    """Serves models over HTTP on this machine, to systems with a token."""

    def open(self, work: CallSource) -> Access:
        """An access for one system; *work* gives the contexts of its calls."""

    def close(self, token: str) -> None:
        """Refuse all further calls with *token*."""

    def shut(self) -> None:
        """Stop serving."""


Body = Mapping[str, Any]
"""A request or reply of OpenAI's protocol."""


class BadRequestError(RecollectError):
    """A request that cannot be answered: the caller's mistake, or an unsupported part of the protocol."""

    def __init__(self, message: str, *, status: int = 400, code: str = "bad_request") -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def __reduce__(self) -> tuple[object, ...]:
        return partial(BadRequestError, status=self.status, code=self.code), (str(self),)


class ChatService(Protocol):
    """Completes chats."""

    @property
    def model(self) -> str:
        """The name in `/v1/models`."""

    @property
    def fingerprint(self) -> str:
        """Everything that can change a reply."""

    async def chat(self, body: Body) -> bytes:
        """A whole chat completion, as JSON, for a request without streaming.

        Raises:
            RecollectError: It failed; the caller gets the error over HTTP.
        """


class EmbeddingService(Protocol):
    """Embeds texts."""

    @property
    def model(self) -> str:
        """The name in `/v1/models`."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """A list of embeddings, as JSON: base64 of little-endian floats where *packed*, else numbers.

        Raises:
            RecollectError: It failed; the caller gets the error over HTTP.
        """
