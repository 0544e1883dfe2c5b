"""What a model said as a maker: one JSON value of the shape asked for, or what is wrong with it. Nothing is guessed."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from recollect.making.shape import Schema, misfits

SHOWN = 160
"""Characters of a reply that records keep of it where it cannot be used."""
MOST_PROBLEMS = 8
"""Problems of one reply that are told; the first ones."""

_thinking = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_number = re.compile(r"(?P<number>-?[0-9]{1,9})\.?")
_fenced = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)

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
    stripped = _thinking.sub("", said.lstrip("\ufeff")).strip()
    if not stripped:
        return Read(None, EMPTY, ("the reply has no text",))
    block = _fenced.fullmatch(stripped)
    body = block["body"] if block else stripped
    number, field = _number.fullmatch(body), _one_integer(schema)
    if number and field:
        body = json.dumps({field: int(number["number"])})
    try:
        value = json.loads(body, object_pairs_hook=_once, parse_constant=_refuse)
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
    whole = " ".join(_clean(text).split())
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def _why(error: Exception) -> str:
    return f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else one_line(str(error))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _whole(value: Any) -> Any:
    """*value* without half characters, and its texts without white space around them."""
    if isinstance(value, str):
        return _clean(value).strip()
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {_clean(name): _whole(item) for name, item in value.items()} if isinstance(value, dict) else value


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
