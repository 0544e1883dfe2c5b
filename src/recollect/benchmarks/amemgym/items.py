"""One user as `data.json` holds them: the values, and nothing that is done with them."""

from __future__ import annotations

from collections.abc import Mapping
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
