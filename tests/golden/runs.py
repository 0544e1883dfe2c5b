"""Runs the command lines of `commands.txt` and says what came of them, without what differs from run to run.

`python -m tests.golden.runs` writes the pins anew. Do so only where a change of results is meant, and say in the
changelog which: whoever compares with a run of an older version sees what changed.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.records.digests import digest

from tests.fakes.command_line import typed
from tests.fakes.one_user import write_one_user
from tests.unit.benchmarks.locomo.talks import saved, talk

HERE = Path(__file__).parent
PINS = HERE / "pins.json"
OWN = HERE.parents[1] / "examples" / "own_data"
MEASURED = re.compile(r"_s$|_bytes$|^(seconds|timings|times|costs|bytes)$")
OUTSIDE = {"snapshot", "void"}


def lines() -> list[str]:
    """The command lines, as they stand in the file."""
    text = (HERE / "commands.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def carried_out(folder: Path) -> dict[str, Any]:
    """What came of all of them: exit code and digest of the JSON of each, and each run's identity and records."""
    data = _data_in(folder)
    said = {line: _said(line, data, folder) for line in lines()}
    runs = sorted(path.parent for path in (folder / "runs").glob("*/run.json"))
    return {"commands": said, "runs": {run.name: _of_run(run, folder) for run in runs}}


def _data_in(folder: Path) -> dict[str, str]:
    write_one_user(folder / "user.json")
    invented = talk()
    saved(folder / "talks.json", {**invented, "qa": invented["qa"] * 2})
    return {"$OWN": str(OWN), "$AMEMGYM": "user.json", "$LOCOMO": "talks.json"}


def _said(line: str, data: dict[str, str], folder: Path) -> dict[str, Any]:
    done = typed([data.get(word, word) for word in line.split()], folder)
    told: dict[str, Any] = {"exit": done.returncode}
    if "--json" in line and done.stdout:
        kept = folder / "said" / f"{digest(line)[3:]}.json"
        kept.parent.mkdir(exist_ok=True)
        sound = _sound(json.loads(done.stdout))
        kept.write_text(json.dumps(sound, indent=1, sort_keys=True), encoding="utf-8")
        told["json"] = digest(sound)
    return told


def _sound(value: Any) -> Any:
    """Without seconds and money."""
    if isinstance(value, dict):
        return {name: _sound(held) for name, held in value.items() if not MEASURED.search(name)}
    if isinstance(value, list):
        return [_sound(one) for one in value]
    return value.replace(str(OWN), "$OWN") if isinstance(value, str) else value


def _of_run(run: Path, folder: Path) -> dict[str, Any]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for line in _records(run):
        kinds[json.loads(line)["kind"]].add(line)
    told = json.loads(typed(["verify", run.name, "--json"], folder).stdout)
    records = {kind: [len(kinds[kind]), digest(sorted(kinds[kind]))] for kind in sorted(kinds.keys() - OUTSIDE)}
    return {"identity": told["identity"], "records": records}


def _records(run: Path) -> Iterator[str]:
    for file in run.glob("trials/*/records.jsonl"):
        yield from file.read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Write the pins."""
    with tempfile.TemporaryDirectory() as folder:
        PINS.write_text(json.dumps(carried_out(Path(folder)), indent=1) + "\n", encoding="utf-8")
    print(f"{len(lines())} command lines are pinned in {PINS}", file=sys.stderr)


if __name__ == "__main__":
    main()
