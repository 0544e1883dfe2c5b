"""Recommended titles: read from a reply, mapped to the nearest entity, counted among the first k.

The strict reading is the papers'. It takes empty lines for recommendations and the `1.` of `2021.` for the start of a
list. `lenient_titles` mends that and stands beside it under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.metrics.parsing import visible

CUTOFFS = (1, 5, 10)
"""The k that published numbers are told for."""

_PARENTHESES = re.compile(r"\([^()]*\)")
_SPACE = re.compile(r"\s+")
_SIGNS = str.maketrans("_->", "   ")
_NUMBERING = re.compile(r"\d+[.)、]?\s*[-–—]?\s*")
_BULLET = re.compile(r"\s*[-*•–]\s+")
_COUNTED = re.compile(r"\s*\d{1,3}[.)、]\s+")
_WRAPPED = re.compile(r"\*\*|__|[`\"“”]|(?<!\w)[*_]|[*_](?!\w)")
_START = "1."


def entity_name(uri: str) -> str:
    """The name in a DBpedia address: its last part, without what stands in parentheses.

    Raises:
        TypeError: If it is no text.

    Source:
        MemoryAgentBench, name of an entity; checked in `tests/reference/test_mab_parity.py`.
    """
    if not isinstance(uri, str):
        raise TypeError(f"an entity's address is text, got {type(uri).__name__}: {uri!r}")
    return _squeezed(_PARENTHESES.sub("", uri.rpartition("/")[2].translate(_SIGNS)))


def strict_titles(reply: str) -> list[str]:
    """The titles of a reply as the paper's program reads them, one a line; empty lines are titles too.

    What follows the first `1.`, wherever that stands; without one, commas become line breaks. Parentheses and a number
    that opens the line go, also one that belongs to the title (`12 Monkeys`).

    Source:
        MemoryAgentBench, reading of recommendations; checked in `tests/reference/test_mab_parity.py`.
    """
    _, start, listed = reply.partition(_START)
    lines = (listed if start else reply.replace(",", "\n")).split("\n")
    return [_NUMBERING.sub("", title, count=1) if title[:1].isdigit() else title for title in map(_bare, lines)]


def lenient_titles(reply: str) -> list[str]:
    """The titles of a reply, read with more sense.

    A list starts at `1.` or `1)` that stands alone, and its numbers rise by one; without it, bullets make a list; else
    lines do, or the commas of a single line. Empty lines are nothing, and bold and quotes are dropped.

    Source:
        Ours; the strict reading is the paper's.
    """
    said = visible(reply)
    if _marker(said, 0, 1):
        return [title for title in map(_plain, _numbered(said)) if title]
    lines = [line for line in said.splitlines() if line.strip()]
    bullets = [line for line in lines if _BULLET.match(line)]
    if not bullets and len(lines) == 1:
        lines = lines[0].removesuffix(".").split(",")
    return [title for title in map(_plain, bullets or lines) if title]


class Nearest(NamedTuple):
    """The entity that a title is taken for."""

    name: str
    entity_id: int
    """Of several as near, the smallest."""
    distance: int
    """Edits between the lower-cased title and name."""


class Entities:
    """The entities that a title may be taken for, found by edit distance.

    A title that is a name is looked up. Any other is compared with names of its length first, then of lengths further
    and further off, until none can be nearer: a difference in length is the least that an edit distance can be.
    """

    def __init__(self, names: Mapping[int, str], candidates: Collection[int] | None = None) -> None:
        """Take the names by id.

        Args:
            names: Id of an entity -> its name.
            candidates: The ids that a title may be taken for, such as the films alone; all where none are given.

        Raises:
            ValueError: There is no candidate, or one that has no name.
        """
        self._names = dict(names)
        strangers = sorted(set(candidates or ()) - self._names.keys())
        if strangers:
            raise ValueError(f"{len(strangers)} candidates have no name, such as {strangers[0]}")
        self._ids: dict[str, int] = {}
        for entity_id in sorted(self._names if candidates is None else set(candidates)):
            self._ids.setdefault(self._names[entity_id].lower(), entity_id)
        if not self._ids:
            raise ValueError("there is no entity that a title may be taken for")
        self._bands = _by_length(self._ids)
        self._found: dict[str, Nearest] = {}

    @classmethod
    def of_addresses(cls, addresses: Mapping[str, int], candidates: Collection[int] | None = None) -> Entities:
        """From DBpedia addresses with their ids, as `entity2id.json` has them."""
        return cls({entity_id: entity_name(uri) for uri, entity_id in addresses.items()}, candidates)

    def name_of(self, entity_id: str) -> str:
        """The name of an id as gold answers give it.

        Raises:
            TypeError: If it is no text.
            ValueError: No entity has it.
        """
        if not isinstance(entity_id, str):
            raise TypeError(f"the id of an entity is text here, got {type(entity_id).__name__}: {entity_id!r}")
        said = entity_id.strip()
        if not said.isdecimal() or int(said) not in self._names:
            raise ValueError(f"no entity has the id {entity_id!r}")
        return self._names[int(said)]

    def nearest(self, title: str) -> Nearest:
        """The entity whose name takes the fewest edits, case aside; the smallest id among equals.

        Source:
            MemoryAgentBench, nearest entity by edit distance over all names; among equals that program takes any.
            Checked in `tests/reference/test_mab_parity.py`.
        """
        said = title.lower()
        if said not in self._found:
            self._found[said] = self._searched(said)
        return self._found[said]

    def _searched(self, said: str) -> Nearest:
        if said in self._ids:
            return Nearest(self._names[self._ids[said]], self._ids[said], 0)
        longest = max(len(said), *self._bands)
        best = (longest + 1, 0)
        for apart in range(longest + 1):
            if apart > best[0]:
                break
            for length in sorted({len(said) - apart, len(said) + apart}):
                best = min(best, self._of_length(length, said, best))
        return Nearest(self._names[best[1]], best[1], best[0])

    def _of_length(self, length: int, said: str, best: tuple[int, int]) -> tuple[int, int]:
        """(distance, id) of the nearest name of *length* if it is as near as *best*, else *best*."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extractOne

        if length not in self._bands:
            return best
        found = extractOne(said, self._bands[length], scorer=Levenshtein.distance, score_cutoff=best[0])
        return best if found is None else (int(found[1]), self._ids[found[0]])


