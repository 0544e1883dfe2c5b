"""What changes in each period, and by which events."""

from __future__ import annotations

from recollect.benchmarks.amemgym.make import progress
from recollect.benchmarks.amemgym.make.checks import EVENT_CHECKS, UPDATE_CHECKS
from recollect.benchmarks.amemgym.make.progress import SENTENCES, VALUE, number_of, step
from recollect.benchmarks.amemgym.make.schemas import fewest_changes
from recollect.benchmarks.amemgym.settings import period_ends
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import Given, Sight, Stage


def _of_period(sight: Sight, part: str) -> Given:
    settings, number = progress.config(sight), number_of(part)
    ends, values = period_ends(settings), progress.schema(sight)
    counts = progress.counts(sight)
    may_change = {name: settings.max_changes_per_state - counts[name] for name in values}
    now = progress.states(sight)[-1]
    prior = [
        {"until": end, "updated": changed} for end, changed in zip(ends[1:], progress.changes(sight), strict=False)
    ]
    return {
        **progress.about(sight),
        "step": f"{number} of {settings.num_periods}",
        "months": str(settings.num_months_per_period),
        "from": ends[number - 1],
        "until": ends[number],
        "schema": shown(values),
        "state": shown(now),
        "prior": shown(prior) if prior else NONE,
        "left": shown(may_change),
        "wanted": str(settings.num_changes_per_period),
        "fewest": str(fewest_changes(settings)),
        "most": str(settings.num_changes_per_period + 1),
        "values": values,
        "now": now,
        "may_change": may_change,
        "later": settings.num_periods - number,
    }


def _update_shape(given: Given) -> Schema:
    changed = record(variable=one_of(list(given["values"])), new=text(1, VALUE))
    return record(period_summary=text(1, SENTENCES), updated=array(changed, int(given["fewest"]), int(given["most"])))


def _of_changes(sight: Sight, part: str) -> Given:
    number, ends, values = number_of(part), period_ends(progress.config(sight)), progress.schema(sight)
    before, after = progress.states(sight)[number - 1 : number + 1]
    changed = [name for name in values if before[name] != after[name]]
    changes = {name: {"from": before[name], "to": after[name], "values": values[name]} for name in changed}
    return {
        **progress.about(sight),
        "from": ends[number - 1],
        "until": ends[number],
        "summary": sight.of(progress.UPDATES, part)["period_summary"],
        "changes": shown(changes),
        "unchanged": shown({name: value for name, value in after.items() if name not in changed}),
        "changed": changed,
        "names": changed,
        "values_hidden": [after[name] for name in changed],
    }


def _event_shape(given: Given) -> Schema:
    changed = given["changed"]
    event = record(states=array(one_of(changed), 1, len(changed)), event=text(1, SENTENCES))
    return record(events=array(event, 1, len(changed)))


_UPDATES = step(progress.UPDATES, given=_of_period, shape=_update_shape, checks=UPDATE_CHECKS)
_EVENTS = step(progress.EVENTS, given=_of_changes, shape=_event_shape, checks=EVENT_CHECKS)
STAGES: tuple[Stage, ...] = (
    each(_UPDATES, progress.periods, lambda item: item.data.config.num_periods, chained=True),
    each(_EVENTS, progress.periods, lambda item: item.data.config.num_periods),
)
"""Each period starts from the state at the end of the one before."""
