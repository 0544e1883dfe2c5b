"""The JSON Schemas of everything that Recollect writes or reads, made from the values themselves."""

from __future__ import annotations

from typing import Any

from recollect.domain.histories import Keyed
from recollect.records.codec import json_schema
from recollect.records.kinds import BODIES
from recollect.records.lines import schema_of
from recollect.records.memory_card import MemoryCard
from recollect.records.tables.summary import CellOutcome, Comparison, Summary


def all_schemas() -> dict[str, dict[str, Any]]:
    """File name -> JSON Schema."""
    records = {f"record.{kind}.v{schema_of(kind)}.json": _record(kind, body) for kind, body in BODIES.items()}
    values: dict[str, type[Any]] = {
        "history.json": Keyed,
        "cell.json": CellOutcome,
        "summary.json": Summary,
        "comparison.json": Comparison,
        "memory_card.json": MemoryCard,
    }
    return {**records, **{name: _titled(json_schema(kind), name) for name, kind in values.items()}}


def _record(kind: str, body: type[Any]) -> dict[str, Any]:
    """A journal line."""
    inner = json_schema(body)
    definitions = inner.pop("$defs", {})
    return _titled(
        {
            "type": "object",
            "required": ["key", "kind", "schema", "body"],
            "additionalProperties": False,
            "properties": {
                "key": {"type": "string", "pattern": "^r1:[0-9a-f]{32}$"},
                "kind": {"const": kind},
                "schema": {"const": schema_of(kind)},
                "body": inner,
            },
            "$defs": definitions,
        },
        f"record.{kind}",
    )


def _titled(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": name.removesuffix(".json")}
