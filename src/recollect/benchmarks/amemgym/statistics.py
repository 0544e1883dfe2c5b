"""Statistics of a data set: the paper's table 4, token counts, and diversity of the users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.benchmarks.amemgym.card import ANSWER, DIALOGUE, QUERY
from recollect.benchmarks.amemgym.histories import ROWS, TASK
from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.rows import item_of
from recollect.contracts.benchmark import Dataset, Dialogues, Figure
from recollect.text.tokens import count


def statistics(dataset: Dataset, talks: Dialogues) -> tuple[Figure, ...]:
    """Structure, tokens by the bundled tokenizer, and diversity; tokens of dialogues where *talks* has some."""
    rows = dataset.shared[TASK][ROWS]
    read = (item_of(rows[keyed.original_id], keyed.original_id) for keyed in dataset.histories)
    items = [item for item, _ in read if item is not None]
    # All messages, openings included; what a model reads again at each turn does not count.
    messages = [talks.get(keyed.history.history_id, ()) for keyed in dataset.histories]
    dialogues = _spread(
        DIALOGUE,
        [sum(count(message.text) for message in talk) for talk in messages if talk],
        why="the run has no dialogues of these users" if talks else "it takes a run that held dialogues",
    )
    people = [item.user_profile for item in items]
    # The field of a degree follows its level, in brackets.
    levels = {person.education_level.split(" (")[0] for person in people}
    return (
        *_structure(items),
        dialogues,
        _spread("age", [person.age for person in people]),
        Figure(name="genders", value=len({person.gender for person in people})),
        Figure(name="marital statuses", value=len({person.marital_status for person in people})),
        Figure(name="education levels", value=len(levels)),
        Figure(name="occupations", value=len({person.occupation for person in people})),
    )


def _structure(items: Sequence[Item]) -> Iterator[Figure]:
    periods = [period for item in items for period in item.periods]
    sessions = [session for period in periods for session in period.sessions]
    asked = [qa for item in items for qa in item.qas]
    yield Figure(name="users", value=len(items))
    yield Figure(name="periods", value=len(periods))
    yield Figure(name="sessions", value=len(sessions))
    yield _spread("sessions of a user", [sum(len(period.sessions) for period in item.periods) for item in items])
    yield _spread("sessions of a period", [len(period.sessions) for period in periods])
    yield _spread("variables of a user", [len(item.state_schema) for item in items])
    yield Figure(name="questions", value=len(asked))
    yield _spread("choices of a question", [len(qa.answer_choices) for qa in asked])
    yield _spread("states of a question", [len(qa.required_info) for qa in asked])
    yield _spread(QUERY, [count(session.query) for session in sessions])
    yield _spread(ANSWER, [count(choice.answer) for qa in asked for choice in qa.answer_choices])


def _spread(name: str, values: Sequence[int], why: str = "there is none") -> Figure:
    if not values:
        return Figure(name=name, value=None, why=why)
    return Figure(name=name, value=round(sum(values) / len(values), 2), low=min(values), high=max(values))
