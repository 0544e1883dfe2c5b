"""Checks of replies about users. Each yields every problem, in the words sent back to the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from recollect.benchmarks.subtlememory.generate.checks.sessions import SessionRules, session_problems
from recollect.benchmarks.subtlememory.items import SUBTYPES, Turn
from recollect.benchmarks.subtlememory.make.checks import by_name, cut, of_texts, safe, sentences, words_in
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.text.sentences import split
from recollect.worlds.checks import outright

_BANNED = re.compile(
    r"\b(?:complementary|nuanced?|contradict\w*|sub-?types?|any_one|k ?> ?1|benchmarks?|data ?sets?"
    r"|ground truth|memor(?:y|ies) (?:case|test)s?|(?:this|the|a) (?:memory|fact|case|label)"
    r"|stereotyp\w+|preference_id|persona\w*|source preference)\b",
    re.IGNORECASE,
)
banned = partial(words_in, _BANNED)
"""Words that reveal what a text was made for."""
LONG = 8
"""A sentence of at least this many words must not be repeated."""
SHORTEST = 20
"""Fewest characters of a message."""


def of_rule(rule: str, turns: Sequence[Turn], given: Given) -> Iterator[str]:
    """Breaches of one rule of `session_problems`: known facts may be neither copied nor stated outright."""
    rules = SessionRules(
        lengths=(given.get("length", len(turns)),),
        siblings=tuple(given.get("siblings", ())),
        hidden=tuple(given.get("facts", ())),
        names=tuple(given.get("names", ())),
    )
    yield from (breach.what for breach in session_problems(turns, rules) if breach.rule == rule)


def twins(texts: Sequence[str]) -> Iterator[str]:
    """Texts that occur more than once, ignoring case and punctuation."""
    counts = Counter(map(normalise, texts))
    yield from (f"`{cut(text)}` stands there {count} times" for text, count in counts.items() if count > 1)


def once(names: Iterable[str], wanted: Sequence[str]) -> Iterator[str]:
    """Each of *wanted* must be among *names* exactly once."""
    counts = Counter(names)
    yield from (f"`{name}` is missing" for name in wanted if not counts[name])
    yield from (f"`{name}` stands there {counts[name]} times" for name in wanted if counts[name] > 1)


def _plan(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    rows = reply["planned_relations"]
    for problem in once([one["preference_id"] for one in rows], given["ids"]):
        yield "each_once", problem
    for one in rows:
        subtype, relation = one["relation_subtype"], one["relation_type"]
        if SUBTYPES[subtype] != relation:
            yield "relation", f"`{one['preference_id']}`: `{subtype}` is {SUBTYPES[subtype]}, not {relation}"
    counts = Counter(one["relation_subtype"] for one in rows)
    for subtype, wanted in given["wanted"].items():
        if counts[subtype] != wanted:
            yield "counts", f"{counts[subtype]} preferences are `{subtype}`, and {wanted} are asked for"


TOPIC_CHECKS = (
    Check("each_once", lambda reply, given: once([one["preference_id"] for one in reply["topics"]], given["ids"])),
)
PLAN_CHECKS = by_name(_plan, "each_once", "relation", "counts")


def _case(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    for name in ("relation_type", "relation_subtype"):
        if reply[name] != given[name]:
            yield "relation", f"`{name}` is `{reply[name]}`, and `{given[name]}` was planned"
    low, high = given["range"]
    if not low <= len(reply["facts"]) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        yield "count", f"{len(reply['facts'])} statements stand there, and {wanted} are asked for"
    for fact in reply["facts"]:
        if len(split(fact)) > 1:
            yield "one_sentence", f"it is more than one sentence: {cut(fact)}"


def _case_texts(reply: Any) -> list[str]:
    return [reply["description"], *reply["facts"]]


CASE_CHECKS = (
    *by_name(_case, "relation", "count"),
    Check("differ", lambda reply, _: twins(reply["facts"])),
    Check("punctuation", lambda reply, _: sentences(_case_texts(reply))),
    *by_name(_case, "one_sentence"),
    of_texts("banned", _case_texts, banned),
    *safe(_case_texts),
)


def _decision(reply: Any, _: Given) -> Iterator[str]:
    if (reply["final_decision"] == "accept") is not reply["accepted"]:
        yield f"`final_decision` is `{reply['final_decision']}`, and `accepted` says otherwise"
    if reply["accepted"] == bool(reply["reject_categories"]):
        yield "`reject_categories` is empty just where it is accepted"


CASE_FILTER_CHECKS = (Check("decision", _decision),)


def _session_rule(name: str, rule: str) -> Check:
    return Check(name, lambda reply, given: of_rule(rule, turns_of(reply["messages"]), given))


def _session(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    turns = turns_of(reply["messages"])
    # drafts may repeat sentences where a text is written
    wrote = reply["selected_conversation_type"].startswith("artifact")
    texts = [turn.content for turn in turns if turn.role == "user" or not wrote]
    for text, count in Counter(normalise(sentence) for said in texts for sentence in split(said)).items():
        if count > 1 and len(text.split()) >= LONG:
            yield "repeated", f"it is said {count} times: {text}"
    if any(outright(given["fact"], [turns[0].content], given["names"])):
        yield "opening", "the first message carries all of it; let it come out bit by bit"
    for number, turn in enumerate(turns, start=1):
        if len(turn.content) < SHORTEST:
            yield "bare", f"message {number} says next to nothing: {turn.content}"


SESSION_CHECKS = (
    _session_rule("roles", "roles alternate"),
    _session_rule("length", "length"),
    _session_rule("label_word", "label word"),
    _session_rule("sibling_told", "sibling told"),
    _session_rule("explicit", "explicit"),
    *by_name(_session, "repeated", "opening", "bare"),
    *safe(lambda reply: [message["content"] for message in reply["messages"]]),
)


def _session_filter(reply: Any, given: Given) -> Iterator[tuple[str, str]]:
    for problem in once([str(one["talk"]) for one in reply["talks"]], list(map(str, range(1, given["count"] + 1)))):
        yield "all_decided", problem
    for one in reply["talks"]:
        if one["accepted"] == bool(one["problems"]):
            yield "reasons", f"talk {one['talk']}: `problems` is empty just where it is accepted"


SESSION_FILTER_CHECKS = by_name(_session_filter, "all_decided", "reasons")
