"""The store of LangGraph behind the worker protocol; runs in LangGraph's own environment.

A key-value store with a vector index, in the memory of its process. It keeps messages as they are.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))

from adapter_support import Endpoint, check_marks, check_version, chosen, ids

NAME = "langgraph-store"
PACKAGES = ("langgraph", "langgraph-checkpoint", "numpy")
LARGEST = 1_000_000
os.environ.update(LANGSMITH_TRACING="false", LANGCHAIN_TRACING_V2="false", DO_NOT_TRACK="1")


class Adapter:
    """One room's store; a key is the id of a message."""

    def __init__(self, config: Mapping[str, Any], room: Mapping[str, Any]) -> None:  # noqa: ARG002
        check_version("langgraph", "1.2", "2")
        check_version("langgraph-checkpoint", "4.0", "5")
        from langgraph.store.memory import InMemoryStore

        check_marks(InMemoryStore, "put", "search", "delete")
        self.place, self.endpoint = (room["namespace"], "messages"), Endpoint(room["access"])
        self.store = InMemoryStore(
            index={"dims": self.endpoint.dimensions, "embed": self.endpoint.embed, "fields": ["text"]}
        )

    def write(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Put each message under its id."""
        for message in batch["messages"]:
            self.store.put(self.place, message["message_id"], dict(message))
        return {"status": "stored", "unit_ids": ids(batch["messages"])}

    def settle(self) -> None:
        """What was put is found at once."""

    def search(self, cue: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The nearest messages, best first."""
        if not cue["text"].strip() or cue["limit"] < 1:
            return []
        found = self.store.search(self.place, query=cue["text"], limit=cue["limit"])
        return [{"message": item.value, "score": item.score} for item in found]

    def units(self) -> list[dict[str, Any]]:
        """Everything held, in the order in which it came."""
        return [_unit(item.value) for item in self.store.search(self.place, limit=LARGEST)]

    def stored_from(self, sources: Iterable[str]) -> list[Mapping[str, Any]]:
        """The messages of *sources* that are held."""
        return list(chosen(self.units(), sources))

    def forget(self, sources: Iterable[str]) -> None:
        """Delete the messages of *sources*."""
        for unit in self.stored_from(sources):
            self.store.delete(self.place, unit["unit_id"])

    def save(self, folder: str) -> None:
        """Write the messages; their vectors are asked for again when they are loaded."""
        held = [item.value for item in self.store.search(self.place, limit=LARGEST)]
        (Path(folder) / "messages.json").write_text(json.dumps(held))

    def load(self, folder: str) -> None:
        """Put what was saved, in the same order."""
        for message in json.loads((Path(folder) / "messages.json").read_text()):
            self.store.put(self.place, message["message_id"], message)

    def close(self) -> None:
        """Nothing lasts beyond the process."""


def _unit(message: Mapping[str, Any]) -> dict[str, Any]:
    name = message["message_id"]
    return {"unit_id": name, "text": message["text"], "sources": [name], "said_at": message.get("said_at")}
