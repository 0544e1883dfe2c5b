"""What a row takes by question and by history, and from how many questions on its writing pays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import floor
from typing import Literal, NamedTuple

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

Measure = Literal["money", "tokens", "seconds"]


def row_costs(lines: Sequence[CallLine]) -> tuple[RowCost, ...]:
    """Each row on each task, from the calls that it makes itself."""
    worth = worth_of(lines)
    books: dict[tuple[str, str], _Book] = defaultdict(_Book)
    for line in lines:
        if line.row and line.stage in WRITING | ASKING and not _of_the_measurement(line):
            books[line.task, line.row].lines.append(line)
    made = (book.close(task, row, worth) for (task, row), book in sorted(books.items()))
    return tuple(cost for cost in made if cost is not None)


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
    """In and out; `None` where nobody counted them."""
    return None if line.usage is None else line.usage.input + line.usage.output


def exact(value: float) -> Decimal:
    """As it was written down, so that sums come out to the last digit."""
    return Decimal(str(value))


class _Asked(NamedTuple):
    trial: Hashable
    checkpoint: str
    question: str


@dataclass(slots=True)
class _Book:
    """The calls of one row on one task."""

    lines: list[CallLine] = field(default_factory=list)

    def close(self, task: str, row: str, worth: Mapping[str, float]) -> RowCost | None:
        """What they come to; `None` where no question was asked with a model."""
        asked, written = self._by_question(), self._by_trial()
        if not asked:
            return None
        trials: set[Hashable] = {name.trial for name in asked} | set(written)
        histories = [written.get(trial, []) for trial in sorted(trials, key=str)]
        mine = [line for group in (*asked.values(), *written.values()) for line in group]
        told = {measure: _values(mine, measure, worth) for measure in ("money", "tokens", "seconds")}
        why = "; ".join(told[measure].why for measure in ("money", "tokens") if told[measure].why)
        return RowCost(
            task=task,
            row=row,
            questions=len(asked),
            histories=len(histories),
            question_money=_spread(asked.values(), told["money"]),
            question_tokens=_spread(asked.values(), told["tokens"]),
            question_seconds=_spread(asked.values(), told["seconds"]),
            history_money=_spread(histories, told["money"]),
            history_tokens=_spread(histories, told["tokens"]),
            history_seconds=_spread(histories, told["seconds"]),
            why=why,
        )

    def _by_question(self) -> dict[_Asked, list[CallLine]]:
        """Calls in the row's main arm: its own search, or the evidence itself where it has no search."""
        asking = [line for line in self.lines if line.stage in ASKING]
        own = [line for line in asking if line.arm in (Arm.SYSTEM.value, "")]
        grouped: dict[_Asked, list[CallLine]] = defaultdict(list)
        for line in own or [line for line in asking if line.arm == Arm.ORACLE.value]:
            grouped[_Asked(trial_of(line), line.checkpoint, line.question)].append(line)
        return grouped

    def _by_trial(self) -> dict[Hashable, list[CallLine]]:
        grouped: dict[Hashable, list[CallLine]] = defaultdict(list)
        for line in self.lines:
            if line.stage in WRITING:
                grouped[trial_of(line)].append(line)
        return grouped


def _of_the_measurement(line: CallLine) -> bool:
    """Roles that no system plays, and answers that are given again to see how much they vary."""
    return line.role in OF_THE_MEASUREMENT or line.replicate >= MOST


def worth_of(lines: Iterable[CallLine]) -> dict[str, float]:
    """Call -> what it cost when it was paid for; the least where that happened more than once."""
    found: dict[str, float] = {}
    for line in lines:
        if line.status in ("paid", "recovered") and line.money is not None:
            found[line.call] = min(line.money, found.get(line.call, line.money))
    return found


def trial_of(line: CallLine) -> Hashable:
    """One history, gone through once."""
    return line.trial or (line.history, line.replicate)


class _Values(NamedTuple):
    """What each line took of something, or why that is not known."""

    of: Mapping[int, Decimal]
    why: str = ""


def _values(lines: Iterable[CallLine], measure: Measure, worth: Mapping[str, float]) -> _Values:
    found: dict[int, Decimal] = {}
    for line in lines:
        value = _value(line, measure, worth)
        if value is None:
            return _Values({}, _WHY[measure])
        found[id(line)] = value
    return _Values(found)


_WHY: Mapping[Measure, str] = {
    "money": "a call has no price, or its reply came from the cache and another run had paid for it",
    "tokens": "a call has no count of tokens",
    "seconds": "",
}


def _value(line: CallLine, measure: Measure, worth: Mapping[str, float]) -> Decimal | None:
    if measure == "seconds":
        return exact(line.seconds)
    if line.status == "failed" and line.usage is None:
        return Decimal(0)
    if measure == "tokens":
        tokens = tokens_of(line)
        return None if tokens is None else Decimal(tokens)
    money = worth.get(line.call) if line.status == "cached" else line.money
    return None if money is None else exact(money)


def _spread(groups: Iterable[Iterable[CallLine]], values: _Values) -> Spread | None:
    if values.why:
        return None
    sums = sorted(sum((values.of[id(line)] for line in group), Decimal(0)) for group in groups)
    total = sum(sums, Decimal(0))
    plain = [float(value) for value in sums]
    return Spread(
        mean=rounded(float(total / len(sums))) or 0.0,
        p50=quantile(plain, 0.5),
        p95=quantile(plain, 0.95),
        total=float(total),
    )


def _break_even(cost: RowCost, full: RowCost | None, unit: CostUnit | None) -> BreakEven:
    named = BreakEven(task=cost.task, row=cost.row, against=AGAINST)
    if full is None:
        return replace(named, why=f"the run has no row `{AGAINST}` with calls of a model")
    if unit is None:
        return replace(named, why=cost.why or full.why or "the rows of this task have no unit in common")
    write, saved = _beyond(cost, full, unit), _saved(cost, full, unit)
    questions = _first_cheaper(write, saved)
    why = "" if questions is not None else f"a question costs no less than with `{AGAINST}`"
    return replace(named, unit=unit, write=rounded(write), saved=rounded(saved), questions=questions, why=why)


def _beyond(cost: RowCost, full: RowCost, unit: CostUnit) -> float:
    ours, theirs = (one.history_money if unit == "money" else one.history_tokens for one in (cost, full))
    return (ours.mean if ours else 0.0) - (theirs.mean if theirs else 0.0)


def _saved(cost: RowCost, full: RowCost, unit: CostUnit) -> float:
    ours, theirs = (one.question_money if unit == "money" else one.question_tokens for one in (cost, full))
    return (theirs.mean if theirs else 0.0) - (ours.mean if ours else 0.0)


def _first_cheaper(write: float, saved: float) -> int | None:
    """The smallest number of questions for which the row is cheaper and stays so."""
    if saved < 0 or (saved == 0 and write >= 0):
        return None
    return 0 if write < 0 else floor(write / saved) + 1
