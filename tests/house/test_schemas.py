"""The published schemas are those of the code, and the code's records obey them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from recollect.engine.rows import oracle_row
from recollect.records.schemas import all_schemas

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row

FOLDER = Path(__file__).parents[2] / "schemas"


def test_published_schemas_are_those_of_the_code() -> None:
    wanted = {name: json.dumps(schema, indent=1, sort_keys=True) + "\n" for name, schema in all_schemas().items()}
    if os.environ.get("RECOLLECT_REPIN"):
        for name, text in wanted.items():
            (FOLDER / name).write_text(text)
    assert {file.name: file.read_text() for file in FOLDER.glob("*.json")} == wanted


def test_every_record_of_a_run_obeys_its_schema(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    rows = (
        memory_row(toy.FailingSearch, toy.TOY),
        memory_row(toy.MergingMemory, toy.TOY, label="merging"),
        oracle_row(),
    )
    agents = (agent_row(toy.BufferAgent, toy.AGENT), memory_row(toy.ToyMemory, toy.TOY, label="mute"))
    harness.run([*harness.trials("observe_all", *rows), *harness.trials("evolving", *agents)])
    schemas = {
        schema["properties"]["kind"]["const"]: schema for name, schema in all_schemas().items() if "record" in name
    }
    seen = set()
    for file in tmp_path.glob("run/trials/*/records.jsonl"):
        for line in file.read_text().splitlines():
            record = json.loads(line)
            jsonschema.validate(record, schemas[record["kind"]])
            seen.add(record["kind"])
    assert seen == {"state", "check", "content", "recall", "answer", "unavailable", "verdict", "fault", "snapshot"}


def test_a_record_with_a_mistyped_field_does_not_obey() -> None:
    schema = all_schemas()["record.answer.v1.json"]
    record = {"key": "r1:" + "0" * 32, "kind": "answer", "schema": 1, "body": {"checkpoint": "end"}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, schema)
