"""Mem0 (open source, 2.x) behind the worker protocol; runs in Mem0's own environment.

With `infer` a model words what is kept, one call a write; without, every message is kept as it is. Both search by
vectors alone: keyword search and entity links need packages that fetch models from the network.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from footing import Endpoint, SeededIds, malformed, marked, parsed_object, raised_by_model, version_within

NAME = "mem0"
PACKAGE, LOW, BELOW = "mem0ai", "2.2.1", "3"
SETTINGS = {"MEM0_TELEMETRY": "False", "DO_NOT_TRACK": "1"}
"""Set before the package is imported."""
LARGEST = 1_000_000
DATES = re.compile(r"(## (?:Observation|Current) Date\n)[^\n]*")


class Adapter:
    """One room's memory, in a vector store of its own folder."""

    def __init__(self, room):
        self.config, self.folder, self.user = room["config"], Path(room["folder"]), room["namespace"]
        os.environ.update(SETTINGS, MEM0_DIR=str(self.folder / "home"))
        self.versions = {PACKAGE: version_within(PACKAGE, LOW, BELOW)}
        self.infer = bool(self.config.get("infer", True))
        self.endpoint = Endpoint(room["access"])
        self.ids = SeededIds(room["seed"])
        self.ids.install()
        self._open()

    def write(self, batch):
        """Hand over the batch; what it came from and when stands in the metadata."""
        said_at = next((m["said_at"] for m in reversed(batch["messages"]) if m.get("said_at")), None)
        self.memory.llm.said_at = said_at
        known = {"sources": [m["message_id"] for m in batch["messages"]], "said_at": said_at or ""}
        session = batch["messages"][0].get("session_id", "")
        turns = [{"role": _role(m), "content": m["text"]} for m in batch["messages"] if m["text"].strip()]
        if not turns:
            return {"status": "nothing_to_store"}
        if self.infer:
            kept = self._add(turns, {**known, "session_id": session})
        else:
            kept = [unit for m in batch["messages"] for unit in self._keep(m, session)]
        return {"status": "stored", "unit_ids": kept} if kept else {"status": "nothing_to_store"}

    def settle(self):
        """Writes are found at once."""

    def search(self, cue):
        """The nearest units, best first; no threshold, so that the limit alone decides."""
        if not cue["text"].strip() or cue["limit"] < 1:
            return {"items": []}
        try:
            found = self.memory.search(
                cue["text"], filters={"user_id": self.user}, top_k=cue["limit"], threshold=0.0
            )
        except Exception as error:
            raise raised_by_model(error) or error from error
        return {"items": [_item(unit) for unit in found["results"]]}

    def units(self):
        """Everything held, as the store lists it."""
        found = self.memory.get_all(filters={"user_id": self.user}, top_k=LARGEST)["results"]
        return sorted((_unit(unit) for unit in found), key=lambda unit: unit["unit_id"])

    def stored_from(self, sources):
        """The units that came from any of *sources*."""
        wanted = set(sources)
        return {"items": [unit for unit in self.units() if wanted.intersection(unit["sources"])]}

    def forget(self, sources):
        """Delete the units that came from any of *sources*."""
        for unit in self.stored_from(sources)["items"]:
            self.memory.delete(unit["unit_id"])

    def save(self, folder):
        """Copy the files; the store is closed for that moment, since one process at a time may hold it."""
        self.close()
        shutil.copytree(self.folder / "store", Path(folder) / "store")
        (Path(folder) / "drawn").write_text(str(self.ids.drawn))
        self._open()

    def load(self, folder):
        """Become what was saved."""
        held = self.user
        self.close()
        shutil.rmtree(self.folder / "store", ignore_errors=True)
        shutil.copytree(Path(folder) / "store", self.folder / "store")
        self.ids.advance(int((Path(folder) / "drawn").read_text()))
        self._open()
        self.user = self._namespace_held() or held

    def close(self):
        """Let go of the files."""
        if self.memory is not None:
            self.memory.vector_store.client.close()
            self.memory.close()
        self.memory = None

    def _namespace_held(self):
        """The one that was saved: units keep the name under which they were written."""
        name = self.folder / "store" / "namespace"
        return name.read_text() if name.is_file() else ""

    def _open(self):
        import mem0

        marked(mem0.Memory, "from_config", "add", "search", "get_all", "delete")
        store = self.folder / "store"
        store.mkdir(parents=True, exist_ok=True)
        self.user = self._namespace_held() or self.user
        (store / "namespace").write_text(self.user)
        model = {"openai_base_url": self.endpoint.base_url, "api_key": self.endpoint.token, "model": "memory"}
        vectors = {
            "path": str(store / "qdrant"),
            "collection_name": "room",
            "embedding_model_dims": self.endpoint.dimensions,
            "on_disk": True,
        }
        self.memory = mem0.Memory.from_config(
            {
                "llm": {"provider": "openai", "config": model},
                "embedder": {"provider": "openai", "config": model},
                "vector_store": {"provider": "qdrant", "config": vectors},
                "history_db_path": str(store / "history.db"),
            }
        )
        self.memory.llm = WatchedModel(self.memory.llm)

    def _add(self, turns, known, infer=True):
        if known["said_at"]:
            known["created_at"] = known["said_at"]
        try:
            made = self.memory.add(turns, user_id=self.user, metadata=known, infer=infer)
        except Exception as error:
            raise raised_by_model(error) or error from error
        return [unit["id"] for unit in made["results"]]

    def _keep(self, message, session):
        if not message["text"].strip():
            return []
        known = {"sources": [message["message_id"]], "said_at": message.get("said_at") or "", "session_id": session}
        return self._add([{"role": _role(message), "content": message["text"]}], known, infer=False)


class WatchedModel:
    """Mem0's own model, asked with the history's date instead of today's; a reply of no use is an error.

    Mem0 takes such a reply for "nothing to keep", and tells the model the day on which the run happens to take place.
    """

    def __init__(self, model):
        self._model, self.said_at = model, None

    def __getattr__(self, name):
        return getattr(self._model, name)

    def generate_response(self, messages, **settings):
        """Ask; the reply holds a list of memories."""
        day = (self.said_at or "not known")[:10].strip()
        dated = [{**turn, "content": DATES.sub(lambda m: m.group(1) + day, turn["content"])} for turn in messages]
        reply = self._model.generate_response(dated, **settings)
        if not isinstance(parsed_object(reply).get("memory"), list):
            raise malformed("the model's reply has no list `memory`")
        return reply


def _role(message):
    """Mem0 knows two roles that it keeps."""
    return "assistant" if message.get("role") == "assistant" else "user"


def _item(unit):
    return {**_unit(unit), "score": unit.get("score")}


def _unit(unit):
    known = unit.get("metadata") or {}
    return {
        "unit_id": unit["id"],
        "text": unit["memory"],
        "sources": list(known.get("sources") or ()),
        "said_at": known.get("said_at") or None,
    }
