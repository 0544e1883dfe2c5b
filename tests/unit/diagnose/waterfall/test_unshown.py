"""Evidence that was never shown is nobody's fault, and is never passed over in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from recollect.diagnose.summary import Findings, findings
from recollect.diagnose.waterfall.evidence import EVIDENCE_SHOWN, is_cut
from recollect.domain.histories import Asking, History
from recollect.domain.messages import Session
from recollect.domain.steps import Arm, Ask, Observe, Step

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, build, lost, make_history, oracle_row, right

BOTH = (Arm.SYSTEM, Arm.READBACK)


def second_session(history: History, *_: Any, **__: Any) -> Iterator[Step]:
    """The first two messages are cut away, and with them the evidence of two of four questions."""
    sessions = [event for event in history.timeline if isinstance(event, Session)]
    yield from (Observe(session=session) for session in sessions[1:])
    known = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(known[name] for name in event.question_ids))


def _says(case: Case) -> Said:
    """What was shown it knows, what was not it does not."""
    return right(case) if case.number >= 2 else lost(case)


def _examined(path: Path, *, whole: bool = False) -> Findings:
    rows = [RowSpec(label="bm25", says=_says, arms=BOTH), oracle_row()]
    folder = build(path, rows, [make_history(0)])
    return findings(folder, BENCHMARK if whole else replace(BENCHMARK, steps=second_session))


def test_questions_count_and_say_whether_their_evidence_was_shown(tmp_path: Path) -> None:
    found = _examined(tmp_path / "run")
    mine = [cell for cell in found.cells if (cell.row, cell.arm) == ("bm25", Arm.SYSTEM)]
    assert Counter(cell.labels[EVIDENCE_SHOWN] for cell in mine) == {"all": 2, "none": 2}
    assert sum(is_cut(cell) for cell in mine) == 2
    (number,) = [one for one in found.summary.numbers if (one.row, one.arm) == ("bm25", Arm.SYSTEM)]
    assert number.score.estimate == 0.5
    strata = {
        one.stratum: one.score.estimate for one in found.summary.strata if (one.row, one.arm) == ("bm25", Arm.SYSTEM)
    }
    assert strata == {"all": 1.0, "none": 0.0}


def test_the_memory_did_not_lose_what_it_never_saw(tmp_path: Path) -> None:
    """Of a history shown whole the same wrong answers are lost at write."""
    for whole, expected in ((False, {"unknown": 2}), (True, {"write": 2})):
        summary = _examined(tmp_path / f"run-{whole}", whole=whole).summary
        (failures,) = [one for one in summary.failures if one.row == "bm25"]
        assert {label: count for label, count in failures.counts.items() if count} == expected


def test_evidence_recall_leaves_them_out_and_says_so(tmp_path: Path) -> None:
    (found,) = [one for one in _examined(tmp_path / "run").summary.retrieval if one.row == "bm25"]
    assert found.questions == 2
    assert found.missing == {"evidence of the question was not shown to the system": 2}


def test_a_history_that_was_shown_whole_has_no_such_label(tmp_path: Path) -> None:
    assert not any(EVIDENCE_SHOWN in cell.labels for cell in _examined(tmp_path / "run", whole=True).cells)


def test_a_question_may_need_more_than_was_shown_or_nothing_that_is_known() -> None:
    from recollect.diagnose.waterfall.evidence import with_label
    from recollect.domain.ids import MessageId

    seen, gone = MessageId("seen"), MessageId("gone")
    assert with_label({}, (seen, gone), {gone})[EVIDENCE_SHOWN] == "in part"
    assert with_label({}, (), {gone})[EVIDENCE_SHOWN] == "not known"
    assert with_label({"a": "b"}, (seen,), frozenset()) == {"a": "b"}
