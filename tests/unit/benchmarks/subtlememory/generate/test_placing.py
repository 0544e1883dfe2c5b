"""Where steps and what is told stand in a session: nothing is forgotten, nothing given away."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.subtlememory.generate.catalogue.texts import STEPS, Step, kinds, topics
from recollect.benchmarks.subtlememory.generate.plans import Telling
from recollect.benchmarks.subtlememory.generate.sessions.writer import EXCHANGES, Told, arranged, unplaced

from tests.unit.benchmarks.subtlememory.generate.spoken import CLUES, apart

THREAD = tuple(Step(user=f"Step {number}. {{aside}}", aside="Oh.", assistant="So.") for number in range(STEPS))
NUMBERS = st.frozensets(st.integers(0, STEPS - 1), max_size=3).map(lambda some: tuple(sorted(some)))
TOLD = "told"


def _bound(precedes: tuple[int, ...] = (), follows: tuple[int, ...] = ()) -> Telling:
    return replace(apart(*CLUES)[0], precedes=precedes, follows=follows)


def _order(exchanges: int, seed: int, *tellings: Telling) -> list[int | str]:
    """Numbers of steps, and what is told between them."""
    order = arranged(tellings, THREAD, exchanges, Random(seed))
    return [TOLD if isinstance(one, Told) else THREAD.index(one) for one in order]


def _sides(order: list[int | str]) -> tuple[set[int | str], set[int | str]]:
    at = order.index(TOLD)
    return set(order[:at]), set(order[at + 1 :])


@given(NUMBERS, NUMBERS, st.sampled_from(EXCHANGES), st.integers(0, 99))
def test_a_step_that_must_come_before_or_after_does(
    precedes: tuple[int, ...], follows: tuple[int, ...], exchanges: int, seed: int
) -> None:
    """Whatever the rule lets through is placed without a clash, in sessions of every length."""
    telling = _bound(precedes, follows)
    if list(unplaced(telling)):
        return
    before, after = _sides(_order(exchanges, seed, telling))
    assert not before & set(precedes)
    assert not after & set(follows)


def test_a_step_on_neither_side_is_left_out() -> None:
    """In the longest session, which leaves out one of five, it is always this one."""
    for seed in range(20):
        assert 2 not in _order(5, seed, _bound((2,), (2,)))


def test_what_is_not_bound_stands_anywhere_between_two_steps() -> None:
    """First and last is a step; between them all orders come up."""
    seen = {tuple(_order(4, seed, _bound())) for seed in range(400)}
    assert {order.index(TOLD) for order in seen} == {1, 2}
    assert {tuple(one for one in order if one != TOLD) for order in seen} == {
        (first, second, third) for first in range(5) for second in range(first + 1, 5) for third in range(second + 1, 5)
    }


def test_of_two_exchanges_each_stands_on_its_side() -> None:
    """One behind the first three steps, one ahead of the last three; so the order they are given in is changed."""
    late, early = apart(*CLUES[:2])
    both = replace(late, follows=(0, 1, 2)), replace(early, precedes=(2, 3, 4))
    for seed in range(40):
        order = arranged(both, THREAD, 5, Random(seed))
        said = [one.text if isinstance(one, Told) else THREAD.index(one) for one in order]
        first, second = said.index(early.text), said.index(late.text)
        assert set(said[:first]) <= {0, 1}
        assert set(said[second + 1 :]) <= {3, 4}
        assert second - first == 2


def test_where_no_order_is_without_a_clash_there_is_one_all_the_same() -> None:
    """Behind the last three and ahead of the first three, as no catalogue has it: one clash in four exchanges."""
    telling = _bound((0, 1, 2), (2, 3, 4))
    assert list(unplaced(telling))
    assert len(_order(4, 0, telling)) == 4


def test_bounds_reach_the_sessions() -> None:
    """Some showings and some steps of kinds in the catalogue have them."""
    showings = [
        one
        for topic in topics()
        for trait in topic.traits
        for value in trait.values
        for one in (*value.showings, *value.held_out)
    ]
    tells = [tell for kind in kinds() for thread in kind.threads for tell in thread.tells]
    for bound in (showings, tells):
        assert any(one.precedes for one in bound)
        assert any(one.follows for one in bound)
