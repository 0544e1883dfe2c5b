"""The JSON Schemas of everything that Recollect writes or reads, made from the values themselves."""

from __future__ import annotations

from typing import Any

from recollect.domain.histories import Keyed
from recollect.records.codec import json_schema
from recollect.records.kinds import BODIES
from recollect.records.lines import schema_of
from recollect.records.memory_card import MemoryCard
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Comparison, Summary


def all_schemas() -> dict[str, dict[str, Any]]:
    """File name -> JSON Schema."""
    values: dict[str, type[Any]] = {
        "history": Keyed,
        "cell": CellOutcome,
        "summary": Summary,
        "comparison": Comparison,
        "memory_card": MemoryCard,
    }
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schemas: dict[str, dict[str, Any]] = {}
    for kind, body in BODIES.items():
        inner = json_schema(body)
        definitions = inner.pop("$defs", {})
        schemas[f"record.{kind}.v{schema_of(kind)}.json"] = {
            **dialect,
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
            "title": f"record.{kind}",
        }
    return schemas | {f"{name}.json": {**dialect, **json_schema(kind), "title": name} for name, kind in values.items()}
