"""`--limit n` spreads its questions; `--task` takes whole tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Asking
from recollect.engine.selection import limit, only_tasks

from tests.fakes.toy_protocols import PROTOCOLS

KEYED = [PROTOCOLS["long_ingest"](name)[0] for name in ("one", "two", "three")]
DATA = Dataset(benchmark="toy", histories=(KEYED[0], KEYED[1], replace(KEYED[2], task="other")))


def asked(data: Dataset) -> dict[str, int]:
    counts: dict[str, int] = {}
    for keyed in data.histories:
        counts[keyed.task] = counts.get(keyed.task, 0) + len(keyed.history.questions)
    return counts


def test_questions_are_spread_evenly_over_the_tasks() -> None:
    assert asked(limit(DATA, 6)) == {"toy": 3, "other": 3}
    assert asked(limit(DATA, 3)) == {"toy": 1, "other": 2}


def test_along_a_history_they_are_spread_too() -> None:
    (keyed,) = limit(replace(DATA, histories=DATA.histories[:1]), 2).histories
    assert [q.text for q in keyed.history.questions] == ["What is box0?", "What is box20?"]


@given(st.integers(1, 40))
def test_never_more_than_asked_for_and_all_that_there_are(number: int) -> None:
    chosen = limit(DATA, number)
    assert sum(asked(chosen).values()) == min(number, 24)
    for keyed in chosen.histories:
        names = {q.question_id for q in keyed.history.questions}
        assert names == set(keyed.keys)
        assert names == {n for e in keyed.history.timeline if isinstance(e, Asking) for n in e.question_ids}


def test_an_unknown_task_is_offered_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean `other`"):
        only_tasks(DATA, ["othr"])
    assert asked(only_tasks(DATA, ["other"])) == {"other": 8}
