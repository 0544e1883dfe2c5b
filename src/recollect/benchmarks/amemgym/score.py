"""Scores of one reply: the choice that suits the user, or the states that were asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from recollect.benchmarks.amemgym.protocol import RANDOM, UNREADABLE
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.parsing import marked_answer, option_letter, visible
from recollect.metrics.states import hamming, jaccard
from recollect.offline.judge.fields import read_fields
from recollect.text.normal import normalise

Form = Literal["json", "other_json", "number", "letter", "prose", "zero", "out_of_range", "unreadable"]
LENGTH_OF_PROSE = 5
"""Words that a reply without a number must share with one option."""
_FENCED = re.compile(r"```json(.*?)```", re.DOTALL)
_FIELDS = ("answer", "choice", "option")
_NUMBER = re.compile(r"\W*?(?:(?:answer|option|choice|number)\W*)?(-?\d{1,9})(?:\.0+)?\W*", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:options?|choices?|answer|number)\s+#?(\d{1,9})\b", re.IGNORECASE)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STATE = "state:"
"""Begins the name of each part of a probe."""


class Choice(NamedTuple):
    """What a reply chooses."""

    number: int | None
    """The option, the first is 1; `None` where it chooses none."""
    form: Form
    """How it says so; `json` alone is what the authors' code reads."""

    @property
    def strict(self) -> int | None:
        """The option, where the authors' code would read it too."""
        return self.number if self.form == "json" else None


def strict_json(reply: str) -> Any:
    """What the first fence marked `json` holds, or else the whole reply.

    Raises:
        TypeError: If the reply is no text.
        ValueError: If that is not JSON.

    Source:
        AMemGym, released evaluation (`parse_json`); checked in `tests/unit/benchmarks/amemgym/test_parity.py`.
    """
    fenced = _FENCED.search(reply)
    try:
        return json.loads(fenced[1] if fenced else reply)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def read_choice(reply: str, options: Sequence[str]) -> Choice:
    """The option that a reply chooses, and in which form it says so.

    Args:
        reply: The raw reply.
        options: Their texts; their numbers are 1 and up.

    Source:
        `json` as the authors' code; the other forms are ours, and stand apart in every score.
    """
    number = _strict_number(reply)
    if number is not None:
        return _within(number, options, "json")
    said = visible(reply)
    marked = marked_answer(said, _FIELDS)
    alone = _NUMBER.fullmatch(said if marked is None else marked.text)
    if alone is not None:
        return _within(int(alone[1]), options, "number" if marked is None else "other_json")
    return _in_words(reply, said, options)


def _strict_number(reply: str) -> int | None:
    """The integer under `answer`; true and false are none."""
    try:
        value = strict_json(reply)
    except ValueError:
        return None
    found = value.get("answer") if isinstance(value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _within(number: int, options: Sequence[str], form: Form) -> Choice:
    if 1 <= number <= len(options):
        return Choice(number, form)
    return Choice(None, "zero" if number == 0 else "out_of_range")


def _in_words(reply: str, said: str, options: Sequence[str]) -> Choice:
    digits = "".join(str(number) for number in range(1, min(len(options), 9) + 1))
    number = option_letter(reply, letters=digits)
    if number is not None:
        return Choice(int(number), "number")
    letter = option_letter(reply, letters=_LETTERS[: len(options)])
    if letter is not None:
        return Choice(_LETTERS.index(letter) + 1, "letter")
    named = _named(said, options)
    return Choice(named.pop(), "prose") if len(named) == 1 else Choice(None, "unreadable")


def _named(said: str, options: Sequence[str]) -> set[int]:
    """The options that prose names, by number or by their own words."""
    numbers = {int(found) for found in _NAMED.findall(said)}
    if numbers:
        return numbers if numbers <= set(range(1, len(options) + 1)) else set()
    spoken = normalise(said)
    long = len(spoken.split()) >= LENGTH_OF_PROSE
    texts = [normalise(option) for option in options]
    return {
        place for place, text in enumerate(texts, start=1) if text and (text in spoken or (long and spoken in text))
    }


def authors_guess(question_id: str, options: int) -> int:
    """The option that stands for an unreadable reply: at random as the authors do, the same for one question always.

    The authors draw from one generator for all replies, so that a guess depends on what was unreadable before.
    """
    return Random(f"{question_id}:unreadable").randint(1, options)


def strict_states(reply: str, variables: Iterable[str]) -> dict[str, object] | None:
    """The values of those *variables* that a reply names; `None` where it is no JSON object.

    Source:
        AMemGym, released evaluation (`diagnose_item`), which stops where a reply is JSON but no object.
    """
    try:
        value = strict_json(reply)
    except ValueError:
        return None
    return {name: value[name] for name in variables if name in value} if isinstance(value, dict) else None


def lenient_states(reply: str, variables: Iterable[str]) -> dict[str, object]:
    """The same from an object anywhere in the reply, or from lines `name: value`; values are text, without margins."""
    found = read_fields(visible(reply))
    said = {name: found.get(name.casefold()) for name in variables}
    return {name: value.strip(" \t\n\"'`") for name, value in said.items() if value is not None}


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
