"""Answers of several fields: JSON, lists, and the two values of a conflict."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from recollect.offline.judge.cascade import Against, compare, weigh
from recollect.offline.judge.dates import judge_dates
from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.naming import denied, mentions, names_item
from recollect.offline.judge.similarity import Cosine
from recollect.offline.judge.texts import PreparedText, prepare

FieldGold = Mapping[str, Sequence[str]]

_line = re.compile(r"^\W*(?P<name>[\w .-]{1,40}?)\W*[:=]\s*(?P<value>.+)$")
_listed = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s*")


def judge_json(reply: str, gold: FieldGold, cosine: Cosine | None = None) -> dict[str, Finding]:
    """One finding per field; a field that the reply lacks is wrong."""
    given = read_fields(reply)
    return {name: _field(given.get(name.casefold()), name, values, cosine) for name, values in gold.items()}


def read_fields(reply: str) -> dict[str, str]:
    """The fields of a JSON object in the reply, or of its `name: value` lines; names case-folded, values as text."""
    decoder, place = json.JSONDecoder(), reply.find("{")
    while place >= 0:
        try:
            value, _ = decoder.raw_decode(reply, place)
        except (ValueError, RecursionError):
            place = reply.find("{", place + 1)
        else:
            return {str(name).casefold(): _text(one) for name, one in value.items()}
    lines = (_line.match(line) for line in reply.splitlines())
    return {match["name"].strip().casefold(): match["value"].strip() for match in lines if match}


def judge_items(reply: str, gold: FieldGold, most: int | None, cosine: Cosine | None = None) -> dict[str, Finding]:
    """One finding per wanted item; each item of the reply serves one field, and those behind *most* none."""
    items = read_items(reply)
    counted = items if most is None else items[:most]
    free = [prepare(item) for item in counted]
    found: dict[str, Finding] = {}
    for name, values in gold.items():
        match = next((item for item in free if _is_any(values, item, cosine)), None)
        found[name] = no("item_missing", f"none of {len(counted)} items") if match is None else yes("item", match.text)
        free = [item for item in free if item is not match]
    return found


def read_items(reply: str) -> list[str]:
    """The items of a JSON array, of a list by lines, or of one line cut at commas and `and`."""
    start, end = reply.find("["), reply.rfind("]")
    if 0 <= start < end:
        try:
            return [_text(one) for one in json.loads(reply[start : end + 1])]
        except ValueError:
            pass
    lines = [_listed.sub("", line).strip() for line in reply.splitlines() if line.strip()]
    if len(lines) > 1:
        return lines
    return [re.sub(r"^(?:and|or)\s+", "", item).rstrip(".") for item in prepare(reply).items]


def judge_conflict(
    question: PreparedText, gold: FieldGold, rejected: Sequence[str], said: PreparedText
) -> dict[str, Finding]:
    """One finding per value of a conflict: each must be named, and no rejected one."""
    found = {name: _named_any(question, values, said) for name, values in gold.items()}
    wrong = next((text for text in rejected if _named(question, prepare(text), said)), None)
    if wrong is not None:
        return dict.fromkeys(gold, no("rejected_matched", wrong))
    return found


def _field(given: str | None, name: str, values: Sequence[str], cosine: Cosine | None) -> Finding:
    if given is None:
        return no("field_missing", name)
    return weigh(prepare(name), Against.of(values), prepare(given), cosine)


def _is_any(values: Sequence[str], item: PreparedText, cosine: Cosine | None) -> bool:
    return any(compare(prepare(""), prepare(value), item, cosine).right for value in values)


def _named_any(question: PreparedText, values: Sequence[str], said: PreparedText) -> Finding:
    value = next((value for value in values if _named(question, prepare(value), said)), None)
    return no("value_missing", f"not named: {'/'.join(values)}") if value is None else yes("value_named", value)


def _named(question: PreparedText, value: PreparedText, said: PreparedText) -> bool:
    """Whether the value stands in the answer, as words or as a date, and is not denied."""
    found = mentions(value, said)
    if found:
        return any(not denied(said, at, size=max(1, len(value.content))) for at in found)
    dated = judge_dates(question, value, said)
    if dated is not None:
        return dated.right or dated.code == "date_alternatives"
    return names_item(question, value, said)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
