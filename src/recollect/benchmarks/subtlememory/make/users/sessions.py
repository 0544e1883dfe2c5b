"""Dialogues, one per statement: each sees those before it in its case, and a bad one costs the case."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from recollect.benchmarks.subtlememory.make.calling import MESSAGE, SENTENCE
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.relations import kinds, levels
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import SESSION_CHECKS, SESSION_FILTER_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import SESSIONS, per_case
from recollect.making.calling import NONE, shown
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage, Step

PROBLEMS = ("too_hidden", "too_explicit", "wrong_thing", "unnatural", "wrong_kind", "breaks_relation", "betrays")
"""Why a dialogue is rejected."""


def _parts(place: int, sight: Sight) -> list[str]:
    """Cases with a statement at this place whose earlier dialogues were all made."""
    return [
        part
        for part, case in progress.cases(sight).items()
        if len(case.facts) > place and len(progress.earlier(sight, part, place)) == place
    ]


def _session_given(place: int, sight: Sight, part: str) -> Given:
    case = progress.cases(sight)[part]
    brief, before = case.briefs[place], progress.earlier(sight, part, place)
    others = [fact for number, fact in enumerate(case.facts) if number != place]
    # there are more candidates than dialogues before the last, so some are left
    used = {dialogue["selected_conversation_type"] for dialogue in before}
    offered = [(kinds()[name], flow) for name, flow in brief.candidates if name not in used]
    candidates = (f"- {kind.name}: to {kind.task}. Rhythm: {kind.flows[flow]}." for kind, flow in offered)
    earlier = (f"({one['selected_conversation_type']})\n{progress.in_lines(one)}" for one in before)
    about = progress.about(case, sight)
    return {
        **about,
        "guidance": about["talk_guidance"],
        "fact": case.facts[place],
        "case": case.description,
        "others": "\n".join(f"- {fact}" for fact in others) or NONE,
        "candidates": "\n".join(candidates),
        "kinds": [kind.name for kind, _ in offered],
        "signal": f"{brief.signal}: {levels()[brief.signal]}",
        "earlier": "\n\n".join(earlier) or NONE,
        "messages": str(brief.messages),
        "length": brief.messages,
        "siblings": others,
    }


def _session_shape(given: Given) -> Schema:
    message = record(role=one_of(("user", "assistant")), content=text(1, MESSAGE))
    return record(selected_conversation_type=one_of(given["kinds"]), messages=array(message, 1, 30))


def _session_step(place: int) -> Step:
    """The dialogues at one place of their cases."""
    given, parts = partial(_session_given, place), partial(_parts, place)
    return per_case("session", parts, name=SESSIONS[place], given=given, shape=_session_shape, checks=SESSION_CHECKS)


def _filter_given(sight: Sight, part: str) -> Given:
    case = progress.cases(sight)[part]
    about = progress.about(case, sight)
    return {
        **about,
        "guidance": about["talk_guidance"],
        "case": shown({"relation": about["relation"], "about": case.description, "talks": list(case.facts)}),
        "talks": progress.all_talks(sight, part),
        "count": len(case.facts),
    }


def _filter_shape(given: Given) -> Schema:
    decision = record(
        talk=whole_number(1, given["count"]),
        accepted=flag(),
        problems=array(one_of(PROBLEMS), 0, len(PROBLEMS)),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
    )
    return record(talks=array(decision, 0, 2 * given["count"]))


def told(sight: Sight) -> Ruled:
    """Cases whose dialogues were all made and accepted."""
    problems = {part: next(_problems(sight, part), None) for part in progress.cases(sight)}
    drops = tuple(Drop(part, *problem) for part, problem in problems.items() if problem is not None)
    return Ruled([part for part, problem in problems.items() if problem is None], drops)


def _problems(sight: Sight, part: str) -> Iterator[tuple[str, str]]:
    """Checks that a case does not pass, each with the problem."""
    if not progress.complete(sight, part):
        yield "not_told", "not all of its statements are told in a talk"
        return
    verdict = sight.parts(progress.SESSION_FILTER).get(part, {"talks": []})
    decisions = {decision["talk"]: decision for decision in verdict["talks"]}
    for number in range(1, len(progress.cases(sight)[part].facts) + 1):
        decision = decisions.get(number)
        if decision is None:
            yield "undecided", f"nobody decided on talk {number}"
        elif decision["content"] != FINE:
            yield "content", f"talk {number} is {decision['content']}: {decision['reason']}"
        elif not decision["accepted"]:
            yield "filter", f"talk {number}: {', '.join(decision['problems'])}: {decision['reason']}"


STAGES: tuple[Stage, ...] = (
    *(_session_step(place) for place in range(len(SESSIONS))),
    per_case(
        progress.SESSION_FILTER,
        lambda sight: [part for part in progress.cases(sight) if progress.complete(sight, part)],
        given=_filter_given,
        shape=_filter_shape,
        checks=SESSION_FILTER_CHECKS,
    ),
    Rule(name=progress.TOLD, make=told),
)
