"""Invented conversations in the published layouts; nothing of the real ones is in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

DATES = ("9:05 am on 3 February, 2024", "12:10 am on 1 March, 2024", "4:45 pm on 20 March, 2024")
TURNS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("Ines", "I planted three fig trees behind the shed yesterday."),
        ("Tomek", "Lovely! I finally sold my old tandem.", "a photo of a green tandem against a wall"),
        ("Ines", "Who bought it?"),
        ("Tomek", "My neighbour Ruta, she wants to cycle along the canal."),
    ),
    (
        ("Tomek", "I started a course in bookbinding, and Ruta joined me."),
        ("Ines", "Good for you. One fig tree froze last night."),
    ),
    (
        ("Ines", "", "a photo of a bowl of figs on a balcony"),
        ("Tomek", "Are these yours?"),
        ("Ines", "No, from the market. I adopted a goose instead, her name is Pilot."),
    ),
)
QUESTIONS: tuple[dict[str, Any], ...] = tuple(
    {"question": question, **answers, "evidence": evidence.split(), "category": category}
    for question, answers, evidence, category in (
        ("What did Ines plant and adopt?", {"answer": "fig trees, a goose"}, "D1:1 D3:3", 1),
        ("When did Ines plant the fig trees?", {"answer": "2 February 2024"}, "D1:1", 2),
        ("How many fig trees were there at first?", {"answer": 3}, "D1:1", 2),
        ("Would Tomek enjoy a visit to a library?", {"answer": "Likely yes; he binds books"}, "D2:1", 3),
        ("Who bought the tandem?", {"answer": "Ruta"}, "D1:4", 4),
        ("What is on the photo of the fruit?", {"answer": "a bowl of figs"}, "D3:1", 4),
        ("What did Tomek adopt?", {"adversarial_answer": "a goose"}, "D3:3", 5),
        ("Is Pilot Tomek's goose?", {"answer": "No", "adversarial_answer": "Yes"}, "D3:3", 5),
    )
)


def talk() -> dict[str, Any]:
    """One conversation, flat, as the first release has it, with fields that are not read."""
    found: dict[str, Any] = {"speaker_a": "Ines", "speaker_b": "Tomek"}
    for number, (date, turns) in enumerate(zip(DATES, TURNS, strict=True), start=1):
        found[f"session_{number}_date_time"] = date
        found[f"session_{number}"] = [turn(number, place, said) for place, said in enumerate(turns, start=1)]
        found[f"session_{number}_summary"] = "They talked."
        found[f"events_session_{number}"] = {"Ines": [], "Tomek": [], "date": date}
    return {**found, "qa": [dict(question) for question in QUESTIONS]}


def turn(session: int, place: int, said: tuple[str, ...]) -> dict[str, Any]:
    """One turn; the third entry is a caption."""
    speaker, text, *caption = said
    shown = {"img_url": ["https://example.org/1.jpg"], "blip_caption": caption[0], "query": "x"} if caption else {}
    return {"speaker": speaker, "dia_id": f"D{session}:{place}", **shown, "text": text}


def nested(flat: dict[str, Any], name: str) -> dict[str, Any]:
    """The same as the later releases have it."""
    inside = {key: flat[key] for key in flat if key.startswith(("speaker", "session"))}
    summaries = {key: inside.pop(key) for key in [*inside] if key.endswith("_summary")}
    return {
        "sample_id": name,
        "qa": flat["qa"],
        "conversation": inside,
        "session_summary": summaries,
        "observation": {},
        "event_summary": {},
    }


def saved(file: Path, data: Any) -> Path:
    """A file with *data*, gzipped if its name says so."""
    text = json.dumps(data).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text) if file.name.endswith(".gz") else text)
    return file


def folder_of_two(folder: Path) -> Path:
    """Two conversations of one layout each."""
    saved(folder / "invented-1.json.gz", talk())
    other = talk()
    other["qa"] = other["qa"][2:5]
    saved(folder / "later.json", [nested(other, "invented-2")])
    return folder
