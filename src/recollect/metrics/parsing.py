"""Parsing the answer out of a reply: strictly as the papers do, and leniently.

Published numbers rest on the strict parser, which counts errors of form as errors of memory. The lenient one names the
rule by which it found the answer; its scores have a column of their own.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

_LINE = re.compile(r"answer:(.*)", re.IGNORECASE)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{([^{}]*)\}|([^{}]*))\}")
_LABEL = re.compile(r"(?:the\s+)?(?:final\s+|correct\s+)?(?:answer|label)\s*(?:is\b|[:=])\s*", re.IGNORECASE)
_SENTENCE = re.compile(r".*\bthe\s+(?:final\s+|correct\s+)?(?:answer|label)\s+is\s+", re.IGNORECASE)
"""The same label behind other words of the sentence."""
_WRAPPERS = (("**", "**"), ("__", "__"), ("`", "`"), ('"', '"'), ("“", "”"), ("'", "'"), ("*", "*"))


def strict_answer(reply: str) -> str:
    """What follows the first `Answer:` up to the end of its line, else the first line.

    Case does not matter, and one repeated prefix is removed. An empty first line is an empty answer.

    Raises:
        TypeError: If the reply is not a string.

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
    """`json`, `tags`, `box`, `next line`, `label`, `wrapping`, `cleaning`; `strict` where both parsers agree."""


def lenient_answer(reply: str) -> Reading:
    """The answer in a reply that gives it in JSON, in a box, after a label, in bold or in quotes.

    Tried in this order: the field `answer` of the last JSON object, `<answer>` tags, a box; else the strict
    answer (of the first line with text, if that is empty), without a label such as `label:` or words that end in
    `the answer is`, and without bold, quotes or backticks around all of it. It never searches for the gold.

    Raises:
        TypeError: If the reply is not a string.

    Source:
        Ours.
    """
    shown = visible(reply)
    found = marked_answer(shown, ("answer",)) or _labelled(shown.replace("**", ""))
    text, wrapped = _unwrapped(found.text)
    if text == strict_answer(reply):
        return Reading(text, "strict")
    if found.rule != "strict":
        return Reading(text, found.rule)
    return Reading(text, "wrapping" if wrapped or "**" in shown else "cleaning")


def _labelled(reply: str) -> Reading:
    """The strict answer, or the next line with text if that is empty, without the label in front."""
    text, rule = strict_answer(reply), "strict"
    if not text:
        rest = (_LABEL.sub("", line, count=1).strip() for line in reply.splitlines())
        text, rule = next(((line, "next line") for line in rest if line), ("", "strict"))
    label = _LABEL.match(text) or _SENTENCE.match(text)
    return Reading(text[label.end() :], "label") if label else Reading(text, rule)


def visible(reply: str) -> str:
    """The reply without its thinking block, NFKC-normalised and without zero-width characters."""
    text = unicodedata.normalize("NFKC", _THINKING.sub("", reply))
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf").strip()


def marked_answer(text: str, fields: Collection[str]) -> Reading | None:
    """An answer in a field of a JSON object, in tags, or in a box; the last one counts."""
    objects: list[dict[str, object]] = []
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            objects.append(value)
        start = text.find("{", end)
    for value in reversed(objects):
        found = [v for name, v in value.items() if name.lower() in fields and isinstance(v, str | int | float)]
        if found:
            return Reading(str(found[-1]).strip(), "json")
    tagged = _TAGGED.findall(text)
    if tagged:
        return Reading(tagged[-1].strip(), "tags")
    boxed = [a or b for a, b in _BOXED.findall(text)]
    return Reading(boxed[-1].strip(), "box") if boxed else None


def _unwrapped(text: str) -> tuple[str, bool]:
    """Without bold, quotes or backticks around all of it, and whether there were any."""
    bare = text.strip()
    inner = bare.rstrip(".") if bare.endswith(("**.", '".', "`.", "”.")) else bare
    for start, end in _WRAPPERS:
        middle = inner[len(start) : -len(end)]
        if inner.startswith(start) and inner.endswith(end) and middle.strip() and end not in middle:
            return _unwrapped(middle)[0], True
    return bare, False


_MARKUP = re.compile(r"[*_`\"“”$]|'(?=\w')|(?<=\b\w)'(?!\w)")


def option_letter(reply: str, *, letters: str = "ABCD") -> str | None:
    """The single option that a reply chooses.

    Rules are tried from the clearest to the weakest; the first that finds a letter decides, and two letters under one
    rule are no choice: a marked field or box, the letter alone, a stated answer, a choice in words, a named option, a
    line that starts with the letter, a letter that ends the reply. `A` before a lower-case word is an article; an
    option that the reply calls wrong is not its choice.

    Args:
        reply: The raw reply.
        letters: The letters of the options, upper-case.

    Returns:
        One of *letters*; `None` where the reply names none, several, or something else.

    Raises:
        TypeError: If the reply is not a string.

    Source:
        Ours; checked against the hand-made verdicts of `tests/reference/test_metrics_parity.py`.
    """
    shown = visible(reply)
    marked = marked_answer(shown, ("answer", "choice", "option"))
    text = _MARKUP.sub("", shown if marked is None else marked.text)
    for rule in _rules(letters):
        found: set[str] = {letter.upper() for letter in rule.findall(text)}
        if found:
            return found.pop() if len(found) == 1 else None
    # A capital that ends the reply after a stop, comma or colon, if no other option is named anywhere.
    closing = re.search(rf"[.,;:]\s+([{letters}])\W*\Z", text)
    named: set[str] = set(re.findall(rf"\b(?!A\s+[a-z])([{letters}])\b", text))
    return named.pop() if closing and named == {closing[1]} else None


@lru_cache(maxsize=64)
def _rules(letters: str) -> Sequence[re.Pattern[str]]:
    """One pattern per rule, each with the letter as its only group."""
    any_case = f"[{letters}{letters.lower()}]"
    no_words = "".join(letter for letter in letters if letter not in "AI")
    ended = rf"(?:(?=\s*(?:\Z|[\n.)\]}},;:!?]))|(?=\s+(?:because|since)\b)|(?<=[{no_words}])(?=\s))"
    letter = rf"[(\[{{]?({any_case}){ended}"
    stated = r"(?i:\b(?:answer|correct|choice|option)|答案)\s*(?i:is\b|是|[:=-])\s*(?i:option\s+)?"
    chosen = r"(?i:\b(?:choose|pick|select|go\s+with|say|must\s+be|so|therefore|thus)),?\s+(?i:(?:option|choice)\s+)?"
    wrong = r"(?!\W*\s(?i:(?:is|was)\s+(?:wrong|incorrect|not|outdated|false)))"
    return [
        re.compile(rf"\A\W*({any_case})\W*\Z"),
        re.compile(stated + letter),
        re.compile(chosen + letter),
        re.compile(rf"(?i:\boption)\s+[(\[]?([{letters}])\b{wrong}"),
        re.compile(rf"(?m)^\s*\(?({any_case})(?:[).:](?=\s)|\s*$)"),
    ]
