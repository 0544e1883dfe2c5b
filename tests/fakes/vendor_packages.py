"""Small stand-ins for third-party packages, with just the parts that the adapters use, and a server of MCP."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

Replier = Callable[[Sequence[Mapping[str, Any]]], str]


def shared_words(one: str, other: str) -> float:
    """Number of words that two texts share: what stands in for likeness."""
    return float(len(set(re.findall(r"\w+", one.lower())) & set(re.findall(r"\w+", other.lower()))))


def module(name: str, **held: Any) -> ModuleType:
    """A module made of values."""
    made = ModuleType(name)
    vars(made).update(held)
    return made


class Mem0:
    """Stands in for `mem0.Memory`; its files are one JSON file in the folder of the vectors."""

    replies: Replier
    seen: list[Sequence[Mapping[str, Any]]]
    unlucky: frozenset[str] = frozenset()
    """Texts that get lost on the way, as those do whose vectors cannot be had."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.file = Path(config["vector_store"]["config"]["path"]) / "held.json"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.held = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.llm: Any = SimpleNamespace(generate_response=self._generate)
        self.vector_store = SimpleNamespace(client=SimpleNamespace(close=self._keep))

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Mem0:
        return cls(config)

    def add(self, turns: Any, *, user_id: str, metadata: Mapping[str, Any], infer: bool) -> Mapping[str, Any]:
        texts = self._inferred(turns) if infer else [turn["content"] for turn in turns]
        if infer:
            known = {unit["memory"] for unit in self.held.values()}
            texts = [text for text in texts if text not in known and text not in type(self).unlucky]
        made = [{"id": str(uuid.uuid4()), "memory": text, "metadata": {**metadata, "user": user_id}} for text in texts]
        self.held.update({unit["id"]: unit for unit in made})
        return {"results": made}

    def search(self, query: str, *, filters: Any, top_k: int, threshold: float) -> Mapping[str, Any]:
        scored = [{**unit, "score": shared_words(query, unit["memory"])} for unit in self._of(filters)]
        return {"results": sorted(scored, key=lambda unit: -unit["score"])[:top_k]}

    def get_all(self, *, filters: Any, top_k: int) -> Mapping[str, Any]:
        return {"results": self._of(filters)[:top_k]}

    def delete(self, name: str) -> None:
        del self.held[name]

    def close(self) -> None:
        self._keep()

    def _of(self, filters: Mapping[str, str]) -> list[Any]:
        return [unit for unit in self.held.values() if unit["metadata"]["user"] == filters["user_id"]]

    def _keep(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.held))

    def _generate(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        type(self).seen.append(messages)
        return type(self).replies(messages)

    def _inferred(self, turns: Sequence[Mapping[str, str]]) -> list[str]:
        said = "\n".join(turn["content"] for turn in turns)
        prompt = (
            f"## New Messages\n{said}\n\n## Observation Date\n2031-01-01\n\n## Current Date\n2031-01-01\n\n# Output:"
        )
        reply = self.llm.generate_response(messages=[{"role": "user", "content": prompt}])
        return [unit["text"] for unit in json.loads(reply)["memory"]]


class Store:
    """Stands in for LangGraph's `InMemoryStore`."""

    def __init__(self, *, index: Mapping[str, Any]) -> None:
        self.index = index
        self.held: dict[str, Any] = {}

    def put(self, place: Any, key: str, value: Any) -> None:
        self.held[key] = value

    def get(self, place: Any, key: str) -> Any:
        return SimpleNamespace(key=key, value=self.held[key])

    def delete(self, place: Any, key: str) -> None:
        del self.held[key]

    def search(self, place: Any, *, query: str | None = None, limit: int = 10) -> list[Any]:
        found = [
            SimpleNamespace(key=key, value=value, score=None if query is None else shared_words(query, str(value)))
            for key, value in self.held.items()
        ]
        return (found if query is None else sorted(found, key=lambda item: -item.score))[:limit]


class Manager:
    """Stands in for LangMem's manager: keeps each turn; "Now …" rewrites the first memory, "Drop" deletes it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.replies: list[Any] = []
        """What the model says, as the callbacks are told it; each with whether it had to call a tool."""

    def invoke(self, given: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        for must, reply in self.replies:
            for callback in config["callbacks"]:
                callback.on_chat_model_start({}, [], invocation_params={"tool_choice": "required" if must else None})
                callback.on_llm_end(SimpleNamespace(generations=[[SimpleNamespace(message=reply)]]))
        for turn in given["messages"]:
            self._take(turn["content"])

    def search(self, *, query: str, limit: int) -> list[Any]:
        found = self.store.search((), query=query, limit=limit)
        return [SimpleNamespace(key=item.key, value=object(), score=item.score) for item in found]

    def _take(self, text: str) -> None:
        first = next(iter(self.store.held), None)
        if text == "Drop" and first is not None:
            self.store.delete((), first)
        elif text.startswith("Now") and first is not None:
            self.store.put((), first, {"kind": "Memory", "content": {"content": text}})
        else:
            self.store.put((), str(uuid.uuid4()), {"kind": "Memory", "content": {"content": text}})


class Note:
    """Stands in for A-Mem's `MemoryNote`."""

    def __init__(self, content: str, id: str | None = None, **held: Any) -> None:  # noqa: A002
        self.content, self.id = content, id or str(uuid.uuid4())
        self.timestamp, self.category = held.get("timestamp", ""), held.get("category", "")
        self.keywords, self.tags, self.context = held.get("keywords", []), held.get("tags", []), held.get("context", "")


class Collection:
    """Stands in for a collection of Chroma."""

    def __init__(self) -> None:
        self.rows: dict[str, Any] = {}

    def add(self, ids: list[str], documents: list[str], metadatas: list[Any], embeddings: list[Any]) -> None:
        for row in zip(ids, documents, metadatas, embeddings, strict=True):
            self.rows[row[0]] = row[1:]

    def get(self, include: list[str]) -> Mapping[str, Any]:
        columns = [list(column) for column in zip(*self.rows.values(), strict=True)] or [[], [], []]
        return {"ids": list(self.rows), **dict(zip(("documents", "metadatas", "embeddings"), columns, strict=True))}


class AMem:
    """Stands in for A-Mem's `AgenticMemorySystem`; like it, it goes on when its model fails."""

    reply: str | Exception = '{"keywords": ["k"], "context": "c", "tags": ["t"]}'

    def __init__(self, model_name: str, llm_backend: str, llm_model: str) -> None:
        self.memories: dict[str, Note] = {}
        self.evo_cnt = 0
        self.retriever = SimpleNamespace(collection=Collection())
        self.llm_controller = SimpleNamespace(llm=SimpleNamespace(get_completion=self._complete))

    def add_note(self, content: str, time: str | None = None, **held: Any) -> str:
        note = Note(content, timestamp=time, **held)
        vars(note).update(self.analyze_content(content))
        self.memories[note.id] = note
        self.retriever.collection.add([note.id], [content], [dict(vars(note))], [[1.0, 0.5]])
        return note.id

    def analyze_content(self, content: str) -> Mapping[str, Any]:
        try:
            wanted: Any = {"json_schema": {"schema": {"properties": {"keywords": {}, "context": {}, "tags": {}}}}}
            return dict(json.loads(self.llm_controller.llm.get_completion(content, wanted)))
        except Exception:  # noqa: BLE001  # as it does itself
            return {"keywords": [], "context": "General", "tags": []}

    def search_agentic(self, query: str, k: int) -> list[dict[str, Any]]:
        rows = [row[1] for row in self.retriever.collection.rows.values()]
        return [{**row, "score": 1.0} for row in sorted(rows, key=lambda row: -shared_words(query, row["content"]))][:k]

    def delete(self, name: str) -> None:
        del self.memories[name]
        del self.retriever.collection.rows[name]

    def consolidate_memories(self) -> None:
        """Part of the marks that are checked."""

    def _complete(self, prompt: str, wanted: Any, temperature: float) -> str:
        reply = type(self).reply
        if isinstance(reply, Exception):
            raise reply
        return reply


GRAPH_SERVER = """
import json, os, sys

file = os.environ["MEMORY_FILE_PATH"]
TOOLS = "create_entities delete_entities read_graph search_nodes".split()

def held():
    return json.load(open(file)) if os.path.exists(file) else []

def done(name, given):
    entities = held()
    if name == "create_entities":
        json.dump(entities + given["entities"], open(file, "w"))
        return {"entities": given["entities"]}
    if name == "delete_entities":
        json.dump([e for e in entities if e["name"] not in given["entityNames"]], open(file, "w"))
        return {"success": True}
    wanted = given.get("query", "").lower()
    return {"entities": [e for e in entities if wanted in json.dumps(e["observations"]).lower()]}

for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = {}
    if asked["method"] == "tools/list":
        result = {"tools": [{"name": name} for name in TOOLS]}
    if asked["method"] == "tools/call":
        wanted = asked["params"]
        if wanted["arguments"].get("query") == "broken":
            result = {"isError": True, "content": [{"type": "text", "text": "no"}]}
        else:
            result = {"structuredContent": done(wanted["name"], wanted["arguments"])}
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message"}), flush=True)
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
"""A server of MCP with the tools of the reference memory server; it also sends a notification with each answer."""
