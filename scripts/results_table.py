"""Prints the table of docs/results.md from finished runs: python scripts/results_table.py RUNS_DIR RUN [RUN …]"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SHOWN = ("none", "window", "full", "bm25", "dense", "hybrid", "files", "oracle")


def summary(runs: Path, run: str) -> tuple[str, dict[str, Any]]:
    """Identity and numbers of a run."""
    command = [str(Path(sys.executable).parent / "recollect"), "score", run, "--runs-dir", str(runs), "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found["identity"], found["summary"]


def cell(estimate: dict[str, Any]) -> str:
    """`74.0 [65, 82]`, in percent."""
    if estimate.get("estimate") is None:
        return "–"
    middle = f"{100 * estimate['estimate']:.1f}"
    if estimate.get("low") is None:
        return middle
    return f"{middle} [{100 * estimate['low']:.0f}, {100 * estimate['high']:.0f}]"


def table(found: dict[str, Any]) -> list[str]:
    """One line a task."""
    scores: dict[str, dict[str, str]] = {}
    for number in found["numbers"]:
        arm = "oracle" if number["row"] == "oracle" else "system"
        if number["arm"] == arm and number.get("purpose", "score") == "score":
            scores.setdefault(number["task"], {})[number["row"]] = cell(number["score"])
    rows = [f"| {task} | " + " | ".join(row.get(name, "–") for name in SHOWN) + " |" for task, row in scores.items()]
    return [f"| task | {' | '.join(SHOWN)} |", "|---" * (len(SHOWN) + 1) + "|", *rows]


def main(runs: str, *names: str) -> None:
    """Print one table a run, with its identity."""
    for name in names:
        identity, found = summary(Path(runs), name)
        print(f"\nRun `{name}`, identity `{identity}`:\n")
        print("\n".join(table(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
