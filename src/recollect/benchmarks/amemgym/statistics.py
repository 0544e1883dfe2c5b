"""What a data set is made of: the paper's table 4, its token counts, and how unlike the users are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.benchmarks.amemgym.card import ANSWER, DIALOGUE, QUERY
from recollect.benchmarks.amemgym.histories import ROWS, TASK
from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.rows import item_of
from recollect.contracts.benchmark import Dataset, Dialogues, Figure
from recollect.text.tokens import count


def statistics(dataset: Dataset, talks: Dialogues) -> tuple[Figure, ...]:
    """Structure, tokens by the bundled tokenizer, and diversity; tokens of dialogues where *talks* hold some."""
    items = list(_items(dataset))
    return (*_structure(items), *_tokens(items), _dialogues(dataset, talks), *_diversity(items))


def _items(dataset: Dataset) -> Iterator[Item]:
    rows = dataset.shared[TASK][ROWS]
    for keyed in dataset.histories:
        item, _ = item_of(rows[keyed.original_id], keyed.original_id)
        if item is not None:
            yield item


def _structure(items: Sequence[Item]) -> Iterator[Figure]:
    periods = [period for item in items for period in item.periods]
    sessions = sum(len(period.sessions) for period in periods)
    asked = [qa for item in items for qa in item.qas]
    yield Figure(name="users", value=len(items))
    yield Figure(name="periods", value=len(periods))
    yield Figure(name="sessions", value=sessions)
    yield _spread("sessions of a user", [sum(len(period.sessions) for period in item.periods) for item in items])
    yield _spread("sessions of a period", [len(period.sessions) for period in periods])
    yield _spread("variables of a user", [len(item.state_schema) for item in items])
    yield Figure(name="questions", value=len(asked))
    yield _spread("choices of a question", [len(qa.answer_choices) for qa in asked])
    yield _spread("states of a question", [len(qa.required_info) for qa in asked])


def _tokens(items: Sequence[Item]) -> Iterator[Figure]:
    queries = [talk.query for item in items for period in item.periods for talk in period.sessions]
    answers = [choice.answer for item in items for qa in item.qas for choice in qa.answer_choices]
    yield _spread(QUERY, [count(query) for query in queries])
    yield _spread(ANSWER, [count(answer) for answer in answers])


def _dialogues(dataset: Dataset, talks: Dialogues) -> Figure:
    """All that was said to and by a user, openings included; what a model read again at each turn does not count."""
    said = [talks.get(keyed.history.history_id, ()) for keyed in dataset.histories]
    return _spread(
        DIALOGUE,
        [sum(count(message.text) for message in talk) for talk in said if talk],
        why="the run has no dialogues of these users" if talks else "it takes a run that held dialogues",
    )


def _diversity(items: Sequence[Item]) -> Iterator[Figure]:
    people = [item.user_profile for item in items]
    yield _spread("age", [person.age for person in people])
    yield Figure(name="genders", value=len({person.gender for person in people}))
    yield Figure(name="marital statuses", value=len({person.marital_status for person in people}))
    # The field of a degree stands behind its level, in brackets.
    yield Figure(name="education levels", value=len({person.education_level.split(" (")[0] for person in people}))
    yield Figure(name="occupations", value=len({person.occupation for person in people}))


def _spread(name: str, values: Sequence[int], why: str = "there is none") -> Figure:
    if not values:
        return Figure(name=name, value=None, why=why)
    return Figure(name=name, value=round(sum(values) / len(values), 2), low=min(values), high=max(values))
