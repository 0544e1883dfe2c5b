"""From a reply to the answer in it: once strictly as the papers do, once leniently, never under one name.

A strict reading is what published numbers rest on; it punishes form as if it were memory. A lenient reading says
by which rule it was found, and stands beside the strict one in a column of its own.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import NamedTuple

_LINE = re.compile(r"answer:(.*)", re.IGNORECASE)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{([^{}]*)\}|([^{}]*))\}")
_LABEL = re.compile(r"(?:the\s+)?(?:final\s+|correct\s+)?(?:answer|label)\s*(?:is\b|[:=])\s*", re.IGNORECASE)
_WRAPPERS = (("**", "**"), ("__", "__"), ("`", "`"), ('"', '"'), ("“", "”"), ("'", "'"), ("*", "*"))


def strict_answer(reply: str) -> str:
    """What follows the first `Answer:` up to the end of its line, else the first line.

    Case does not matter, and one repeated prefix is removed. An empty first line is an empty answer.

    Raises:
        TypeError: If the reply is no text.

    Source:
        HELMET (Yen et al. 2024) as used by MemoryAgentBench; checked in
        `tests/reference/test_metrics_parity.py`.
    """
    found = _LINE.search(reply)
    line = (found[1] if found else reply.split("\n", 1)[0]).strip()
    again = _LINE.match(line)
    return (again[1] if again else line).strip()


class Reading(NamedTuple):
    """An answer and the rule by which it was found."""

    text: str
    """The answer without its wrapping."""
    rule: str
    """`json`, `tags`, `box`, `next line`, `label`, `wrapping`, `cleaning`; `strict` where the strict reading stood."""


def lenient_answer(reply: str) -> Reading:
    """The answer in a reply that keeps it in JSON, in a box, behind a label, in bold or in quotes.

    Tried in this order: the field `answer` of the last JSON object, `<answer>` tags, a box; else the strict
    reading (of the first line with text, if that is empty), freed from a label such as `label:` or `the answer is`
    and from bold, quotes or backticks around all of it. It never searches for the gold.

    Raises:
        TypeError: If the reply is no text.

    Source:
        Ours; the strict reading is the papers'.
    """
    said = visible(reply)
    found = marked_answer(said, ("answer",)) or _labelled(said.replace("**", ""))
    text, wrapped = _unwrapped(found.text)
    if text == strict_answer(reply):
        return Reading(text, "strict")
    if found.rule != "strict":
        return Reading(text, found.rule)
    return Reading(text, "wrapping" if wrapped or "**" in said else "cleaning")


def _labelled(said: str) -> Reading:
    """The strict reading, or the next line with text if that is empty, without the label in front."""
    text, rule = strict_answer(said), "strict"
    if not text:
        rest = (_LABEL.sub("", line, count=1).strip() for line in said.splitlines())
        text, rule = next(((line, "next line") for line in rest if line), ("", "strict"))
    label = _LABEL.match(text)
    return Reading(text[label.end() :], "label") if label else Reading(text, rule)


def visible(reply: str) -> str:
    """The reply without its thinking block, with compatibility and zero-width characters made plain."""
    text = unicodedata.normalize("NFKC", _THINKING.sub("", reply))
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf").strip()


def marked_answer(text: str, fields: Collection[str]) -> Reading | None:
    """An answer that the reply sets apart: in a field of JSON, in tags, or in a box; the last one counts."""
    for value in reversed(list(_json_objects(text))):
        found = [v for name, v in value.items() if name.lower() in fields and isinstance(v, str | int | float)]
        if found:
            return Reading(str(found[-1]).strip(), "json")
    tagged = _TAGGED.findall(text)
    if tagged:
        return Reading(tagged[-1].strip(), "tags")
    boxed = [a or b for a, b in _BOXED.findall(text)]
    return Reading(boxed[-1].strip(), "box") if boxed else None


def _json_objects(text: str) -> Iterator[dict[str, object]]:
    """Every outermost JSON object in a text, in order."""
    decoder, place = json.JSONDecoder(), text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield value
        place = text.find("{", end)


def _unwrapped(text: str) -> tuple[str, bool]:
    """Without bold, quotes or backticks around all of it, and whether there were any."""
    bare = text.strip()
    inner = bare.rstrip(".") if bare.endswith(("**.", '".', "`.", "”.")) else bare
    for start, end in _WRAPPERS:
        middle = inner[len(start) : -len(end)]
        if inner.startswith(start) and inner.endswith(end) and middle.strip() and end not in middle:
            return _unwrapped(middle)[0], True
    return bare, False
