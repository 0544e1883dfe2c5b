"""Cards are kept by system, and count only while they say what they said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from recollect.engine.doctor.cards import card_file, cards_of, keep, known_card
from recollect.engine.rows import Row, oracle_row
from recollect.records.codec import encode
from recollect.records.memory_card import NOT_EXAMINED, CheckLine, MemoryCard, card_id, card_label
from recollect.records.schemas import all_schemas

SYSTEM = {"name": "twin", "version": 1, "config": {"least": 2}}


def card(**changed: object) -> MemoryCard:
    lines = (
        CheckLine(name="opens", proves="a", how="b", result="pass", why="c", seconds=0.1),
        CheckLine(name="limits", proves="a", how="b", result="fail", why="c", seconds=0.1),
        CheckLine(name="visible", proves="a", how="b", result="not available", why="c", seconds=0.1, number=0.5),
    )
    made = MemoryCard(
        card=card_id(SYSTEM, 1, lines),
        name="twin",
        version=1,
        settings={"least": 2},
        traits={"can": ["listing"]},
        system=SYSTEM,
        ran="ran",
        model="none",
        doctor=1,
        checks=lines,
        date="2024-05-01",
    )
    return replace(made, **changed)  # type: ignore[arg-type]


def test_a_kept_card_is_found_by_its_system(tmp_path: Path) -> None:
    keep(tmp_path, card())
    assert known_card(tmp_path, SYSTEM) == card()
    assert known_card(tmp_path, {**SYSTEM, "config": {"least": 3}}) is None


def test_a_card_that_was_edited_or_torn_counts_no_more(tmp_path: Path) -> None:
    file = keep(tmp_path, card())
    said = json.loads(file.read_text())
    said["checks"][1]["result"] = "pass"
    file.write_text(json.dumps(said))
    assert known_card(tmp_path, SYSTEM) is None
    file.write_text("{")
    assert known_card(tmp_path, SYSTEM) is None


def test_a_card_that_does_not_say_what_its_model_was_counts_no_more(tmp_path: Path) -> None:
    """It was made when `ran` meant something else."""
    file = keep(tmp_path, card())
    said = json.loads(file.read_text())
    del said["model"]
    file.write_text(json.dumps(said))
    assert known_card(tmp_path, SYSTEM) is None


def test_a_card_of_older_checks_counts_no_more(tmp_path: Path) -> None:
    lines = card().checks
    keep(tmp_path, card(doctor=0, card=card_id(SYSTEM, 0, lines)))
    assert known_card(tmp_path, SYSTEM) is None


def test_rows_name_their_cards_and_the_checks_that_failed(tmp_path: Path) -> None:
    keep(tmp_path, card())
    rows = [
        Row(label="mine", kind="memory", fingerprint=SYSTEM),
        Row(label="other", kind="memory", fingerprint={"name": "other"}),
        oracle_row(),
    ]
    told = cards_of(tmp_path, rows)
    assert told == {"mine": card_label(card()), "other": NOT_EXAMINED}
    assert told["mine"].endswith("(fails: limits)")


def test_a_card_obeys_its_schema(tmp_path: Path) -> None:
    jsonschema.validate(encode(card()), all_schemas()["memory_card.json"])
    assert card_file(tmp_path, SYSTEM).parent == tmp_path / "cards"
