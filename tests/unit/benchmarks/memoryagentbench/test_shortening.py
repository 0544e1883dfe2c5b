"""Only the end of a context is shown where a run asks for that; what is asked stays the same."""

from __future__ import annotations

from itertools import chain

import pytest

from recollect.benchmarks.memoryagentbench.families import family_named
from recollect.benchmarks.memoryagentbench.protocol import steps
from recollect.contracts.benchmark import Dataset, StepSettings
from recollect.domain.errors import ConfigError
from recollect.domain.histories import Keyed
from recollect.domain.steps import Ask, Observe
from recollect.text.tokens import count

CHUNKERS = ("none", "boundary", "paper")


def _made(one: Keyed, chunker: str, limit: int | None) -> tuple[list[str], list[Ask]]:
    """The messages of the history that are shown, and what is asked."""
    extra = {} if limit is None else {"context_tokens": str(limit)}
    made = list(steps(one.history, StepSettings(chunker=chunker, chunk_tokens=64, extra=extra)))
    shown = [step for step in made if isinstance(step, Observe)]
    names = [(step, message.message_id) for step in shown for message in step.session.messages]
    covered = chain.from_iterable(step.covers.get(name, (name,)) for step, name in names)
    return list(dict.fromkeys(covered)), [step for step in made if isinstance(step, Ask)]


def _tokens(one: Keyed, names: list[str]) -> int:
    joint = family_named(one.history.questions[0].prompt).joint
    texts = [message.text for message in one.history.messages() if message.message_id in set(names)]
    return sum(count(text) for text in texts) + count(joint) * (len(texts) - 1)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_the_most_messages_at_the_end_that_fit_are_shown(chunker: str, small: Dataset) -> None:
    """One more would be too many: both sides of the border are counted again here."""
    for one in {one.task: one for one in small.histories}.values():
        order = [message.message_id for message in one.history.messages()]
        shown, _ = _made(one, chunker, 2_000)
        assert 0 < len(shown) < len(order)
        assert shown == order[-len(shown) :]
        assert _tokens(one, list(shown)) <= 2_000 < _tokens(one, list(order[-len(shown) - 1 :]))


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_all_is_asked_all_the_same(chunker: str, small: Dataset) -> None:
    one = small.histories[0]
    assert _made(one, chunker, 2_000)[1] == _made(one, chunker, None)[1]


def test_more_tokens_than_there_are_change_nothing_that_is_shown(small: Dataset) -> None:
    one = small.histories[0]
    assert _made(one, "boundary", 10**9)[0] == _made(one, "boundary", None)[0]


def test_a_limit_that_leaves_no_message_is_refused_and_says_how_long_the_last_one_is(small: Dataset) -> None:
    with pytest.raises(ConfigError, match=r"`context_tokens` is 1, and the last message alone has \d+ tokens"):
        _made(small.histories[0], "none", 1)


def test_a_limit_that_is_no_number_is_refused(small: Dataset) -> None:
    settings = StepSettings(extra={"context_tokens": "51K"})
    with pytest.raises(ConfigError, match="`context_tokens` is a number of tokens, got '51K'"):
        list(steps(small.histories[0].history, settings))
