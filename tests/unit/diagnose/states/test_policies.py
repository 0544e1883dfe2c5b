"""What policies cover, how they changed, and what was held of the newest states; expected numbers are by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.records.join import JoinedRun
from recollect.diagnose.records.policy_versions import Adopted, Followed, coverage, versions
from recollect.diagnose.states.cells import state_cells
from recollect.diagnose.states.factual_recall import Sheet, sheets
from recollect.diagnose.states.policies import Page, judged, policies, recalls
from recollect.domain.ids import HistoryId, MessageId
from recollect.domain.questions import Key
from recollect.records.tables.cells import CellOutcome, Recalled, RecalledItem
from recollect.records.tables.policies import FIRST_POLICY, PolicyRow

from tests.fakes.state_cells import probe, scored

WRITTEN = ({"workout_time": 0, "pet": 0}, {"workout_time": 1, "pet": 0})
"""Both states are told in period 0, one of them anew in period 1."""
VALUES = ({"workout_time": "early_morning", "pet": "cat"}, {"workout_time": "late_evening", "pet": "cat"})
TOLD_IN = ({"workout_time": "m0", "pet": "m0"}, {"workout_time": "m1", "pet": "m0"})
KNOWS = ({"workout_time": True, "pet": False}, {"workout_time": False, "pet": True})
HELD = (("She trains in the EARLY morning.", "m0"), ("Ana was late.", "m1"))
"""Period -> what every question recalls, and the message that it came of."""
PLACES = {0: 1, 1: 4}
"""Period -> place of its questions among the steps; the policy is replaced at step 2."""
SECOND = "facts of work\nworkout time"


def cells(user: str) -> list[CellOutcome]:
    made = []
    for period, written in enumerate(WRITTEN):
        text, message = HELD[period]
        item = RecalledItem(text=text, sources=(MessageId(message),), covers=(MessageId(message),))
        seen: dict[str, Any] = {"written": written, "row": "agent", "kind": "agent", "recall": Recalled(items=(item,))}
        made += [scored(user, period, "q0", not period, **seen), probe(user, period, "q0", KNOWS[period], **seen)]
    return made


def key_of(cell: CellOutcome) -> Key:
    period = int(cell.labels["period"])
    gold = {name: (value,) for name, value in VALUES[period].items()} if cell.purpose == "probe" else {}
    told_in = {name: (MessageId(message),) for name, message in TOLD_IN[period].items()}
    return Key(question_id=cell.question, field_gold=gold, field_evidence=told_in, labels=cell.labels)


def joined(made: list[CellOutcome], *adopted: Adopted) -> JoinedRun:
    episodes: dict[HistoryId, Any] = {}
    for cell in made:
        one = episodes.setdefault(
            cell.history, SimpleNamespace(keyed=SimpleNamespace(keys={}, history=None), asked_at={})
        )
        one.keyed.keys[cell.question] = key_of(cell)
        one.asked_at[cell.checkpoint, cell.question] = PLACES[int(cell.labels["period"])]
    facts = {"system": {"inputs": {FIRST_POLICY: "facts of work"}}}
    rows: dict[str, Any] = {"agent": facts, "mem": {"system": {}}}
    return JoinedRun(name="r", config={}, episodes=episodes, shared={}, rows=rows, cells=(), adopted=adopted)


def row(*users: str) -> PolicyRow:
    made = [cell for user in users for cell in cells(user)]
    adopted = [Adopted("overall", "agent", HistoryId(user), 0, 2, SECOND) for user in users]
    (found,) = policies(grid_of(made), joined(made, *adopted), Estimator(seed=0))
    return found


def sheet(period: int) -> Sheet:
    made = cells("u")
    found = state_cells(grid_of(made), "overall", "agent")
    assert found is not None
    keys = {history: episode.keyed.keys for history, episode in joined(made).episodes.items()}
    return sheets(found, keys)[period]


COVERED = [
    ("anything at all", "absent"),
    ("how they spend the early hours", "implied"),
    ("times of meals", "implied"),
    ("when they do their workouts, time of day", "explicit"),
    ("workout\ntime", "implied"),
]


@pytest.mark.parametrize(("policy", "wanted"), COVERED)
def test_a_state_is_covered_by_its_whole_name_in_one_line_or_by_a_word_of_it_or_its_values(
    policy: str, wanted: str
) -> None:
    assert coverage(policy.split("\n"), {"workout_time": ["early_morning"]}) == {"workout_time": wanted}


def test_each_period_has_the_policy_that_was_in_force_when_its_questions_were_put() -> None:
    whose = Followed(HistoryId("u"), 0)
    adopted = [Adopted("t", "r", *whose, step, policy) for step, policy in ((5, "a\nc"), (2, "a\nb"))]
    found = list(versions(whose, "a", adopted, {0: 1, 1: 4, 2: 7}, {}))
    assert [one.lines for one in found] == [("a",), ("a", "b"), ("a", "c")]
    assert [(one.added, one.removed) for one in found] == [((), ()), (("b",), ()), (("c",), ("b",))]


def test_only_states_that_a_period_told_are_asked_after() -> None:
    assert [[fact.claim for fact in sheet(period).facts] for period in (0, 1)] == [
        ["pet: cat", "workout time: early morning"],
        ["workout time: late evening"],
    ]


def test_held_by_source_means_that_anything_came_of_the_message_and_by_words_that_all_of_the_value_stands_in_it() -> (
    None
):
    assert (sheet(0).by_source(), sheet(1).by_source()) == ({"pet": 1.0, "workout_time": 1.0}, {"workout_time": 1.0})
    assert (sheet(0).by_words(), sheet(1).by_words()) == ({"pet": 0.0, "workout_time": 1.0}, {"workout_time": 0.0})
    assert (sheet(0).by_probe(), sheet(1).by_probe()) == ({"pet": 0.0, "workout_time": 1.0}, {"workout_time": 0.0})


def test_an_agent_that_does_not_tell_has_no_recall_and_no_zero() -> None:
    made = [replace(cell, recall=None) for cell in cells("u")]
    (found,) = policies(grid_of(made), joined(made), Estimator(seed=0))
    assert (found.whole.by_source.estimate, found.whole.by_words.estimate) == (None, None)
    assert "does not tell" in found.whole.by_source.why


def test_numbers_stand_by_period_and_for_all() -> None:
    """By words 1 of 2 and 0 of 1 new states; all states 1 of 3, of both users alike. Half of the states are covered."""
    found = row("u1", "u2")
    assert [one.by_words.estimate for one in (*found.periods, found.whole)] == pytest.approx([1 / 2, 0, 1 / 3])
    assert [one.score.estimate for one in (*found.periods, found.whole)] == [1.0, 0.0, 0.5]
    assert [one.covers["explicit"].estimate for one in found.periods] == [0.0, 0.5]
    assert [one.covers["absent"].estimate for one in found.periods] == [1.0, 0.5]
    assert [(one.lines, one.added, one.removed) for one in found.periods] == [(1, 0, 0), (2, 1, 0)]
    assert found.evolved
    assert (found.whole.by_words.n, found.whole.by_words.clusters) == (6, 2)


def test_a_row_without_a_policy_has_none_of_this() -> None:
    made = [replace(cell, row="mem") for cell in cells("u")]
    assert policies(grid_of(made), joined(made), Estimator(seed=0)) == ()


def test_a_model_checks_the_claims_of_each_period_and_what_it_leaves_open_is_counted() -> None:
    """Yes, nothing usable, no: of three claims two are decided, one of them held."""
    pages = [Page("overall", "agent", sheet(period)) for period in (0, 1)]
    asked = []

    def check(document: Any, claims: Any) -> list[bool | None]:
        asked.append((document, claims))
        return [True, None] if len(claims) == 2 else [False]

    found = recalls(list(judged(pages, check)), Estimator(seed=0))
    assert asked[0] == ([HELD[0][0]], ["pet: cat", "workout time: early morning"])
    assert [(one.period, one.recall.estimate, one.undecided) for one in found] == [
        (0, 1.0, 1),
        (1, 0.0, 0),
        (None, 0.5, 1),
    ]


def test_a_memory_that_is_not_told_is_undecided_and_nobody_is_asked() -> None:
    silent = [Page("overall", "agent", replace(sheet(0), document=None))]
    assert [one.verdict for one in judged(silent, lambda document, claims: pytest.fail("asked"))] == [None, None]
