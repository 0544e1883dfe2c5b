"""A benchmark of the usual modules is put together by name, and imports each of them late."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from recollect.benchmarks.own import BENCHMARK
from recollect.contracts.benchmark import Later, StepSettings, packaged
from recollect.domain.errors import UsageError
from recollect.domain.steps import Ask, Observe

from tests.contract.test_benchmark import made


def test_its_modules_are_imported_when_they_are_needed() -> None:
    code = "import sys, recollect.benchmarks.own; print('recollect.benchmarks.own.load' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_function_that_is_imported_late_is_called_with_what_is_given_and_crosses_processes() -> None:
    joined = Later("posixpath", "join")
    assert pickle.loads(pickle.dumps(joined))("a", "b") == "a/b"


def test_another_module_may_say_that_nothing_is_generated() -> None:
    assert packaged("recollect.benchmarks.own", BENCHMARK.card, generate="load") == replace(BENCHMARK)
    with pytest.raises(UsageError, match="nothing to generate"):
        BENCHMARK.generate("small", 0)


def test_a_timeline_in_order_asks_where_the_questions_stand() -> None:
    (one, *_) = made(BENCHMARK).histories
    steps = list(BENCHMARK.steps(one.history, StepSettings()))
    assert {type(step) for step in steps} == {Observe, Ask}
    assert [q.question_id for step in steps if isinstance(step, Ask) for q in step.questions] == [
        name for event in one.history.timeline if hasattr(event, "question_ids") for name in event.question_ids
    ]
