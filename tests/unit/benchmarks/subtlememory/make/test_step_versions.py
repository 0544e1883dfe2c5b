"""A check stands in a key by its name alone: when its source changes, somebody must decide, bump or re-pin."""

from __future__ import annotations

import json
import os
from pathlib import Path

from recollect.benchmarks.subtlememory.make import checks
from recollect.benchmarks.subtlememory.make.pipeline import CASES
from recollect.benchmarks.subtlememory.make.users import checks as user_checks
from recollect.benchmarks.subtlememory.make.users import drafts
from recollect.benchmarks.subtlememory.make.users import question_checks as user_question_checks
from recollect.benchmarks.subtlememory.make.world import fact_checks, question_checks, session_checks
from recollect.making.steps import Step

from tests.house.test_stages_are_pinned import source_digest

PINS = Path(__file__).parent / "step_pins.json"
MODULES = (checks, user_checks, user_question_checks, drafts, fact_checks, question_checks, session_checks)


def now() -> dict[str, object]:
    sources = {
        "/".join(one.__name__.split(".")[-2:]): source_digest(Path(str(one.__file__)).read_text()) for one in MODULES
    }
    return {
        "checks": sources,
        "versions": {step.name: step.version for step in CASES.pipeline.stages if isinstance(step, Step)},
    }


def test_no_check_changed_without_a_decision() -> None:
    if os.environ.get("RECOLLECT_REPIN"):
        PINS.write_text(json.dumps(now(), indent=1) + "\n")
    assert json.loads(PINS.read_text()) == now(), (
        "bump the version of each step whose checks may judge otherwise, then re-pin with RECOLLECT_REPIN=1"
    )
