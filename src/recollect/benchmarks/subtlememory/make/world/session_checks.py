"""Rules of plans and talks about the world. Each gives every problem, in words that the model is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from recollect.benchmarks.subtlememory.generate.checks.sessions import Rule, SessionRules, session_problems
from recollect.benchmarks.subtlememory.items import Turn
from recollect.benchmarks.subtlememory.make.checks import (
    Facts,
    content,
    cut,
    fit_for_all,
    names,
    names_date,
    qualified,
    states,
    telling,
    twins,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, CONTRADICTORY, K_FACTS, TEMPORAL
from recollect.benchmarks.subtlememory.make.world.progress import EQUIVALENT, REQUIRED, turns_of
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import says

LENGTHS = (6, 8, 10, 12, 14)
"""Messages of a talk: three to seven rounds. The bounds of the authors are not published; these are ours, and those of
the procedural generator."""
LEAST_ROLE = 2
"""Talks over which what a question needs, or what is each enough, is spread."""
DISPUTES = (
    "disagree", "conflicting", "conflicts with", "contradict", "inconsistent", "other sources", "another source",
    "some say", "others say", "disputed", "not sure which", "elsewhere it says", "i read otherwise",
)  # fmt: skip
"""Words that would announce a dispute, folded."""
_NAMES: Mapping[str, Rule] = {
    "roles": "roles alternate",
    "rounds": "length",
    "labels": "label word",
    "repeated": "repeated sentence",
}


_plans = itemgetter("sessions")


def _sessions_once(reply: Any, given: Given) -> Iterator[str]:
    said = [one["session_id"] for one in _plans(reply)]
    if said != list(given["sessions"]):
        yield f"the talks are {', '.join(said)}, and should be {', '.join(given['sessions'])}, in this order"


def _facts_once(reply: Any, given: Given) -> Iterator[str]:
    counts = Counter(name for one in _plans(reply) for name in one["assigned_memory_ids"])
    for one in given["known"]:
        if counts[one["memory_id"]] != 1:
            yield f"`{one['memory_id']}` is assigned {counts[one['memory_id']]} times, and should be once"


def _spread(reply: Any, given: Given) -> Iterator[str]:
    """What belongs together is not told all at once; where each is enough, it is told in several talks."""
    for role in (REQUIRED, EQUIVALENT):
        wanted = {one["memory_id"] for one in given["known"] if one["role"] == role}
        holding = [one["session_id"] for one in _plans(reply) if wanted & set(one["assigned_memory_ids"])]
        if wanted and len(holding) < LEAST_ROLE:
            yield f"all that is `{role}` lies in one talk, {', '.join(holding)}; spread it over {LEAST_ROLE} at least"


def _one_claim(reply: Any, given: Given) -> Iterator[str]:
    for one in _plans(reply):
        if given["subtype"] == CONTRADICTORY and len(one["assigned_memory_ids"]) != 1:
            yield f"`{one['session_id']}` has {len(one['assigned_memory_ids'])} claims, and should have one"


def _offered(reply: Any, given: Given) -> Iterator[str]:
    for one in _plans(reply):
        chosen = [one["chosen_conversation_type"], one["chosen_conversation_flow"]]
        if chosen not in given["offered"].get(one["session_id"], ()):
            yield f"`{one['session_id']}`: type `{chosen[0]}` with flow `{chosen[1]}` was not offered for it"


def _distinct(reply: Any, _: Given) -> Iterator[str]:
    for name in ("scenario_label", "event_signature", "event_summary"):
        yield from (f"`{name}`: {problem}" for problem in twins([one[name] for one in _plans(reply)]))


PLAN_CHECKS = (
    Check("sessions", _sessions_once),
    Check("each_once", _facts_once),
    Check("spread", _spread),
    Check("one_claim", _one_claim),
    Check("offered", _offered),
    Check("distinct", _distinct),
)


def _named(reply: Any, given: Given) -> Iterator[str]:
    if reply["session_id"] != given["session"]:
        yield f"`session_id` is `{reply['session_id']}`, and should be `{given['session']}`"


def _of_rule(name: str, rule: Rule) -> Check:
    """A check of one rule that all talks keep, whoever wrote them."""

    def find(reply: Any, _: Given) -> Iterator[str]:
        found = session_problems(turns_of(reply), SessionRules(lengths=LENGTHS))
        yield from (one.what for one in found if one.rule == rule)

    return Check(name, find)


def _text(reply: Any) -> str:
    return " ".join(turn.content for turn in turns_of(reply))


def _holding(turns: Sequence[Turn], fact: Mapping[str, Any]) -> list[int]:
    return [place for place, turn in enumerate(turns) if names(turn.content, fact["accepted"])]


def _told(reply: Any, given: Given) -> Iterator[str]:
    """Every fact of the talk is there, and not only in its first message."""
    turns = turns_of(reply)
    for fact in given["mine"]:
        holding = _holding(turns, fact)
        if not holding:
            yield f"nobody says `{fact['accepted'][0]}`, of: {fact['statement']}"
        elif holding == [0]:
            yield f"`{fact['accepted'][0]}` stands in the first message alone; let it come up later, too"


def _conditioned(reply: Any, given: Given) -> Iterator[str]:
    """What holds at a date or under a condition is told with it."""
    text = _text(reply)
    for fact in given["mine"]:
        if given["subtype"] == TEMPORAL and not names_date(text, fact["date"]):
            yield f"the date {fact['date']} of `{fact['accepted'][0]}` is not named"
        wanted = content(fact["condition"]) if given["subtype"] == CONTEXT else frozenset[str]()
        if 2 * len(wanted & content(text)) < len(wanted):
            yield f"it stays open that `{fact['accepted'][0]}` holds for: {fact['condition']}"


def _siblings(reply: Any, given: Given) -> Iterator[str]:
    """Nothing of other talks, neither their statements nor their values, but what is said here as well."""
    text = _text(reply)
    own = normalise(" ".join((*(one["statement"] for one in given["mine"]), *_values(given["mine"]))))
    for fact in given["others"]:
        foreign = [value for value in fact["accepted"] if f" {normalise(value)} " not in f" {own} "]
        if found := states(text, fact["statement"], foreign):
            yield f"it tells what belongs to another talk: {cut(found)}"
        yield from (f"it says `{value}`, which belongs to another talk" for value in foreign if telling(text, value))


def _values(facts: Facts) -> list[str]:
    return [value for fact in facts for value in fact["accepted"]]


def _whole_answer(reply: Any, given: Given) -> Iterator[str]:
    """A talk that gives a part does not give the whole; parts with the same value as its own are no sign of that."""
    text, parts = _text(reply), given["parts"]
    own = set(map(normalise, _values(given["mine"])))
    foreign = [accepted for accepted in parts.values() if not own & set(map(normalise, accepted))]
    several = given["subtype"] == K_FACTS and len(parts) > 1
    if several and foreign and all(names(text, accepted) for accepted in parts.values()):
        yield "it gives the whole answer, which only all talks together should"


def _verbatim(reply: Any, given: Given) -> Iterator[str]:
    if says(_text(reply), given["question"]):
        yield f"it asks the question of the task word for word: {given['question']}"


def _claimed(reply: Any, given: Given) -> Iterator[str]:
    """The claim is made by the one who should."""
    turns = turns_of(reply)
    for fact in given["mine"] if given["claimant"] else ():
        holding = _holding(turns, fact)
        if holding and turns[holding[0]].role != given["claimant"]:
            who = turns[holding[0]].role
            yield f"`{fact['accepted'][0]}` is first said by the {who}, and should be by the {given['claimant']}"


def _silent(reply: Any, given: Given) -> Iterator[str]:
    """A claim meets no doubt, and nothing that would reconcile it with another."""
    if given["subtype"] != CONTRADICTORY:
        return
    text = _text(reply).casefold()
    yield from (f"`{words}` announces a dispute" for words in DISPUTES if words in text)
    for turn in turns_of(reply):
        if names(turn.content, _values(given["mine"])):
            said = turn.content
            for value in _values(given["mine"]):
                said = said.replace(value, "")
            yield from qualified(said, given["qualifiers"])


SESSION_CHECKS = (
    Check("session", _named),
    *(_of_rule(name, rule) for name, rule in _NAMES.items()),
    Check("told", _told),
    Check("conditioned", _conditioned),
    Check("siblings", _siblings),
    Check("whole_answer", _whole_answer),
    Check("verbatim", _verbatim),
    Check("claimed", _claimed),
    Check("silent", _silent),
    *fit_for_all(lambda reply: [turn.content for turn in turns_of(reply)]),
)
