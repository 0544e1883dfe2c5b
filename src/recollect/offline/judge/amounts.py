"""Lengths of time and numbers."""

from __future__ import annotations

import re
from itertools import pairwise

from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.lexicon import APPROXIMATE, CURRENCIES, TIME_UNITS
from recollect.offline.judge.texts import PreparedText, prepare, stem_of
from recollect.text.dates.durations import find_durations
from recollect.text.dates.mentions import find_dates
from recollect.text.normal import fold, normalise, stem

TOLERANCE = 0.04
"""Share by which lengths of time may differ: three months are 90 days."""

_number = re.compile(r"\d+(?:\.\d+)?")
_or_before = re.compile(r"\bor\s+\Z|\bnot\s+\Z")
_or_after = re.compile(r"\s*or\s")
_part_of = re.compile(r"(\d+) of (?:all )?\d+\b")
_bound = re.compile(r"\b(?:more|less|fewer|under|below)\s+(?:than\s+)?\Z")
_units = frozenset(stem(word) for word in TIME_UNITS)
_approximate = frozenset(map(stem, APPROXIMATE))
_money = frozenset(stem(word) for word in CURRENCIES.values())


def judge_durations(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Compare lengths of time; `None` where the reference is none, or says more than that."""
    wanted = find_durations(ref.text)
    rest = set(ref.content) - _units - set(question.content)
    if len(wanted) != 1 or any(not stemmed.replace(".", "").isdigit() for stemmed in rest - _approximate):
        return None
    found, days = find_durations(answer.text), wanted[0].days
    if not found:
        numbers = _number.findall(normalise(ref.text))
        asked = _units & set(ref.stems) & set(question.stems)  # `11` for `11 years`
        if asked and numbers and _number.findall(" ".join(answer.words)) == numbers:
            return yes("duration", "in the unit that was asked for")
        return no("duration_missing", f"no length of time for {days:g} days")
    if len(found) > 1 and _or_before.search(fold(answer.text[: found[-1].start])):
        return no("duration_alternatives")
    if abs(found[0].days - days) <= TOLERANCE * days:
        return yes("duration", f"{found[0].days:g} days for {days:g}")
    return no("duration_other", f"{found[0].days:g} days for {days:g}")


def judge_number(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Compare numbers where the reference is one and says little else; `None` where it is not."""
    numbers = _number.findall(" ".join(ref.words))
    rest = {stemmed for stemmed in ref.content if not _number.fullmatch(stemmed)} - _approximate
    if len(numbers) != 1 or rest - set(question.content) - set(answer.content) - _money:
        return None
    undated = answer.text
    for mention in reversed(find_dates(undated)):
        undated = undated[: mention.start] + undated[mention.end :]
    text = " ".join(prepare(undated).words)
    found = list(_number.finditer(text))
    if not found:
        return no("number_missing", f"no number for {numbers[0]}")
    if other := _counts_other_thing(numbers[0], question, prepare(text)):
        return other
    wanted_money, found_money = _money & set(ref.stems), _money & set(answer.stems)
    if wanted_money and found_money and not wanted_money & found_money:
        return no("unit_other", f"{'/'.join(sorted(found_money))}, not {'/'.join(sorted(wanted_money))}")
    return _first_number(numbers[0], answer.text, text, found)


def numbers_missing(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Refuse where a number of the reference stands nowhere in the answer; `one` is passed over."""
    wanted, found = (set(_number.findall(" ".join(text.words))) for text in (ref, answer))
    lacking = sorted(wanted - found - {"1"})
    return no("number_missing", ", ".join(lacking)) if lacking else None


def _first_number(wanted: str, answer: str, text: str, found: list[re.Match[str]]) -> Finding:
    """The first number must be the wanted one; a later one only where the first leads up to it."""
    match = next((match for match in found if float(match[0]) == float(wanted)), None)
    if match is None:
        return no("number_other", f"{found[0][0]}, not {wanted}")
    before = text[: match.start()]
    if _or_before.search(before) or _or_after.match(text, match.end()) or f"{wanted}/" in answer:
        return no("number_alternatives")
    if _bound.search(before):
        return no("number_bound", f"a bound instead of {wanted}")
    if match is found[0]:
        moved = re.match(r"(?:\s\w+)?\sto\s", text[match.end() :])
        return no("number_left", f"{wanted} gave way to {found[1][0]}") if moved and len(found) > 1 else yes("number")
    reached = re.search(r"\bto\s+\Z", before)
    return yes("number", "reached") if reached else no("number_later", f"{found[0][0]} comes first")


def _counts_other_thing(wanted: str, question: PreparedText, answer: PreparedText) -> Finding | None:
    """Refuse where another number stands before the thing that was asked for, and the wanted one does not."""
    text = _part_of.sub(r"\1", " ".join(answer.words))
    counted = {
        word
        for word, after in pairwise((*text.split(), ""))
        if _number.fullmatch(word) and after and stem_of(after) in question.content
    }
    if not counted or any(float(number) == float(wanted) for number in counted):
        return None
    return no("number_other", f"{'/'.join(sorted(counted))}, not {wanted}")
