"""What a row takes by question and by history, and from how many questions on its writing pays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import floor

from recollect.diagnose.costs.durations import quantile
from recollect.diagnose.estimates import rounded
from recollect.domain.repeats import MOST
from recollect.domain.steps import Arm
from recollect.records.calls import CallLine
from recollect.records.tables.costs import BreakEven, CostUnit, RowCost, Spread

WRITING = frozenset({"open", "observe", "settle", "converse", "evolve"})
ASKING = frozenset({"recall", "answer"})
OF_THE_MEASUREMENT = frozenset({"judge", "user", "maker"})
"""Roles whose calls no system makes."""
AGAINST = "full"
"""The row that shows the reader everything."""
NO_TOKENS = "a call has no count of tokens"
NO_MONEY = "a call has no price, or its reply came from the cache and another run had paid for it"

Value = Callable[[CallLine], Decimal | None]


def row_costs(lines: Sequence[CallLine]) -> tuple[RowCost, ...]:
    """Each row on each task, from the calls that it makes itself.

    Roles that no system plays are left out, and answers that are repeated to see how much they vary.
    """
    worth = worth_of(lines)
    by_row: dict[tuple[str, str], list[CallLine]] = defaultdict(list)
    for line in lines:
        of_the_system = line.role not in OF_THE_MEASUREMENT and line.replicate < MOST
        if line.row and line.stage in WRITING | ASKING and of_the_system:
            by_row[line.task, line.row].append(line)
    costs = (_row_cost(task, row, mine, worth) for (task, row), mine in sorted(by_row.items()))
    return tuple(cost for cost in costs if cost is not None)


def units_of(rows: Iterable[RowCost]) -> dict[str, CostUnit]:
    """Task -> the unit in which all of its rows are known: money if it can be had, else tokens."""
    by_task: dict[str, list[RowCost]] = defaultdict(list)
    for cost in rows:
        by_task[cost.task].append(cost)
    found: dict[str, CostUnit] = {}
    for task, mine in by_task.items():
        for unit in ("tokens", "money"):
            if all(cost.whole(unit) is not None for cost in mine):
                found[task] = unit
    return found


def break_evens(rows: Sequence[RowCost], units: Mapping[str, CostUnit]) -> tuple[BreakEven, ...]:
    """Each row against the one that shows everything."""
    full = {cost.task: cost for cost in rows if cost.row == AGAINST}
    return tuple(_break_even(cost, full.get(cost.task), units.get(cost.task)) for cost in rows if cost.row != AGAINST)


def tokens_of(line: CallLine) -> int | None:
    """In and out; `None` where they were not counted."""
    return None if line.usage is None else line.usage.input + line.usage.output


def exact(value: float) -> Decimal:
    """The decimal number that was written, so that sums are exact."""
    return Decimal(str(value))


def worth_of(lines: Iterable[CallLine]) -> dict[str, float]:
    """Call -> what it cost when it was paid for; the least where that happened more than once."""
    found: dict[str, float] = {}
    for line in lines:
        if line.status in ("paid", "recovered") and line.money is not None:
            found[line.call] = min(line.money, found.get(line.call, line.money))
    return found


def money_of(line: CallLine, worth: Mapping[str, float]) -> Decimal | None:
    """What a call cost; for a reply from the cache, what it cost when it was paid for."""
    money = worth.get(line.call) if line.status == "cached" else line.money
    return None if money is None else exact(money)


def trial_of(line: CallLine) -> Hashable:
    """One history, processed once."""
    return line.trial or (line.history, line.replicate)


def spread_of(groups: Iterable[Iterable[CallLine]], value: Value) -> Spread | None:
    """Exact sums of at least one group of calls; `None` where the value of a call is unknown."""
    sums: list[Decimal] = []
    for group in groups:
        values = [value(line) for line in group]
        known = [one for one in values if one is not None]
        if len(known) < len(values):
            return None
        sums.append(sum(known, Decimal(0)))
    total, ordered = sum(sums, Decimal(0)), sorted(map(float, sums))
    return Spread(
        mean=rounded(float(total / len(sums))) or 0.0,
        p50=quantile(ordered, 0.5),
        p95=quantile(ordered, 0.95),
        total=float(total),
    )


def _row_cost(task: str, row: str, lines: Sequence[CallLine], worth: Mapping[str, float]) -> RowCost | None:

    def tokens(line: CallLine) -> Decimal | None:
        count = 0 if _is_free(line) else tokens_of(line)
        return None if count is None else Decimal(count)

    def money(line: CallLine) -> Decimal | None:
        return Decimal(0) if _is_free(line) else money_of(line, worth)

    questions, histories = _questions_and_histories(lines)
    if not questions:
        return None
    spreads: dict[str, tuple[Spread | None, Spread | None]] = {}
    measures: Mapping[str, Value] = {"money": money, "tokens": tokens, "seconds": lambda line: exact(line.seconds)}
    for name, value in measures.items():
        pair = spread_of(questions, value), spread_of(histories, value)
        spreads[name] = (None, None) if None in pair else pair
    reasons = (("money", NO_MONEY), ("tokens", NO_TOKENS))
    return RowCost(
        task=task,
        row=row,
        questions=len(questions),
        histories=len(histories),
        question_money=spreads["money"][0],
        question_tokens=spreads["tokens"][0],
        question_seconds=spreads["seconds"][0],
        history_money=spreads["money"][1],
        history_tokens=spreads["tokens"][1],
        history_seconds=spreads["seconds"][1],
        why="; ".join(why for name, why in reasons if spreads[name][0] is None),
    )


def _is_free(line: CallLine) -> bool:
    return line.status == "failed" and line.usage is None


def _questions_and_histories(
    lines: Sequence[CallLine],
) -> tuple[Collection[Sequence[CallLine]], Sequence[Sequence[CallLine]]]:
    """The calls of each question, and those that write each history.

    Questions count in the row's main arm: its own search, or the evidence itself where it has no search.
    """
    asking = [line for line in lines if line.stage in ASKING]
    own = [line for line in asking if line.arm in (Arm.SYSTEM.value, "")]
    asked: dict[tuple[Hashable, str, str], list[CallLine]] = defaultdict(list)
    written: dict[Hashable, list[CallLine]] = {}
    for line in own or [line for line in asking if line.arm == Arm.ORACLE.value]:
        asked[trial_of(line), line.checkpoint, line.question].append(line)
        written[trial_of(line)] = []
    for line in lines:
        if line.stage in WRITING:
            written.setdefault(trial_of(line), []).append(line)
    return asked.values(), [written[trial] for trial in sorted(written, key=str)]


def _break_even(cost: RowCost, full: RowCost | None, unit: CostUnit | None) -> BreakEven:
    named = BreakEven(task=cost.task, row=cost.row, against=AGAINST)
    if full is None:
        return replace(named, why=f"the run has no row `{AGAINST}` with calls of a model")
    if unit is None:
        return replace(named, why=cost.why or full.why or "the rows of this task have no unit in common")
    (history, question), (full_history, full_question) = _means(cost, unit), _means(full, unit)
    write, saved = history - full_history, full_question - question
    questions: int | None = None
    why = f"a question costs no less than with `{AGAINST}`"
    if saved > 0 or (saved == 0 and write < 0):  # the row is cheaper from this many questions on
        questions, why = 0 if write < 0 else floor(write / saved) + 1, ""
    return replace(named, unit=unit, write=rounded(write), saved=rounded(saved), questions=questions, why=why)


def _means(cost: RowCost, unit: CostUnit) -> tuple[float, float]:
    spreads = cost.history_money, cost.question_money
    if unit == "tokens":
        spreads = cost.history_tokens, cost.question_tokens
    history, question = (spread.mean if spread else 0.0 for spread in spreads)
    return history, question
