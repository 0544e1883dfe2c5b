"""What each role takes for a history: what a simulated user, a memory's own model or a judge adds to a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal

from recollect.diagnose.costs.durations import quantile
from recollect.diagnose.costs.rows import exact, trial_of, worth_of
from recollect.diagnose.estimates import rounded
from recollect.records.calls import CallLine
from recollect.records.tables.costs import RoleCost, Spread

NO_TOKENS = "a call has no count of tokens"
NO_MONEY = "a call has no price, or its reply came from the cache and another run had paid for it"

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
    money = _spread(groups, lambda line: _money(line, worth))
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


def _money(line: CallLine, worth: Mapping[str, float]) -> Decimal | None:
    money = worth.get(line.call) if line.status == "cached" else line.money
    return None if money is None else exact(money)


def _spread(groups: Iterable[Sequence[CallLine]], value: Value) -> Spread | None:
    """Over histories; `None` where the value of a call is not known."""
    sums: list[Decimal] = []
    for group in groups:
        values = [value(line) for line in group]
        known = [one for one in values if one is not None]
        if len(known) < len(values):
            return None
        sums.append(sum(known, Decimal(0)))
    plain, total = sorted(float(one) for one in sums), sum(sums, Decimal(0))
    return Spread(
        mean=rounded(float(total / len(sums))) or 0.0,
        p50=quantile(plain, 0.5),
        p95=quantile(plain, 0.95),
        total=float(total),
    )
