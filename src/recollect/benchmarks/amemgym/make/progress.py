"""What has been made of a user so far, as later steps read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.benchmarks.amemgym.items import Profile
from recollect.benchmarks.amemgym.make.persons import HIGH, LOW, MAX_TOKENS, described
from recollect.benchmarks.amemgym.make.prompts import prompt
from recollect.benchmarks.amemgym.settings import EnvConfig
from recollect.making.calling import Caller, Manner
from recollect.making.steps import Sight

PROFILE, QUESTIONS, VARIABLES, CHOICES, SCHEMA = "profile", "questions", "variables", "choices", "schema"
STATE, UPDATES, EVENTS = "state", "updates", "events"
VARIANTS, ANSWERS, ANSWERED = "variants", "answers", "answered"
FIRST_QUERIES, LATER_QUERIES, EXPOSED, USER = "first_queries", "later_queries", "exposed", "user"
LANGUAGES: Mapping[str, str] = {"en": "English", "zh": "Simplified Chinese"}

State = dict[str, str]


class Opening(NamedTuple):
    """The first message of a talk, before it was checked."""

    event: str | None
    exposed: State
    query: str


def config(sight: Sight) -> EnvConfig:
    """The configuration of the data set."""
    found: EnvConfig = sight.item.data.config
    return found


def profile(sight: Sight) -> Profile:
    """Who the user is."""
    made = next(iter(sight.parts(PROFILE).values()), None)
    whole: Profile = sight.item.data.profile
    return whole if made is None else described(whole, made["name"], made["profile"])


def about(sight: Sight) -> dict[str, str]:
    """The fields that most prompts need."""
    settings = config(sight)
    return {
        "profile": profile(sight).formatted_str,
        "start": settings.start_date,
        "lang": settings.lang,
        "language": LANGUAGES[settings.lang],
    }


def months(sight: Sight) -> str:
    """Length of all periods together."""
    settings = config(sight)
    return str(settings.num_periods * settings.num_months_per_period)


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
    """The period, or the question, of a part."""
    return int(part.partition("#")[0].partition(".")[0][1:])


def periods(sight: Sight) -> list[str]:
    """Parts of the periods in which something changes."""
    return [period_part(number) for number in range(1, config(sight).num_periods + 1)]


def changes(sight: Sight) -> list[State]:
    """What each period changed, from period 1 on, as far as made."""
    return [{one["variable"]: one["new"] for one in reply["updated"]} for reply in sight.parts(UPDATES).values()]


def states(sight: Sight) -> list[State]:
    """All variables at the end of each period, period 0 first, as far as made; in the order of the schema."""
    first = sight.of(STATE)
    # A reply from the journal has another order.
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
            Opening(None, {shown["variable"]: shown["value"] for shown in one["exposed_states"]}, one["query"])
            for one in sight.of(FIRST_QUERIES)["queries"]
        ]
    now = states(sight)[number]
    queries = sight.of(LATER_QUERIES, period_part(number))["queries"]
    return [
        Opening(one["event"], {name: now[name] for name in one["states"]}, query)
        for one, query in zip(events(sight, number), queries, strict=True)
    ]


PARAGRAPH, SENTENCES = 4_000, 1_200
"""Most characters of a description, and of a message, an answer or an event."""
NAME, VALUE, QUESTION = 60, 120, 400
CALLER = Caller(
    prompt=prompt,
    max_tokens=MAX_TOKENS,
    usual=Manner(LOW),
    manners={QUESTIONS: Manner(HIGH), UPDATES: Manner(HIGH)},
)
"""Where many replies are right, and a test lives on their variety, the temperature is high."""
step = CALLER.step
