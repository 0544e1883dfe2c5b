"""Scores of one reply: the choice that suits the user, or the states that were asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.benchmarks.amemgym.answers import Choice, authors_guess, lenient_states, read_choice, strict_states
from recollect.benchmarks.amemgym.protocol import RANDOM, UNREADABLE
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.states import hamming, jaccard

STATE = "state:"
"""Begins the name of each part of a probe."""


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """Whether the reply chooses what suits the user now; of a probe, the share of states that it names.

    Where the question's variables say that an unreadable reply is a guess, only the authors' form is read.

    Source:
        AMemGym, section 3.3 (`state_similarity` and `evaluate_item` of its code).
    """
    return _probed(question, key, reply) if question.purpose == "probe" else _chosen(question, key, reply)


def _chosen(question: Question, key: Key, reply: Reply) -> Outcome:
    read = read_choice("" if reply.abstained else reply.text, [option.text for option in question.options])
    counted = read.number
    if _as_authors(question):
        counted = read.strict or authors_guess(question.question_id, len(question.options))
    parts = tuple(_of_choice(key, read, counted))
    value = parts[0].value or 0.0
    if reply.abstained:
        return Outcome.abstained(value, parts=parts, why="declined to answer")
    return Outcome.scored(value, parts=parts, why="" if read.number else f"no choice: {read.form}")


def _of_choice(key: Key, read: Choice, counted: int | None) -> Iterator[Part]:
    """An option that is none is as far from the state as can be."""
    states = json.loads(key.labels["states"])
    right = states[key.gold[0]]
    said = None if counted is None else states[str(counted)]
    yield Part(name="accuracy", value=float(said == right), weight=1.0, why=f"read: {read.form}")
    yield Part(name="hamming", value=0.0 if said is None else hamming(said, right))
    yield Part(name="jaccard", value=0.0 if said is None else jaccard(said, right))
    yield Part(name="strict_accuracy", value=float(str(read.strict) == key.gold[0]))
    yield Part(name="json_error", value=float(read.form != "json"), why=read.form)
    yield Part(name="no_choice", value=float(read.number is None), why=read.form)
    if key.rejected:
        yield Part(name="stale", value=float(str(counted) in key.rejected))


def _probed(question: Question, key: Key, reply: Reply) -> Outcome:
    text, names = "" if reply.abstained else reply.text, list(key.field_gold)
    strict = strict_states(text, names)
    said: Mapping[str, object] = strict or {}
    if strict is None and not _as_authors(question):
        said = lenient_states(text, names)
    right = {name: said.get(name) in key.field_gold[name] for name in names}
    states = [
        Part(name=f"{STATE}{name}", value=float(is_right), weight=1 / len(names), why=_said(said.get(name)))
        for name, is_right in right.items()
    ]
    parts = (*states, Part(name="json_error", value=float(len(strict or ()) < len(names))))
    value = sum(right.values()) / len(names)
    if reply.abstained:
        return Outcome.abstained(value, parts=parts, why="declined to answer")
    return Outcome.scored(value, parts=parts)


def _as_authors(question: Question) -> bool:
    return question.variables.get(UNREADABLE) == RANDOM


def _said(value: object) -> str:
    return "not named" if value is None else str(value)[:80]
