"""The reference memory server of MCP behind the worker protocol; needs node and the npm package, and nothing of Python.

The server keeps a graph of named entities with observations in one file. A message becomes an entity of its own. Its
search looks for the cue as it stands, letter for letter, and does not rank; what the caller makes of it is a setting.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))

from adapter_support import AdapterError, chosen

NAME = "mcp-memory"
SERVER = Path("node_modules", "@modelcontextprotocol", "server-memory")
VERSIONS = ("2026.8.31", "2027")
PROTOCOL = "2025-06-18"
TOOLS = ("create_entities", "delete_entities", "read_graph", "search_nodes")


class Adapter:
    """One room's graph, in a file of its folder, served by a process of its own."""

    def __init__(self, config: Mapping[str, Any], room: Mapping[str, Any]) -> None:
        self.ranked, self.home = config.get("search", "words") == "words", Path(room["folder"])
        self.folder = _server_folder(str(config.get("server") or ""))
        self.file = self.home / "graph.jsonl"
        self.server = Server(self.folder / "dist" / "index.js", self.file)

    def write(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """An entity for each message, with its id for a name; its text and its time are what was observed."""
        made = self.server.call("create_entities", {"entities": [_entity(message) for message in batch["messages"]]})
        return {"status": "stored", "unit_ids": [entity["name"] for entity in made["entities"]]}

    def settle(self) -> None:
        """What was written is found at once."""

    def search(self, cue: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What the server finds: for the cue as it stands, or for each of its words, most and rarest words first."""
        if cue["limit"] < 1 or not cue["text"].strip():
            return []
        if not self.ranked:
            return [_unit(entity) for entity in self._nodes(cue["text"].strip())][: cue["limit"]]
        found = {word: self._nodes(word) for word in _words(cue["text"])}
        best = _ranked(found)[: cue["limit"]]
        return [{**_unit(entity), "score": score} for entity, score in best]

    def units(self) -> list[dict[str, Any]]:
        """Every entity, in the order in which it came."""
        return [_unit(entity) for entity in self.server.call("read_graph", {})["entities"]]

    def stored_from(self, sources: Iterable[str]) -> list[Mapping[str, Any]]:
        """The entities of *sources*."""
        return list(chosen(self.units(), sources))

    def forget(self, sources: Iterable[str]) -> None:
        """Delete the entities of *sources*."""
        names = [unit["unit_id"] for unit in self.stored_from(sources)]
        self.server.call("delete_entities", {"entityNames": names})

    def save(self, folder: str) -> None:
        """Copy the file, which the server reads anew at every call."""
        if self.file.exists():
            shutil.copy(self.file, Path(folder) / self.file.name)

    def load(self, folder: str) -> None:
        """Take over the file."""
        saved = Path(folder) / self.file.name
        if saved.exists():
            shutil.copy(saved, self.file)

    def close(self) -> None:
        """End the server."""
        self.server.close()

    def _nodes(self, text: str) -> list[Mapping[str, Any]]:
        return list(self.server.call("search_nodes", {"query": text})["entities"])


class Server:
    """A server of MCP over stdio: JSON-RPC, one object a line."""

    def __init__(self, script: Path, file: Path) -> None:
        node = shutil.which("node")
        if node is None:
            raise AdapterError("this system needs node, and there is none on PATH", "not_available")
        self._number = 0
        self._process = subprocess.Popen(  # noqa: S603
            [node, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "MEMORY_FILE_PATH": str(file)},
        )
        client = {"name": "recollect", "version": "1"}
        self._ask("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = {tool["name"] for tool in self._ask("tools/list", {})["tools"]}
        lacking = [name for name in TOOLS if name not in tools]
        if lacking:
            raise AdapterError(f"the server has no tool {', '.join(lacking)}", "not_available")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The structured result of a tool.

        Raises:
            AdapterError: The tool failed, or the server ended.
        """
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise AdapterError(f"{tool}: {result.get('content')}"[:500], "raised", "tool_failed")
        return dict(result["structuredContent"])

    def close(self) -> None:
        """End it with its input; it has a moment."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            answer = self._read()
            if answer.get("id") != self._number or "method" in answer:
                continue  # a notification, or a request of the server's own
            if "error" in answer:
                raise AdapterError(f"{method}: {answer['error']}"[:500], "raised", "tool_failed")
            return dict(answer["result"])

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None  # noqa: S101
        line = self._process.stdout.readline()
        if not line:
            raise self._ended()
        return dict(json.loads(line))

    def _ended(self) -> AdapterError:
        return AdapterError(f"the server ended with exit code {self._process.wait()}", "raised", "worker_died")


def _server_folder(given: str) -> Path:
    """The npm package: where the setting says, else in this environment."""
    folder = Path(given) if given else Path(os.environ.get("RECOLLECT_ENV", sys.prefix)) / SERVER
    about = folder / "package.json"
    if not about.is_file():
        raise AdapterError(f"{folder}: the npm package of the server is not there", "not_available")
    version = str(json.loads(about.read_text())["version"])
    if not VERSIONS[0] <= version < VERSIONS[1]:
        raise AdapterError(f"the server is {version}; this adapter knows {VERSIONS[0]} and later", "not_available")
    return folder


def _entity(message: Mapping[str, Any]) -> dict[str, Any]:
    seen = [message["text"], *([f"said at {message['said_at']}"] if message.get("said_at") else [])]
    return {"name": message["message_id"], "entityType": "message", "observations": seen}


def _unit(entity: Mapping[str, Any]) -> dict[str, Any]:
    text, *beside = entity["observations"]
    said_at = beside[0].removeprefix("said at ") if beside else None
    return {"unit_id": entity["name"], "text": text, "sources": [entity["name"]], "said_at": said_at}


def _words(text: str) -> list[str]:
    """The different words of *text*, in order."""
    return list(dict.fromkeys(re.findall(r"\w+", text.lower())))


def _ranked(found: Mapping[str, Iterable[Mapping[str, Any]]]) -> list[tuple[Mapping[str, Any], float]]:
    """Entities by the words that found them; a word that finds many counts little, as in any index."""
    entities: dict[str, Mapping[str, Any]] = {}
    scores: dict[str, float] = {}
    for nodes in found.values():
        held = list(nodes)
        for entity in held:
            entities[entity["name"]] = entity
            scores[entity["name"]] = scores.get(entity["name"], 0) + 1 / (1 + math.log(len(held)))
    best = sorted(scores, key=lambda name: -scores[name])  # equals stay in the order in which they were found
    return [(entities[name], scores[name]) for name in best]
