"""Talks, one for each statement: each sees those before it in its case, and one that is bad costs the case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import MESSAGE, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.relations import kinds, levels
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import SESSION_CHECKS, SESSION_FILTER_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import SESSIONS, Case
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage, Step

PROBLEMS = ("too_hidden", "too_explicit", "wrong_thing", "unnatural", "wrong_kind", "breaks_relation", "betrays")
"""Why a talk is rejected."""


def _parts(place: int, sight: Sight) -> list[str]:
    """Cases with a statement at this place whose talks before it were all made."""
    return [
        part
        for part, case in progress.cases(sight).items()
        if len(case.facts) > place and len(progress.earlier(sight, part, place)) == place
    ]


def _of_session(place: int, sight: Sight, part: str) -> Given:
    case = progress.cases(sight)[part]
    brief, before = case.briefs[place], progress.earlier(sight, part, place)
    others = [fact for number, fact in enumerate(case.facts) if number != place]
    offered = _offered(case, place, before)
    about = progress.about(case, sight)
    return {
        **about,
        "guidance": about["talk_guidance"],
        "fact": case.facts[place],
        "case": case.description,
        "others": "\n".join(f"- {fact}" for fact in others) or NONE,
        "candidates": "\n".join(_told(kind, flow) for kind, flow in offered),
        "kinds": [kind for kind, _ in offered],
        "signal": f"{brief.signal}: {levels()[brief.signal]}",
        "earlier": _earlier(before),
        "messages": str(brief.messages),
        "length": brief.messages,
        "siblings": others,
    }


def _offered(case: Case, place: int, before: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Types that no talk before it had; there are more candidates than talks before the last."""
    had = {talk["selected_conversation_type"] for talk in before}
    return [(kind, flow) for kind, flow in case.briefs[place].candidates if kind not in had]


def _told(kind: str, flow: str) -> str:
    one = kinds()[kind]
    return f"- {kind}: to {one.task}. Rhythm: {one.flows[flow]}."


def _earlier(before: Sequence[Mapping[str, Any]]) -> str:
    told = (f"({talk['selected_conversation_type']})\n{progress.in_lines(talk)}" for talk in before)
    return "\n\n".join(told) or NONE


def _session_shape(given: Given) -> Schema:
    message = record(role=one_of(("user", "assistant")), content=text(1, MESSAGE))
    return record(selected_conversation_type=one_of(given["kinds"]), messages=array(message, 1, 30))


def _telling(place: int) -> Step:
    """The talks at one place of their cases."""
    called = step(
        "session",
        name=SESSIONS[place],
        given=partial(_of_session, place),
        shape=_session_shape,
        checks=SESSION_CHECKS,
    )
    return each(called, partial(_parts, place), progress.most_preferences, needed=False)


def _of_talks(sight: Sight, part: str) -> Given:
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
    one = record(
        talk=whole_number(1, given["count"]),
        accepted=flag(),
        problems=array(one_of(PROBLEMS), 0, len(PROBLEMS)),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
    )
    return record(talks=array(one, 0, 2 * given["count"]))


def told(sight: Sight) -> Ruled:
    """Cases whose talks were all made and accepted."""
    drops, kept = list[Drop](), list[str]()
    for part in progress.cases(sight):
        problem = next(_unfit(sight, part), None)
        if problem is None:
            kept.append(part)
        else:
            drops.append(Drop(part, *problem))
    return Ruled(kept, tuple(drops))


def _unfit(sight: Sight, part: str) -> Iterator[tuple[str, str]]:
    """Why a case is left out: check and problem."""
    if progress.whole(sight, part) is None:
        yield "not_told", "not all of its statements are told in a talk"
        return
    verdict = sight.parts(progress.SESSION_FILTER).get(part, {"talks": []})
    decided = {one["talk"]: one for one in verdict["talks"]}
    for number in range(1, len(progress.cases(sight)[part].facts) + 1):
        one = decided.get(number)
        if one is None:
            yield "undecided", f"nobody decided on talk {number}"
        elif one["content"] != FINE:
            yield "content", f"talk {number} is {one['content']}: {one['reason']}"
        elif not one["accepted"]:
            yield "filter", f"talk {number}: {', '.join(one['problems'])}: {one['reason']}"


STAGES: tuple[Stage, ...] = (
    *(_telling(place) for place in range(len(SESSIONS))),
    each(
        step(progress.SESSION_FILTER, given=_of_talks, shape=_filter_shape, checks=SESSION_FILTER_CHECKS),
        lambda sight: [part for part in progress.cases(sight) if progress.whole(sight, part) is not None],
        progress.most_preferences,
        needed=False,
    ),
    Rule(name=progress.TOLD, make=told),
)
