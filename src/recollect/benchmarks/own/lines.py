"""What the lines of a file say, and why a file or a line of it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_EACH = "Write one object a line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A file, line by line."""

    values: tuple[tuple[int, Any], ...] = ()
    """Number of the line, the first is 1, and what it says; broken lines are left out."""
    problems: tuple[tuple[int, str], ...] = ()
    """Number of the line, 0 for the whole file, and what is wrong with it; each names the file."""
    whole: bool = False
    """No line is missing from the values."""


def lines_of(file: Path) -> Lines:
    """All lines of *file* but blank ones; a file that cannot be read at all is one problem, not one for each line."""
    try:
        data = file.read_bytes().removeprefix(_MARK)
    except FileNotFoundError:
        return Lines(problems=((0, f"the file {file.name} is missing"),))
    except OSError as error:
        return Lines(problems=((0, f"{file.name}: it cannot be read ({error.strerror})"),))
    filled = [(number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    read = [(number, *_read(line)) for number, line in filled]
    broken = tuple((number, f"{file.name}:{number}: {why}") for number, _, why in read if why)
    problem = _of_the_whole(data, len(read), broken)
    if problem:
        return Lines(problems=((0, f"{file.name}: {problem}"),))
    return Lines(
        values=tuple((number, value) for number, value, why in read if not why), problems=broken, whole=not broken
    )


def _of_the_whole(data: bytes, lines: int, broken: Sequence[tuple[int, str]]) -> str:
    """Why no line of a file can be used; empty where some can."""
    if data.startswith(_UTF16):
        return "it is UTF-16. Save it as UTF-8"
    if not lines:
        return "it holds no line"
    value, why = _read(data)
    if isinstance(value, list) or (data.lstrip().startswith(b"[") and len(broken) == lines):
        return f"it is a JSON array. {_EACH}, not an array"
    if lines == 1 or len(broken) < lines:
        return ""
    if not why:
        return f"it is one JSON object over {lines} lines. {_EACH}"
    return f"no line of it is JSON in UTF-8; the first problem is {broken[0][1]}. {_EACH}"


def _read(line: bytes) -> tuple[Any, str]:
    """What *line* says, or why it says nothing."""
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_once_only), ""
    except (ValueError, RecursionError) as error:
        return None, f"not JSON in UTF-8 ({error})"


def _once_only(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key stands twice: the parser would silently take the last."""
    doubled = next(_doubled(name for name, _ in pairs), None)
    if doubled is not None:
        raise ValueError(f"`{doubled}` stands twice in one object")
    return dict(pairs)


def _doubled(names: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)
