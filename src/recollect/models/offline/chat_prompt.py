"""Takes a prompt apart by its form: what a memory found, and what the user said last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.contracts.models import Turn
from recollect.models.offline.lexicon import MEMORY_WORDS, ORDERS

_TAGGED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>(?P<body>.*?)</(?P=tag)>", re.DOTALL)
_FENCED = re.compile(r"^```(?P<tag>[\w-]*)[^\n]*\n(?P<body>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_LISTED = re.compile(r"^\s*(?:[-*•–—]|\(?\d{1,4}[.)])\s+(?P<text>\S.*)$")
_STAMPED = re.compile(r"^\s*\[[^\]\n]{1,60}\]\s*(?P<text>\S.*)$")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+(?P<hashed>\S.*)|(?P<plain>\S[^\n]{0,100}):\s*)$")
_LABELLED = re.compile(r"^\s*(?:user|human|message|question|query|input)[^\n:]{0,20}:\s*(?P<said>\S.*)$", re.IGNORECASE)


class Parts(NamedTuple):
    """One prompt, taken apart."""

    memories: tuple[str, ...]
    """What a memory found, line by line, without marks."""
    said: str
    """The user's last words; empty where no user turn has any."""


class _Block(NamedTuple):
    heading: str
    lines: tuple[str, ...]
    announced: bool
    """Its heading speaks of memory."""


def take_apart(turns: Sequence[Turn]) -> Parts:
    """Memories and last words of a prompt.

    Memories stand in tags, fences, lists, stamped lines or under a heading, in system turns or in the last user
    turn. Where a heading or tag speaks of memory only such blocks count, else every list that gives no orders.
    """
    last = next((i for i in range(len(turns) - 1, -1, -1) if turns[i].role == "user"), None)
    blocks = [b for i, turn in enumerate(turns) if turn.role == "system" or i == last for b in _blocks(turn.text)]
    announced = [block for block in blocks if block.announced]
    lines = (line for block in announced or blocks for line in block.lines)
    memories = tuple(dict.fromkeys(line for line in lines if announced or not _is_order(line)))
    return Parts(memories, "" if last is None else _said(turns[last].text))


def _blocks(text: str) -> Iterator[_Block]:
    rest = text
    for pattern in (_TAGGED, _FENCED):
        for match in pattern.finditer(rest):
            lines = tuple(_unmarked(line) for line in match["body"].splitlines() if line.strip())
            yield _Block(match["tag"], lines, _speaks_of_memory(match["tag"]))
        rest = pattern.sub("\n", rest)
    yield from _open_blocks(rest.splitlines())


def _open_blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """Lists and stamped lines, with the heading above them; under a heading of memory plain lines count too."""
    heading, found = "", list[str]()
    for line in [*lines, "# "]:
        if title := _heading_of(line):
            if found:
                yield _Block(heading, tuple(found), _speaks_of_memory(heading))
            heading, found = title, []
        elif _is_entry(line) or (line.strip() and _speaks_of_memory(heading) and not _LABELLED.match(line)):
            found.append(_unmarked(line))
        elif line.strip() or found:
            if found:
                yield _Block(heading, tuple(found), _speaks_of_memory(heading))
            heading, found = "", []
    if found:
        yield _Block(heading, tuple(found), _speaks_of_memory(heading))


def _said(text: str) -> str:
    """What is left of a user turn without blocks; behind the last label, where there is one."""
    rest = _FENCED.sub("\n", _TAGGED.sub("\n", text))
    lines = list(_unlisted(rest.splitlines()))
    for index in range(len(lines) - 1, -1, -1):
        if match := _LABELLED.match(lines[index]):
            return " ".join([match["said"], *lines[index + 1 :]]).strip()
    return " ".join(line.strip() for line in lines if line.strip()) or text.strip()


def _unlisted(lines: Iterable[str]) -> Iterator[str]:
    under_memory = False
    for line in lines:
        if title := _heading_of(line):
            under_memory = _speaks_of_memory(title)
        elif not line.strip():
            under_memory = False
        if _LABELLED.match(line) or not (under_memory or _is_entry(line) or _heading_of(line)):
            yield line


def _is_entry(line: str) -> bool:
    return bool(_LISTED.match(line) or _STAMPED.match(line))


def _heading_of(line: str) -> str:
    match = _HEADING.match(line)
    return (match["hashed"] or match["plain"] or "") if match else ""


def _unmarked(line: str) -> str:
    match = _LISTED.match(line)
    return (match["text"] if match else line).strip()


def _speaks_of_memory(heading: str) -> bool:
    return not MEMORY_WORDS.isdisjoint(re.findall(r"[a-z]+", heading.casefold()))


def _is_order(line: str) -> bool:
    return next(iter(re.findall(r"[a-z']+", line.casefold())), "") in ORDERS
