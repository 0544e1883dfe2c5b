"""The sessions of each period: what happened, what the user says first, and when."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue_rules import content
from recollect.benchmarks.amemgym.generate.plans import LifePlan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import Occasion, State, Trajectory
from recollect.benchmarks.amemgym.items import Period, Talk, Update
from recollect.records.codec import decode
from recollect.text.dates.calendars import add_months
from recollect.text.tokens import count
from recollect.text.words import FUNCTION_WORDS

WANTED_TOKENS = 24
"""A wording of at most so many is taken at once; the paper's queries have 21 on average, of 13 to 32."""
DRAWS = 8
"""Wordings that are tried before the shortest of them is taken."""
OPENED = 0.08
"""Share of queries that begin with small talk."""
ASKED_FIRST = 0.25
"""Share of queries that ask before they tell."""
_EVENING = time(19)
_SECONDS = 3 * 60 * 60
_LOWERED = FUNCTION_WORDS - {"i", "will", "may"}
"""First words that lose their capital behind a bridge; all others might be names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """Words that belong to no domain and tell nothing."""

    openers: tuple[str, ...]
    bridges: tuple[str, ...]
    """Between two sentences that tell something."""
    leads: tuple[str, ...]
    """Before what is asked."""
    neutral: tuple[str, ...]
    """Whole turns that go on with any talk."""


@cache
def small_talk() -> SmallTalk:
    """What the file of this folder says; read once."""
    file = Path(__file__).parent / "small_talk.json"
    return decode(SmallTalk, json.loads(file.read_text(encoding="utf-8")), where=str(file))


def draw_periods(
    plan: LifePlan, trajectory: Trajectory, settings: GenerationSettings, rng: Random
) -> tuple[Period, ...]:
    """All periods of a user with their sessions.

    Raises:
        ValueError: A period has more sessions than days.
    """
    speaker = _Speaker(plan, settings, rng)
    start = date.fromisoformat(settings.start_date)
    ends = [_later(start, settings.num_months_per_period * number) for number in range(settings.num_periods + 1)]
    changes = trajectory.changes()
    made = []
    for number, state in enumerate(trajectory.states):
        told = trajectory.occasions[number] if number else _first_told(plan, settings, rng)
        events = [" ".join(plan.variables[name].named(state[name]).event for name in names) for names in told]
        made.append(
            Period(
                period_start=ends[number - 1].isoformat() if number else None,
                period_end=ends[number].isoformat(),
                period_summary=" ".join(events) if number else None,
                sessions=tuple(
                    Talk(
                        event=event if number else None,
                        exposed_states={name: state[name] for name in names},
                        query=speaker.query(names, state),
                        session_time=at,
                    )
                    for names, event, at in zip(told, events, _times(ends, number, len(told), rng), strict=True)
                ),
                state=dict(state),
                updates=_updates(trajectory.states[number - 1] if number else None, state),
                update_cnts=dict(changes),
            )
        )
    return tuple(made)


def _later(start: date, months: int) -> date:
    """Months later; the end of February is always its 28th."""
    day = add_months(start, months)
    return day.replace(day=28) if (day.month, day.day) == (2, 29) else day


def _updates(before: State | None, state: State) -> dict[str, Update]:
    if before is None:
        return {name: Update(old=None, new=value) for name, value in state.items()}
    return {name: Update(old=before[name], new=value) for name, value in state.items() if before[name] != value}


def _first_told(plan: LifePlan, settings: GenerationSettings, rng: Random) -> tuple[Occasion, ...]:
    """All variables, one to three of one domain together."""
    told: list[list[str]] = []
    by_domain: dict[str, list[str]] = {}
    for name in plan.variables:
        by_domain.setdefault(plan.domain_of[name].domain, []).append(name)
    for names in by_domain.values():
        rng.shuffle(names)
        told.append(names[:1])
        for name in names[1:]:
            if rng.random() < settings.told_together:
                told[-1].append(name)
            else:
                told.append([name])
    rng.shuffle(told)
    return tuple(map(tuple, told))


def _times(ends: Sequence[date], number: int, sessions: int, rng: Random) -> list[str]:
    """One evening after another, the last on the last day of the period."""
    days = [ends[number] - timedelta(days=back) for back in range(sessions - 1, -1, -1)]
    if number and days and days[0] <= ends[number - 1]:
        raise ValueError(f"{sessions} sessions do not fit into period {number}, which ends {ends[number]}")
    return [
        (datetime.combine(day, _EVENING) + timedelta(seconds=rng.randrange(_SECONDS))).isoformat(sep=" ")
        for day in days
    ]


class _Speaker:
    """One user's way of telling; a sentence comes again only when all others of its value were said as often.

    The exception is a query in which one clause would name the value that another one shows.
    """

    def __init__(self, plan: LifePlan, settings: GenerationSettings, rng: Random) -> None:
        self._plan, self._held_out, self._rng = plan, settings.held_out, rng
        self._said: Counter[str] = Counter()

    def query(self, names: Occasion, state: State) -> str:
        named = frozenset().union(*(content(state[name]) for name in names))
        draws = [self._draw(names, state) for _ in range(DRAWS)]
        if all(named & content(text) for text, _ in draws):
            draws += [self._draw(names, state, again=True) for _ in range(DRAWS)]
        draws = [one for one in draws if not named & content(one[0])] or draws
        best = next((one for one in draws if count(one[0]) <= WANTED_TOKENS), None)
        text, used = best or min(draws, key=lambda one: count(one[0]))
        self._said.update(used)
        return text

    def _draw(self, names: Occasion, state: State, *, again: bool = False) -> tuple[str, list[str]]:
        told = [self._one(self._sentences(name, state[name]), again) for name in names]
        ask = self._one(self._plan.domain_of[names[0]].asks, again)
        lead = self._rng.choice(["", "", "", *small_talk().leads])
        bridges = [self._rng.choice(["", "", *small_talk().bridges]) for _ in told[1:]]
        telling = " ".join([told[0], *(_led(bridge, one) for bridge, one in zip(bridges, told[1:], strict=True))])
        asked_first = self._rng.random() < ASKED_FIRST
        text = f"{ask} {telling}" if asked_first else f"{telling} {_led(lead, ask)}"
        if self._rng.random() < OPENED:
            text = f"{self._rng.choice(small_talk().openers)} {text}"
        return text, [*told, ask]

    def _sentences(self, name: str, value: str) -> tuple[str, ...]:
        words = self._plan.variables[name].named(value)
        return words.held_out if self._held_out else words.told

    def _one(self, sentences: Sequence[str], again: bool) -> str:
        """A sentence that was said least often, or *again* any."""
        least = min(self._said[one] for one in sentences)
        return self._rng.choice([one for one in sentences if again or self._said[one] == least])


def _led(lead: str, sentence: str) -> str:
    """The sentence behind its lead, in small letters where its first word is surely no name."""
    opening = sentence.split(maxsplit=1)[0]
    if not lead:
        return sentence
    if opening == "I" or opening.startswith(("I'", "I’")):
        return f"{lead} {sentence}"
    if opening.lower() not in _LOWERED:
        return sentence
    return f"{lead} {sentence[0].lower()}{sentence[1:]}"
