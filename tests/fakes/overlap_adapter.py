"""An adapter with every capability: finds messages that share words with the cue. Noisy on standard output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = "overlap"
TRAITS = {"keeps": "all", "score": "similarity", "snapshot_deterministic": True}
Json = dict[str, Any]


class Adapter:
    """Holds messages in a list; some of its methods are coroutines, as a vendor's may be."""

    def __init__(self, config: Json, room: Json) -> None:
        self.messages: list[Json] = []
        self.least = config.get("least", 1)
        print("welcome to overlap")

    def write(self, batch: Json) -> Json:
        """Keep the messages; a child of its own is noisy, too."""
        print('{"id": 1, "ok": {"forged": true}}')
        if not self.messages:
            subprocess.run(["echo", '{"id": 2, "ok": {}}'], check=True)
        self.messages += batch["messages"]
        return {"unit_ids": [one["message_id"] for one in batch["messages"]]}

    async def settle(self) -> None:
        """All is found at once."""

    def search(self, cue: Json) -> Iterator[Json]:
        """A generator, best first."""
        sys.stdout.write("searching\n")
        wanted = words(cue["text"])
        found: list[Json] = [
            {"message": one, "score": float(len(wanted & words(one["text"])))} for one in self.messages
        ]
        ranked = sorted(found, key=lambda item: -item["score"])
        yield from [item for item in ranked if item["score"] >= self.least][: cue["limit"]]

    def units(self) -> Iterator[Json]:
        """Each message."""
        for one in self.messages:
            name = one["message_id"]
            yield {"unit_id": name, "text": one["text"], "sources": (name,), "said_at": one["said_at"]}

    async def stored_from(self, sources: set[str]) -> Json:
        """In the order of writing."""
        return {"items": [{"message": one} for one in self.messages if one["message_id"] in sources], "order": "time"}

    def save(self, folder: str) -> None:
        """As one file."""
        Path(folder, "messages.json").write_text(json.dumps(self.messages))

    def load(self, folder: str) -> None:
        """From that file."""
        self.messages = json.loads(Path(folder, "messages.json").read_text())

    def forget(self, sources: set[str]) -> None:
        """Drop the messages."""
        self.messages = [one for one in self.messages if one["message_id"] not in sources]

    def close(self) -> None:
        """Nothing is held."""


def words(text: str) -> set[str]:
    """The words of a text."""
    return set(re.findall(r"\w+", text.casefold()))
