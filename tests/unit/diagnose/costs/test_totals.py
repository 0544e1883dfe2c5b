"""What models took comes out to the last token, however the calls are grouped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.models import Usage
from recollect.diagnose.costs.rows import row_costs
from recollect.diagnose.costs.totals import costs_of, spent_on, sums_of
from recollect.diagnose.records.identity import identity, repeatable
from recollect.diagnose.summary import summarise
from recollect.domain.repeats import Take
from recollect.records.calls import CallLine
from recollect.records.codec import decode, encode
from recollect.records.tables.costs import BreakEven, CallSums, Costs, RowCost
from recollect.store.measures import Ledgers

from tests.fakes.run_builder import BENCHMARK, RowSpec, build, make_history, oracle_row, right, trial_id


def call(**facts: object) -> CallLine:
    told = {
        "call": "c", "kind": "chat", "role": "reader", "status": "paid", "model": "m", "stage": "answer", "row": "bm25",
        "task": "facts", "trial": "t0", "question": "q0", "checkpoint": "end", "arm": "system",
        "usage": Usage(input=100, output=10), "money": 0.01, "priced": "2026-11-20", "seconds": 1.0, **facts,
    }  # fmt: skip
    return CallLine(**told)  # type: ignore[arg-type]


USAGES = st.none() | st.builds(
    Usage,
    input=st.integers(0, 10**6),
    output=st.integers(0, 10**5),
    cached=st.integers(0, 99),
    reasoning=st.integers(0, 9),
)
LINES = st.lists(
    st.builds(
        call,
        call=st.text("abc", min_size=1, max_size=2),
        status=st.sampled_from(["paid", "cached", "recovered", "failed"]),
        role=st.sampled_from(["reader", "judge", "memory", "embedder"]),
        stage=st.sampled_from(["observe", "recall", "answer", "judge", "probe"]),
        row=st.sampled_from(["", "bm25", "full"]),
        task=st.sampled_from(["a", "b"]),
        trial=st.sampled_from(["t0", "t1"]),
        question=st.sampled_from(["q0", "q1", "q2"]),
        usage=USAGES,
        money=st.none() | st.integers(0, 10**9).map(lambda number: number / 1e9),
        seconds=st.integers(0, 10**9).map(lambda number: number / 1e6),
        waited=st.integers(0, 10**6).map(lambda number: number / 1e6),
    ),
    max_size=30,
)


@given(LINES, st.randoms())
def test_the_tables_add_up_to_the_single_lines(lines: list[CallLine], rng: object) -> None:
    """To the last token and the last billionth of a dollar, in any order."""
    costs = costs_of(lines)
    if costs is None:
        assert not lines
        return
    shuffled = list(lines)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert costs_of(shuffled) == costs
    charged = [line for line in lines if line.status != "cached"]
    assert costs.total.calls == len(lines)
    assert costs.total.input_tokens == sum(line.usage.input for line in charged if line.usage)
    assert costs.total.output_tokens == sum(line.usage.output for line in charged if line.usage)
    assert Decimal(str(costs.total.money)) == sum(Decimal(str(line.money or 0)) for line in lines)
    for name in CallSums.__dataclass_fields__:
        for table in (costs.lines, costs.stages):
            parts = sum(Decimal(str(getattr(one.sums, name))) for one in table)
            assert parts == Decimal(str(getattr(costs.total, name))), name


@given(LINES, st.integers(1, 4))
def test_any_parts_of_a_ledger_add_up_to_the_whole(lines: list[CallLine], parts: int) -> None:
    split = [sums_of(lines[start::parts]) for start in range(parts)]
    assert sum(one.input_tokens + one.saved_tokens for one in split) == (
        sums_of(lines).input_tokens + sums_of(lines).saved_tokens
    )
    assert sum((Decimal(str(one.money)) for one in split), Decimal(0)) == spent_on(lines)


@given(LINES)
def test_costs_survive_json(lines: list[CallLine]) -> None:
    costs = costs_of(lines)
    assert costs is None or decode(Costs, encode(costs), where="test") == costs


def test_no_calls_are_no_costs() -> None:
    assert costs_of([]) is None


def test_what_was_charged_what_was_saved_and_what_is_not_known_stand_apart() -> None:
    lines = [
        call(usage=Usage(input=100, output=10, cached=40, reasoning=5)),
        call(status="recovered"),
        call(status="cached", money=0.0),
        call(status="failed", usage=None, money=None),
        call(status="failed", usage=Usage(input=7, output=0), money=0.001),
        call(usage=None, money=None),
        call(usage=Usage(input=3, output=4), estimated=True, money=None),
    ]
    sums = sums_of(lines)
    assert (sums.paid, sums.cached, sums.failed, sums.calls) == (4, 1, 2, 7)
    assert (sums.input_tokens, sums.output_tokens) == (100 + 100 + 7 + 3, 10 + 10 + 0 + 4)
    assert (sums.provider_cached_tokens, sums.reasoning_tokens, sums.saved_tokens) == (40, 5, 110)
    assert (sums.estimated, sums.uncounted, sums.unpriced) == (1, 1, 2)
    assert (sums.money, sums.seconds) == (0.021, 7.0)
    costs = costs_of(lines)
    assert costs is not None
    assert costs.cached_share == 0.2


def test_quantiles_come_from_single_paid_calls() -> None:
    """An average would hide the slow one, and a reply from the cache is no call."""
    lines = [call(seconds=10.0 if number == 9 else 0.1, money=(number + 1) / 100) for number in range(10)]
    costs = costs_of([*lines, call(status="cached", seconds=0.0, money=0.0)])
    assert costs is not None
    (line,) = costs.lines
    assert (line.p50_s, line.p95_s, line.p50_money, line.p95_money) == (0.1, 10.0, 0.05, 0.1)
    failed = costs_of([call(status="failed", usage=None, money=None)])
    assert failed is not None
    assert (failed.lines[0].p50_s, failed.lines[0].p95_money) == (None, None)


def row(lines: Iterable[CallLine], name: str = "bm25") -> RowCost:
    return next(cost for cost in row_costs(list(lines)) if cost.row == name)


def test_a_question_takes_the_sum_of_its_calls_and_a_history_that_of_its_writing() -> None:
    """By hand: q0 takes two calls of 0.01, q1 one of 0.04; the one history 0.5, written once for both."""
    lines = [
        call(stage="recall", role="memory"),
        call(),
        call(question="q1", money=0.04, usage=Usage(input=1, output=2)),
        call(stage="observe", role="memory", question="", arm="", money=0.3),
        call(stage="settle", role="embedder", question="", arm="", money=0.2),
    ]
    cost = row(lines)
    assert (cost.questions, cost.histories) == (2, 1)
    assert cost.question_money is not None
    assert cost.history_money is not None
    assert (cost.question_money.mean, cost.question_money.p50, cost.question_money.p95) == (0.03, 0.02, 0.04)
    assert (cost.history_money.mean, cost.history_money.total) == (0.5, 0.5)
    assert cost.question_tokens is not None
    assert cost.question_tokens.total == 223
    assert cost.whole("money") == pytest.approx((0.06 + 0.5) / 2)


@pytest.mark.parametrize(
    "other",
    [
        {"role": "judge", "stage": "judge"},
        {"replicate": Take(answer=1).replicate_id(0)},
        {"role": "user", "stage": "converse"},
        {"arm": "readback"},
        {"stage": "probe"},
    ],
)
def test_the_measurement_and_the_diagnosis_are_no_costs_of_a_row(other: dict[str, object]) -> None:
    assert row([call(), call(question="q1", money=9.0, **other)]).questions == 1


def test_the_oracle_is_costed_in_its_own_arm() -> None:
    assert row([call(row="oracle", arm="oracle")], "oracle").questions == 1


def test_a_history_that_took_no_writing_counts_with_nothing() -> None:
    lines = [call(trial="t0"), call(trial="t1"), call(trial="t1", stage="observe", question="", arm="", money=1.0)]
    money = row(lines).history_money
    assert money is not None
    assert (money.mean, money.p95) == (0.5, 1.0)


def test_a_reply_from_the_cache_counts_as_what_this_run_paid_for_it() -> None:
    """Two rows with one and the same prompt: whoever comes second has it for nothing, and is no cheaper system."""
    lines = [call(call="x", row="full", money=0.2), call(call="x", status="cached", money=0.0)]
    money = row(lines).question_money
    assert money is not None
    assert money.mean == 0.2


def test_a_reply_that_another_run_paid_for_has_no_money_and_the_task_is_compared_by_tokens() -> None:
    costs = costs_of([call(row="full", call="y", money=0.2), call(call="x", status="cached", money=0.0)])
    assert costs is not None
    cost = next(one for one in costs.rows if one.row == "bm25")
    assert cost.question_money is None
    assert "cache" in cost.why
    assert costs.units == {"facts": "tokens"}


def test_without_prices_and_tokens_there_is_no_unit_and_the_reason_is_said() -> None:
    costs = costs_of([call(row="full", usage=None, money=None), call(usage=None, money=None)])
    assert costs is not None
    assert costs.units == {}
    (found,) = costs.break_even
    assert found.questions is None
    assert "no price" in found.why


def even(asked: Sequence[float], written: float, full: float = 0.1) -> BreakEven:
    lines = [call(row="full", money=full, question=f"q{number}") for number in range(len(asked))]
    lines += [call(money=money, question=f"q{number}") for number, money in enumerate(asked)]
    lines.append(call(stage="observe", role="memory", question="", arm="", money=written))
    costs = costs_of(lines)
    assert costs is not None
    return costs.break_even[0]


def test_a_row_breaks_even_where_what_it_spares_exceeds_what_its_writing_took() -> None:
    """By hand: writing 1.0, a question spares 0.1 - 0.02: after 12.5 questions, so from 13 on."""
    found = even([0.02, 0.02], 1.0)
    assert (found.unit, found.write, found.saved, found.questions) == ("money", 1.0, 0.08, 13)


def test_a_tie_is_not_cheaper() -> None:
    """10 questions spare 1.0 exactly, which is what writing took."""
    assert even([0.0, 0.0], 1.0).questions == 11


def test_a_row_whose_questions_cost_as_much_never_breaks_even() -> None:
    found = even([0.1, 0.1], 1.0)
    assert found.questions is None
    assert "costs no less" in found.why


def test_without_the_row_that_shows_everything_there_is_nothing_to_break_even_with() -> None:
    costs = costs_of([call()])
    assert costs is not None
    assert "no row `full`" in costs.break_even[0].why


def test_calls_are_in_the_summary_and_outside_the_identity(tmp_path: Path) -> None:
    """The same run from a warm cache costs nothing, and is the same run."""
    rows = [RowSpec(label="bm25", says=right), oracle_row()]
    free, paid = build(tmp_path / "a", rows), build(tmp_path / "b", rows)
    ledgers = Ledgers(paid)
    ledgers.write(call(trial=trial_id("bm25", make_history(0))))
    ledgers.write(call(stage="probe", trial="", row="", task=""))
    ledgers.close()
    cheap, dear = summarise(free, BENCHMARK), summarise(paid, BENCHMARK)
    assert cheap.costs is None
    assert dear.costs is not None
    assert dear.costs.total.paid == 2
    assert repeatable(dear) == repeatable(cheap)
    assert identity(paid, dear) == identity(free, cheap)
    assert identity(paid, dear) == identity(paid, replace(dear, costs=None))
