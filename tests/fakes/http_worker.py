"""The overlap adapter behind HTTP: one instance a namespace. `python -m tests.fakes.http_worker` prints its port."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from recollect.memories.worker.child.recollect_worker import Served, answer

from tests.fakes.workers import OVERLAP


class Handler(BaseHTTPRequestHandler):
    """Answers POSTs; breaks where its server is told to."""

    server: Server

    def do_POST(self) -> None:
        line = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(line)
        self.server.seen.append({**request, "headers": dict(self.headers)})
        status, body = self.server.breaks.get(request["do"], (200, b""))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body or self.server.answer(request, line))

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""


class Server(ThreadingHTTPServer):
    """Holds the instances."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[dict[str, Any]] = []
        self.breaks: dict[str, tuple[int, bytes]] = {}
        self.instances: dict[str, Served] = {}
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/memory"

    def answer(self, request: dict[str, Any], line: bytes) -> bytes:
        """One request, to the instance of its namespace."""
        with self.lock:
            if request["namespace"] not in self.instances:
                kept = list(sys.path)
                self.instances[request["namespace"]] = Served(str(OVERLAP))
                sys.path[:] = kept
            return answer(self.instances[request["namespace"]], line)[0]


@contextmanager
def serving() -> Iterator[Server]:
    """A server on a free port."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        for instance in server.instances.values():
            instance.do({"do": "close"})
        server.server_close()
        thread.join()
