"""One HTTP call and what can go wrong on the way: every breakage is an error with a cause."""

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
    """What a server answered, whatever its status."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Of a refusal: those that say something about limits, time and kind; names in lower case."""
    body: bytes = b""
    """Where the server echoes a key, three stars stand in its place."""
    host: str = ""


@dataclass(slots=True)
class Transport:
    """Posts over connections that are kept open; belongs to the event loop that uses it first."""

    proxies: bool = False
    """Take proxies from the environment."""
    _session: ClientSession | None = None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> HttpResponse:
        """What the server answered within *timeout_s*, counted from here to the last byte; redirects are not followed.

        Raises:
            RetryableError: `timeout`, `slow_trickle` (the answer had begun), `connection_refused`, `connection_closed`.
            RefusedError: `dns`, `tls`, `bad_request` (no such address).
            MalformedError: `not_http`: something else than a web server listens there.
        """
        from aiohttp import ClientError

        host, began = urlsplit(url).netloc, False
        session = self._session or self._open()
        try:
            async with (
                asyncio.timeout(timeout_s),
                session.post(url, data=_payload(body), headers=headers, allow_redirects=False) as response,
            ):
                began = True
                content = await response.read()
        except TimeoutError:
            raise _late(host, timeout_s, began=began) from None
        except (ClientError, OSError, ValueError) as error:
            raise _broken(host, error) from None
        secrets = _secrets(tuple(headers.items()))
        kept = {} if response.ok else _masked_headers(response.headers, secrets)
        return HttpResponse(status=response.status, headers=kept, body=_masked(content, secrets), host=host)

    async def close(self) -> None:
        """Let go of all connections."""
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
            trust_env=self.proxies,
            headers={"User-Agent": "recollect"},
        )
        return self._session


def _payload(body: bytes) -> bytes | BytesIO:
    """Long bodies are handed over in pieces, so that other calls go on meanwhile."""
    return body if len(body) < _LONG_BODY else BytesIO(body)


def _late(host: str, timeout_s: float, *, began: bool) -> RetryableError:
    if began:
        told = f"server at {host}: the reply had begun, and was not complete after {timeout_s:g} s. Raise `timeout_s`."
        return RetryableError(told, cause="slow_trickle")
    return RetryableError(f"server at {host}: no reply within {timeout_s:g} s. Raise `timeout_s`.", cause="timeout")


def _broken(host: str, error: Exception) -> CallError:
    """The named error; built of the kind of *error* and not of its words, which may hold what was sent."""
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return _unknown_host(host, error.os_error)
    if isinstance(error, aiohttp.ClientSSLError):
        told = f"server at {host}: no secure connection ({type(error).__name__}). Check `base_url` and certificates."
        return RefusedError(told, cause="tls")
    if isinstance(error, aiohttp.ClientConnectorError):
        why = errno.errorcode.get(error.os_error.errno or 0, "no connection")
        told = f"server at {host}: it cannot be reached ({why}). Check that it runs, and `base_url`."
        return RetryableError(told, cause="connection_refused")
    if isinstance(error, aiohttp.ClientResponseError):
        told = f"server at {host}: what it says is not HTTP. Check `base_url`: its scheme and its port."
        return MalformedError(told, cause="not_http")
    if isinstance(error, aiohttp.InvalidURL) or not isinstance(error, aiohttp.ClientError | OSError):
        told = f"server at {host}: no request can be made ({type(error).__name__}). Check `base_url` and `headers`."
        return RefusedError(told, cause="bad_request")
    told = f"server at {host}: the connection was closed before the reply was complete. It is tried again."
    return RetryableError(told, cause="connection_closed")


def _unknown_host(host: str, error: OSError) -> CallError:
    if error.errno == socket.EAI_AGAIN:
        told = f"server at {host}: its name could not be looked up for now. Check the network."
        return RetryableError(told, cause="dns")
    return RefusedError(f"server at {host}: there is no such host. Check `base_url`.", cause="dns")


@lru_cache(maxsize=64)
def _secrets(headers: tuple[tuple[str, str], ...]) -> tuple[bytes, ...]:
    """What must not come back: the values of all headers but those that every call has; they are the user's own."""
    named = (value for name, value in headers if name.lower() not in _COMMON)
    bare = {word for value in named for word in (value, value.rpartition(" ")[2]) if len(word) >= _SECRET_LENGTH}
    escaped = {word.replace("/", "\\/") for word in bare}
    return tuple(word.encode() for word in sorted(bare | escaped, key=len, reverse=True))


def _masked(content: bytes, secrets: Iterable[bytes]) -> bytes:
    for secret in secrets:
        if secret in content:
            content = content.replace(secret, b"***")
    return content


@lru_cache(maxsize=256)
def _is_kept(name: str) -> bool:
    return any(part in name.lower() for part in _KEPT)


def _masked_headers(headers: Mapping[str, str], secrets: Iterable[bytes]) -> dict[str, str]:
    kept = {name.lower(): value for name, value in headers.items() if _is_kept(name)}
    return {name: _masked(value.encode("utf-8", "replace"), secrets).decode() for name, value in kept.items()}
