"""A stage's number stands in every key. When the source of a stage changes, somebody must decide: bump or re-pin."""

from __future__ import annotations

import ast
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from recollect.engine.keys import STAGES

SRC = Path(__file__).parents[2] / "src" / "recollect"
PINS = Path(__file__).parent / "stage_pins.json"
SOURCES = {
    "trial": ["engine/plan.py"],
    "observe": ["engine/feeding/feeder.py", "engine/execution/states.py"],
    "converse": ["engine/execution/dialogue.py"],
    "evolve": ["engine/execution/states.py"],
    "asked": ["engine/execution/asking.py"],
    "check": ["engine/systems/driver.py", "engine/execution/asking.py"],
    "recall": ["engine/execution/asking.py", "engine/feeding/visibility.py", "engine/records_writer.py"],
    "answer": ["engine/execution/answering.py", "engine/feeding/wording.py"],
    "judge": ["engine/execution/answering.py"],
}


def source_digest(text: str) -> str:
    """Of what the code does: comments, docstrings and layout stay out."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0] = ast.Pass()
    return sha256(ast.dump(tree).encode()).hexdigest()[:16]


def now() -> dict[str, dict[str, object]]:
    return {
        stage: {"version": STAGES[stage], "source": [source_digest((SRC / f).read_text()) for f in files]}
        for stage, files in SOURCES.items()
    }


def test_every_stage_is_pinned() -> None:
    assert set(SOURCES) == set(STAGES)


def test_no_stage_changed_without_a_decision() -> None:
    if os.environ.get("RECOLLECT_REPIN"):
        PINS.write_text(json.dumps(now(), indent=1) + "\n")
    changed = [stage for stage, pin in json.loads(PINS.read_text()).items() if pin != now()[stage]]
    assert not changed, (
        f"the source of {changed} changed: bump the stage's number in engine/keys.py if results may differ, "
        "then re-pin with RECOLLECT_REPIN=1"
    )


@pytest.mark.parametrize(
    ("other", "same"),
    [("def f(): return 2", False), ("def f(): return 1 # x", True)],
)
def test_a_changed_line_is_noticed_and_a_comment_is_not(other: str, same: bool) -> None:
    assert (source_digest("def f(): return 1") == source_digest(other)) is same
