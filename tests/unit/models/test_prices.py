"""Money comes from dated prices, and never from nothing."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.models import Usage
from recollect.domain.errors import ConfigError, UsageError
from recollect.models.prices import Price, Prices, load_prices, parse, shipped

TEN = Usage(input=1_000_000, output=100_000, cached=400_000)


def price(model: str, **facts: object) -> Price:
    told = {"input": Decimal(2), "output": Decimal(8), "date": "2026-11-20", **facts}
    return Price(model=model, **told)  # type: ignore[arg-type]


def test_every_shipped_price_says_where_and_when_it_was_read() -> None:
    """A price without a source cannot be checked by anybody."""
    for one in shipped():
        assert one.source.startswith("https://"), one.model
        assert date.fromisoformat(one.date).year >= 2025, one.model


def test_output_of_chat_models_costs_more_than_input_and_cached_input_less() -> None:
    """A slip of a column would break it somewhere."""
    for one in shipped():
        assert one.cached is None or one.cached < one.input, one.model
        assert one.output == 0 or one.output >= one.input, one.model
        assert one.long_prompt is None or one.long_prompt.input > one.input, one.model


def test_money_is_input_cached_input_and_output_at_their_rates() -> None:
    """By hand: 0.6 M at 2, 0.4 M at 0.5, 0.1 M at 8 dollars a million."""
    assert Prices([price("m", cached=Decimal("0.5"))]).money("m", TEN) == 1.2 + 0.2 + 0.8


def test_cached_input_without_a_rate_of_its_own_costs_what_other_input_costs() -> None:
    assert Prices([price("m")]).money("m", TEN) == 2 + 0.8


def test_a_long_prompt_makes_the_whole_call_dearer() -> None:
    """GPT-6 Luna: 0.10 a million up to 272 000 tokens, twice as much for all of them beyond."""
    prices = load_prices()
    assert prices.money("gpt-6-luna", Usage(input=272_000, output=0)) == 0.0272
    assert prices.money("gpt-6-luna", Usage(input=272_001, output=0)) == 0.0544002


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("gpt-4.1-mini", "gpt-4.1-mini"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("openai/gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("GPT-4.1-Mini", "gpt-4.1-mini"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("mistral-medium-latest", "mistral-medium-latest"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4.1-mini-fast", None),
        ("gpt-4.1-minimal", None),
        ("my-own-model", None),
    ],
)
def test_a_price_covers_the_dated_versions_of_its_model_and_nothing_else(asked: str, found: str | None) -> None:
    """`gpt-4o-mini` must never be priced as `gpt-4o`; a version with a price of its own keeps it."""
    price = load_prices().find(asked)
    assert (price.model if price else None) == found


def test_an_unknown_model_has_no_money_and_not_none_of_it() -> None:
    assert load_prices().money("my-own-model", TEN) is None


def test_a_pattern_covers_a_family_and_the_longest_one_decides() -> None:
    prices = Prices([price("lab/*"), price("lab/big-*", input=Decimal(9))])
    found = prices.find("lab/big-1")
    assert found is not None
    assert found.input == 9
    assert prices.find("lab/small") is not None
    assert prices.find("other/small") is None


def test_the_users_file_goes_before_ours(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("prices: [{model: gpt-4.1, input: 1, output: 3, date: 2026-11-01, source: contract}]\n")
    prices = load_prices(file)
    found = prices.find("gpt-4.1-2025-04-14")
    assert found is not None
    assert (float(found.input), found.date, found.source) == (1.0, "2026-11-01", "contract")
    assert prices.find("gpt-4.1-mini") is not None


def test_all_problems_of_a_file_are_told_at_once() -> None:
    text = """
currency: EUR
extra: 1
prices:
- {model: a, input: -1, output: 2, date: 2026-11-20}
- {model: b, input: 1, date: last week}
- {model: c, imput: 1, date: 2026-11-20}
- {model: d, input: 1, date: 2026-11-20}
- {model: D, input: 2, date: 2026-11-20}
- nonsense
"""
    with pytest.raises(ConfigError) as caught:
        parse(text, "mine.yaml")
    said = str(caught.value)
    assert said.startswith("mine.yaml: ")
    for part in ("EUR", "`extra`", "-1", "last week", "imput", "`d` stands 2 times", "price 6"):
        assert part in said


@pytest.mark.parametrize(
    "text", ["", "prices: 3", "- a", "prices: [", "prices: [{model: a, input: .nan, date: 2026-11-20}]"]
)
def test_what_is_no_price_list_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text, "mine.yaml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.yaml"):
        load_prices(tmp_path / "nowhere.yaml")


@given(st.integers(0, 10**7), st.integers(0, 10**6), st.integers(0, 10**7))
def test_money_is_exact_to_a_billionth(tokens: int, output: int, cached: int) -> None:
    """Against whole numbers: gpt-4.1-nano costs 100, 25 and 400 thousand-millionths of a dollar a token."""
    cached = min(cached, tokens)
    money = load_prices().money("gpt-4.1-nano", Usage(input=tokens, output=output, cached=cached))
    assert money == round(((tokens - cached) * 100 + cached * 25 + output * 400) / 1e9, 9)
