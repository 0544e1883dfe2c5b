"""The files that the authors' generator leaves beside `data.json`, made of the users themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.rows import row_of
from recollect.records.digests import opaque
from recollect.store.files import write_whole

FOLDER = "raw"


def files_of(item: Item) -> Mapping[str, Any]:
    """Name of a file -> what it holds, as JSON."""
    row = row_of(item)
    return {
        "user_profile.json": row["user_profile"],
        "questions.json": [_question(item, qa) for qa in row["qas"]],
        "schema.json": row["state_schema"],
        "state_transition.json": {
            "states": [period["state"] for period in row["periods"]],
            "updates": [None, *(_transition(period) for period in row["periods"][1:])],
            "update_cnts": row["periods"][-1]["update_cnts"],
        },
        "personalized_answers.json": [
            [{"variant": choice["state"], "answer": choice["answer"]} for choice in qa["answer_choices"]]
            for qa in row["qas"]
        ],
        "sessions.json": [[_session(talk) for talk in period["sessions"]] for period in row["periods"]],
        "item.json": row,
    }


def write_intermediates(users: Sequence[Item], folder: Path) -> None:
    """Write `raw/` into *folder*: the profiles of all users, and a folder for each.

    A folder bears its user's id, or a digest of it where that could not be a name.
    """
    profiles = [row_of(item)["user_profile"] for item in users]
    write_whole(folder / FOLDER / "user_profiles.json", _bytes(profiles))
    for item in users:
        safe = item.id.replace("-", "").replace("_", "").isalnum() and item.id.isascii()
        place = folder / FOLDER / (item.id if safe else opaque("u", item.id))
        for name, said in files_of(item).items():
            write_whole(place / name, _bytes(said))


def _question(item: Item, qa: Mapping[str, Any]) -> dict[str, Any]:
    needed = [{"info_type": name, "info_choices": list(item.state_schema[name])} for name in qa["required_info"]]
    return {"question": qa["query"], "required_info": needed}


def _transition(period: Mapping[str, Any]) -> dict[str, Any]:
    updates = period["updates"]
    return {
        "period_summary": period["period_summary"],
        "updated": {name: update["new"] for name, update in updates.items()},
        "old": {name: update["old"] for name, update in updates.items()},
        "period_start": period["period_start"],
        "period_end": period["period_end"],
        "events": [{"states": list(talk["exposed_states"]), "event": talk["event"]} for talk in period["sessions"]],
    }


def _session(talk: Mapping[str, Any]) -> dict[str, Any]:
    return {"query": talk["query"], "exposed_states": talk["exposed_states"], "timestamp": talk["session_time"]}


def _bytes(said: Any) -> bytes:
    return (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode()
