"""Every promise of the data, and for each a change that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from recollect.benchmarks.amemgym.items import Item, problems_of

from tests.unit.benchmarks.amemgym.lives import lives, rows, told

Row = dict[str, Any]


@pytest.mark.parametrize("place", [0, 1])
def test_the_users_written_by_hand_have_no_problem(place: int) -> None:
    assert problems_of(told(rows()[place])) == []


@given(lives())
def test_an_invented_user_has_no_problem(item: Item) -> None:
    assert [str(problem) for problem in problems_of(item)] == []


def second_gold(row: Row) -> None:
    row["qas"][0]["answer_choices"][3]["state"] = ["weekends", "one_helper"]


def no_gold(row: Row) -> None:
    row["qas"][0]["answer_choices"][2]["state"] = ["daily", "one_helper"]


def strange_value(row: Row) -> None:
    row["qas"][1]["answer_choices"][2]["state"] = ["an_army"]


def uneven_choice(row: Row) -> None:
    row["qas"][1]["answer_choices"][2]["state"] = ["small_crew", "daily"]


def silent_choice(row: Row) -> None:
    row["qas"][1]["answer_choices"][2]["answer"] = " "


def single_choice(row: Row) -> None:
    row["qas"][1]["answer_choices"] = row["qas"][1]["answer_choices"][:1]


def unknown_variable(row: Row) -> None:
    row["qas"][1]["required_info"] = ["stall_colour"]


def needs_nothing(row: Row) -> None:
    row["qas"][1]["required_info"] = []


def silent_question(row: Row) -> None:
    row["qas"][1]["query"] = ""


def unexposed_update(row: Row) -> None:
    row["periods"][1]["sessions"][0]["exposed_states"] = {}


def wrong_exposure(row: Row) -> None:
    row["periods"][1]["sessions"][0]["exposed_states"]["stall_helper_count"] = "small_crew"


def stray_exposure(row: Row) -> None:
    row["periods"][1]["sessions"][0]["exposed_states"]["stall_opening_pattern"] = "daily"


def exposure_of_nothing(row: Row) -> None:
    row["periods"][1]["sessions"][0]["exposed_states"]["stall_colour"] = "red"


def unsaid_update(row: Row) -> None:
    row["periods"][1]["updates"] = {}


def update_from_elsewhere(row: Row) -> None:
    row["periods"][1]["updates"]["stall_helper_count"]["old"] = "small_crew"


def update_to_elsewhere(row: Row) -> None:
    row["periods"][1]["updates"]["stall_helper_count"]["new"] = "small_crew"


def idle_update(row: Row) -> None:
    row["periods"][1]["updates"]["stall_opening_pattern"] = {"old": "weekends", "new": "weekends"}


def state_lacks_a_variable(row: Row) -> None:
    del row["periods"][2]["state"]["stall_opening_pattern"]


def state_of_no_value(row: Row) -> None:
    row["periods"][2]["state"]["stall_opening_pattern"] = "never"


def schema_says_twice(row: Row) -> None:
    row["state_schema"]["stall_helper_count"].append("none")


def no_questions(row: Row) -> None:
    row["qas"] = []


def wrong_count(row: Row) -> None:
    row["periods"][1]["update_cnts"]["stall_helper_count"] = 1


def broken_chain(row: Row) -> None:
    row["periods"][2]["period_start"] = "2021-01-02"


def early_end(row: Row) -> None:
    row["periods"][2]["period_end"] = "2021-01-01"


def late_start(row: Row) -> None:
    row["start_time"] = "2020-09-01"


def late_session(row: Row) -> None:
    row["periods"][1]["sessions"][0]["session_time"] = "2021-01-02 19:40:11"


def session_out_of_order(row: Row) -> None:
    row["periods"][2]["sessions"][0]["session_time"] = "2020-12-31 19:40:11"


def wrong_type(row: Row) -> None:
    row["qas"][0]["answer_choices"][0]["type"] = "experience"


def other_uuid(row: Row) -> None:
    row["user_profile"]["uuid"] = "u-009"


def merged_twice(row: Row) -> None:
    """Two of five users that the authors' pipeline made and others published have such a question."""
    row["qas"][1]["required_info"] *= 2
    for choice in row["qas"][1]["answer_choices"]:
        choice["state"] *= 2