def recommended(titles: Sequence[str], entities: Entities) -> list[str]:
    """The entity name that each title is taken for."""
    return [entities.nearest(title).name for title in titles]


def recommendation_recall(names: Sequence[str], gold: Sequence[str], *, k: int) -> float | None:
    """Share of the gold names that stand among the first *k* names.

    Returns:
        A ratio in [0, 1]; `None` where there is no gold name.

    Raises:
        TypeError: If *gold* is one string, whose letters would then be looked for.
        ValueError: If *k* is below 1.

    Source:
        MemoryAgentBench, recall at 1, 5 and 10; checked in `tests/reference/test_mab_parity.py`.
    """
    if isinstance(gold, str):
        raise TypeError(f"the gold names come as a list, got the one string {gold!r}")
    if k < 1:
        raise ValueError(f"k counts recommendations and starts at 1, got {k}")
    if not gold:
        return None
    first = set(names[:k])
    return sum(name in first for name in gold) / len(gold)


def _by_length(ids: Mapping[str, int]) -> dict[int, list[str]]:
    """The names of each length, by id: the first of the nearest has the smallest."""
    bands: dict[int, list[str]] = {}
    for name in sorted(ids, key=ids.__getitem__):
        bands.setdefault(len(name), []).append(name)
    return bands


def _numbered(said: str) -> Iterator[str]:
    """The items behind 1, 2, 3 …, each to the end of its line; all lines where a single number opens the list."""
    found, number = _marker(said, 0, 1), 1
    while found:
        following = _marker(said, found.end(), number + 1)
        item = said[found.end() : following.start() if following else len(said)].strip()
        yield from item.splitlines() if number == 1 and not following else item.splitlines()[:1]
        found, number = following, number + 1


def _marker(said: str, start: int, number: int) -> re.Match[str] | None:
    """Where *number* opens an item: at the start of a line, else behind a space."""
    opens = rf"[ \t]*[*_]{{0,2}}{number}(?:[.)、]|\.\))[*_]{{0,2}}(?!\d)"
    at_line = re.compile(rf"^{opens}", re.MULTILINE).search(said, start)
    return at_line or re.compile(rf"(?<=\s){opens}|\A{opens}").search(said, start)


def _plain(line: str) -> str:
    """A title without bullet, number, bold and quotes."""
    return _bare(_WRAPPED.sub("", _COUNTED.sub("", _BULLET.sub("", line, count=1), count=1)))


def _bare(line: str) -> str:
    return _squeezed(_PARENTHESES.sub("", line))


def _squeezed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
