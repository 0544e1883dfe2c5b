"""A small MCP memory server over standard input and output: notes with a reference. `python mcp_notes.py [HOW]`."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

NOTES: dict[str, dict[str, Any]] = {}
TOOLS = ("add_note", "find_notes", "list_notes", "delete_note", "plain_find")


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def add_note(text: str, ref: str = "", at: str | None = None) -> dict[str, Any]:
    name = f"note{len(NOTES)}"
    NOTES[name] = {"id": name, "body": text, "meta": {"ref": ref, "at": at}}
    return {"note": {"id": name}}


def find_notes(query: str, top: int = 100) -> dict[str, Any]:
    found = [{**note, "hits": len(words(query) & words(note["body"]))} for note in NOTES.values()]
    ranked = sorted((note for note in found if note["hits"]), key=lambda note: -note["hits"])
    return {"result": {"notes": ranked[:top]}}


def list_notes() -> dict[str, Any]:
    return {"result": {"notes": list(NOTES.values())}}


def delete_note(name: str) -> dict[str, Any]:
    del NOTES[name]
    return {}


def call(how: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of `tools/call`."""
    if how == "fails" and name == "find_notes":
        return {"isError": True, "content": [{"type": "text", "text": "the index is gone"}]}
    if name == "plain_find":
        notes = find_notes(**arguments)["result"]["notes"]
        return {"content": [{"type": "text", "text": note["body"]} for note in notes]}
    result = globals()[name](**arguments)
    if how == "text":
        return {"content": [{"type": "text", "text": json.dumps(result)}]}
    return {"content": [], "structuredContent": result}


def reply(how: str, request: dict[str, Any]) -> dict[str, Any]:
    """The result of a request."""
    params = request.get("params", {})
    if request["method"] == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "notes", "version": "1.2"}}
    if request["method"] == "tools/list":
        at = int(params.get("cursor", 0))
        more = {"nextCursor": str(at + 2)} if at + 2 < len(TOOLS) else {}
        return {"tools": [{"name": name, "inputSchema": {}} for name in TOOLS[at : at + 2]], **more}
    return call(how, params["name"], params["arguments"])


def say(told: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **told}), flush=True)


def main(how: str) -> None:
    """Answer until the end of the input; before each answer a notification, a ping and some noise."""
    print("notes server is up", flush=True)
    greeted = False
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("method") == "notifications/initialized":
            greeted = True
        if "method" not in request or "id" not in request:
            continue
        say({"method": "notifications/message", "params": {"level": "info"}})
        say({"id": "p1", "method": "ping"})
        if json.loads(sys.stdin.readline()).get("method") == "notifications/initialized":
            greeted = True
            sys.stdin.readline()
        if request["method"] == "tools/call" and not greeted:
            say({"id": request["id"], "error": {"code": -32002, "message": "not initialized"}})
            continue
        try:
            say({"id": request["id"], "result": reply(how, request)})
        except (KeyError, TypeError) as error:
            say({"id": request["id"], "error": {"code": -32602, "message": f"bad arguments: {error!r}"}})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