GRAVE: list[tuple[Callable[[Row], None], int | None, int | None, str]] = [
    (second_gold, None, 0, "choices 3 and 4 suit the same state"),
    (no_gold, 1, 0, "no choice, or more than one, suits the state ['weekends', 'one_helper']"),
    (strange_value, None, 1, "choice 3: `an_army` is no value of `stall_helper_count`"),
    (uneven_choice, None, 1, "choice 3 has 2 values for 1 variables"),
    (silent_choice, None, 1, "choice 3: `answer` is empty"),
    (single_choice, None, 1, "two or more choices are needed, got 1"),
    (unknown_variable, None, 1, "`stall_colour`, which `state_schema` lacks"),
    (needs_nothing, None, 1, "`required_info` names no variable"),
    (silent_question, None, 1, "`query` is empty"),
    (unexposed_update, 1, None, "no session exposes the update of `stall_helper_count` to `one_helper`"),
    (wrong_exposure, 1, None, "replayed, `exposed_states` make `stall_helper_count` `small_crew`"),
    (stray_exposure, 1, None, "replayed, `exposed_states` make `stall_opening_pattern` `daily`"),
    (exposure_of_nothing, 1, None, "session 0 exposes `stall_colour`"),
    (unsaid_update, 1, None, "`updates` lacks it"),
    (update_from_elsewhere, 1, None, "update of `stall_helper_count` from `small_crew`, but it was `none`"),
    (update_to_elsewhere, 1, None, "update of `stall_helper_count` to `small_crew`, but its state is `one_helper`"),
    (idle_update, 1, None, "update of `stall_opening_pattern` to `weekends`, which it was already"),
    (state_lacks_a_variable, 2, None, "`state` and `state_schema` differ in `stall_opening_pattern`"),
    (state_of_no_value, 2, None, "`stall_opening_pattern` is `never`, which is none of its values"),
    (schema_says_twice, None, None, "`stall_helper_count` needs two or more values, each once"),
    (no_questions, None, None, "`qas` is empty"),
]
MILD: list[tuple[Callable[[Row], None], int | None, int | None, str]] = [
    (wrong_count, 1, None, "`update_cnts` says 1 changes of `stall_helper_count`; there are 2"),
    (broken_chain, 2, None, "`period_start` is 2021-01-02, not 2021-01-01"),
    (early_end, 2, None, "`period_end` is 2021-01-01, and must be after 2021-01-01"),
    (late_start, 0, None, "`period_end` is 2020-10-01, and should be 2020-09-01"),
    (late_session, 1, None, "outside 2020-10-01 to 2021-01-01"),
    (session_out_of_order, 2, None, "before the one that stands before it"),
    (wrong_type, None, 0, "choice 1 is of type `experience`, but its state never holds"),
    (other_uuid, None, None, "`user_profile.uuid` is `u-009`"),
    (merged_twice, None, 1, "`required_info` names `stall_helper_count` twice"),
]


def named(found: list[tuple[Callable[[Row], None], int | None, int | None, str]]) -> list[Any]:
    return [pytest.param(*one, id=one[0].__name__) for one in found]


@pytest.mark.parametrize(("change", "period", "question", "said"), named(GRAVE))
def test_a_broken_promise_is_caught_with_its_place(
    change: Callable[[Row], None], period: int | None, question: int | None, said: str
) -> None:
    """These change what a score means."""
    check(change, period, question, said, grave=True)


@pytest.mark.parametrize(("change", "period", "question", "said"), named(MILD))
def test_what_is_odd_is_told_and_let_through(
    change: Callable[[Row], None], period: int | None, question: int | None, said: str
) -> None:
    check(change, period, question, said, grave=False)


def check(change: Callable[[Row], None], period: int | None, question: int | None, said: str, *, grave: bool) -> None:
    row = rows()[0]
    change(row)
    found = problems_of(told(row))
    matching = [one for one in found if said in one.what]
    assert matching, [str(one) for one in found]
    assert (matching[0].user, matching[0].period, matching[0].question) == ("u-001", period, question)
    assert matching[0].grave is grave
    assert grave or not any(one.grave for one in found), [str(one) for one in found]


def test_all_problems_come_at_once() -> None:
    row = rows()[0]
    for change in (wrong_exposure, strange_value, wrong_count, late_session):
        change(row)
    said = [str(problem) for problem in problems_of(told(row))]
    assert len(said) >= 4
    assert "user `u-001`, period 1: " in "".join(said)
    assert "user `u-001`, question 1: " in "".join(said)
