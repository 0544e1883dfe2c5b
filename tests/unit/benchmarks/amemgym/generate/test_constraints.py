"""A user that was tampered with is caught, and the breach says where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.benchmarks.amemgym.items import Item, Update

from tests.unit.benchmarks.amemgym.generate.constraints import breaches

SETTINGS = SIZES.settings("small")


def _in_period(item: Item, number: int, **changed: Any) -> Item:
    periods = list(item.periods)
    periods[number] = replace(periods[number], **changed)
    return replace(item, periods=tuple(periods))


def _talk(item: Item, number: int, **changed: Any) -> Item:
    sessions = item.periods[number].sessions
    return _in_period(item, number, sessions=(replace(sessions[0], **changed), *sessions[1:]))


def _question(item: Item, **changed: Any) -> Item:
    return replace(item, qas=(replace(item.qas[0], **changed), *item.qas[1:]))


def _one_text(item: Item) -> Item:
    choices = item.qas[0].answer_choices
    return _question(item, answer_choices=(choices[0], replace(choices[1], answer=choices[0].answer), *choices[2:]))


def _never_changing(item: Item) -> Item:
    return replace(item, periods=tuple(replace(period, state=item.periods[0].state) for period in item.periods))


def _ordinal(name: str) -> bool:
    variables = (one for domain in read_catalogue() for one in domain.variables)
    return any(one.name == name and one.kind == "ordinal" for one in variables)


def _long_step(item: Item) -> Item:
    name, values = next((n, v) for n, v in item.state_schema.items() if _ordinal(n))
    return _in_period(item, 1, updates={name: Update(old=values[0], new=values[2])})


def _names_the_value(item: Item) -> Item:
    talk = item.periods[1].sessions[0]
    value = next(iter(talk.exposed_states.values()))
    return _talk(item, 1, query=f"{talk.query} Yes, {value.replace('_', ' ')}!")


MUTANTS = [
    pytest.param(lambda i: _in_period(i, -1, update_cnts={"a": 4}), "a changes 4 times, more than 3", id="too-often"),
    pytest.param(lambda i: _in_period(i, 1, updates={}), "period 1: 0 changes, not 4", id="too-few-changes"),
    pytest.param(_long_step, "goes 2 steps at once", id="long-step"),
    pytest.param(lambda i: _talk(i, 0, session_time="2020-10-01 08:00:00"), "not in the evening", id="morning"),
    pytest.param(lambda i: _talk(i, 1, query="How are you?"), "tells {}, not", id="exposure-lost"),
    pytest.param(lambda i: _talk(i, 1, exposed_states={}), "tells 0 variables, not 1 to 2", id="nothing-told"),
    pytest.param(
        lambda i: _talk(i, 1, query=f"{i.periods[1].sessions[0].query} {i.periods[0].sessions[0].query}"),
        "session 0 tells",
        id="tells-too-much",
    ),
    pytest.param(_names_the_value, "of the value", id="value-named"),
    pytest.param(lambda i: _question(i, answer_choices=i.qas[0].answer_choices[:3]), "3 choices", id="few-choices"),
    pytest.param(_one_text, "two choices have the same text", id="one-text"),
    pytest.param(_one_text, "the answer fits", id="wrong-answer"),
    pytest.param(_never_changing, "the right answer never changes", id="never-changing"),
]


@pytest.mark.parametrize(("mutate", "breach"), MUTANTS)
def test_a_mutant_is_caught(mutate: Callable[[Item], Item], breach: str, small: tuple[Item, ...]) -> None:
    """What was right before one change is reported after it."""
    assert breaches(small[0], SETTINGS) == []
    found = breaches(mutate(small[0]), SETTINGS)
    assert any(breach in one for one in found), found
