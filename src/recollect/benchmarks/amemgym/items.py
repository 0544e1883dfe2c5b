"""One user as `data.json` holds them: the values, and nothing that is done with them."""

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
    """All of the above but the id, a line `key: value` each; what a simulated user is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One dialogue that the user begins."""

    event: str | None
    """What happened; `None` in period 0."""
    exposed_states: Mapping[Variable, str]
    """What the query lets one infer."""
    query: str
    """The first user message, always the same."""
    session_time: str
    """`YYYY-MM-DD HH:MM:SS`."""
    messages: tuple[Mapping[str, str], ...] = ()
    """Of `role` and `content`; empty in generated data."""
    has_messages: bool = True
    """The file has the field `messages`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One variable changes."""

    old: str | None
    """`None` in period 0."""
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of the user's life; period 0 tells the initial state."""

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
    """One question that is asked after every period."""

    query: str
    required_info: tuple[Variable, ...]
    answer_choices: tuple[Choice, ...]
    """In the order in which they are shown."""


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
    """Fields that are not known here, kept as they came."""

    def right_choice(self, qa: Qa, period: int) -> int | None:
        """The place of the one choice that suits the state at the end of *period*; `None` where none or two do."""
        state = self.periods[period].state
        wanted = tuple(state.get(name, "") for name in qa.required_info)
        found = [place for place, choice in enumerate(qa.answer_choices) if choice.state == wanted]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One promise that is broken, and where."""

    user: str
    what: str
    period: int | None = None
    """The first is 0."""
    question: int | None = None
    """Its place in `qas`; the first is 0."""
    grave: bool = True
    """A score would mean something else; what is not is told and let through."""

    def __str__(self) -> str:
        place = [f"user `{self.user}`"]
        if self.period is not None:
            place.append(f"period {self.period}")
        if self.question is not None:
            place.append(f"question {self.question}")
        return f"{', '.join(place)}: {self.what}"


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
    """States follow from updates, and what the sessions tell, one after another, is the state."""
    before: dict[Variable, str] = {}
    for number, period in enumerate(item.periods):
        found = [
            *_of_state(item, period),
            *_of_updates(period, before, first=number == 0),
            *_of_exposures(item, period, before),
        ]
        yield from (Problem(user=item.id, period=number, what=what) for what in found)
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
    told = dict(before)
    for place, talk in enumerate(period.sessions):
        for variable, value in talk.exposed_states.items():
            if variable not in item.state_schema:
                yield f"session {place} exposes `{variable}`, which `state_schema` lacks"
            told[variable] = value
    exposed = {variable for talk in period.sessions for variable in talk.exposed_states}
    for variable in sorted(period.updates.keys() - exposed):
        yield f"no session exposes the update of `{variable}` to `{period.updates[variable].new}`"
    for variable in sorted(exposed & period.state.keys()):
        if told[variable] != period.state[variable]:
            yield f"replayed, `exposed_states` make `{variable}` `{told[variable]}`; it is `{period.state[variable]}`"


def _of_dates(item: Item) -> Iterator[Problem]:
    """Text compares as time here, for all have the same form."""
    end, last = item.start_time, ""
    for number, period in enumerate(item.periods):
        start = None if number == 0 else end
        if period.period_start != start:
            what = f"`period_start` is {period.period_start}, not {start}, where the period before ends"
            yield Problem(user=item.id, period=number, what=what, grave=False)
        if period.period_end < end or (number == 0 and period.period_end != end) or (start == period.period_end):
            what = f"`period_end` is {period.period_end}, and {'should be' if number == 0 else 'must be after'} {end}"
            yield Problem(user=item.id, period=number, what=what, grave=False)
        for place, talk in enumerate(period.sessions):
            if talk.session_time < last:
                what = f"session {place} is at {talk.session_time}, before the one that stands before it"
                yield Problem(user=item.id, period=number, what=what, grave=False)
            if not (start or "") <= talk.session_time[:10] <= period.period_end:
                what = f"session {place} is at {talk.session_time}, outside {start} to {period.period_end}"
                yield Problem(user=item.id, period=number, what=what, grave=False)
            last = talk.session_time
        end = period.period_end


def _of_counts(item: Item) -> Iterator[Problem]:
    """The totals stand in every period; the first telling is no change."""
    changes = Counter(variable for period in item.periods[1:] for variable in period.updates)
    for number, period in enumerate(item.periods):
        names = sorted(period.update_cnts.keys() | changes.keys())
        wrong = [name for name in names if period.update_cnts.get(name, 0) != changes[name]]
        for name in wrong:
            what = (
                f"`update_cnts` says {period.update_cnts.get(name, 0)} changes of `{name}`; there are {changes[name]}"
            )
            yield Problem(user=item.id, period=number, what=what, grave=False)


def _of_questions(item: Item) -> Iterator[Problem]:
    for place, qa in enumerate(item.qas):
        broken = [*_of_required(item, qa), *_of_choices(item, qa)]
        yield from (Problem(user=item.id, question=place, what=what) for what in broken)
        if not broken:
            yield from _of_twins(item, place, qa)
            yield from _of_gold(item, place, qa)
            yield from _of_types(item, place, qa)


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


def _of_twins(item: Item, place: int, qa: Qa) -> Iterator[Problem]:
    """Published questions have them, where two kinds of information were merged into one variable."""
    twice = sorted(name for name, count in Counter(qa.required_info).items() if count > 1)
    if twice:
        what = f"`required_info` names `{'`, `'.join(twice)}` twice"
        yield Problem(user=item.id, question=place, what=what, grave=False)


def _of_gold(item: Item, place: int, qa: Qa) -> Iterator[Problem]:
    for number in range(len(item.periods)):
        if item.right_choice(qa, number) is None:
            now = [item.periods[number].state.get(name) for name in qa.required_info]
            what = f"no choice, or more than one, suits the state {now}"
            yield Problem(user=item.id, period=number, question=place, what=what)


def _of_types(item: Item, place: int, qa: Qa) -> Iterator[Problem]:
    """`experience` is what holds at some time."""
    held = {item.right_choice(qa, number) for number in range(len(item.periods))}
    for number, choice in enumerate(qa.answer_choices):
        if (choice.type == "experience") != (number in held):
            truth = "holds" if number in held else "never holds"
            what = f"choice {number + 1} is of type `{choice.type}`, but its state {truth}"
            yield Problem(user=item.id, question=place, what=what, grave=False)
