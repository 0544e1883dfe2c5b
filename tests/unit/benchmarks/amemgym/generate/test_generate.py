"""Whole generated users: the same bytes for the same seed, and what the paper counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.amemgym.generate import generate, items
from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.benchmarks.amemgym.items import Item, problems_of
from recollect.benchmarks.amemgym.rows import row_of
from recollect.domain.errors import UnknownNameError
from recollect.records.digests import digest
from recollect.text.tokens import count

from tests.unit.benchmarks.amemgym.generate.constraints import breaches


def _digest(made: tuple[Item, ...]) -> str:
    return digest([row_of(item) for item in made])


def test_the_same_seed_gives_the_same_bytes(small: tuple[Item, ...]) -> None:
    """And another seed other people with other lives."""
    assert _digest(items(SIZES.settings("small"), 7)) == _digest(small)
    other = items(SIZES.settings("small"), 8)
    assert not {item.id for item in other} & {item.id for item in small}
    assert [item.qas for item in other] != [item.qas for item in small]


def test_more_users_leave_the_first_ones_as_they_are(small: tuple[Item, ...]) -> None:
    """A user depends on the seed and the settings of a life, not on how many others there are."""
    more = items(replace(SIZES.settings("small"), num_user_profiles=6), 7)
    assert _digest(more[:4]) == _digest(small)


@pytest.mark.parametrize("size", ["small", "base"])
def test_users_keep_every_promise(size: str, request: pytest.FixtureRequest) -> None:
    """Of the format and of the settings; the classifier recovers every exposure and every answer's combination."""
    made: tuple[Item, ...] = request.getfixturevalue(size)
    assert [str(problem) for item in made for problem in problems_of(item)] == []
    assert [breach for item in made for breach in breaches(item, SIZES.settings(size))] == []


def test_the_extra_size_keeps_every_promise() -> None:
    """Three variables a question and twenty periods: two users are enough to see it."""
    settings = replace(SIZES.settings("extra"), num_user_profiles=2)
    made = items(settings, 7)
    assert [str(problem) for item in made for problem in problems_of(item)] == []
    assert [breach for item in made for breach in breaches(item, settings)] == []
    assert {len(qa.required_info) for item in made for qa in item.qas} == {3}


def test_sentences_that_are_held_out_tell_the_same_lives(small: tuple[Item, ...]) -> None:
    """No query has a sentence of the other half; states, choices and events are the same."""
    held_out = items(SIZES.settings("small-held-out"), 7)
    told = {one for d in read_catalogue() for v in d.variables for value in v.values for one in value.told}
    for ours, theirs in zip(small, held_out, strict=True):
        assert ours.qas == theirs.qas
        assert [period.state for period in ours.periods] == [period.state for period in theirs.periods]
    queries = [talk.query for item in held_out for period in item.periods for talk in period.sessions]
    assert not [query for query in queries if any(sentence in query for sentence in told)]
    assert [breach for item in held_out for breach in breaches(item, SIZES.settings("small-held-out"))] == []


def test_the_base_size_has_the_counts_of_the_paper(base: tuple[Item, ...]) -> None:
    """Table 4 of the paper: 20 users, 220 periods, 200 questions, 47.15 sessions a user; 4 to 7 choices."""
    assert len(base) == 20
    assert sum(len(item.periods) for item in base) == 220
    assert sum(len(item.qas) for item in base) == 200
    sessions = sum(len(period.sessions) for item in base for period in item.periods)
    assert sessions / 20 == pytest.approx(47.15, abs=2)
    assert {len(qa.answer_choices) for item in base for qa in item.qas} <= set(range(4, 8))


def test_answers_are_as_long_as_the_papers(base: tuple[Item, ...]) -> None:
    """39 to 98 tokens there (appendix C.1)."""
    lengths = [count(choice.answer) for item in base for qa in item.qas for choice in qa.answer_choices]
    assert min(lengths) >= 35
    assert max(lengths) <= 98


def test_a_reader_who_knows_the_state_is_always_right(base: tuple[Item, ...]) -> None:
    """It takes the option whose text the classifier assigns to the current values."""
    for item in base[:5]:
        classifier = Classifier(item.state_schema)
        for qa in item.qas:
            fits = [classifier.answer_state(choice.answer, qa.required_info) for choice in qa.answer_choices]
            for number, period in enumerate(item.periods):
                now = tuple(period.state[name] for name in qa.required_info)
                assert fits.index(now) == item.right_choice(qa, number)


def test_a_reader_who_hears_all_queries_knows_every_state(base: tuple[Item, ...]) -> None:
    """What the classifier hears, replayed, is the state at the end of each period."""
    for item in base[:5]:
        classifier, known = Classifier(item.state_schema), dict[str, str]()
        for period in item.periods:
            for talk in period.sessions:
                known.update(classifier.exposed(talk.query))
            assert known == period.state


def test_a_size_that_is_not_there_is_an_error() -> None:
    """With the names that are."""
    with pytest.raises(UnknownNameError, match="small"):
        generate("tiny", 7)


def test_a_generated_data_set_says_where_it_is_from() -> None:
    """Four histories with the size and the seed."""
    dataset = generate("small", 7)
    assert len(dataset.histories) == 4
    assert dataset.origin == "generated: small, seed 7"
