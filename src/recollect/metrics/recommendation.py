"""Recommended titles: parsed from a reply, mapped to the nearest entity, counted among the first k.

The strict parser is the papers'. It takes empty lines for recommendations and the `1.` of `2021.` for the start of a
list. `lenient_titles` corrects that and is reported under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.metrics.parsing import visible

CUTOFFS = (1, 5, 10)
"""The k of published numbers."""

_PARENTHESES = re.compile(r"\([^()]*\)")
_SPACE = re.compile(r"\s+")
_SIGNS = str.maketrans("_->", "   ")
_NUMBERING = re.compile(r"\d+[.)、]?\s*[-–—]?\s*")
_BULLET = re.compile(r"\s*[-*•–]\s+")
_COUNTED = re.compile(r"\s*\d{1,3}[.)、]\s+")
_WRAPPED = re.compile(r"\*\*|__|[`\"“”]|(?<!\w)[*_]|[*_](?!\w)")
_START = "1."


def entity_name(uri: str) -> str:
    """The name in a DBpedia address: its last part, without parentheses.

    Raises:
        TypeError: If it is not a string.

    Source:
        MemoryAgentBench, name of an entity; checked in `tests/reference/test_mab_parity.py`.
    """
    if not isinstance(uri, str):
        raise TypeError(f"an entity's address is text, got {type(uri).__name__}: {uri!r}")
    return _squeezed(_PARENTHESES.sub("", uri.rpartition("/")[2].translate(_SIGNS)))


def strict_titles(reply: str) -> list[str]:
    """The titles of a reply as the paper's program parses them, one per line; empty lines are titles too.

    The list is what follows the first `1.` anywhere; without one, commas become line breaks. Parentheses and a leading
    number are removed, even one that belongs to the title (`12 Monkeys`).

    Source:
        MemoryAgentBench, reading of recommendations; checked in `tests/reference/test_mab_parity.py`.
    """
    _, start, listed = reply.partition(_START)
    lines = (listed if start else reply.replace(",", "\n")).split("\n")
    return [_NUMBERING.sub("", title, count=1) if title[:1].isdigit() else title for title in map(_bare, lines)]


def lenient_titles(reply: str) -> list[str]:
    """The titles of a reply, parsed leniently.

    A list starts at a separate `1.` or `1)`, and its numbers rise by one; without it, bullets make a list; else lines
    do, or the commas of a single line. Empty lines are skipped, and bold and quotes are dropped.

    Source:
        Ours; the strict reading is the paper's.
    """
    text = visible(reply)
    items = list(_numbered(text))
    if not _marker(text, 0, 1):
        lines = [line for line in text.splitlines() if line.strip()]
        items = [line for line in lines if _BULLET.match(line)] or lines
        if len(lines) == 1 and not _BULLET.match(lines[0]):
            items = lines[0].removesuffix(".").split(",")
    titles = (_bare(_WRAPPED.sub("", _COUNTED.sub("", _BULLET.sub("", item, count=1), count=1))) for item in items)
    return [title for title in titles if title]


class Nearest(NamedTuple):
    """The entity closest to a title."""

    name: str
    entity_id: int
    """The smallest among equally near ones."""
    distance: int
    """Edits between the lower-cased title and name."""


class Entities:
    """The entities that a title may be mapped to, found by edit distance.

    An exact name is looked up. Any other title is compared with names of its own length first, then of more and more
    different lengths, until none can be nearer: an edit distance is at least the difference in length.
    """

    def __init__(self, names: Mapping[int, str], candidates: Collection[int] | None = None) -> None:
        """Index the names by length.

        Args:
            names: Id of an entity -> its name.
            candidates: The ids that a title may be mapped to, such as films only; all by default.

        Raises:
            ValueError: There is no candidate, or one without a name.
        """
        self._names = dict(names)
        unnamed = sorted(set(candidates or ()) - self._names.keys())
        if unnamed:
            raise ValueError(f"{len(unnamed)} candidates have no name, such as {unnamed[0]}")
        self._ids: dict[str, int] = {}
        for entity_id in sorted(self._names if candidates is None else set(candidates)):
            self._ids.setdefault(self._names[entity_id].lower(), entity_id)
        if not self._ids:
            raise ValueError("there is no entity that a title may be mapped to")
        self._by_length: dict[int, list[str]] = {}
        # By id, so that the first of the nearest names has the smallest.
        for name in sorted(self._ids, key=self._ids.__getitem__):
            self._by_length.setdefault(len(name), []).append(name)
        self._found: dict[str, Nearest] = {}

    def name_of(self, entity_id: str) -> str:
        """The name of an id as gold answers give it.

        Raises:
            TypeError: If it is not a string.
            ValueError: If no entity has it.
        """
        if not isinstance(entity_id, str):
            raise TypeError(f"the id of an entity is text here, got {type(entity_id).__name__}: {entity_id!r}")
        digits = entity_id.strip()
        if not digits.isdecimal() or int(digits) not in self._names:
            raise ValueError(f"no entity has the id {entity_id!r}")
        return self._names[int(digits)]

    def nearest(self, title: str) -> Nearest:
        """The entity whose name takes the fewest edits, case aside; the smallest id among equals.

        Source:
            MemoryAgentBench, nearest entity by edit distance over all names; among equals that program takes any.
            Checked in `tests/reference/test_mab_parity.py`.
        """
        title = title.lower()
        if title not in self._found:
            entity_id, distance = self._ids.get(title), 0
            if entity_id is None:
                distance, entity_id = self._search(title)
            self._found[title] = Nearest(self._names[entity_id], entity_id, distance)
        return self._found[title]

    def _search(self, title: str) -> tuple[int, int]:
        """(distance, id) of the nearest name."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extractOne

        longest = max(len(title), *self._by_length)
        best = (longest + 1, 0)
        for difference in range(longest + 1):
            if difference > best[0]:
                break
            for length in sorted({len(title) - difference, len(title) + difference} & self._by_length.keys()):
                names = self._by_length[length]
                found = extractOne(title, names, scorer=Levenshtein.distance, score_cutoff=best[0])
                if found is not None:
                    best = min(best, (int(found[1]), self._ids[found[0]]))
        return best


