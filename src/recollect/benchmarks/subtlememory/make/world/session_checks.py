"""Checks of plans and dialogues about the world. Each yields every problem, in the words sent back to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.benchmarks.subtlememory.generate.checks.sessions import SessionRules, session_problems
from recollect.benchmarks.subtlememory.make.checks import (
    by_name,
    cut,
    fit_for_all,
    names,
    names_date,
    qualified,
    states,
    telling,
    twins,
    without,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, CONTRADICTORY, K_FACTS, TEMPORAL
from recollect.benchmarks.subtlememory.make.world.progress import EQUIVALENT, REQUIRED
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import says, substance

LENGTHS = (6, 8, 10, 12, 14)
"""Messages of a dialogue: three to seven rounds. The authors' bounds are not published; ours are also those of the
procedural generator."""
LEAST_ROLE = 2
"""Fewest dialogues over which required facts, or equivalent ones, are spread."""
DISPUTES = (
    "disagree", "conflicting", "conflicts with", "contradict", "inconsistent", "other sources", "another source",
    "some say", "others say", "disputed", "not sure which", "elsewhere it says", "i read otherwise",
)  # fmt: skip
"""Words that would announce a dispute, casefolded."""
RULES = {"roles alternate": "roles", "length": "rounds", "label word": "labels", "repeated sentence": "repeated"}
"""Rules of `session_problems` that every dialogue keeps -> check."""


def _plan(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    plans = reply["sessions"]
    sessions = [plan["session_id"] for plan in plans]
    if sessions != list(given["sessions"]):
        wanted = ", ".join(given["sessions"])
        yield "sessions", f"the talks are {', '.join(sessions)}, and should be {wanted}, in this order"
    counts = Counter(name for plan in plans for name in plan["assigned_memory_ids"])
    for one in given["known"]:
        if counts[one["memory_id"]] != 1:
            times = counts[one["memory_id"]]
            yield "each_once", f"`{one['memory_id']}` is assigned {times} times, and should be once"
    for role in (REQUIRED, EQUIVALENT):
        ids = {one["memory_id"] for one in given["known"] if one["role"] == role}
        holding = [plan["session_id"] for plan in plans if ids & set(plan["assigned_memory_ids"])]
        if ids and len(holding) < LEAST_ROLE:
            told = f"all that is `{role}` lies in one talk, {', '.join(holding)}"
            yield "spread", f"{told}; spread it over {LEAST_ROLE} at least"
    for plan in plans:
        name, claims = plan["session_id"], len(plan["assigned_memory_ids"])
        if given["subtype"] == CONTRADICTORY and claims != 1:
            yield "one_claim", f"`{name}` has {claims} claims, and should have one"
        kind, flow = plan["chosen_conversation_type"], plan["chosen_conversation_flow"]
        if [kind, flow] not in given["offered"].get(name, ()):
            yield "offered", f"`{name}`: type `{kind}` with flow `{flow}` was not offered for it"
    for field in ("scenario_label", "event_signature", "event_summary"):
        yield from (("distinct", f"`{field}`: {problem}") for problem in twins([plan[field] for plan in plans]))


PLAN_CHECKS = by_name(_plan, "sessions", "each_once", "spread", "one_claim", "offered", "distinct")


def _rules(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """What holds for any dialogue, whatever it is about."""
    if reply["session_id"] != given["session"]:
        yield "session", f"`session_id` is `{reply['session_id']}`, and should be `{given['session']}`"
    for breach in session_problems(turns_of(reply["conversation"]), SessionRules(lengths=LENGTHS)):
        yield RULES.get(breach.rule, ""), breach.what


def _facts(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """Every fact of the dialogue is stated, with its condition, by the one who claims it."""
    turns, text, claimant = turns_of(reply["conversation"]), _text(reply), given["claimant"]
    for fact in given["mine"]:
        value = fact["accepted"][0]
        holding = [place for place, turn in enumerate(turns) if names(turn.content, fact["accepted"])]
        if not holding:
            yield "told", f"nobody says `{value}`, of: {fact['statement']}"
        elif holding == [0]:
            yield "told", f"`{value}` stands in the first message alone; let it come up later, too"
        if given["subtype"] == TEMPORAL and not names_date(text, fact["date"]):
            yield "conditioned", f"the date {fact['date']} of `{value}` is not named"
        wanted = substance(fact["condition"]) if given["subtype"] == CONTEXT else frozenset[str]()
        if 2 * len(wanted & substance(text)) < len(wanted):
            yield "conditioned", f"it stays open that `{value}` holds for: {fact['condition']}"
        if claimant and holding and turns[holding[0]].role != claimant:
            who = turns[holding[0]].role
            yield "claimed", f"`{value}` is first said by the {who}, and should be by the {claimant}"


def _others(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    """The dialogue contains neither facts of others, nor the whole answer, nor the question itself."""
    text, parts, values = _text(reply), given["parts"], _values(given["mine"])
    own = f" {normalise(' '.join((*(one['statement'] for one in given['mine']), *values)))} "
    for fact in given["others"]:
        foreign = [value for value in fact["accepted"] if f" {normalise(value)} " not in own]
        if found := states(text, fact["statement"], foreign):
            yield "siblings", f"it tells what belongs to another talk: {cut(found)}"
        for value in foreign:
            if telling(text, value):
                yield "siblings", f"it says `{value}`, which belongs to another talk"
    # a part with the same value as a fact of this dialogue is no sign of the whole answer
    mine = set(map(normalise, values))
    missing = [accepted for accepted in parts.values() if not mine & set(map(normalise, accepted))]
    several = given["subtype"] == K_FACTS and len(parts) > 1
    if several and missing and all(names(text, accepted) for accepted in parts.values()):
        yield "whole_answer", "it gives the whole answer, which only all talks together should"
    if says(text, given["question"]):
        yield "verbatim", f"it asks the question of the task word for word: {given['question']}"


def _silent(reply: Any, given: Given) -> Iterator[str]:
    """A claim is neither doubted nor reconciled with another."""
    if given["subtype"] != CONTRADICTORY:
        return
    text, values = _text(reply).casefold(), _values(given["mine"])
    yield from (f"`{words}` announces a dispute" for words in DISPUTES if words in text)
    for turn in turns_of(reply["conversation"]):
        if names(turn.content, values):
            yield from qualified(without(turn.content, values), given["qualifiers"])


def _text(reply: Any) -> str:
    return " ".join(turn["content"] for turn in reply["conversation"])


def _values(facts: Sequence[Mapping[str, Any]]) -> list[str]:
    return [value for fact in facts for value in fact["accepted"]]


SESSION_CHECKS = (
    *by_name(_rules, "session", *RULES.values()),
    *by_name(_facts, "told", "conditioned"),
    *by_name(_others, "siblings", "whole_answer", "verbatim"),
    *by_name(_facts, "claimed"),
    Check("silent", _silent),
    *fit_for_all(lambda reply: [turn["content"] for turn in reply["conversation"]]),
)
