"""From a reply to the choice in it, and to the states: strictly as the authors read, and leniently beside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from recollect.metrics.parsing import marked_answer, option_letter, visible
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
