"""What must be known of a table made from one's own data."""

from __future__ import annotations

from pathlib import Path

from recollect.contracts.benchmark import Card, Preset, StepSettings, TaskCard
from recollect.contracts.reading import Prompt

TASK = "own"
_PROMPTS = Path(__file__).parent / "prompts"


def _prompt(role: str, version: int) -> Prompt:
    file = _PROMPTS / f"{role}.v{version}.txt"
    return Prompt(name=f"own/{role}.v{version}", text=file.read_text(encoding="utf-8"))


_PRESET = Preset(
    name="standard",
    steps={"*": StepSettings()},
    budget_tokens=2000,
    search_limit=20,
    prompts={"answer": _prompt("answer", 1), "choose": _prompt("choose", 1)},
)

CARD = Card(
    name="own",
    title="Your own data",
    version=1,
    summary="two JSON-lines files of yours: sessions and questions",
    citation="",
    licences={"data": "yours; nothing is sent anywhere"},
    tasks={
        TASK: TaskCard(
            name=TASK,
            meaning="Questions about your sessions.",
            measure="right by the judge",
            chance=None,
            judged=True,
            parts={
                "right": "the judge's verdict",
                "exact_match": "equal to an accepted answer after normalisation",
                "f1": "share of words in common with the nearest accepted answer",
                "stale": "names a rejected answer and no accepted one",
            },
        )
    },
    references=("none", "window", "full", "bm25", "files", "oracle"),
    standard=_PRESET,
    paper=_PRESET,
)
