"""The JSON of a model's reply, read strictly: nothing is searched for or guessed."""

from __future__ import annotations

import json
import re
from typing import Any

_thinking = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_fenced = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


def bare(reply: str) -> str | None:
    """*reply* without a leading `<think>` block, and without the fence where it is one block; `None` without text."""
    text = _thinking.sub("", reply.lstrip("\ufeff")).strip()
    block = _fenced.fullmatch(text)
    return block["body"] if block else text or None


def strict_json(text: str) -> Any:
    """The one JSON value that *text* is.

    Raises:
        ValueError: It is not JSON, an object has a name twice, or a number is not finite.
        RecursionError: It is nested too deeply.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a name stands twice")
        return found

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


def whole_characters(text: str) -> str:
    """*text* without lone surrogates, which no record can have."""
    return text.encode("utf-8", "replace").decode("utf-8")
