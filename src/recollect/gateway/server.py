"""The server: one per process, on loopback, started by the first system that needs it.

Every system has its own token, which identifies its calls.
"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

from aiohttp import web

from recollect.contracts.gateway import CallSource, ChatService, EmbeddingService
from recollect.contracts.memory import Access
from recollect.domain.errors import UsageError
from recollect.gateway.routes import Routes
from recollect.models.loop import Loop

if TYPE_CHECKING:
    from aiohttp import StreamReader
    from aiohttp.abc import AbstractStreamWriter
    from aiohttp.http_parser import RawRequestMessage

HOST = "127.0.0.1"
LONGEST_BODY = 256 << 20
_BLOCKING = 32
"""Threads for blocking work: embedders and rules."""
_BACKLOG = 1024


class GatewayServer:
    """Serves the models of a run to systems that speak HTTP; its methods may be called by any thread."""

    def __init__(self, chatting: ChatService, embedding: EmbeddingService, *, port: int = 0) -> None:
        """Start nothing yet; *port* 0 takes any free one."""
        self._chatting, self._embedding, self._port = chatting, embedding, port
        self._works: dict[str, CallSource] = {}
        self._loop = Loop(name="gateway")
        self._runner: web.ServerRunner | None = None
        self._lock = Lock()

    @property
    def url(self) -> str:
        """The base URL, with `/v1`; empty before the first `open`."""
        return f"http://{HOST}:{self._port}/v1" if self._runner is not None else ""

    def open(self, work: CallSource) -> Access:
        """An access for one system; the first one starts the server.

        Raises:
            UsageError: The port is taken.
        """
        with self._lock:
            if self._runner is None:
                self._loop.run(self._start())
        token = f"sk-{secrets.token_urlsafe(24)}"
        self._works[token] = work
        return Access(base_url=self.url, token=token, dimensions=self._embedding.dimensions)

    def close(self, token: str) -> None:
        """Refuse new calls with *token*; those in flight are finished."""
        self._works.pop(token, None)

    def shut(self) -> None:
        """Stop the server and free the port."""
        with self._lock:
            runner, self._runner = self._runner, None
            self._works.clear()
            if runner is not None:
                self._loop.run(runner.cleanup())
            self._loop.close()

    async def _start(self) -> None:
        routes = Routes(chatting=self._chatting, embedding=self._embedding, works=self._works)
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_BLOCKING, thread_name_prefix="gateway"))
        server = web.Server(routes.handle, request_factory=_roomy_request, access_log=None)
        runner = web.ServerRunner(server, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, self._port, backlog=_BACKLOG).start()
        except OSError as error:
            await runner.cleanup()
            raise UsageError(f"port {self._port} of {HOST} cannot be used: {error.strerror}. Take another.") from error
        self._port = runner.addresses[0][1]
        self._runner = runner


def _roomy_request(
    message: RawRequestMessage,
    payload: StreamReader,
    protocol: web.RequestHandler,
    writer: AbstractStreamWriter,
    task: asyncio.Task[None],
) -> web.BaseRequest:
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=LONGEST_BODY)
