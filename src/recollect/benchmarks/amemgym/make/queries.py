"""How the user lets the assistant see what holds: first messages, rewritten until a reader infers every value."""

from __future__ import annotations

from typing import Any

from recollect.benchmarks.amemgym.make import progress
from recollect.benchmarks.amemgym.make.answers import ROUNDS
from recollect.benchmarks.amemgym.make.checks import FIRST_QUERY_CHECKS, LATER_QUERY_CHECKS, REFINED_QUERY_CHECKS
from recollect.benchmarks.amemgym.make.progress import SENTENCES, VALUE, number_of, period_part, step
from recollect.benchmarks.amemgym.make.schemas import value_shape
from recollect.benchmarks.amemgym.settings import period_ends
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import Given, Item, Loop, Sight, Stage

TOGETHER = 3
"""Most variables that a query of period 0 shows."""
INFER, REFINE = "infer", "refine_query"


def _of_start(sight: Sight, _: str) -> Given:
    values, now = progress.schema(sight), progress.states(sight)[0]
    return {**progress.about(sight), "state": shown(now), "schema": shown(values), "now": now, "names": list(values)}


def _first_shape(given: Given) -> Schema:
    shown_state = record(variable=one_of(given["names"]), value=text(1, VALUE))
    query = record(exposed_states=array(shown_state, 1, TOGETHER), query=text(1, SENTENCES))
    return record(queries=array(query, 1, len(given["names"])))


def _of_events(sight: Sight, part: str) -> Given:
    number, ends, values = number_of(part), period_ends(progress.config(sight)), progress.schema(sight)
    before, after = progress.states(sight)[number - 1 : number + 1]
    told = [
        {"event": one["event"], "changes": {name: {"from": before[name], "to": after[name]} for name in one["states"]}}
        for one in progress.events(sight, number)
    ]
    return {
        **progress.about(sight),
        "from": ends[number - 1],
        "until": ends[number],
        "events": shown(told),
        "schema": shown(values),
        "count": str(len(told)),
        "names": list(values),
    }


def _query_parts(sight: Sight) -> list[str]:
    return [
        f"{period_part(number)}.s{place:02d}"
        for number in range(progress.config(sight).num_periods + 1)
        for place in range(len(progress.openings(sight, number)))
    ]


def _start(sight: Sight, part: str) -> dict[str, Any]:
    opening = progress.openings(sight, number_of(part))[int(part.partition(".s")[2])]
    return {"query": opening.query, "exposed": opening.exposed}


def _of_query(sight: Sight, _: str) -> Given:
    values = {name: progress.schema(sight)[name] for name in sight.draft["exposed"]}
    return {"query": sight.draft["query"], "schema": shown(values), "values": values}


def _faults(verdict: Any, draft: Any) -> list[str]:
    wrong = [(name, value) for name, value in draft["exposed"].items() if verdict[name] != value]
    return [f"`{name}` is `{value}`, and `{verdict[name]}` is inferred" for name, value in wrong]


def _of_mistaken(sight: Sight, part: str) -> Given:
    given, exposed = _of_query(sight, part), sight.draft["exposed"]
    mistaken = {name: sight.verdict[name] for name, value in exposed.items() if sight.verdict[name] != value}
    return {
        **progress.about(sight),
        "query": given["query"],
        "schema": given["schema"],
        "exposed": shown(exposed),
        "mistaken": shown(mistaken),
        "names": list(exposed),
    }


def _most_queries(item: Item) -> int:
    settings = item.data.config
    first = settings.num_questions * settings.num_states_per_question
    return int(first + settings.num_periods * (settings.num_changes_per_period + 1))


STAGES: tuple[Stage, ...] = (
    step(progress.FIRST_QUERIES, given=_of_start, shape=_first_shape, checks=FIRST_QUERY_CHECKS),
    each(
        step(
            progress.LATER_QUERIES,
            given=_of_events,
            shape=lambda given: record(queries=array(text(1, SENTENCES), int(given["count"]), int(given["count"]))),
            checks=LATER_QUERY_CHECKS,
        ),
        progress.periods,
        lambda item: item.data.config.num_periods,
    ),
    Loop(
        name=progress.EXPOSED,
        start=_start,
        check=step(INFER, given=_of_query, shape=value_shape),
        faults=_faults,
        mend=step(
            REFINE, given=_of_mistaken, shape=lambda _: record(query=text(1, SENTENCES)), checks=REFINED_QUERY_CHECKS
        ),
        mended=lambda draft, _, reply: {**draft, "query": reply["query"]},
        rounds=ROUNDS,
        parts=_query_parts,
        bound=_most_queries,
    ),
)
"""A message from which a value still cannot be told after all rounds costs its user."""
