"""LangMem on a LangGraph store behind the worker protocol; runs in LangMem's own environment.

A model reads each session beside the memories that are near to it, and by tool calls adds, rewrites or drops some.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
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
    told,
)

NAME = "langmem"
PACKAGES = ("langmem", "langgraph", "langchain-core", "langchain-openai", "trustcall")
LARGEST = 1_000_000
PLACE = ("memories", "room")
"""The same in every room: it is part of the ids that the model is shown, and the store is this room's own."""
os.environ.update(LANGSMITH_TRACING="false", LANGCHAIN_TRACING_V2="false", DO_NOT_TRACK="1")


class Adapter:
    """One room's manager of memories, with its store."""

    def __init__(self, config: Mapping[str, Any], room: Mapping[str, Any]) -> None:
        check_version("langmem", "0.0.30", "0.1")
        import langmem

        check_marks(langmem, "create_memory_store_manager")
        from langgraph.store.memory import InMemoryStore

        self.endpoint, self.ids = Endpoint(room["access"]), SeededIds(room["seed"])
        self.ids.install()
        self.store = InMemoryStore(index={"dims": self.endpoint.dimensions, "embed": self.endpoint.embed})
        self.watch = _watch()
        self.manager = langmem.create_memory_store_manager(
            _model(self.endpoint), namespace=PLACE, store=self.store, query_limit=int(config.get("near", 5))
        )
        self.sources: dict[str, list[str]] = {}
        self.said_at: dict[str, str | None] = {}

    def write(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Let the model read the batch; what differs afterwards came from it, beside what it came from before."""
        turns = [{"role": _role(m), "content": m["text"]} for m in batch["messages"] if m["text"].strip()]
        if not turns:
            return {"status": "nothing_to_store"}
        before = self._held()
        self._manage(turns)
        after = self._held()
        changed = [key for key, value in after.items() if before.get(key) != value]
        for key in changed:
            self.sources[key] = list(dict.fromkeys([*self.sources.get(key, ()), *ids(batch["messages"])]))
            self.said_at[key] = last_time(batch["messages"]) or self.said_at.get(key)
        return {"status": "stored" if changed else "nothing_to_store"}

    def settle(self) -> None:
        """What was written is found at once."""

    def search(self, cue: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The nearest memories, best first."""
        if not cue["text"].strip() or cue["limit"] < 1:
            return []
        found = self.manager.search(query=cue["text"], limit=cue["limit"])
        held = self._held()  # what is found comes as an object of the schema; what is held is plain
        return [{**self._unit(item.key, held[item.key]), "score": item.score} for item in found]

    def units(self) -> list[dict[str, Any]]:
        """Every memory, in the order in which it came."""
        return [self._unit(key, value) for key, value in self._held().items()]

    def stored_from(self, sources: Iterable[str]) -> list[Mapping[str, Any]]:
        """The memories that were made or changed when any of *sources* was read."""
        return list(chosen(self.units(), sources))

    def save(self, folder: str) -> None:
        """Write the memories; their vectors are asked for again when they are loaded."""
        held = {"units": self._held(), "sources": self.sources, "said_at": self.said_at, "drawn": self.ids.drawn}
        (Path(folder) / "memories.json").write_text(json.dumps(held))

    def load(self, folder: str) -> None:
        """Put what was saved, in the same order."""
        held = json.loads((Path(folder) / "memories.json").read_text())
        for key, value in held["units"].items():
            self.store.put(PLACE, key, value)
        self.sources, self.said_at = held["sources"], held["said_at"]
        self.ids.advance(held["drawn"])

    def close(self) -> None:
        """Nothing lasts beyond the process."""

    def _manage(self, turns: list[dict[str, str]]) -> None:
        try:
            self.manager.invoke({"messages": turns, "max_steps": 1}, config={"callbacks": [self.watch]})
        except Exception as error:
            raise told(error) from error
        wrong, self.watch.wrong = self.watch.wrong, None
        if wrong is not None:
            raise wrong

    def _held(self) -> dict[str, Any]:
        return {item.key: item.value for item in self.store.search(PLACE, limit=LARGEST)}

    def _unit(self, key: str, value: Mapping[str, Any]) -> dict[str, Any]:
        said = value["content"]
        text = said["content"] if isinstance(said, Mapping) and set(said) == {"content"} else json.dumps(said)
        return {"unit_id": key, "text": text, "sources": self.sources.get(key, []), "said_at": self.said_at.get(key)}


def _model(endpoint: Endpoint) -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODEL, base_url=endpoint.base_url, api_key=endpoint.token, temperature=0, max_retries=2)


def _watch() -> Any:
    """A callback that notes where the model had to call a tool and did not: LangMem takes that for no change.

    Where nothing near is held yet, LangMem leaves it to the model; then no call means that nothing is worth keeping.
    """
    from langchain_core.callbacks import BaseCallbackHandler

    class Watch(BaseCallbackHandler):  # type: ignore[misc]
        wrong: AdapterError | None = None
        """What was wrong with the last reply: an earlier one may have been mended since."""
        must = False

        def on_chat_model_start(self, *_: Any, **about: Any) -> None:
            choice = (about.get("invocation_params") or {}).get("tool_choice")
            self.must = choice not in (None, "auto", "none")

        def on_llm_end(self, response: Any, **_: Any) -> None:
            replies = [reply.message for replies in response.generations for reply in replies]
            calls = [call for reply in replies for call in reply.tool_calls]
            broken = any(reply.invalid_tool_calls for reply in replies) or any(not call["args"] for call in calls)
            unsound = broken or (self.must and not calls)
            self.wrong = malformed("the model's reply holds no sound call of a tool") if unsound else None

    return Watch()


def _role(message: Mapping[str, Any]) -> str:
    return "assistant" if message.get("role") == "assistant" else "user"
