"""The score of one reply: the choice that suits the user, or the states that were asked for."""

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
    """The option, from 1; `None` where it chooses none."""
    form: Form

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
    """The option that a reply chooses, and in which form.

    Args:
        reply: The raw reply.
        options: Their texts; their numbers are 1 and up.

    Source:
        `json` as the authors' code; the other forms are ours, and are separate in every score.
    """
    number = (strict_states(reply, ("answer",)) or {}).get("answer")
    if isinstance(number, int) and not isinstance(number, bool):
        return _within(number, options, "json")
    text = visible(reply)
    marked = marked_answer(text, _FIELDS)
    alone = _NUMBER.fullmatch(text if marked is None else marked.text)
    if alone is not None:
        return _within(int(alone[1]), options, "number" if marked is None else "other_json")
    digit = option_letter(reply, letters="123456789"[: len(options)])
    if digit is not None:
        return Choice(int(digit), "number")
    letter = option_letter(reply, letters=_LETTERS[: len(options)])
    if letter is not None:
        return Choice(_LETTERS.index(letter) + 1, "letter")
    named = _named(text, options)
    return Choice(named.pop(), "prose") if len(named) == 1 else Choice(None, "unreadable")


def _within(number: int, options: Sequence[str], form: Form) -> Choice:
    if 1 <= number <= len(options):
        return Choice(number, form)
    return Choice(None, "zero" if number == 0 else "out_of_range")


def _named(text: str, options: Sequence[str]) -> set[int]:
    numbers = {int(found) for found in _NAMED.findall(text)}
    if numbers:
        return numbers if numbers <= set(range(1, len(options) + 1)) else set()
    prose = normalise(text)
    long = len(prose.split()) >= LENGTH_OF_PROSE
    named = set()
    for number, option in enumerate(map(normalise, options), start=1):
        if option and (option in prose or (long and prose in option)):
            named.add(number)
    return named


def authors_guess(question_id: str, options: int) -> int:
    """The random option that an unreadable reply counts as, always the same for one question.

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
    """The same from an object anywhere in the reply, or from lines `name: value`; values are stripped text."""
    fields = read_fields(visible(reply))
    found = {name: fields.get(name.casefold()) for name in variables}
    return {name: value.strip(" \t\n\"'`") for name, value in found.items() if value is not None}


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """Whether the reply chooses what suits the user now; of a probe, the share of states that it names.

    Where the question's variables say that an unreadable reply is a guess, only the authors' form is read.

    Source:
        AMemGym, section 3.3 (`state_similarity` and `evaluate_item` of its code).
    """
    text = "" if reply.abstained else reply.text
    strict = question.variables.get(UNREADABLE) == RANDOM
    why = ""
    if question.purpose == "probe":
        parts = tuple(_state_parts(key, text, strict=strict))
        value = sum(part.value or 0.0 for part in parts[:-1]) / len(key.field_gold)
    else:
        read = read_choice(text, [option.text for option in question.options])
        guess = read.strict or authors_guess(question.question_id, len(question.options)) if strict else read.number
        parts = tuple(_choice_parts(key, read, guess))
        value = parts[0].value or 0.0
        why = "" if read.number else f"no choice: {read.form}"
    if reply.abstained:
        return Outcome.abstained(value, parts=parts, why="declined to answer")
    return Outcome.scored(value, parts=parts, why=why)


def _choice_parts(key: Key, read: Choice, counted: int | None) -> Iterator[Part]:
    states = json.loads(key.labels["states"])
    right = states[key.gold[0]]
    chosen = None if counted is None else states[str(counted)]
    yield Part(name="accuracy", value=float(chosen == right), weight=1.0, why=f"read: {read.form}")
    yield Part(name="hamming", value=0.0 if chosen is None else hamming(chosen, right))
    yield Part(name="jaccard", value=0.0 if chosen is None else jaccard(chosen, right))
    yield Part(name="strict_accuracy", value=float(str(read.strict) == key.gold[0]))
    yield Part(name="json_error", value=float(read.form != "json"), why=read.form)
    yield Part(name="no_choice", value=float(read.number is None), why=read.form)
    if key.rejected:
        yield Part(name="stale", value=float(str(counted) in key.rejected))


def _state_parts(key: Key, text: str, *, strict: bool) -> Iterator[Part]:
    names = list(key.field_gold)
    found = strict_states(text, names)
    named: Mapping[str, object] = lenient_states(text, names) if found is None and not strict else found or {}
    for name in names:
        value = named.get(name)
        why = "not named" if value is None else str(value)[:80]
        yield Part(name=f"{STATE}{name}", value=float(value in key.field_gold[name]), weight=1 / len(names), why=why)
    yield Part(name="json_error", value=float(len(found or ()) < len(names)))
