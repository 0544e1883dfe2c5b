"""Mem0 (open source, 2.x) behind the worker protocol; runs in Mem0's own environment.

With `infer` a model words what is kept, one call a write; without, every message is kept as it is. Both search by
vectors alone: keyword search and entity links need packages that fetch models from the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))

from adapter_support import (
    MODEL,
    AdapterError,
    Endpoint,
    SeededIds,
    check_marks,
    check_version,
    chosen,
    ids,
    last_time,
    malformed,
    parsed,
    told,
)

NAME = "mem0"
PACKAGES = ("mem0ai", "qdrant-client", "openai")
LARGEST = 1_000_000
BESIDE = "recollect.json"
DIGITS = 6
"""Of a score: the store keeps vectors with half the digits once it was shut."""
DATES = re.compile(r"(## (?:Observation|Current) Date\n)[^\n]*")
os.environ.update(MEM0_TELEMETRY="False", DO_NOT_TRACK="1")


class Adapter:
    """One room's memory, in a vector store of its own folder."""

    def __init__(self, config: Mapping[str, Any], room: Mapping[str, Any]) -> None:
        check_version("mem0ai", "2.2.1", "3")
        self.infer, self.home = bool(config.get("infer", True)), Path(room["folder"])
        self.user, self.endpoint = room["namespace"], Endpoint(room["access"])
        self.ids = SeededIds(room["seed"])
        self.ids.install()
        os.environ["MEM0_DIR"] = str(self.home / "mem0")
        self.memory = self._opened()
        self.said_again: dict[str, list[str]] = {}
        """Unit -> messages that said once more what it holds: Mem0 drops the second, and with it where it came from."""
        self.held: dict[str, str] = {}
        """Text of a unit -> its id."""

    def write(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Hand over the batch; what it came from, and when, stands in the metadata."""
        messages = batch["messages"]
        groups = [messages] if self.infer else [[message] for message in messages]
        kept = [unit for group in groups for unit in self._add(group)]
        return {"status": "stored" if kept else "nothing_to_store", "unit_ids": kept}

    def settle(self) -> None:
        """What was written is found at once."""

    def search(self, cue: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The nearest units, best first; no threshold, so that the limit alone decides."""
        if not cue["text"].strip() or cue["limit"] < 1:
            return []
        try:
            found = self.memory.search(cue["text"], filters={"user_id": self.user}, top_k=cue["limit"], threshold=0.0)
        except Exception as error:
            raise told(error) from error
        return [{**self._unit(unit), "score": round(unit["score"], DIGITS)} for unit in found["results"]]

    def units(self) -> list[dict[str, Any]]:
        """Everything held, by id."""
        found = self.memory.get_all(filters={"user_id": self.user}, top_k=LARGEST)["results"]
        return sorted(map(self._unit, found), key=lambda unit: str(unit["unit_id"]))

    def stored_from(self, sources: Iterable[str]) -> list[Mapping[str, Any]]:
        """The units that came from any of *sources*."""
        return list(chosen(self.units(), sources))

    def forget(self, sources: Iterable[str]) -> None:
        """Delete the units that came from any of *sources*."""
        for unit in self.stored_from(sources):
            self.memory.delete(unit["unit_id"])
            self.held.pop(unit["text"], None)

    def save(self, folder: str) -> None:
        """Copy the files; the store is shut for that moment, since only one may hold it."""
        beside = {"drawn": self.ids.drawn, "user": self.user, "said_again": self.said_again, "held": self.held}
        (self.home / "store" / BESIDE).write_text(json.dumps(beside))
        self.close()
        shutil.copytree(self.home / "store", Path(folder) / "store")
        self.memory = self._opened()

    def load(self, folder: str) -> None:
        """Become what was saved; its units keep the name they were written under."""
        self.close()
        shutil.rmtree(self.home / "store")
        shutil.copytree(Path(folder) / "store", self.home / "store")
        beside = json.loads((self.home / "store" / BESIDE).read_text())
        self.user, self.said_again, self.held = beside["user"], beside["said_again"], beside["held"]
        self.ids.advance(beside["drawn"])
        self.memory = self._opened()

    def close(self) -> None:
        """Let go of the files."""
        self.memory.vector_store.client.close()
        self.memory.close()

    def _opened(self) -> Any:
        from mem0 import Memory

        check_marks(Memory, "from_config", "add", "search", "get_all", "delete", "close")
        store = self.home / "store"
        store.mkdir(exist_ok=True)
        model = {"openai_base_url": self.endpoint.base_url, "api_key": self.endpoint.token, "model": MODEL}
        size = self.endpoint.dimensions
        vectors = {"path": str(store / "qdrant"), "collection_name": "room", "embedding_model_dims": size}
        memory = Memory.from_config(
            {
                "llm": {"provider": "openai", "config": model},
                "embedder": {"provider": "openai", "config": model},
                "vector_store": {"provider": "qdrant", "config": {**vectors, "on_disk": True}},
                "history_db_path": str(store / "history.db"),
            }
        )
        memory.llm = WatchedModel(memory.llm)
        return memory

    def _add(self, messages: Sequence[Mapping[str, Any]]) -> list[str]:
        said_at = self.memory.llm.said_at = last_time(messages)
        known = {"sources": ids(messages), "said_at": said_at or "", "session_id": messages[0]["session_id"]}
        turns = [{"role": _role(message), "content": message["text"] or " "} for message in messages]
        dated = {"created_at": said_at} if said_at else {}
        try:
            made = self.memory.add(turns, user_id=self.user, metadata={**known, **dated}, infer=self.infer)
        except Exception as error:
            raise told(error) from error
        self.held.update({unit["memory"]: unit["id"] for unit in made["results"]})
        fresh = {unit["memory"] for unit in made["results"]}
        self._note_again([text for text in self.memory.llm.taken() if text not in fresh], ids(messages))
        return [unit["id"] for unit in made["results"]]

    def _note_again(self, texts: Iterable[str], sources: Sequence[str]) -> None:
        """What the model worded and Mem0 did not keep: it is held already, or it was lost on the way."""
        for text in texts:
            if text not in self.held:
                raise AdapterError(f"Mem0 did not keep what its model worded: {text[:80]!r}", cause="not_kept")
            again = self.said_again.setdefault(self.held[text], [])
            again.extend(name for name in sources if name not in again)

    def _unit(self, unit: Mapping[str, Any]) -> dict[str, Any]:
        known = unit.get("metadata") or {}
        sources = dict.fromkeys([*(known.get("sources") or ()), *self.said_again.get(unit["id"], ())])
        said_at = known.get("said_at") or None
        return {"unit_id": unit["id"], "text": unit["memory"], "sources": list(sources), "said_at": said_at}


class WatchedModel:
    """Mem0's model, asked with the history's date and not today's; a reply of no use is an error.

    Mem0 itself takes such a reply for "nothing to keep", and names the day on which the run takes place.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.said_at: str | None = None
        self._worded: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def generate_response(self, messages: Sequence[Mapping[str, Any]], **settings: Any) -> Any:
        """Mem0's own reply; it holds a list of memories."""
        day = (self.said_at or "not known")[:10].strip()
        dated = [{**turn, "content": DATES.sub(rf"\g<1>{day}", turn["content"])} for turn in messages]
        reply = self._model.generate_response(dated, **settings)
        worded = parsed(reply, ["memory"])["memory"]
        if not isinstance(worded, list) or not all(isinstance(one, dict) for one in worded):
            raise malformed("the model's `memory` is no list of objects")
        self._worded = [one["text"] for one in worded if one.get("text")]
        return reply

    def taken(self) -> list[str]:
        """What the last reply worded; asked for once."""
        worded, self._worded = self._worded, []
        return worded


def _role(message: Mapping[str, Any]) -> str:
    """Mem0 keeps two roles and drops the rest."""
    return "assistant" if message.get("role") == "assistant" else "user"
