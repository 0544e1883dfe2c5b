"""An MCP server over standard input and output: just enough of a client to call its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from threading import Lock
from typing import Any

from recollect.domain.errors import CallError, MalformedError
from recollect.memories.worker.memory import Patience
from recollect.memories.worker.process import Pipe, Start
from recollect.memories.worker.wire import Json, line_of, read_line

VERSION = "2025-06-18"
"""Of the protocol; a server may answer with an older one."""
_NO_METHOD = -32601


class McpServer:
    """A running server that has been greeted."""

    def __init__(self, start: Start, who: str, patience: Patience) -> None:
        self.who, self._patience = who, patience
        self._pipe = Pipe(start, who)
        self._number = 0
        self._dead: CallError | None = None
        self._lock = Lock()
        try:
            told = self._ask("initialize", _greeting(), patience.open_s)
            self._pipe.tell(line_of({"jsonrpc": "2.0", "method": "notifications/initialized"}), patience.open_s)
        except BaseException:
            self._pipe.kill()
            raise
        info = told.get("serverInfo") or {}
        self.name, self.version = str(info.get("name", "server")), str(info.get("version", ""))

    def tools(self) -> dict[str, Json]:
        """Name -> what the server says of the tool."""
        found: dict[str, Json] = {}
        cursor: str | None = None
        while True:
            told = self._ask("tools/list", {"cursor": cursor} if cursor else {}, self._patience.open_s)
            found.update({str(tool["name"]): tool for tool in told.get("tools", []) if "name" in tool})
            cursor = told.get("nextCursor")
            if not cursor:
                return found

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """What the tool gives: its structured result, else its text as JSON, else its texts.

        Raises:
            CallError: The tool says that it failed (`tool_error`), or the server broke.
        """
        told = self._ask("tools/call", {"name": tool, "arguments": dict(arguments)}, self._patience.request_s)
        texts = _texts(told)
        if told.get("isError"):
            said = self._pipe.hide(" ".join(texts)[:2000])
            raise CallError(f"{self.who}: tool `{tool}` failed: {said}", cause="tool_error")
        if told.get("structuredContent") is not None:
            return told["structuredContent"]
        if len(texts) == 1:
            try:
                return json.loads(texts[0])
            except (ValueError, RecursionError):
                pass
        return {"texts": texts}

    def end(self) -> None:
        """Close its input; who does not go is ended."""
        self._pipe.leave()

    def _ask(self, method: str, params: Mapping[str, Any], limit_s: float) -> Json:
        with self._lock:
            if self._dead is not None:
                raise CallError(f"{self._dead} (in an earlier request; what it held is gone)", cause=self._dead.cause)
            self._number += 1
            request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": dict(params)}
            try:
                answer = self._pipe.exchange(line_of(request), self._accept, limit_s)
            except CallError as error:
                self._dead = error
                raise
        if isinstance(answer.get("result"), Mapping):
            result: Json = answer["result"]
            return result
        told = answer.get("error")
        said = told.get("message") if isinstance(told, Mapping) else answer
        raise CallError(f"{self.who}: `{method}` failed: {self._pipe.hide(str(said))[:2000]}", cause="tool_error")

    def _accept(self, line: bytes) -> Json | None:
        """The answer to this request; what the server asks meanwhile is answered, what it tells is passed over."""
        said = read_line(line)
        if said is None:
            return None
        if "method" in said:
            self._pipe.tell(line_of(_reply(said)), self._patience.request_s)
            return None
        if said.get("id") != self._number:
            told = f"{self.who} answered request {said.get('id')!r:.40} when {self._number} was asked"
            raise MalformedError(told, cause="worker_protocol")
        return said


def _greeting() -> dict[str, Any]:
    return {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "recollect", "version": "1"}}


def _reply(request: Json) -> dict[str, Any]:
    """We can answer a ping, and nothing else."""
    told = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "ping":
        return {**told, "result": {}}
    return {**told, "error": {"code": _NO_METHOD, "message": f"{request['method']} is not offered"}}


def _texts(told: Json) -> list[str]:
    content = told.get("content", [])
    if not isinstance(content, list):
        raise MalformedError(f"the content of a tool's result is {content!r:.80}, not a list", cause="worker_protocol")
    return [str(part["text"]) for part in content if isinstance(part, Mapping) and "text" in part]
