"""Run folders as values that can be compared."""

from __future__ import annotations

from pathlib import Path

from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.kinds import OUTSIDE_IDENTITY
from recollect.store.journal import Journal


def records(folder: Path) -> dict[str, str]:
    """Key -> digest of every record that counts, over all trials."""
    found: dict[str, str] = {}
    for file in sorted((folder / "trials").glob("*/records.jsonl")):
        journal = Journal(file)
        for key, entry in journal.done.items():
            if entry.kind not in OUTSIDE_IDENTITY:
                found[key] = digest(encode(journal.body(key)))
    return found
