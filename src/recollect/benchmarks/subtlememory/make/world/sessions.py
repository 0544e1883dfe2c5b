"""In which talks the facts are told: planned, written each by itself, and reviewed together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import LABEL, MESSAGE, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE, qualifiers
from recollect.benchmarks.subtlememory.make.relations import guidance, kinds
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTRADICTORY
from recollect.benchmarks.subtlememory.make.sources.tasks import MOST_SESSIONS
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.progress import PLAN, SESSION, SESSION_FILTER, TOLD
from recollect.benchmarks.subtlememory.make.world.session_checks import LENGTHS, PLAN_CHECKS, SESSION_CHECKS
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import DroppedError, Given, Rule, Ruled, Sight, Stage

MOST_TOGETHER = 3
"""Facts of one talk."""
YES, NO = DECISIONS = ("yes", "no")
CLAIMS = {"user": "The user makes the claim.", "assistant": "The assistant makes the claim.", "": ""}


def _of_facts(sight: Sight, _: str) -> Given:
    names = progress.session_names(sight)
    offered = {name: progress.task(sight).candidates[place] for place, name in enumerate(names)}
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].plan,
        "count": str(len(names)),
        "sessions": names,
        "candidates": "\n\n".join(f"For {name}:\n{_kinds(pairs)}" for name, pairs in offered.items()),
        "offered": {name: [list(pair) for pair in pairs] for name, pairs in offered.items()},
    }


def _kinds(pairs: Sequence[tuple[str, str]]) -> str:
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


def _of_session(sight: Sight, part: str) -> Given:
    plan, mine = progress.plans(sight)[part], progress.told_in(sight, part)
    about, who = progress.about(sight), progress.claimant(sight, part)
    kind = kinds()[plan["chosen_conversation_type"]]
    here = [one for one in about["known"] if one["memory_id"] in plan["assigned_memory_ids"]]
    return {
        **about,
        "session": part,
        "guidance": " ".join((guidance()[progress.subtype(sight)].talk, CLAIMS[who])).strip(),
        "plan": shown({name: plan[name] for name in SHOWN}),
        "kind": f"`{kind.name}`: {kind.task}; {kind.flows[plan['chosen_conversation_flow']]}",
        "told": "\n".join(f"- {one.statement} (named: {one.accepted[0]})" for one in mine),
        "fewest": str(LENGTHS[0]),
        "most": str(LENGTHS[-1]),
        "mine": here,
        "others": [one for one in about["known"] if one not in here],
        "claimant": who,
        "qualifiers": conditions(sight),
    }


SHOWN = (
    "scenario_label", "event_signature", "event_summary", "opening_situation", "user_goal", "assistant_role",
    "fact_integration_plan", "distinct_from_other_sessions",
)  # fmt: skip
"""What the writer of a talk sees of its plan."""


def conditions(sight: Sight) -> list[list[str]]:
    """What was taken away of each claim of a contradiction, for it would settle the matter."""
    if progress.subtype(sight) != CONTRADICTORY:
        return []
    facts = progress.chosen(sight).facts
    asked = {one.memory_id: one.asked for one in progress.task(sight).evidence}
    values = [value for one in facts for value in one.accepted]
    return qualifiers(progress.task(sight).seed.question, [asked[one.memory_id] for one in facts], values)


def _session_shape(_: Given) -> Schema:
    turn = record(role=one_of(("user", "assistant")), content=text(1, MESSAGE))
    return record(
        session_id=text(1, LABEL),
        chosen_scenario=text(1, SENTENCE),
        conversation=array(turn, 2, 2 * LENGTHS[-1]),
        coverage_notes=text(0, SENTENCE),
    )


def _of_talks(sight: Sight, _: str) -> Given:
    who = {name: progress.claimant(sight, name) for name in progress.plans(sight)}
    planned = [
        {"session_id": name, "tells": [one.statement for one in progress.told_in(sight, name)], **_claims(who[name])}
        for name in progress.plans(sight)
    ]
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].talk_filter,
        "planned": shown(planned),
        "talks": progress.all_talks(sight),
        "sessions": list(progress.plans(sight)),
    }


def _claims(who: str) -> dict[str, str]:
    return {"claimed_by": who} if who else {}


def _decision_shape(given: Given) -> Schema:
    """A decision may be missing, which is taken for a rejection."""
    decision = record(
        session_id=one_of(given["sessions"]),
        decision=one_of(DECISIONS),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
    )
    return record(decisions=array(decision, 0, len(given["sessions"])))


def told(sight: Sight) -> Ruled:
    """All talks, if each was decided on and none was rejected.

    Raises:
        DroppedError: One was not, or was.
    """
    problems = rejected(sight.of(SESSION_FILTER)["decisions"], "session_id", list(progress.plans(sight)))
    if problems:
        raise DroppedError("filter", "; ".join(problems.values()))
    return Ruled(list(progress.plans(sight)))


def rejected(decisions: Sequence[Any], name: str, wanted: Sequence[str]) -> dict[str, str]:
    """What was not accepted -> why: decided against, decided on in two ways, unfit for anybody, or not decided on."""
    found: dict[str, str] = {}
    for one in wanted:
        mine = [each for each in decisions if each[name] == one]
        against = next((each for each in mine if each["decision"] == NO or each["content"] != FINE), None)
        if not mine:
            found[one] = f"`{one}`: nobody decided on it"
        elif against is not None:
            why = f"{against['content']}: " if against["content"] != FINE else ""
            found[one] = f"`{one}`: {why}{against['reason']}"
    return found


STAGES: tuple[Stage, ...] = (
    step(PLAN, given=_of_facts, shape=_plan_shape, checks=PLAN_CHECKS),
    each(
        step(SESSION, given=_of_session, shape=_session_shape, checks=SESSION_CHECKS),
        progress.session_names,
        lambda item: MOST_SESSIONS - (item.data.seed.subtype == CONTRADICTORY),
    ),
    step(SESSION_FILTER, given=_of_talks, shape=_decision_shape),
    Rule(name=TOLD, make=told),
)
"""A case with a talk that is not made, not decided on or not accepted is rejected: each holds what the others lack."""
