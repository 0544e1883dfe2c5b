"""What a run would call and cost, for `--dry-run`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recollect import registry
from recollect.cli.output import print_table
from recollect.records.codec import read

if TYPE_CHECKING:
    from recollect.cli.assemble import Run
    from recollect.engine.estimate.run import Amount, Judging, RunEstimate
    from recollect.engine.plan import Trial

UNKNOWN = "?"
_COLUMNS = ("calls", "tokens in", "tokens out", "$")


def forecast_of(run: Run, trials: list[Trial], prices: Path | None = None) -> RunEstimate:
    """What *trials* will take, at the prices of the package and those of a file.

    Raises:
        ConfigError: The file of prices has problems, or a prompt asks for a value that a question does not have.
    """
    from recollect.engine.estimate.run import Assumed, estimate_run
    from recollect.models.prices import load_prices

    assumed = Assumed(
        conditions=run.conditions,
        window_tokens=run.cast.reader.window_tokens,
        prices=load_prices(prices),
        models=run.players.settings,
        judging=_judging(run),
        kept=dict(_kept(run)),
    )
    return estimate_run(trials, assumed)


def say_forecast(estimate_run: RunEstimate) -> None:
    """A line for each role, and what all of it costs."""
    rows = [
        [role.role, role.model, *_cells(role.expected), *_cells(role.most)]
        for role in sorted(estimate_run.roles, key=lambda role: role.role)
    ]
    columns = ["role", "played by", *_COLUMNS, *(f"{name} at most" for name in _COLUMNS)]
    print_table("what it would take", columns, rows)
    for role in estimate_run.roles:
        if role.why:
            print(f"{role.role}: {role.why}")
    print(f"cost: {_cost(estimate_run, 'expected')} expected, {_cost(estimate_run, 'most')} at most")


def _cost(estimate_run: RunEstimate, which: Literal["expected", "most"]) -> str:
    """The sum of what can be told, and the roles that cannot."""
    amounts = {role.role: role.expected if which == "expected" else role.most for role in estimate_run.roles}
    known = [amount.money for amount in amounts.values() if amount is not None and amount.money is not None]
    missing = [role for role, amount in amounts.items() if amount is None or amount.money is None]
    if not missing:
        return _dollars(sum(known))
    beside = f"what {', '.join(missing)} will take"
    return f"{_dollars(sum(known))} and {beside}" if known and sum(known) else f"not known: {beside}"


def _judging(run: Run) -> Judging:
    from recollect.engine.estimate.run import Judging

    said = {} if isinstance(run.config.judge, str) else run.config.judge.settings
    return Judging(**{name: int(said[name]) for name in ("votes", "retries") if name in said})


def _kept(run: Run) -> Iterator[tuple[str, int]]:
    """Memories of a fixed size say it in their setting `tokens`."""
    for row in run.rows:
        name = str(row.fingerprint["name"])
        if row.kind == "memory" and row.traits.limit == "fixed" and name in registry.MEMORIES:
            settings, _ = read(registry.memory(name).config, dict(row.fingerprint["config"]))
            if isinstance(tokens := getattr(settings, "tokens", None), int):
                yield row.label, tokens


def _cells(amount: Amount | None) -> list[str]:
    if amount is None:
        return [UNKNOWN] * len(_COLUMNS)
    told = (amount.calls, amount.input, amount.output)
    return [*(UNKNOWN if number is None else f"{number:,}" for number in told), _dollars(amount.money)[1:] or UNKNOWN]


def _dollars(money: float | None) -> str:
    return UNKNOWN if money is None else f"${money:,.4f}" if 0 < money < 1 else f"${money:,.2f}"
