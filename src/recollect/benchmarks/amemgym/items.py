"""One user as in `data.json`: the values of the format, and what they promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Variable = str
"""Name of a state variable, such as `stall_helper_count`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Who the user is; nothing here changes over the periods."""

    uuid: str
    name: str
    age: int
    gender: str
    marital_status: str
    education_level: str
    occupation: str
    hobbies_and_interests: str | tuple[str, ...]
    """Joined by commas, or a list: the authors' code and their data card differ."""
    skills_and_expertise: str | tuple[str, ...]
    complementary_info: str
    formatted_str: str
    """All of the above but the id, one line `key: value` each; a simulated user reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One dialogue that the user begins."""

    event: str | None
    exposed_states: Mapping[Variable, str]
    """What can be inferred from the query."""
    query: str
    session_time: str
    """`YYYY-MM-DD HH:MM:SS`."""
    messages: tuple[Mapping[str, str], ...] = ()
    """With `role` and `content`; empty in generated data."""
    has_messages: bool = True
    """Whether the file has the field `messages`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One variable changes."""

    old: str | None
    """`None` in period 0."""
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """One stretch of the user's life; period 0 exposes the initial state."""

    period_start: str | None
    period_end: str
    period_summary: str | None
    sessions: tuple[Talk, ...]
    state: Mapping[Variable, str]
    """All variables, at the END of the period."""
    updates: Mapping[Variable, Update]
    update_cnts: Mapping[Variable, int]
    """Changes over all periods; the same in every period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer to a question; it suits one combination of values."""

    state: tuple[str, ...]
    """Aligned with `Qa.required_info`."""
    answer: str
    type: Literal["experience", "random"]
    """Whether the combination ever holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Qa:
    """One question, asked after every period."""

    query: str
    required_info: tuple[Variable, ...]
    answer_choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One user: profile, schema, periods and questions."""

    id: str
    start_time: str
    """`YYYY-MM-DD`; the end of period 0."""
    user_profile: Profile
    state_schema: Mapping[Variable, tuple[str, ...]]
    periods: tuple[Period, ...]
    qas: tuple[Qa, ...]
    extra: Mapping[str, object] = field(default_factory=dict)
    """Unknown fields, as read."""

    def right_choice(self, qa: Qa, period: int) -> int | None:
        """Index of the one choice that suits the state at the end of *period*; `None` where none or several do."""
        state = self.periods[period].state
        wanted = tuple(state.get(name, "") for name in qa.required_info)
        found = [index for index, choice in enumerate(qa.answer_choices) if choice.state == wanted]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One broken promise of the format."""

    user: str
    what: str
    period: int | None = None
    question: int | None = None
    grave: bool = True
    """Whether it changes what a score means; other problems are reported and accepted."""

    def __str__(self) -> str:
        where = [f"user `{self.user}`"]
        if self.period is not None:
            where.append(f"period {self.period}")
        if self.question is not None:
            where.append(f"question {self.question}")
        return f"{', '.join(where)}: {self.what}"


def problems_of(item: Item) -> list[Problem]:
    """All problems of one user."""
    return [*_of_shape(item), *_of_periods(item), *_of_dates(item), *_of_counts(item), *_of_questions(item)]


def _of_shape(item: Item) -> Iterator[Problem]:
    empty = [name for name in ("state_schema", "periods", "qas") if not getattr(item, name)]
    if empty:
        yield Problem(user=item.id, what=f"`{'`, `'.join(empty)}` is empty")
    if item.id != item.user_profile.uuid:
        what = f"`user_profile.uuid` is `{item.user_profile.uuid}`, not the user's `id`"
        yield Problem(user=item.id, what=what, grave=False)
    for variable, values in item.state_schema.items():
        if len(set(values)) < len(values) or len(values) < 2:
            yield Problem(user=item.id, what=f"`{variable}` needs two or more values, each once, got {list(values)}")


def _of_periods(item: Item) -> Iterator[Problem]:
    """States follow from updates, and replaying what the sessions expose gives the state."""
    before: dict[Variable, str] = {}
    for number, period in enumerate(item.periods):
        updates = _of_updates(period, before, first=number == 0)
        for what in (*_of_state(item, period), *updates, *_of_exposures(item, period, before)):
            yield Problem(user=item.id, period=number, what=what)
        before = dict(period.state)


def _of_state(item: Item, period: Period) -> Iterator[str]:
    if period.state.keys() != item.state_schema.keys():
        odd = sorted(period.state.keys() ^ item.state_schema.keys())
        yield f"`state` and `state_schema` differ in {', '.join(f'`{name}`' for name in odd)}"
    for variable, value in period.state.items():
        if variable in item.state_schema and value not in item.state_schema[variable]:
            yield f"`{variable}` is `{value}`, which is none of its values {list(item.state_schema[variable])}"


def _of_updates(period: Period, before: dict[Variable, str], *, first: bool) -> Iterator[str]:
    changed = {name for name in period.state if period.state[name] != before.get(name)}
    for variable in sorted(changed - period.updates.keys()):
        was = before.get(variable, "nothing")
        yield f"`{variable}` was `{was}` and is `{period.state[variable]}`, but `updates` lacks it"
    for variable, update in period.updates.items():
        if update.new != period.state.get(variable):
            yield f"update of `{variable}` to `{update.new}`, but its state is `{period.state.get(variable)}`"
        elif update.old != (None if first else before.get(variable)):
            yield f"update of `{variable}` from `{update.old}`, but it was `{before.get(variable)}`"
        elif variable not in changed:
            yield f"update of `{variable}` to `{update.new}`, which it was already"


def _of_exposures(item: Item, period: Period, before: dict[Variable, str]) -> Iterator[str]:
    replayed = dict(before)
    exposed: set[Variable] = set()
    for number, talk in enumerate(period.sessions):
        replayed |= talk.exposed_states
        exposed |= talk.exposed_states.keys()
        for variable in talk.exposed_states:
            if variable not in item.state_schema:
                yield f"session {number} exposes `{variable}`, which `state_schema` lacks"
    for variable in sorted(period.updates.keys() - exposed):
        yield f"no session exposes the update of `{variable}` to `{period.updates[variable].new}`"
    for variable in sorted(exposed & period.state.keys()):
        if replayed[variable] != period.state[variable]:
            value = period.state[variable]
            yield f"replayed, `exposed_states` make `{variable}` `{replayed[variable]}`; it is `{value}`"


def _of_dates(item: Item) -> Iterator[Problem]:
    end, last = item.start_time, ""
    for number, period in enumerate(item.periods):
        start = None if number == 0 else end
        problems = []
        if period.period_start != start:
            problems.append(f"`period_start` is {period.period_start}, not {start}, where the period before ends")
        if period.period_end < end or (number == 0 and period.period_end != end) or (start == period.period_end):
            wanted = "should be" if number == 0 else "must be after"
            problems.append(f"`period_end` is {period.period_end}, and {wanted} {end}")
        for session, talk in enumerate(period.sessions):
            at = f"session {session} is at {talk.session_time}"
            if talk.session_time < last:
                problems.append(f"{at}, before the one that stands before it")
            if not (start or "") <= talk.session_time[:10] <= period.period_end:
                problems.append(f"{at}, outside {start} to {period.period_end}")
            last = talk.session_time
        yield from (Problem(user=item.id, period=number, what=what, grave=False) for what in problems)
        end = period.period_end


def _of_counts(item: Item) -> Iterator[Problem]:
    changes = Counter(variable for period in item.periods[1:] for variable in period.updates)
    for number, period in enumerate(item.periods):
        for name in sorted(period.update_cnts.keys() | changes.keys()):
            count = period.update_cnts.get(name, 0)
            if count != changes[name]:
                what = f"`update_cnts` says {count} changes of `{name}`; there are {changes[name]}"
                yield Problem(user=item.id, period=number, what=what, grave=False)


def _of_questions(item: Item) -> Iterator[Problem]:
    for number, qa in enumerate(item.qas):
        broken = [*_of_required(item, qa), *_of_choices(item, qa)]
        yield from (Problem(user=item.id, question=number, what=what) for what in broken)
        if not broken:
            yield from _of_answers(item, number, qa)


def _of_required(item: Item, qa: Qa) -> Iterator[str]:
    if not qa.query.strip():
        yield "`query` is empty"
    if not qa.required_info:
        yield "`required_info` names no variable"
    for variable in qa.required_info:
        if variable not in item.state_schema:
            yield f"`required_info` names `{variable}`, which `state_schema` lacks"


def _of_choices(item: Item, qa: Qa) -> Iterator[str]:
    if len(qa.answer_choices) < 2:
        yield f"two or more choices are needed, got {len(qa.answer_choices)}"
    seen: dict[tuple[str, ...], int] = {}
    for number, choice in enumerate(qa.answer_choices, start=1):
        if len(choice.state) != len(qa.required_info):
            yield f"choice {number} has {len(choice.state)} values for {len(qa.required_info)} variables"
        for variable, value in zip(qa.required_info, choice.state, strict=False):
            if variable in item.state_schema and value not in item.state_schema[variable]:
                yield f"choice {number}: `{value}` is no value of `{variable}`"
        if choice.state in seen:
            yield f"choices {seen[choice.state]} and {number} suit the same state"
        if not choice.answer.strip():
            yield f"choice {number}: `answer` is empty"
        seen.setdefault(choice.state, number)


def _of_answers(item: Item, question: int, qa: Qa) -> Iterator[Problem]:
    # Published questions name a variable twice where two kinds of information were merged into one.
    twice = sorted(name for name, count in Counter(qa.required_info).items() if count > 1)
    if twice:
        what = f"`required_info` names `{'`, `'.join(twice)}` twice"
        yield Problem(user=item.id, question=question, what=what, grave=False)
    right = [item.right_choice(qa, number) for number in range(len(item.periods))]
    for number, period in enumerate(item.periods):
        if right[number] is None:
            what = (
                f"no choice, or more than one, suits the state {[period.state.get(name) for name in qa.required_info]}"
            )
            yield Problem(user=item.id, period=number, question=question, what=what)
    for number, choice in enumerate(qa.answer_choices):
        if (choice.type == "experience") != (number in right):
            truth = "holds" if number in right else "never holds"
            what = f"choice {number + 1} is of type `{choice.type}`, but its state {truth}"
            yield Problem(user=item.id, question=question, what=what, grave=False)
