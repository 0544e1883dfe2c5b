"""Evidence recall and precision of a row, and why there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.records.join import read_run
from recollect.diagnose.retrieval import POINTS, retrieval
from recollect.domain.ids import MessageId
from recollect.domain.questions import Key
from recollect.domain.steps import Arm
from recollect.records.kinds import StoredItem
from recollect.records.tables.cells import ReadDepth
from recollect.records.tables.summary import Retrieval, RetrievalPoint
from recollect.text.tokens import count

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, Says, build, chunk_id, make_history, message_item

HISTORY = make_history(0, questions=6)


def found(path: Path, *rows: RowSpec, **options: object) -> Retrieval:
    histories = [options.pop("history", HISTORY)]
    run = read_run(build(path / "run", rows, histories, **options), BENCHMARK)  # type: ignore[arg-type]
    return retrieval(grid_of(run.cells), run, ReadDepth(count=count), Estimator(seed=7))[0]


def row(says: Says, *arms: Arm) -> RowSpec:
    return RowSpec(label="bm25", says=says, arms=arms or (Arm.SYSTEM,))


def at(one: Retrieval, point: str) -> RetrievalPoint:
    return next(found for found in one.points if found.at == point)


def ranked(case: Case) -> Said:
    """The evidence of question *i* stands at place *i* + 1 of five other messages and itself."""
    others = [m.message_id for m in case.keyed.history.messages() if m.message_id not in case.key.evidence]
    others.insert(case.number, case.key.evidence[0])
    return Said(text="x", found=tuple(message_item(m) for m in others))


def test_recall_and_precision_at_each_depth(tmp_path: Path) -> None:
    """Of six questions one is found at each place from 1 to 6."""
    one = found(tmp_path, row(ranked))
    assert [point.at for point in one.points] == list(POINTS)
    assert [at(one, k).recall.estimate for k in ("1", "3", "5", "10")] == pytest.approx([1 / 6, 3 / 6, 5 / 6, 1])
    assert [at(one, k).precision.estimate for k in ("1", "3", "10")] == pytest.approx([1 / 6, 1 / 6, 1 / 6])
    assert (one.questions, one.why, one.missing) == (6, "", {})
    assert at(one, "3").recall.low is not None


def test_the_budget_counts_what_the_reader_got_whole(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        words = f"Ann: item {case.number} of facts-0 is value{case.number}"
        return replace(ranked(case), tokens=2 * (count(words) + count("\n")), truncated=True)

    one = found(tmp_path, row(says))
    assert at(one, "budget").recall.estimate == pytest.approx(2 / 6)  # two items each: questions 0 and 1
    assert at(one, "all").recall.estimate == 1.0


def test_a_chunk_is_one_shown_message_with_two_of_the_history(tmp_path: Path) -> None:
    """Recall in messages of the history is 1, precision in shown messages one of two."""

    def says(case: Case) -> Said:
        wanted, other = case.number // 2, (case.number // 2 + 1) % 3
        chunks = [chunk_id(f"s-facts-0-{number}") for number in (wanted, other)]
        return Said(text="x", found=tuple(message_item(chunk) for chunk in chunks))

    one = found(tmp_path, row(says), preset="paper")
    assert (at(one, "all").recall.estimate, at(one, "all").precision.estimate) == (1.0, 0.5)
    assert at(one, "1").precision.estimate == 1.0


def test_finding_nothing_is_a_recall_of_zero_and_no_precision(tmp_path: Path) -> None:
    one = found(tmp_path, row(lambda case: Said(text="x")))
    assert at(one, "5").recall.estimate == 0.0
    assert (at(one, "5").precision.estimate, at(one, "5").precision.why) == (None, "nothing was found")


def test_items_in_time_have_no_ranks(tmp_path: Path) -> None:
    one = found(tmp_path, row(lambda case: replace(ranked(case), order="time")))
    assert (at(one, "5").recall.estimate, at(one, "5").recall.why) == (
        None,
        "its items are in order of time, not of rank",
    )
    assert at(one, "all").recall.estimate == 1.0


def test_an_agent_makes_its_own_context_so_it_has_no_budget(tmp_path: Path) -> None:
    one = found(tmp_path, replace(row(ranked), kind="agent"))
    assert at(one, "1").recall.estimate == pytest.approx(1 / 6)
    assert at(one, "budget").recall.estimate is None
    assert "its own context" in at(one, "budget").recall.why


def unknown(case: Case) -> Said:
    return Said(text="x", found=(StoredItem(text="a memory", sources=()),))


@pytest.mark.parametrize(
    ("says", "why"),
    [
        pytest.param(unknown, "the system does not tell where its items came from", id="no-provenance"),
        pytest.param(lambda c: Said(text="x", found=None), "the system does not tell what it found", id="untold"),
        pytest.param(lambda c: Said(unavailable="no"), "nothing was found: not available", id="not-available"),
        pytest.param(lambda c: Said(fault=("recall", "timeout")), "nothing was found: fault", id="fault"),
    ],
)
def test_what_cannot_be_measured_is_not_available_with_the_reason(tmp_path: Path, says: Says, why: str) -> None:
    one = found(tmp_path, row(says))
    assert (one.points, one.questions, one.why, one.missing) == ((), 0, why, {why: 6})


def test_questions_without_known_evidence_are_left_out_and_counted(tmp_path: Path) -> None:
    def change(number: int, key: Key) -> Key:
        return replace(key, evidence=()) if number == 5 else key

    def says(case: Case) -> Said:
        return ranked(case) if case.key.evidence else Said(text="x")

    one = found(tmp_path, row(says), history=make_history(0, questions=6, change=change))
    assert (one.questions, one.missing) == (5, {"no evidence is known for the question": 1})
    assert at(one, "1").recall.estimate == pytest.approx(1 / 5)


def test_a_system_that_its_search_changed_is_not_measured(tmp_path: Path) -> None:
    one = found(tmp_path, replace(row(ranked), broken=("check", "state_changed", 3)))
    assert one.why == "the system broke before it was searched, or searching changed it"


def test_an_answer_that_broke_after_the_search_is_measured(tmp_path: Path) -> None:
    one = found(tmp_path, row(lambda case: replace(ranked(case), text=None, fault=("answer", "timeout"))))
    assert at(one, "1").recall.estimate == pytest.approx(1 / 6)


def test_the_foreign_share_is_of_items_read_back_that_hold_no_evidence(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        if case.arm is Arm.SYSTEM:
            return ranked(case)
        merged = StoredItem(text="merged", sources=(case.key.evidence[0], MessageId("m-facts-0-0")))
        foreign = StoredItem(text="foreign", sources=(MessageId(f"m-facts-0-{(case.number + 1) % 6}"),))
        return Said(text="x", found=(merged, merged, foreign))

    assert found(tmp_path, row(says, Arm.SYSTEM, Arm.READBACK)).foreign.estimate == pytest.approx(1 / 3)
    assert found(tmp_path / "b", row(ranked)).foreign.why == "the arm `readback` was not asked"
