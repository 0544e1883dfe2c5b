"""Rules that replies must keep. Each gives every problem, in words that the model is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from recollect.benchmarks.subtlememory.generate.checks.sessions import SessionRules, session_problems
from recollect.benchmarks.subtlememory.items import SUBTYPES, Turn
from recollect.benchmarks.subtlememory.make.checks import content, cut, of_texts, safe, sentences, words_in
from recollect.benchmarks.subtlememory.make.users.progress import turns_of
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.text.sentences import split
from recollect.worlds.checks import STATED

_BANNED = re.compile(
    r"\b(?:complementary|nuanced?|contradict\w*|sub-?types?|any_one|k ?> ?1|benchmarks?|data ?sets?"
    r"|ground truth|memor(?:y|ies) (?:case|test)s?|(?:this|the|a) (?:memory|fact|case|label)"
    r"|stereotyp\w+|preference_id|persona\w*|source preference)\b",
    re.IGNORECASE,
)
banned = partial(words_in, _BANNED)
"""Words that betray what a text was made for."""
LONG = 8
"""Words of a sentence that is not said twice."""
SHORTEST = 20
"""Fewest characters of a message that says something."""


def of_rule(rule: str, turns: Sequence[Turn], given: Given) -> Iterator[str]:
    """Breaches of one rule of `session_problems`: what is known may be neither copied nor said outright."""
    rules = SessionRules(
        lengths=(given.get("length", len(turns)),),
        siblings=tuple(given.get("siblings", ())),
        hidden=tuple(given.get("facts", ())),
        names=tuple(given.get("names", ())),
    )
    yield from (one.what for one in session_problems(turns, rules) if one.rule == rule)


def twins(texts: Sequence[str]) -> Iterator[str]:
    """Texts that stand twice, whatever marks and capitals."""
    counts = Counter(map(normalise, texts))
    yield from (f"`{cut(text)}` stands there {count} times" for text, count in counts.items() if count > 1)


def once(said: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """Each of *wanted* stands in *said* exactly once."""
    counts = Counter(said)
    yield from (f"`{name}` is missing" for name in wanted if not counts[name])
    yield from (f"`{name}` stands there {counts[name]} times" for name in wanted if counts[name] > 1)


TOPIC_CHECKS = (
    Check("each_once", lambda reply, given: once([one["preference_id"] for one in reply["topics"]], given["ids"])),
)


def _of_relation(reply: Any, _: Given) -> Iterator[str]:
    for one in reply["planned_relations"]:
        subtype, relation = one["relation_subtype"], one["relation_type"]
        if SUBTYPES[subtype] != relation:
            yield f"`{one['preference_id']}`: `{subtype}` is {SUBTYPES[subtype]}, not {relation}"


def _counted(reply: Any, given: Given) -> Iterator[str]:
    counts = Counter(one["relation_subtype"] for one in reply["planned_relations"])
    for subtype, wanted in given["wanted"].items():
        if counts[subtype] != wanted:
            yield f"{counts[subtype]} preferences are `{subtype}`, and {wanted} are asked for"


PLAN_CHECKS = (
    Check(
        "each_once",
        lambda reply, given: once([one["preference_id"] for one in reply["planned_relations"]], given["ids"]),
    ),
    Check("relation", _of_relation),
    Check("counts", _counted),
)


def _as_planned(reply: Any, given: Given) -> Iterator[str]:
    for name in ("relation_type", "relation_subtype"):
        if reply[name] != given[name]:
            yield f"`{name}` is `{reply[name]}`, and `{given[name]}` was planned"


def _facts_counted(reply: Any, given: Given) -> Iterator[str]:
    low, high = given["range"]
    if not low <= len(reply["facts"]) <= high:
        told = str(low) if low == high else f"{low} to {high}"
        yield f"{len(reply['facts'])} statements stand there, and {told} are asked for"


def _single(reply: Any, _: Given) -> Iterator[str]:
    for fact in reply["facts"]:
        if len(split(fact)) > 1:
            yield f"it is more than one sentence: {cut(fact)}"


def _case_texts(reply: Any) -> list[str]:
    return [reply["description"], *reply["facts"]]


CASE_CHECKS = (
    Check("relation", _as_planned),
    Check("count", _facts_counted),
    Check("differ", lambda reply, _: twins(reply["facts"])),
    Check("punctuation", lambda reply, _: sentences(_case_texts(reply))),
    Check("one_sentence", _single),
    of_texts("banned", _case_texts, banned),
    *safe(_case_texts),
)


def _decision(reply: Any, _: Given) -> Iterator[str]:
    if (reply["final_decision"] == "accept") is not reply["accepted"]:
        yield f"`final_decision` is `{reply['final_decision']}`, and `accepted` says otherwise"
    if reply["accepted"] == bool(reply["reject_categories"]):
        yield "`reject_categories` is empty just where it is accepted"


CASE_FILTER_CHECKS = (Check("decision", _decision),)


def by_rules(turns: Callable[[Any], Sequence[Turn]], rules: Mapping[str, str]) -> tuple[Check, ...]:
    """A check for each rule of `session_problems`: name -> rule."""

    def check(name: str, rule: str) -> Check:
        return Check(name, lambda reply, given: of_rule(rule, turns(reply), given))

    return tuple(check(name, rule) for name, rule in rules.items())


def front_loaded(opening: str, given: Given) -> Iterator[str]:
    """An opening that holds nearly all words of the statement which the whole talk is for."""
    names = content(" ".join(given["names"]))
    wanted = content(given["fact"]) - names
    if wanted and len(wanted & content(opening)) >= STATED * len(wanted):
        yield "the first message carries all of it; let it come out bit by bit"


def _repeated(reply: Any, _: Given) -> Iterator[str]:
    """Nobody says a whole sentence twice; drafts of a text do, where a text is written."""
    wrote = reply["selected_conversation_type"].startswith("artifact")
    said = [turn for turn in turns_of(reply) if turn.role == "user" or not wrote]
    counts = Counter(normalise(one) for turn in said for one in split(turn.content))
    for text, count in counts.items():
        if count > 1 and len(text.split()) >= LONG:
            yield f"it is said {count} times: {text}"


def _bare(reply: Any, _: Given) -> Iterator[str]:
    for number, turn in enumerate(turns_of(reply), start=1):
        if len(turn.content) < SHORTEST:
            yield f"message {number} says next to nothing: {turn.content}"


SESSION_CHECKS = (
    *by_rules(
        turns_of,
        {
            "roles": "roles alternate",
            "length": "length",
            "label_word": "label word",
            "sibling_told": "sibling told",
            "explicit": "explicit",
        },
    ),
    Check("repeated", _repeated),
    Check("opening", lambda reply, given: front_loaded(reply["messages"][0]["content"], given)),
    Check("bare", _bare),
    *safe(lambda reply: [turn.content for turn in turns_of(reply)]),
)


def _all_decided(reply: Any, given: Given) -> Iterator[str]:
    said = [str(one["talk"]) for one in reply["talks"]]
    yield from once(said, [str(number) for number in range(1, given["count"] + 1)])


def _with_reasons(reply: Any, _: Given) -> Iterator[str]:
    for one in reply["talks"]:
        if one["accepted"] == bool(one["problems"]):
            yield f"talk {one['talk']}: `problems` is empty just where it is accepted"


SESSION_FILTER_CHECKS = (Check("all_decided", _all_decided), Check("reasons", _with_reasons))
