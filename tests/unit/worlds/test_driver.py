"""A history is made of its own seed alone, in four steps; what breaks its rules is never handed out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from recollect.worlds.driver import Draws, Generator


def _check(made: str) -> Iterator[str]:
    if "7" in made:
        yield "has a seven"


def _generator(seed: int) -> Generator[int, list[int], str, str]:
    return Generator(
        seed=lambda number: f"toy {seed} {number}",
        plan=lambda number, draws: [number, draws.rng.randrange(100, 200)],
        tell=lambda plan, draws: " and ".join(map(str, plan)),
        assemble=lambda plan, told, draws: f"{told}: {draws.of('name').randrange(10)} of {len(plan)}",
    )


def test_the_steps_follow_one_another_with_one_seed() -> None:
    rng, name = Random("toy 3 0"), Random("toy 3 0:name")
    assert list(_generator(3).make([0])) == [f"0 and {rng.randrange(100, 200)}: {name.randrange(10)} of 2"]


def test_the_same_seed_gives_the_same_and_another_something_else() -> None:
    made = list(_generator(3).make(range(5)))
    assert made == list(_generator(3).make(range(5)))
    assert made != list(_generator(4).make(range(5)))


def test_a_history_does_not_depend_on_the_others() -> None:
    assert list(_generator(3).make([4])) == list(_generator(3).make(range(5)))[4:]


def test_a_part_with_a_name_draws_the_same_whatever_others_draw() -> None:
    one, other = Draws("seed"), Draws("seed")
    one.rng.random()
    one.of("talk").random()
    assert one.of("plan", 2).random() == other.of("plan", 2).random() == Random("seed:plan:2").random()
    assert one.rng.random() != other.rng.random()


def test_what_breaks_a_rule_is_refused_with_its_seed() -> None:
    generator = Generator[int, int, str, str](
        seed=lambda number: f"toy {number}",
        plan=lambda number, _: number,
        tell=lambda plan, _: str(plan),
        assemble=lambda _plan, told, _: told,
        check=_check,
    )
    assert list(generator.make([1, 2])) == ["1", "2"]
    with pytest.raises(ValueError, match="history of seed 'toy 7': has a seven"):
        list(generator.make([1, 7]))
