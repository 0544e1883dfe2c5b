"""What the docs show of generated persons is what the script makes of them today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "subtlememory_docs.py"


@pytest.mark.full
@pytest.mark.parametrize(("part", "page"), [("sessions", "three_sessions.md"), ("blind", "subtlememory.md")])
def test_the_page_holds_what_the_script_prints(part: str, page: str) -> None:
    """Sessions and questions to the letter, and the table of who sees only the question."""
    line = [sys.executable, str(SCRIPT), part]
    made = subprocess.run(line, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert made in (ROOT / "docs" / page).read_text(encoding="utf-8"), f"run: python scripts/{SCRIPT.name} {part}"
