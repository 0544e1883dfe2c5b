"""The JSON that a model's reply is, read strictly: nothing is searched for, nothing is guessed."""

from __future__ import annotations

import json
import re
from typing import Any

_thinking = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_fenced = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


def bare(reply: str) -> str | None:
    """*reply* without a leading `<think>` block, and without the fence where it is one block; `None` without text."""
    said = _thinking.sub("", reply.lstrip("\ufeff")).strip()
    if not said:
        return None
    block = _fenced.fullmatch(said)
    return block["body"] if block else said


def strict_json(text: str) -> Any:
    """The one JSON value that *text* is.

    Raises:
        ValueError: It is not JSON, an object has a name twice, or a number is not finite.
        RecursionError: It is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def whole_characters(text: str) -> str:
    """*text* without half characters, which no record can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
