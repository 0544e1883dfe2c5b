"""A client of an MCP server over standard input and output, with just enough to call its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.domain.errors import CallError, MalformedError
from recollect.memories.worker.memory import Patience
from recollect.memories.worker.process import Requests, Start
from recollect.memories.worker.wire import Json, line_of, read_line

VERSION = "2025-06-18"
"""Of the protocol; a server may answer with an older one."""
_NO_METHOD = -32601


class McpServer:
    """A running, initialized server."""

    def __init__(self, start: Start, who: str, patience: Patience) -> None:
        self.who, self._patience = who, patience
        self._requests = Requests(start, who)
        self._pipe = self._requests.pipe
        try:
            result = self._ask(
                "initialize",
                {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "recollect", "version": "1"}},
                patience.open_s,
            )
            self._pipe.tell(line_of({"jsonrpc": "2.0", "method": "notifications/initialized"}), patience.open_s)
        except BaseException:
            self._pipe.kill()
            raise
        info = result.get("serverInfo") or {}
        self.name, self.version = str(info.get("name", "server")), str(info.get("version", ""))

    def tools(self) -> dict[str, Json]:
        """Name -> the server's description of the tool."""
        found: dict[str, Json] = {}
        cursor: str | None = None
        while True:
            page = self._ask("tools/list", {"cursor": cursor} if cursor else {}, self._patience.open_s)
            found.update({str(tool["name"]): tool for tool in page.get("tools", []) if "name" in tool})
            cursor = page.get("nextCursor")
            if not cursor:
                return found

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """The result of a tool: its structured result, else its text as JSON, else its texts.

        Raises:
            CallError: The tool reports an error (`tool_error`), or the server failed.
        """
        result = self._ask("tools/call", {"name": tool, "arguments": dict(arguments)}, self._patience.request_s)
        content = result.get("content", [])
        if not isinstance(content, list):
            problem = f"the content of a tool's result is {content!r:.80}, not a list"
            raise MalformedError(problem, cause="worker_protocol")
        texts = [str(part["text"]) for part in content if isinstance(part, Mapping) and "text" in part]
        if result.get("isError"):
            message = self._pipe.hide(" ".join(texts)[:2000])
            raise CallError(f"{self.who}: tool `{tool}` failed: {message}", cause="tool_error")
        if result.get("structuredContent") is not None:
            return result["structuredContent"]
        if len(texts) == 1:
            try:
                return json.loads(texts[0])
            except (ValueError, RecursionError):
                pass
        return {"texts": texts}

    def end(self) -> None:
        """Close its input, then end it if it does not exit."""
        self._pipe.leave()

    def _ask(self, method: str, params: Mapping[str, Any], limit_s: float) -> Json:
        answer = self._requests.exchange(
            lambda number: line_of({"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}),
            self._accept,
            limit_s,
        )
        if isinstance(answer.get("result"), Mapping):
            result: Json = answer["result"]
            return result
        error = answer.get("error")
        message = error.get("message") if isinstance(error, Mapping) else answer
        raise CallError(f"{self.who}: `{method}` failed: {self._pipe.hide(str(message))[:2000]}", cause="tool_error")

    def _accept(self, line: bytes) -> Json | None:
        """The answer to this request; of the server's own requests only a ping is served."""
        message, number = read_line(line), self._requests.number
        if message is not None and "method" in message:
            outcome: dict[str, Any] = {"result": {}}
            if message["method"] != "ping":
                outcome = {"error": {"code": _NO_METHOD, "message": f"{message['method']} is not offered"}}
            self._pipe.tell(line_of({"jsonrpc": "2.0", "id": message["id"], **outcome}), self._patience.request_s)
            return None
        if message is not None and message.get("id") != number:
            problem = f"{self.who} answered request {message.get('id')!r:.40} when {number} was asked"
            raise MalformedError(problem, cause="worker_protocol")
        return message
