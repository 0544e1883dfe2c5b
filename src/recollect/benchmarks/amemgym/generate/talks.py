"""The sessions of each period: what happened, what the user says first, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import content, small_talk
from recollect.benchmarks.amemgym.generate.plans import LifePlan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import Occasion, State, Trajectory
from recollect.benchmarks.amemgym.items import Period, Talk, Update
from recollect.benchmarks.amemgym.settings import period_ends
from recollect.text.tokens import count
from recollect.text.words import FUNCTION_WORDS

WANTED_TOKENS = 24
"""A wording of at most so many is taken at once; the paper's queries have 21 on average, of 13 to 32."""
DRAWS = 8
"""Wordings that are tried before the shortest of them is taken."""
OPENED = 0.08
ASKED_FIRST = 0.25
"""Share of queries that ask before they tell."""
EVENING, SECONDS = time(19), 3 * 60 * 60
"""Sessions begin between 19:00 and 22:00."""
_LOWERED = FUNCTION_WORDS - {"i", "will", "may"}
"""First words that lose their capital behind a bridge; all others might be names."""


def draw_periods(
    plan: LifePlan, trajectory: Trajectory, settings: GenerationSettings, rng: Random
) -> tuple[Period, ...]:
    """All periods of a user with their sessions.

    Raises:
        ValueError: A period has more sessions than days.
    """
    speaker = _Speaker(plan, settings, rng)
    ends = period_ends(settings)
    changes = trajectory.changes()
    made = []
    for number, state in enumerate(trajectory.states):
        told = trajectory.occasions[number] if number else _first_told(plan, settings, rng)
        events = [" ".join(plan.variables[name].named(state[name]).event for name in names) for names in told]
        made.append(
            Period(
                period_start=ends[number - 1] if number else None,
                period_end=ends[number],
                period_summary=" ".join(events) if number else None,
                sessions=tuple(
                    Talk(
                        event=event if number else None,
                        exposed_states={name: state[name] for name in names},
                        query=speaker.query(names, state),
                        session_time=at,
                    )
                    for names, event, at in zip(told, events, session_times(ends, number, len(told), rng), strict=True)
                ),
                state=dict(state),
                updates=updates_of(trajectory.states[number - 1] if number else {}, state),
                update_cnts=dict(changes),
            )
        )
    return tuple(made)


def updates_of(before: State, state: State) -> dict[str, Update]:
    """What changed; in period 0 there is no state before, and every value is new."""
    changed = {name: value for name, value in state.items() if before.get(name) != value}
    return {name: Update(old=before.get(name), new=value) for name, value in changed.items()}


def _first_told(plan: LifePlan, settings: GenerationSettings, rng: Random) -> tuple[Occasion, ...]:
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


def session_times(ends: Sequence[str], number: int, sessions: int, rng: Random) -> list[str]:
    """One evening after another, the last on the last day of the period.

    Raises:
        ValueError: There are more sessions than days.
    """
    last = date.fromisoformat(ends[number])
    days = [last - timedelta(days=back) for back in range(sessions - 1, -1, -1)]
    if number and days and str(days[0]) <= ends[number - 1]:
        raise ValueError(f"{sessions} sessions do not fit into period {number}, which ends {ends[number]}")
    return [str(datetime.combine(day, EVENING) + timedelta(seconds=rng.randrange(SECONDS))) for day in days]


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
        draws = [draw for draw in draws if not named & content(draw[0])] or draws
        best = next((draw for draw in draws if count(draw[0]) <= WANTED_TOKENS), None)
        text, used = best or min(draws, key=lambda draw: count(draw[0]))
        self._said.update(used)
        return text

    def _draw(self, names: Occasion, state: State, *, again: bool = False) -> tuple[str, list[str]]:
        words = [self._plan.variables[name].named(state[name]) for name in names]
        told = [self._choose(value.held_out if self._held_out else value.told, again) for value in words]
        ask = self._choose(self._plan.domain_of[names[0]].asks, again)
        lead = self._rng.choice(["", "", "", *small_talk().leads])
        bridges = [self._rng.choice(["", "", *small_talk().bridges]) for _ in told[1:]]
        telling = " ".join([told[0], *(_led(bridge, one) for bridge, one in zip(bridges, told[1:], strict=True))])
        asked_first = self._rng.random() < ASKED_FIRST
        text = f"{ask} {telling}" if asked_first else f"{telling} {_led(lead, ask)}"
        if self._rng.random() < OPENED:
            text = f"{self._rng.choice(small_talk().openers)} {text}"
        return text, [*told, ask]

    def _choose(self, sentences: Sequence[str], again: bool) -> str:
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
