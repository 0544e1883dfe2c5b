"""Fills `{names}` in the arguments of a tool, and finds values in its result by a dotted path."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(r"\{([\w.]+)\}")


def placeholders(template: Any) -> frozenset[str]:
    """The names that stand in *template*."""
    return frozenset(_NAME.findall(json.dumps(template, ensure_ascii=False)))


def filled(template: Any, known: Mapping[str, Any]) -> Any:
    """*template* with all names replaced; a text that is one name alone becomes the value, so numbers stay numbers."""
    if isinstance(template, Mapping):
        return {key: filled(value, known) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, known) for value in template]
    if not isinstance(template, str):
        return template
    alone = _NAME.fullmatch(template)
    if alone:
        return known.get(alone[1])
    return _NAME.sub(lambda name: _worded(known.get(name[1])), template)


def _worded(value: Any) -> str:
    return "" if value is None else str(value)


def at(value: Any, path: str) -> Any:
    """What stands in *value* at `a.b.0`; `None` where the path leads nowhere; the value itself for no path or `.`."""
    for step in filter(None, path.split(".")):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def text_at(value: Any, path: str) -> str | None:
    """The text at *path*; several are put in lines."""
    found = texts_at(value, path)
    return "\n".join(found) if found else None


def texts_at(value: Any, path: str) -> list[str]:
    """All texts at *path*."""
    found = at(value, path)
    listed = found if isinstance(found, list) else [] if found is None else [found]
    return [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in listed]


def number_at(value: Any, path: str) -> float | None:
    """The number at *path*."""
    found = at(value, path)
    return float(found) if isinstance(found, int | float) else None
