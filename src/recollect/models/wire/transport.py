"""HTTP calls; every failure is an error with a cause."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError

if TYPE_CHECKING:
    from aiohttp import ClientSession

_KEEP_S = 4.0
"""Common servers hang up after 5 idle seconds; a connection that they may just be closing is not used again."""
_LONG_BODY = 1 << 20
_COMMON = frozenset({"accept", "content-type", "content-length", "host", "user-agent"})
_SECRET_LENGTH = 6
_KEPT = ("retry-after", "date", "content-type", "ratelimit", "request-id")


@dataclass(slots=True, kw_only=True)  # one is made for every call, and freezing costs time
class HttpResponse:
    """A response, of any status."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Of an error: those about limits, time and content type; names in lower case."""
    body: bytes = b""
    """Keys that the server echoes are masked."""
    host: str = ""


@dataclass(slots=True)
class Transport:
    """Posts over connections that are kept open; belongs to the event loop that uses it first."""

    _session: ClientSession | None = None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> HttpResponse:
        """The response, within *timeout_s* from here to the last byte; redirects are not followed.

        Raises:
            RetryableError: `timeout`, `slow_trickle` (the answer had begun), `connection_refused`, `connection_closed`.
            RefusedError: `dns`, `tls`, `bad_request` (no such address).
            MalformedError: `not_http`: something else than a web server listens there.
        """
        from aiohttp import ClientError

        host, began = urlsplit(url).netloc, False
        session = self._session or self._open()
        data = body if len(body) < _LONG_BODY else BytesIO(body)  # a long one in parts: other calls go on meanwhile
        try:
            async with (
                asyncio.timeout(timeout_s),
                session.post(url, data=data, headers=headers, allow_redirects=False) as response,
            ):
                began = True
                content = await response.read()
        except TimeoutError:
            advice, place = f"{timeout_s:g} s. Raise `timeout_s`.", f"server at {host}"
            if began:
                problem = f"{place}: the reply had begun, and was not complete after {advice}"
                raise RetryableError(problem, cause="slow_trickle") from None
            raise RetryableError(f"{place}: no reply within {advice}", cause="timeout") from None
        except (ClientError, OSError, ValueError) as error:
            raise _broken(host, error) from None
        secrets = _secrets(tuple(headers.items()))
        kept: dict[str, str] = {}
        for name, value in () if response.ok else response.headers.items():
            if any(part in name.lower() for part in _KEPT):
                kept[name.lower()] = mask(value.encode("utf-8", "replace"), secrets).decode()
        return HttpResponse(status=response.status, headers=kept, body=mask(content, secrets), host=host)

    async def close(self) -> None:
        """Close all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _open(self) -> ClientSession:
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

        # the gate limits how many calls there are at once, so the pool must not
        self._session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=_KEEP_S, ttl_dns_cache=300),
            timeout=ClientTimeout(total=None, sock_connect=None),
            cookie_jar=DummyCookieJar(),
            headers={"User-Agent": "recollect"},
        )
        return self._session


def _broken(host: str, error: Exception) -> CallError:
    """The named error, by the type of *error*, not its text, which may hold what was sent."""
    import aiohttp

    kind: type[CallError] = RetryableError
    cause = "connection_closed"
    problem = "the connection was closed before the reply was complete. It is tried again."
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        kind, cause, problem = RefusedError, "dns", "there is no such host. Check `base_url`."
        if error.os_error.errno == socket.EAI_AGAIN:
            kind, problem = RetryableError, "its name could not be looked up for now. Check the network."
    elif isinstance(error, aiohttp.ClientSSLError):
        kind, cause = RefusedError, "tls"
        problem = f"no secure connection ({type(error).__name__}). Check `base_url` and certificates."
    elif isinstance(error, aiohttp.ClientConnectorError):
        cause, why = "connection_refused", errno.errorcode.get(error.os_error.errno or 0, "no connection")
        problem = f"it cannot be reached ({why}). Check that it runs, and `base_url`."
    elif isinstance(error, aiohttp.ClientResponseError):
        kind, cause = MalformedError, "not_http"
        problem = "what it says is not HTTP. Check `base_url`: its scheme and its port."
    elif isinstance(error, aiohttp.InvalidURL) or not isinstance(error, aiohttp.ClientError | OSError):
        kind, cause = RefusedError, "bad_request"
        problem = f"no request can be made ({type(error).__name__}). Check `base_url` and `headers`."
    return kind(f"server at {host}: {problem}", cause=cause)


@lru_cache(maxsize=64)
def _secrets(headers: tuple[tuple[str, str], ...]) -> tuple[bytes, ...]:
    """Values to mask: of all headers that the user set."""
    named = (value for name, value in headers if name.lower() not in _COMMON)
    bare = {word for value in named for word in (value, value.rpartition(" ")[2]) if len(word) >= _SECRET_LENGTH}
    escaped = {word.replace("/", "\\/") for word in bare}
    return tuple(word.encode() for word in sorted(bare | escaped, key=len, reverse=True))


def mask(content: bytes, secrets: Iterable[bytes]) -> bytes:
    """*content* with three stars for each of *secrets*."""
    for secret in secrets:
        if secret in content:
            content = content.replace(secret, b"***")
    return content
