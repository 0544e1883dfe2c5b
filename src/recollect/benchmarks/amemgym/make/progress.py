"""What has been made of a user so far, as the steps that come next see it. No function here asks or decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from recollect.benchmarks.amemgym.items import Profile
from recollect.benchmarks.amemgym.make.persons import Person, described
from recollect.benchmarks.amemgym.settings import EnvConfig
from recollect.making.steps import Sight
from recollect.text.dates.calendars import add_months

PROFILE, QUESTIONS, VARIABLES, CHOICES, SCHEMA = "profile", "questions", "variables", "choices", "schema"
STATE, UPDATES, EVENTS = "state", "updates", "events"
VARIANTS, ANSWERS, ANSWERED = "variants", "answers", "answered"
FIRST_QUERIES, LATER_QUERIES, EXPOSED, USER = "first_queries", "later_queries", "exposed", "user"
LANGUAGES: Mapping[str, str] = {"en": "English", "zh": "Simplified Chinese"}

State = dict[str, str]


class Opening(NamedTuple):
    """The first message of a talk, before anybody checked what it shows."""

    event: str | None
    exposed: State
    query: str


def person(sight: Sight) -> Person:
    """Whom the user is made of."""
    found: Person = sight.item.data
    return found


def config(sight: Sight) -> EnvConfig:
    """How much is wanted."""
    return person(sight).config


def profile(sight: Sight) -> Profile:
    """Who the user is."""
    made = next(iter(sight.parts(PROFILE).values()), None)
    whole = person(sight).profile
    return whole if made is None else described(whole, made["name"], made["profile"])


def about(sight: Sight) -> dict[str, str]:
    """What most prompts say first."""
    settings = config(sight)
    return {
        "profile": profile(sight).formatted_str,
        "start": settings.start_date,
        "lang": settings.lang,
        "language": LANGUAGES[settings.lang],
    }


def months(sight: Sight) -> str:
    """How long the whole life is."""
    settings = config(sight)
    return str(settings.num_periods * settings.num_months_per_period)


def ends(settings: EnvConfig) -> list[str]:
    """The last day of each period; the end of February is always its 28th."""
    start = date.fromisoformat(settings.start_date)
    days = [add_months(start, settings.num_months_per_period * number) for number in range(settings.num_periods + 1)]
    return [str(day.replace(day=28) if (day.month, day.day) == (2, 29) else day) for day in days]


def schema(sight: Sight) -> dict[str, list[str]]:
    """Variable -> its values."""
    found: dict[str, list[str]] = sight.of(SCHEMA)["schema"]
    return found


def questions(sight: Sight) -> list[dict[str, Any]]:
    """Each with `query` and `required_info`, by the names of variables."""
    found: list[dict[str, Any]] = sight.of(SCHEMA)["questions"]
    return found


def period_part(number: int) -> str:
    """Name of a period's part."""
    return f"p{number:02d}"


def number_of(part: str) -> int:
    """The period, or the question, that a part is of."""
    return int(part.partition("#")[0].partition(".")[0][1:])


def periods(sight: Sight) -> list[str]:
    """Parts of the periods in which something changes."""
    return [period_part(number) for number in range(1, config(sight).num_periods + 1)]


def changes(sight: Sight) -> list[State]:
    """What each period changed, as far as there are any yet; the first one is period 1."""
    return [{one["variable"]: one["new"] for one in reply["updated"]} for reply in sight.parts(UPDATES).values()]


def states(sight: Sight) -> list[State]:
    """All variables at the end of each period, period 0 first, as far as there are any yet.

    In the order of the schema: a reply has another order when it comes from the journal.
    """
    first = sight.of(STATE)
    found: list[State] = [{name: first[name] for name in schema(sight)}]
    for changed in changes(sight):
        found.append({**found[-1], **changed})
    return found


def counts(sight: Sight) -> dict[str, int]:
    """How often each variable has changed so far."""
    changed = Counter(variable for one in changes(sight) for variable in one)
    return {variable: changed[variable] for variable in schema(sight)}


def events(sight: Sight, number: int) -> list[dict[str, Any]]:
    """What happened in a period: each with `states` and `event`; nothing in period 0."""
    found: list[dict[str, Any]] = sight.parts(EVENTS)[period_part(number)]["events"] if number else []
    return found


def openings(sight: Sight, number: int) -> list[Opening]:
    """How the talks of a period begin."""
    if number == 0:
        return [
            Opening(None, {said["variable"]: said["value"] for said in one["exposed_states"]}, one["query"])
            for one in sight.of(FIRST_QUERIES)["queries"]
        ]
    now = states(sight)[number]
    told = sight.of(LATER_QUERIES, period_part(number))["queries"]
    return [
        Opening(one["event"], {name: now[name] for name in one["states"]}, query)
        for one, query in zip(events(sight, number), told, strict=True)
    ]


def named(names: Sequence[str], values: Sequence[str]) -> str:
    """A combination of values, with what they are values of."""
    return "; ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
