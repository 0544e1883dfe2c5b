"""What a run may spend, and by which prices: kept with the run, so that going on needs no flags and lifts no cap."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.errors import DataError, UsageError

if TYPE_CHECKING:
    from recollect.store.run_folder import RunFolder

CAP, PRICES = "max_cost.json", "prices.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """What may be spent, and by which prices."""

    max_cost: float | None = None
    """In the currency of the prices."""
    prices: Path | None = None
    """A file of yours; its prices go before those of the package."""


def kept(folder: RunFolder, said: Purse) -> Purse:
    """What *said* and what the run was told before, where *said* is silent; what is said is kept.

    Raises:
        UsageError: The file of prices is not there.
    """
    return Purse(max_cost=_cap(folder.path / CAP, said.max_cost), prices=_prices(folder.path / PRICES, said.prices))


def _cap(file: Path, said: float | None) -> float | None:
    from recollect.store.files import write_whole

    if said is not None:
        write_whole(file, f"{json.dumps({'max_cost': said})}\n".encode())
        return said
    if not file.exists():
        return None
    try:
        return float(json.loads(file.read_bytes())["max_cost"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"no cap can be read ({error})", file, fix="Say `--max-cost` again.") from None


def _prices(file: Path, said: Path | None) -> Path | None:
    from recollect.models.prices import load_prices
    from recollect.store.files import write_whole

    if said is not None:
        load_prices(said)
        try:
            write_whole(file, said.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"{said}: there is no such file. `--prices` takes a YAML file with prices.") from None
    return file if file.exists() else None
