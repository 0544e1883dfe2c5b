"""A check stands in a key by its name alone: when its source changes, somebody must decide, bump or re-pin."""

from __future__ import annotations

import json
import os
from pathlib import Path

from recollect.benchmarks.amemgym.make import checks
from recollect.benchmarks.amemgym.make.pipeline import PIPELINE
from recollect.making.steps import Loop, Step

from tests.house.test_stages_are_pinned import source_digest

PINS = Path(__file__).parent / "step_pins.json"


def now() -> dict[str, object]:
    inner = [
        step
        for stage in PIPELINE.stages
        for step in ((stage.check, stage.mend) if isinstance(stage, Loop) else (stage,))
        if isinstance(step, Step)
    ]
    source = source_digest(Path(checks.__file__).read_text())
    return {"checks": source, "versions": {step.name: step.version for step in inner}}


def test_no_check_changed_without_a_decision() -> None:
    if os.environ.get("RECOLLECT_REPIN"):
        PINS.write_text(json.dumps(now(), indent=1) + "\n")
    assert json.loads(PINS.read_text()) == now(), (
        "bump the version of each step whose checks may judge otherwise, then re-pin with RECOLLECT_REPIN=1"
    )
