"""What models took, from the ledger's single lines: nothing is averaged before it is added up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal

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
from recollect.records.tables.costs import CallSums, CostLine, Costs, RoleCost


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
        lines=_cost_lines(listed, ("task", "row", "stage", "role")),
        stages=_cost_lines(listed, ("row", "stage")),
        rows=rows,
        roles=role_costs(listed),
        break_even=break_evens(rows, units),
        units=units,
        models=dict(sorted(Counter(line.model for line in listed).items())),
        priced=tuple(sorted({line.priced for line in listed if line.priced})),
    )


def spent_on(lines: Iterable[CallLine]) -> Decimal:
    """The money that a ledger knows to be spent: what a budget begins with when a run is resumed."""
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


def _cost_lines(lines: Iterable[CallLine], names: Sequence[str]) -> tuple[CostLine, ...]:
    """One for each combination of the fields *names* of a call."""
    grouped: dict[tuple[str, ...], list[CallLine]] = defaultdict(list)
    for line in lines:
        grouped[tuple(getattr(line, name) for name in names)].append(line)
    made = []
    for key, mine in sorted(grouped.items()):
        paid = [line for line in mine if line.status in ("paid", "recovered")]
        seconds = sorted(line.seconds for line in paid)
        money = sorted(line.money for line in paid if line.money is not None)
        cost = CostLine(
            **{"task": "", "role": "", **dict(zip(names, key, strict=True))},
            sums=sums_of(mine),
            p50_s=quantile(seconds, 0.5) if seconds else None,
            p95_s=quantile(seconds, 0.95) if seconds else None,
            p50_money=quantile(money, 0.5) if money else None,
            p95_money=quantile(money, 0.95) if money else None,
        )
        made.append(cost)
    return tuple(made)


def role_costs(lines: Sequence[CallLine]) -> tuple[RoleCost, ...]:
    """Each role of each row on each task, over all histories of the row; calls about no history are left out."""
    worth = worth_of(lines)
    roles: dict[tuple[str, str, str], list[CallLine]] = defaultdict(list)
    trials: dict[tuple[str, str], set[Hashable]] = defaultdict(set)
    for line in lines:
        if line.row and line.history and line.status != "failed":
            roles[line.task, line.row, line.role].append(line)
            trials[line.task, line.row].add(trial_of(line))
    return tuple(_role_cost(name, mine, trials[name[:2]], worth) for name, mine in sorted(roles.items()))


def _role_cost(
    name: tuple[str, str, str], lines: Sequence[CallLine], trials: Iterable[Hashable], worth: Mapping[str, float]
) -> RoleCost:
    by_trial: dict[Hashable, list[CallLine]] = {trial: [] for trial in sorted(trials, key=str)}
    for line in lines:
        by_trial[trial_of(line)].append(line)
    groups = by_trial.values()
    tokens_in = spread_of(groups, lambda line: None if line.usage is None else Decimal(line.usage.input))
    tokens_out = spread_of(groups, lambda line: None if line.usage is None else Decimal(line.usage.output))
    money = spread_of(groups, lambda line: money_of(line, worth))
    return RoleCost(
        task=name[0],
        row=name[1],
        role=name[2],
        histories=len(groups),
        calls=len(lines),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        money=money,
        why="; ".join(why for spread, why in ((tokens_in, NO_TOKENS), (money, NO_MONEY)) if spread is None),
    )
