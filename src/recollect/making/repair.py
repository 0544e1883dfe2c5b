"""One result of one step: the model is called, its reply validated, and an invalid reply requested again."""

from __future__ import annotations

import json
import re
from itertools import chain
from string import Template
from typing import Any, NamedTuple

from recollect.contracts.models import ChatRequest, ToolModel, Turn
from recollect.domain.ids import RecordKey
from recollect.making.prompts import again
from recollect.making.schema import Schema, misfits, unbounded
from recollect.making.steps import Given, Item, Step
from recollect.records.digests import digest
from recollect.records.kinds import FailedTry, MadeRecord, RejectedRecord
from recollect.text.replies import bare, strict_json, whole_characters

VERSION = 1
"""Of this module: goes up when the same step and reply may give another result."""
SHOWN = 160
"""Characters of an unusable reply that records keep."""
ECHOED = 6000
"""Characters of a reply that are quoted back."""
MOST_PROBLEMS = 8
"""The first problems of a reply, which are reported."""
EMPTY, CUT, NOT_JSON, SHAPE = "empty", "cut", "not_json", "shape"
"""Reasons why a reply is unusable, before any check of the step."""
_number = re.compile(r"(?P<number>-?[0-9]{1,9})\.?")


class Read(NamedTuple):
    """A reply that was read, or why it is unusable."""

    value: Any = None
    broken: str = ""
    """One of the reasons above; empty where the value may be used."""
    problems: tuple[str, ...] = ()


def read(reply: str, schema: Schema, *, cut: bool = False) -> Read:
    """The JSON value that *reply* is, bare or alone in a fenced block, if it has the shape of *schema*.

    Where *schema* is a record of one integer, the number by itself is that record: `2` and `2.` are `{"variant": 2}`.

    Args:
        reply: The whole reply; a leading `<think>` block is ignored.
        schema: The shape.
        cut: The reply ended at its limit of length.
    """
    if cut:
        return Read(None, CUT, ("the reply was cut off at the limit of its length; it must be shorter",))
    body = bare(reply)
    if body is None:
        return Read(None, EMPTY, ("the reply has no text",))
    number, fields = _number.fullmatch(body), list(schema.get("properties", {}).items())
    if number and len(fields) == 1 and fields[0][1]["type"] == "integer":
        body = json.dumps({fields[0][0]: int(number["number"])})
    try:
        value = strict_json(body)
    except (ValueError, RecursionError) as error:
        why = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else one_line(str(error))
        return Read(None, NOT_JSON, (f"the reply is not one JSON value and nothing else ({why})",))
    problems = tuple(misfits(schema, value))[:MOST_PROBLEMS]
    return Read(None, SHAPE, problems) if problems else Read(_whole(value))


def one_line(text: str, most: int = SHOWN) -> str:
    """*text* on one line, cut, and without lone surrogates, which no record can have."""
    whole = " ".join(whole_characters(text).split())
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def _whole(value: Any) -> Any:
    """*value* without lone surrogates, and its texts stripped."""
    if isinstance(value, str):
        return whole_characters(value).strip()
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {whole_characters(name): _whole(item) for name, item in value.items()} if isinstance(value, dict) else value


def result_key(step: Step, item: Item, part: str, given: Given, fingerprint: str) -> RecordKey:
    """The key of a result: a digest of everything that can change it."""
    asked = {
        "making": VERSION,
        "step": [step.name, step.version],
        "prompts": [step.prompt.digest, again().digest],
        "item": [item.key, item.take, part],
        "given": given,
        "model": fingerprint,
        "shape": step.shape_for(given),
        "checks": [check.name for check in step.checks],
        "settings": [step.temperature, step.max_tokens, step.repairs],
    }
    return RecordKey(digest(asked))


def ask(step: Step, item: Item, part: str, given: Given, model: ToolModel) -> MadeRecord | RejectedRecord:
    """The result of *model* for *given*; after `step.repairs` more tries, the reasons for its rejection.

    Raises:
        CallError: The model failed, which is no fault of the item.
    """
    shape = step.shape_for(given)
    turns = [Turn(role="user", text=step.text(given))]
    failed: list[FailedTry] = []
    while len(failed) <= step.repairs:
        request = ChatRequest(
            turns=tuple(turns), max_tokens=step.max_tokens, temperature=step.temperature, schema=unbounded(shape)
        )
        reply = model.chat(request)
        found = read(reply.text, shape, cut=reply.finish == "length")
        broken = {found.broken: found.problems} if found.broken else {}
        if not broken:
            problems = {check.name: tuple(check.find(found.value, given)) for check in step.checks}
            broken = {name: several for name, several in problems.items() if several}
        if not broken:
            return MadeRecord(item=item.key, step=step.name, part=part, value=found.value, failed=tuple(failed))
        first = tuple(chain.from_iterable(broken.values()))[:MOST_PROBLEMS]
        failed.append(FailedTry(checks=tuple(broken), problems=first, said=one_line(reply.text)))
        listed = "\n".join(f"- {problem}" for problem in first)
        repair = Turn(role="user", text=Template(again().text).substitute(problems=listed))
        turns += [Turn(role="assistant", text=reply.text[:ECHOED] or "(no text)"), repair]
    return RejectedRecord(item=item.key, step=step.name, part=part, check=failed[-1].checks[0], failed=tuple(failed))
