"""What models took, from the ledger's single lines: nothing is averaged before it is added up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from recollect.diagnose.costs.durations import quantile
from recollect.diagnose.costs.rows import (
    NO_MONEY,
    NO_TOKENS,
    break_evens,
    exact,
    money_of,
    row_costs,
    spread_of,
    tokens_of,
    trial_of,
    units_of,
    worth_of,
)
from recollect.diagnose.estimates import rounded
from recollect.records.calls import CallLine
from recollect.records.tables.costs import CallSums, CostLine, Costs, RoleCost, Spread


def costs_of(lines: Iterable[CallLine]) -> Costs | None:
    """All tables of a ledger; `None` where no model was called."""
    listed = list(lines)
    if not listed:
        return None
    rows = row_costs(listed)
    units = units_of(rows)
    total = sums_of(listed)
    answered = total.paid + total.cached
    return Costs(
        total=total,
        cached_share=rounded(total.cached / answered) if answered else None,
        lines=_cost_lines((_Name(line.task, line.row, line.stage, line.role), line) for line in listed),
        stages=_cost_lines((_Name("", line.row, line.stage, ""), line) for line in listed),
        rows=rows,
        roles=role_costs(listed),
        break_even=break_evens(rows, units),
        units=units,
        models=dict(sorted(Counter(line.model for line in listed).items())),
        priced=tuple(sorted({line.priced for line in listed if line.priced})),
    )


def spent_on(lines: Iterable[CallLine]) -> Decimal:
    """The money that a ledger knows to be spent: what a budget begins with when a run goes on."""
    return sum((exact(line.money) for line in lines if line.money is not None), Decimal(0))


def sums_of(lines: Iterable[CallLine]) -> CallSums:
    """*lines* added up; their order does not matter."""
    listed = list(lines)
    cached = [line for line in listed if line.status == "cached"]
    paid = [line for line in listed if line.status in ("paid", "recovered")]
    charged = [line.usage for line in listed if line.status != "cached" and line.usage is not None]
    return CallSums(
        paid=len(paid),
        cached=len(cached),
        failed=len(listed) - len(paid) - len(cached),
        input_tokens=sum(usage.input for usage in charged),
        output_tokens=sum(usage.output for usage in charged),
        provider_cached_tokens=sum(usage.cached for usage in charged),
        reasoning_tokens=sum(usage.reasoning for usage in charged),
        saved_tokens=sum(tokens_of(line) or 0 for line in cached),
        estimated=sum(line.estimated for line in listed),
        uncounted=sum(line.usage is None for line in (*paid, *cached)),
        money=float(spent_on(listed)),
        unpriced=sum(line.money is None for line in paid),
        seconds=float(sum((exact(line.seconds) for line in listed), Decimal(0))),
        waited=float(sum((exact(line.waited) for line in listed), Decimal(0))),
    )


class _Name(NamedTuple):
    task: str
    row: str
    stage: str
    role: str


def _cost_lines(named: Iterable[tuple[_Name, CallLine]]) -> tuple[CostLine, ...]:
    grouped: dict[_Name, list[CallLine]] = defaultdict(list)
    for name, line in named:
        grouped[name].append(line)
    return tuple(_cost_line(name, mine) for name, mine in sorted(grouped.items()))


def _cost_line(name: _Name, lines: Sequence[CallLine]) -> CostLine:
    paid = [line for line in lines if line.status in ("paid", "recovered")]
    seconds = sorted(line.seconds for line in paid)
    money = sorted(line.money for line in paid if line.money is not None)
    return CostLine(
        **name._asdict(),
        sums=sums_of(lines),
        p50_s=quantile(seconds, 0.5) if seconds else None,
        p95_s=quantile(seconds, 0.95) if seconds else None,
        p50_money=quantile(money, 0.5) if money else None,
        p95_money=quantile(money, 0.95) if money else None,
    )


Value = Callable[[CallLine], Decimal | None]


def role_costs(lines: Sequence[CallLine]) -> tuple[RoleCost, ...]:
    """Each role of each row on each task; calls that are about no history are left out."""
    worth = worth_of(lines)
    books: dict[tuple[str, str, str], list[CallLine]] = defaultdict(list)
    trials: dict[tuple[str, str], set[Hashable]] = defaultdict(set)
    for line in lines:
        if line.row and line.history and line.status != "failed":
            books[line.task, line.row, line.role].append(line)
            trials[line.task, line.row].add(trial_of(line))
    return tuple(
        _role_cost(name, mine, sorted(trials[name[:2]], key=str), worth) for name, mine in sorted(books.items())
    )


def _role_cost(
    name: tuple[str, str, str], lines: Sequence[CallLine], trials: Sequence[Hashable], worth: Mapping[str, float]
) -> RoleCost:
    """Over all histories of the row: one in which the role said nothing took nothing of it."""
    by_trial: dict[Hashable, list[CallLine]] = {trial: [] for trial in trials}
    for line in lines:
        by_trial[trial_of(line)].append(line)
    groups = list(by_trial.values())
    tokens_in, tokens_out = _spread(groups, _tokens_in), _spread(groups, _tokens_out)
    money = _spread(groups, lambda line: money_of(line, worth))
    missing = ((tokens_in, NO_TOKENS), (money, NO_MONEY))
    return RoleCost(
        task=name[0],
        row=name[1],
        role=name[2],
        histories=len(groups),
        calls=len(lines),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        money=money,
        why="; ".join(why for spread, why in missing if spread is None),
    )


def _tokens_in(line: CallLine) -> Decimal | None:
    return None if line.usage is None else Decimal(line.usage.input)


def _tokens_out(line: CallLine) -> Decimal | None:
    return None if line.usage is None else Decimal(line.usage.output)


def _spread(groups: Iterable[Sequence[CallLine]], value: Value) -> Spread | None:
    """Over histories; `None` where the value of a call is not known."""
    sums: list[Decimal] = []
    for group in groups:
        values = [value(line) for line in group]
        known = [one for one in values if one is not None]
        if len(known) < len(values):
            return None
        sums.append(sum(known, Decimal(0)))
    return spread_of(sums)