def recommended(titles: Sequence[str], entities: Entities) -> list[str]:
    """The name of the entity nearest to each title."""
    return [entities.nearest(title).name for title in titles]


def recommendation_recall(names: Sequence[str], gold: Sequence[str], *, k: int) -> float | None:
    """Share of the gold names among the first *k* names.

    Returns:
        A ratio in [0, 1]; `None` where there is no gold name.

    Raises:
        TypeError: If *gold* is a single string, whose letters would be counted.
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


def _numbered(text: str) -> Iterator[str]:
    """The items after 1, 2, 3 …, each to the end of its line; all lines where a single number opens the list."""
    found, number = _marker(text, 0, 1), 1
    while found:
        following = _marker(text, found.end(), number + 1)
        item = text[found.end() : following.start() if following else len(text)].strip()
        yield from item.splitlines() if number == 1 and not following else item.splitlines()[:1]
        found, number = following, number + 1


def _marker(text: str, start: int, number: int) -> re.Match[str] | None:
    """Where *number* opens an item: at the start of a line, else after a space."""
    opens = rf"[ \t]*[*_]{{0,2}}{number}(?:[.)、]|\.\))[*_]{{0,2}}(?!\d)"
    at_line = re.compile(rf"^{opens}", re.MULTILINE).search(text, start)
    return at_line or re.compile(rf"(?<=\s){opens}|\A{opens}").search(text, start)


def _bare(line: str) -> str:
    return _squeezed(_PARENTHESES.sub("", line))


def _squeezed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
