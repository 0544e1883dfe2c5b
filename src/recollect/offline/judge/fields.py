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
    values, found = read_fields(reply), dict[str, Finding]()
    for name, accepted in gold.items():
        value = values.get(name.casefold())
        if value is None:
            found[name] = no("field_missing", name)
        else:
            found[name] = weigh(prepare(name), Against.of(accepted), prepare(value), cosine)
    return found


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
    free = [prepare(item) for item in read_items(reply)[:most]]
    count, asked = len(free), prepare("")
    found: dict[str, Finding] = {}
    for name, values in gold.items():
        accepted = [prepare(value) for value in values]
        matches = (item for item in free if any(compare(asked, ref, item, cosine).right for ref in accepted))
        match = next(matches, None)
        found[name] = no("item_missing", f"none of {count} items") if match is None else yes("item", match.text)
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
    question: PreparedText, gold: FieldGold, rejected: Sequence[str], answer: PreparedText
) -> dict[str, Finding]:
    """One finding per value of a conflict: each must be named, and no rejected one."""
    wrong = next((text for text in rejected if _named(question, prepare(text), answer)), None)
    if wrong is not None:
        return dict.fromkeys(gold, no("rejected_matched", wrong))
    found: dict[str, Finding] = {}
    for name, values in gold.items():
        value = next((value for value in values if _named(question, prepare(value), answer)), None)
        missing = no("value_missing", f"not named: {'/'.join(values)}")
        found[name] = missing if value is None else yes("value_named", value)
    return found


def _named(question: PreparedText, value: PreparedText, answer: PreparedText) -> bool:
    """Whether the value stands in the answer, as words or as a date, and is not denied."""
    found = mentions(value, answer)
    if found:
        return any(not denied(answer, at, size=max(1, len(value.content))) for at in found)
    dated = judge_dates(question, value, answer)
    if dated is not None:
        return dated.right or dated.code == "date_alternatives"
    return names_item(question, value, answer)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
