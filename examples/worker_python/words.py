"""A memory behind the worker protocol: messages that share words with the question. It knows nothing of Recollect."""

from __future__ import annotations

import json
from pathlib import Path

NAME = "words"
TRAITS = {"keeps": "all", "score": "similarity"}


class Adapter:
    """Holds messages in a list."""

    def __init__(self, config, room):
        self.least = config["least"]
        self.messages = []

    def write(self, batch):
        self.messages.extend(batch["messages"])
        return {"unit_ids": [message["message_id"] for message in batch["messages"]]}

    def settle(self):
        pass

    def search(self, cue):
        wanted = words(cue["text"])
        found = [{"message": one, "score": len(wanted & words(one["text"]))} for one in self.messages]
        ranked = sorted(found, key=lambda item: -item["score"])
        return [item for item in ranked if item["score"] >= self.least][: cue["limit"]]

    def close(self):
        pass

    # from here on optional; `can` follows from the methods that are there

    def units(self):
        return [unit(message) for message in self.messages]

    def stored_from(self, sources):
        return {"items": [{"message": m} for m in self.messages if m["message_id"] in sources], "order": "time"}

    def save(self, folder):
        Path(folder, "messages.json").write_text(json.dumps(self.messages))

    def load(self, folder):
        self.messages = json.loads(Path(folder, "messages.json").read_text())

    def forget(self, sources):
        self.messages = [message for message in self.messages if message["message_id"] not in sources]


def words(text):
    """The words of a text."""
    return set("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


def unit(message):
    """A message as a unit of its own."""
    name = message["message_id"]
    return {"unit_id": name, "text": message["text"], "sources": [name], "said_at": message["said_at"]}
