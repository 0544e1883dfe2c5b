"""One result of one step: the model is asked, its reply is validated, and what is invalid is asked for again."""

from __future__ import annotations

import json
import re
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

SHOWN = 160
"""Characters of a reply that records keep of it where it cannot be used."""
MOST_PROBLEMS = 8
"""Problems of one reply that are told; the first ones."""

_number = re.compile(r"(?P<number>-?[0-9]{1,9})\.?")

EMPTY, CUT, NOT_JSON, SHAPE = "empty", "cut", "not_json", "shape"
"""Why a reply is none, before any check of the step is asked."""


class Read(NamedTuple):
    """A reply that was read, or why it was not."""

    value: Any = None
    broken: str = ""
    """One of the reasons above; empty where the value may be used."""
    problems: tuple[str, ...] = ()


def read(said: str, schema: Schema, *, cut: bool = False) -> Read:
    """The JSON value that *said* is, bare or alone in a fenced block, if it has the shape of *schema*.

    Where *schema* is a record of one integer, the number by itself is that record: `2` and `2.` are `{"variant": 2}`.

    Args:
        said: The whole reply; what stands in a leading `<think>` block is passed over.
        schema: What it must be.
        cut: The reply ended at its limit of length.
    """
    if cut:
        return Read(None, CUT, ("the reply was cut off at the limit of its length; it must be shorter",))
    body = bare(said)
    if body is None:
        return Read(None, EMPTY, ("the reply has no text",))
    number, field = _number.fullmatch(body), _one_integer(schema)
    if number and field:
        body = json.dumps({field: int(number["number"])})
    try:
        value = strict_json(body)
    except (ValueError, RecursionError) as error:
        return Read(None, NOT_JSON, (f"the reply is not one JSON value and nothing else ({_why(error)})",))
    problems = tuple(misfits(schema, value))[:MOST_PROBLEMS]
    return Read(None, SHAPE, problems) if problems else Read(_whole(value))


def _one_integer(schema: Schema) -> str | None:
    """The field of a record that has no other, and holds an integer."""
    fields = schema.get("properties", {})
    (name, *others) = fields or [None]
    return name if name is not None and not others and fields[name]["type"] == "integer" else None


def one_line(text: str, most: int = SHOWN) -> str:
    """*text* on one line, cut, and without half characters, which no record can hold."""
    whole = " ".join(whole_characters(text).split())
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def _why(error: Exception) -> str:
    return f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else one_line(str(error))


def _whole(value: Any) -> Any:
    """*value* without half characters, and its texts without white space around them."""
    if isinstance(value, str):
        return whole_characters(value).strip()
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {whole_characters(name): _whole(item) for name, item in value.items()} if isinstance(value, dict) else value


VERSION = 1
"""Of this module: goes up when the same step and reply may give another result."""
ECHOED = 6000
"""Characters of a reply that is quoted back."""


def result_key(step: Step, item: Item, part: str, given: Given, fingerprint: str) -> RecordKey:
    """Names a result by everything that can change it: step, prompt, what it sees, model, settings."""
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
    """What *model* makes of *given*; after `step.repairs` more tries, why it made nothing.

    Raises:
        CallError: The model failed: that says nothing of the item.
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
        problem = _problem(step, given, found, reply.text)
        if problem is None:
            return MadeRecord(item=item.key, step=step.name, part=part, value=found.value, failed=tuple(failed))
        failed.append(problem)
        turns += [Turn(role="assistant", text=reply.text[:ECHOED] or "(no text)"), _again(problem)]
    return RejectedRecord(item=item.key, step=step.name, part=part, check=failed[-1].checks[0], failed=tuple(failed))


def _problem(step: Step, given: Given, found: Read, said: str) -> FailedTry | None:
    if found.broken:
        return FailedTry(checks=(found.broken,), problems=found.problems, said=one_line(said))
    problems = {check.name: tuple(check.find(found.value, given)) for check in step.checks}
    broken = {name: told for name, told in problems.items() if told}
    if not broken:
        return None
    told = tuple(one for several in broken.values() for one in several)
    return FailedTry(checks=tuple(broken), problems=told[:MOST_PROBLEMS], said=one_line(said))


def _again(problem: FailedTry) -> Turn:
    told = "\n".join(f"- {one}" for one in problem.problems)
    return Turn(role="user", text=Template(again().text).substitute(problems=told))
