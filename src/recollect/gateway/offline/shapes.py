"""The shape of the JSON that a prompt asks for, from the example that it gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_ASKED = re.compile(r"\bjson\b", re.IGNORECASE)
_KEY = re.compile(r'^\s*"(?P<key>[\w ]+)"\s*:\s*(?P<value>\[\s*\[|\[\s*\{|\[|\{|True|False|true|false|-?\d|"|)', re.M)
_OPENING = re.compile(r"[{\[]")
_KINDS: Mapping[str, Schema] = {
    "[[": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    "[{": {"type": "array", "items": {"type": "object", "properties": {}}},
    "[": {"type": "array", "items": {"type": "string"}},
    "{": {"type": "object", "properties": {}},
}


def asks_for_json(text: str) -> bool:
    """Whether a prompt says the word."""
    return bool(_ASKED.search(text))


def schema_in(text: str) -> Schema | None:
    """A JSON Schema of the object that *text* shows as an example; of those that it shows, the kind shown most.

    Where none can be parsed, for its author put dots or comments into it, the keys at the beginning of its lines are
    taken.
    """
    found = [value for value in _objects(text) if value]
    if not found:
        return _sketched(text)
    kinds = Counter(tuple(value) for value in found)
    common, _ = max(kinds.items(), key=lambda pair: (pair[1], len(pair[0])))
    return _schema([value for value in found if tuple(value) == common])


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object in *text* that is no part of another value, nor an item of a list."""
    decoder, at = json.JSONDecoder(), 0
    while (opening := _OPENING.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
            continue
        if isinstance(value, dict):
            yield value


def _schema(values: Sequence[Any]) -> Schema:
    """One schema for all *values*; what all objects have is required."""
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        names = dict.fromkeys(name for value in objects for name in value)
        made = {name: _schema([value[name] for value in objects if name in value]) for name in names}
        required = [name for name in names if all(name in value for value in objects)]
        return {"type": "object", "properties": made, "required": required}
    lists = [value for value in values if isinstance(value, list)]
    if lists:
        items = [item for value in lists for item in value]
        return {"type": "array", "items": _schema(items) if items else {"type": "string"}}
    return {"type": _name(values[0])} if values else {"type": "string"}


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"


def _sketched(text: str) -> Schema | None:
    """A schema of the keys that begin lines inside the first braces."""
    start = text.find("{")
    found = {match["key"]: _kind(match["value"]) for match in _KEY.finditer(text, max(start, 0))}
    return {"type": "object", "properties": found, "required": list(found)} if found and start >= 0 else None


def _kind(opening: str) -> Schema:
    packed = "".join(opening.split())
    if packed in _KINDS:
        return _KINDS[packed]
    if packed.lower() in {"true", "false"}:
        return {"type": "boolean"}
    return {"type": "number"} if packed[-1:].isdigit() else {"type": "string"}
