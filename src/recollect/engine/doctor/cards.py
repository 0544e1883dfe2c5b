"""Stores cards, and decides which ones are valid."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recollect.domain.errors import DataError
from recollect.engine.doctor import VERSION
from recollect.engine.rows import Row
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical, digest
from recollect.records.memory_card import NOT_EXAMINED, MemoryCard, card_id, card_label
from recollect.store.files import write_whole

FOLDER = "cards"


def card_file(cache: Path, system: Mapping[str, Any]) -> Path:
    """Where the card of a system is kept; *system* is the fingerprint of its row."""
    return cache / FOLDER / f"{digest(dict(system)).partition(':')[2]}.json"


def keep(cache: Path, card: MemoryCard) -> Path:
    """Write a card; it takes the place of an older one of the same system."""
    file = card_file(cache, card.system)
    write_whole(file, f"{canonical(encode(card))}\n".encode())
    return file


def known_card(cache: Path, system: Mapping[str, Any]) -> MemoryCard | None:
    """The kept card of a system.

    `None` where there is none, and where the file is torn, was edited, or was made by an older doctor: the system
    then counts as not examined.
    """
    file = card_file(cache, system)
    try:
        kept = decode(MemoryCard, json.loads(file.read_bytes()), where=str(file))
    except (OSError, ValueError, DataError):
        return None
    counts = kept.doctor == VERSION and canonical(dict(kept.system)) == canonical(dict(system))
    return kept if counts and kept.card == card_id(system, VERSION, kept.checks) else None


def cards_of(cache: Path, rows: Iterable[Row]) -> Mapping[str, str]:
    """Row of a memory -> the id of its card, with the checks that failed, or `not examined`."""
    known = {row.label: known_card(cache, row.fingerprint) for row in rows if row.kind == "memory"}
    return {label: card_label(card) if card else NOT_EXAMINED for label, card in known.items()}
