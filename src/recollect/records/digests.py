"""Canonical JSON and its digests. The recipe's tag stands in front, so that two recipes never meet unnoticed."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

RECIPE = "r1"
KEY_LENGTH = len(RECIPE) + 1 + 32


def canonical(value: Any) -> str:
    """*value* as JSON with sorted keys and no spaces.

    Raises:
        ValueError: It holds a NaN or an infinity, which JSON cannot say.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """The digest of a JSON value: `r1:` and 32 hex digits."""
    return f"{RECIPE}:{blake2b(canonical(value).encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def opaque(prefix: str, *parts: object) -> str:
    """An id that spells nothing: *prefix* and 16 hex digits of what it stands for.

    *prefix* is one or two letters for the kind of thing, never a label of the data.
    """
    text = canonical([str(part) for part in parts])
    return f"{prefix}{blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"
