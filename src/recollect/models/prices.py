"""List prices of hosted models, each with the day on which it was read and where; a user's file takes precedence.

A price goes by the model's name, whoever serves it. A dated version of a model has the price of the model unless it
has one of its own; a name from another provider, such as `openai/gpt-4.1`, is the same model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date  # noqa: N812 - `date` is a field
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path

from recollect.contracts.models import Usage
from recollect.domain.errors import ConfigError, UsageError
from recollect.records.codec import read

DIGITS = 9
"""Decimal digits of an amount that leaves this module."""
MILLION = Decimal(1_000_000)
_DATED = re.compile(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest)$")
"""Suffixes of a version of the same model: days, months, build numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """US dollars for a million tokens."""

    input: Decimal
    output: Decimal = Decimal(0)
    cached: Decimal | None = None
    """Input read from the provider's cache; `None`: as other input."""

    def __post_init__(self) -> None:
        rates = {"input": self.input, "output": self.output, "cached": self.cached}
        bad = [
            f"`{name}` is {rate}, not 0 or more"
            for name, rate in rates.items()
            if rate is not None and not (rate.is_finite() and rate >= 0)
        ]
        if bad:
            raise ValueError("; ".join(bad))

    def of(self, usage: Usage) -> Decimal:
        """What *usage* costs."""
        cached = min(usage.cached, usage.input)
        cached_rate = self.input if self.cached is None else self.cached
        return ((usage.input - cached) * self.input + cached * cached_rate + usage.output * self.output) / MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPrompt(Rates):
    """Rates of a whole call whose prompt is longer than `above`."""

    above: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Price(Rates):
    """What a model costs."""

    model: str
    """Its name; `*` stands for any characters."""
    date: str
    source: str = ""
    note: str = ""
    long_prompt: LongPrompt | None = None

    def __post_init__(self) -> None:
        Rates.__post_init__(self)
        try:
            Date.fromisoformat(self.date)
        except ValueError:
            raise ValueError(f"`date` of `{self.model}` is {self.date!r}, not a day such as 2026-11-20") from None

    def money(self, usage: Usage) -> Decimal:
        """What a call costs, exactly."""
        long = self.long_prompt
        return long.of(usage) if long is not None and usage.input > long.above else self.of(usage)


class Prices:
    """Prices by model; the first list that knows a model decides."""

    def __init__(self, *lists: Sequence[Price]) -> None:
        self._lists = lists
        self._found: dict[str, Price | None] = {}

    def find(self, model: str) -> Price | None:
        """The price of *model*: by its name, then by the name without its date, then by the longest pattern."""
        if model not in self._found:
            self._found[model] = next((price for each in self._lists if (price := _find(each, model))), None)
        return self._found[model]

    def money(self, model: str, usage: Usage) -> float | None:
        """What a call costs, rounded to a billionth; `None` where no price is known."""
        price = self.find(model)
        return None if price is None else as_float(price.money(usage))


def as_float(money: Decimal) -> float:
    """*money*, rounded."""
    return float(round(money, DIGITS))


def load_prices(file: Path | None = None) -> Prices:
    """The package's prices, behind those of *file*.

    Raises:
        ConfigError: The file has problems; all of them are listed.
        UsageError: There is no such file.
    """
    if file is None:
        return Prices(shipped())
    try:
        return Prices(parse(file.read_text(encoding="utf-8"), str(file)), shipped())
    except FileNotFoundError:
        raise UsageError(f"{file}: there is no such file. `--prices` takes a YAML file with prices.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(str(file), [f"cannot be read ({error})"]) from None


@cache
def shipped() -> tuple[Price, ...]:
    """The prices of the package."""
    file = files("recollect.models") / "prices.yaml"
    return parse(file.read_text(encoding="utf-8"), "prices.yaml")


def parse(text: str, where: str) -> tuple[Price, ...]:
    """The prices that a YAML text lists under `prices`.

    Raises:
        ConfigError: With all problems at once.
    """
    import yaml

    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(where, [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict) or not isinstance(data.get("prices"), list):
        raise ConfigError(where, ["has no list `prices`; docs/costs.md shows one"])
    prices: list[Price] = []
    problems = [f"unknown key `{key}`" for key in data if key not in {"prices", "currency"}]
    if data.get("currency", "USD") != "USD":
        problems.append(f"`currency` is {data['currency']!r}; prices are in USD")
    for number, entry in enumerate(data["prices"], start=1):
        name, fields = repr(entry)[:40], entry
        if isinstance(entry, Mapping):
            name = str(entry.get("model", "without a model"))
            # YAML reads an unquoted 2026-11-20 as a date
            fields = {key: value.isoformat() if type(value) is Date else value for key, value in entry.items()}
        price, wrong = read(Price, fields)
        problems.extend(f"price {number} ({name}): {problem}" for problem in wrong)
        if not wrong:
            prices.append(price)
    times = Counter(price.model.casefold() for price in prices)
    problems.extend(f"`{name}` stands {count} times" for name, count in sorted(times.items()) if count > 1)
    if problems:
        raise ConfigError(where, problems)
    return tuple(prices)


def _find(prices: Sequence[Price], model: str) -> Price | None:
    by_name = {price.model.casefold(): price for price in prices}
    for name in _names(model):
        if name in by_name:
            return by_name[name]
    patterns = (price for price in prices if "*" in price.model)
    matching = [price for price in patterns if any(fnmatchcase(name, price.model.casefold()) for name in _names(model))]
    return max(matching, key=lambda price: len(price.model), default=None)


def _names(model: str) -> Iterator[str]:
    """The name itself, without its provider, and both without their date."""
    name = model.casefold()
    plain = name.rpartition("/")[2]
    for candidate in dict.fromkeys((name, plain)):
        yield candidate
        dated = _DATED.search(candidate)
        if dated is not None:
            yield candidate[: dated.start()]
