"""What each role takes for a history, from single calls."""

from __future__ import annotations

from recollect.contracts.models import Usage
from recollect.diagnose.costs.rows import NO_MONEY, NO_TOKENS
from recollect.diagnose.costs.totals import costs_of, role_costs
from recollect.records.calls import CallLine
from recollect.records.tables.costs import RoleCost


def call(name: str, history: str, role: str, tokens: tuple[int, int] | None = (100, 10), **facts: object) -> CallLine:
    told = {
        "call": name, "kind": "chat", "role": role, "status": "paid", "model": "m", "row": "awi", "task": "overall",
        "stage": "converse", "trial": f"t-{history}", "history": history, "money": 0.01, "seconds": 1.0,
        "usage": None if tokens is None else Usage(input=tokens[0], output=tokens[1]), **facts,
    }  # fmt: skip
    return CallLine(**told)  # type: ignore[arg-type]


CALLS = [
    call("a", "h1", "user", (300, 20)),
    call("b", "h1", "user", (100, 10)),
    call("c", "h2", "user", (200, 30)),
    call("d", "h1", "memory", (1000, 5)),
]


def _of(lines: list[CallLine]) -> dict[str, RoleCost]:
    return {one.role: one for one in role_costs(lines)}


def test_tokens_are_added_up_by_history() -> None:
    """The user took 400 and 200 tokens in; the memory's model took 1,000 of one history and none of the other."""
    found = _of(CALLS)
    user, memory = found["user"], found["memory"]
    assert (user.histories, user.calls, memory.histories, memory.calls) == (2, 3, 2, 1)
    assert user.input_tokens is not None
    assert user.output_tokens is not None
    assert (user.input_tokens.mean, user.input_tokens.total, user.output_tokens.mean) == (300, 600, 30)
    assert memory.input_tokens is not None
    assert (memory.input_tokens.mean, memory.input_tokens.total) == (500, 1000)
    assert user.money is not None
    assert (user.money.total, user.money.mean) == (0.03, 0.015)


def test_what_came_from_the_cache_counts_as_when_this_run_paid_for_it() -> None:
    again = call("a", "h2", "user", (300, 20), status="cached", money=0.0)
    found = _of([*CALLS, again])["user"]
    assert found.input_tokens is not None
    assert found.money is not None
    assert (found.input_tokens.total, found.money.total) == (900, 0.04)


def test_a_history_gone_through_again_is_another_one() -> None:
    again = call("e", "h1", "user", (300, 20), trial="t-h1-again", replicate=1)
    assert _of([*CALLS, again])["user"].histories == 3


def test_what_is_not_known_is_no_number_and_has_a_reason() -> None:
    unpriced = _of([*CALLS, call("e", "h2", "user", money=None)])["user"]
    assert (unpriced.money, unpriced.why) == (None, NO_MONEY)
    assert unpriced.input_tokens is not None
    uncounted = _of([*CALLS, call("e", "h2", "user", None)])["user"]
    assert (uncounted.input_tokens, uncounted.output_tokens, uncounted.why) == (None, None, NO_TOKENS)


def test_calls_about_no_history_and_failed_ones_are_left_out() -> None:
    others = [call("p", "", "user", row="", task=""), call("f", "h1", "user", None, status="failed", money=None)]
    assert _of([*CALLS, *others]) == _of(CALLS)


def test_the_ledgers_tables_have_it_by_task_row_and_role() -> None:
    costs = costs_of([*CALLS, call("z", "h1", "user", row="rag")])
    assert costs is not None
    assert [(one.row, one.role) for one in costs.roles] == [("awi", "memory"), ("awi", "user"), ("rag", "user")]
