"""Which dialogues state the facts: planned, written one at a time, and reviewed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import LABEL, MESSAGE, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE, qualifiers
from recollect.benchmarks.subtlememory.make.relations import guidance, kinds
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTRADICTORY
from recollect.benchmarks.subtlememory.make.sources.tasks import MOST_SESSIONS
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.session_checks import LENGTHS, PLAN_CHECKS, SESSION_CHECKS
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import DroppedError, Given, Rule, Ruled, Sight, Stage

MOST_TOGETHER = 3
"""Most facts of one dialogue."""
YES, NO = ("yes", "no")
CLAIMS = {"user": "The user makes the claim.", "assistant": "The assistant makes the claim.", "": ""}
SHOWN = (
    "scenario_label", "event_signature", "event_summary", "opening_situation", "user_goal", "assistant_role",
    "fact_integration_plan", "distinct_from_other_sessions",
)  # fmt: skip
"""Fields of a plan that the writer of the dialogue sees."""


def _plan_given(sight: Sight, _: str) -> Given:
    names = progress.session_names(sight)
    offered = dict(zip(names, progress.task(sight).candidates, strict=False))
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].plan,
        "count": str(len(names)),
        "sessions": names,
        "candidates": "\n\n".join(f"For {name}:\n{_candidates(pairs)}" for name, pairs in offered.items()),
        "offered": {name: [list(pair) for pair in pairs] for name, pairs in offered.items()},
    }


def _candidates(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(
        f"- type `{kind}` ({kinds()[kind].task}), flow `{flow}` ({kinds()[kind].flows[flow]})" for kind, flow in pairs
    )


def _plan_shape(given: Given) -> Schema:
    names = given["sessions"]
    plan = record(
        session_id=one_of(names),
        chosen_conversation_type=text(1, LABEL),
        chosen_conversation_flow=text(1, LABEL),
        scenario_label=text(1, 2 * LABEL),
        event_signature=text(1, SENTENCE),
        event_summary=text(1, SENTENCE),
        opening_situation=text(1, SENTENCE),
        user_goal=text(1, SENTENCE),
        assistant_role=text(1, SENTENCE),
        grouping_rationale=text(0, SENTENCE),
        fact_integration_plan=text(1, 2 * SENTENCE),
        distinct_from_other_sessions=text(0, SENTENCE),
        assigned_memory_ids=array(one_of([one["memory_id"] for one in given["known"]]), 1, MOST_TOGETHER),
    )
    return record(sessions=array(plan, len(names), len(names)))


def _session_given(sight: Sight, part: str) -> Given:
    plan, about, claimant = progress.plans(sight)[part], progress.about(sight), progress.claimant(sight, part)
    kind = kinds()[plan["chosen_conversation_type"]]
    mine = [fact for fact in about["known"] if fact["memory_id"] in plan["assigned_memory_ids"]]
    told = (f"- {fact.statement} (named: {fact.accepted[0]})" for fact in progress.session_facts(sight, part))
    return {
        **about,
        "session": part,
        "guidance": " ".join((guidance()[progress.subtype(sight)].talk, CLAIMS[claimant])).strip(),
        "plan": shown({name: plan[name] for name in SHOWN}),
        "kind": f"`{kind.name}`: {kind.task}; {kind.flows[plan['chosen_conversation_flow']]}",
        "told": "\n".join(told),
        "fewest": str(LENGTHS[0]),
        "most": str(LENGTHS[-1]),
        "mine": mine,
        "others": [fact for fact in about["known"] if fact not in mine],
        "claimant": claimant,
        "qualifiers": conditions(sight),
    }


def conditions(sight: Sight) -> list[list[str]]:
    """Stems left out of each claim of a contradiction because they would settle it."""
    if progress.subtype(sight) != CONTRADICTORY:
        return []
    facts = progress.chosen(sight).facts
    asked = {one.memory_id: one.asked for one in progress.task(sight).evidence}
    values = [value for fact in facts for value in fact.accepted]
    return qualifiers(progress.task(sight).seed.question, [asked[fact.memory_id] for fact in facts], values)


def _session_shape(_: Given) -> Schema:
    turn = record(role=one_of(("user", "assistant")), content=text(1, MESSAGE))
    return record(
        session_id=text(1, LABEL),
        chosen_scenario=text(1, SENTENCE),
        conversation=array(turn, 2, 2 * LENGTHS[-1]),
        coverage_notes=text(0, SENTENCE),
    )


def _filter_given(sight: Sight, _: str) -> Given:
    planned: list[dict[str, Any]] = []
    for name in progress.plans(sight):
        statements = [fact.statement for fact in progress.session_facts(sight, name)]
        claimant = progress.claimant(sight, name)
        planned.append({"session_id": name, "tells": statements, **({"claimed_by": claimant} if claimant else {})})
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].talk_filter,
        "planned": shown(planned),
        "talks": progress.all_talks(sight),
        "sessions": list(progress.plans(sight)),
    }


def decisions_shape(id_field: str, names: Sequence[str]) -> Schema:
    """Decisions of a filter; a missing one counts as a rejection."""
    fields: Mapping[str, Schema] = {
        id_field: one_of(names),
        "decision": one_of((YES, NO)),
        "reason": text(0, SENTENCE),
        "content": one_of(CONTENTS),
    }
    return record(decisions=array(record(**fields), 0, len(names)))


def told(sight: Sight) -> Ruled:
    """All dialogues, if every one was accepted.

    Raises:
        DroppedError: One was rejected, or not decided on.
    """
    names = list(progress.plans(sight))
    problems = rejected(sight.of(progress.SESSION_FILTER)["decisions"], "session_id", names)
    if problems:
        raise DroppedError("filter", "; ".join(problems.values()))
    return Ruled(names)


def rejected(decisions: Sequence[Mapping[str, Any]], id_field: str, wanted: Sequence[str]) -> dict[str, str]:
    """Which of *wanted* were not accepted -> why: rejected by any decision, unfit content, or not decided on."""
    found: dict[str, str] = {}
    for name in wanted:
        mine = [decision for decision in decisions if decision[id_field] == name]
        against = next((one for one in mine if one["decision"] == NO or one["content"] != FINE), None)
        if not mine:
            found[name] = f"`{name}`: nobody decided on it"
        elif against is not None:
            why = f"{against['content']}: " if against["content"] != FINE else ""
            found[name] = f"`{name}`: {why}{against['reason']}"
    return found


STAGES: tuple[Stage, ...] = (
    step(progress.PLAN, given=_plan_given, shape=_plan_shape, checks=PLAN_CHECKS),
    each(
        step(progress.SESSION, given=_session_given, shape=_session_shape, checks=SESSION_CHECKS),
        progress.session_names,
        lambda item: MOST_SESSIONS - (item.data.seed.subtype == CONTRADICTORY),
    ),
    step(
        progress.SESSION_FILTER,
        given=_filter_given,
        shape=lambda given: decisions_shape("session_id", given["sessions"]),
    ),
    Rule(name=progress.TOLD, make=told),
)
"""A case with a dialogue that is not made, not decided on or not accepted is rejected: each holds different facts."""
