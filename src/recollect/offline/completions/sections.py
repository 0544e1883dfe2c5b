"""Finds in a prompt what it is about: the conversation or text that a system wants read, apart from its orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from recollect.offline.completions.lexicon import BESIDE, DATED, MATERIAL, NEW, words_of

_OPENED = re.compile(r"<(?P<tag>[A-Za-z][\w.-]*)(?:\s[^<>]*)?>")
_HASHED = re.compile(r"^\s*#{1,6}\s+(?P<title>\S.*?):?\s*$")
_LABEL = re.compile(r"^\s*\**(?P<title>[A-Za-z][A-Za-z_ /()'’-]{0,60}?)\**:\**(?:\s+(?P<rest>\S.*))?$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a prompt under one heading."""

    title: str
    body: str

    @property
    def words(self) -> frozenset[str]:
        """Of its title."""
        return words_of(self.title)

    @property
    def is_material(self) -> bool:
        """Whether it announces what is to be read."""
        if self.words.isdisjoint(MATERIAL):
            return False
        return self.words.isdisjoint(BESIDE) or not self.words.isdisjoint(NEW)


def material_of(prompt: str) -> str:
    """What *prompt* wants read: the last section that announces it, else all of it."""
    found = [section.body for section in sections(prompt) if section.is_material and section.body.strip()]
    return (found[-1] if found else prompt).strip("\n")


def date_of(prompt: str) -> str | None:
    """The day or time that a heading of *prompt* names, in ISO form; the first one."""
    for section in sections(prompt):
        if not section.words.isdisjoint(DATED):
            stamp = iso_in(section.body)
            if stamp is not None:
                return stamp
    return None


def iso_in(text: str) -> str | None:
    """The first ISO date or time in *text*."""
    for match in _DATE.finditer(text):
        try:
            return datetime.fromisoformat(match[0]).isoformat()
        except ValueError:
            continue
    return None


def sections(prompt: str) -> Iterator[Section]:
    """Tagged parts first, then what stands under headings, in order."""
    tagged, rest = _tagged(prompt)
    yield from tagged
    title, lines = "", list[str]()
    for line in rest.splitlines():
        heading = _heading(line)
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield Section(title, "\n".join(lines))
        title, lines = heading.title, [heading.body] if heading.body else []
    if title:
        yield Section(title, "\n".join(lines))


def _tagged(prompt: str) -> tuple[list[Section], str]:
    """What stands in tags that are closed, and what is left; in time that grows with the text, whatever is in it."""
    found, rest, at, kept = list[Section](), list[str](), 0, 0
    unclosed: set[str] = set()
    while (opened := _OPENED.search(prompt, at)) is not None:
        tag, at = opened["tag"], opened.end()
        end = -1 if tag in unclosed else prompt.find(f"</{tag}>", at)
        if end < 0:
            unclosed.add(tag)
            continue
        found.append(Section(tag, prompt[at:end]))
        rest.append(prompt[kept : opened.start()])
        at = kept = end + len(tag) + 3
    return found, "\n".join((*rest, prompt[kept:]))


def _heading(line: str) -> Section | None:
    """A heading, with what follows it on its line; a line of a dialogue is none, though it begins like one."""
    hashed = _HASHED.match(line)
    if hashed:
        return Section(hashed["title"], "")
    label = _LABEL.match(line)
    if label is None:
        return None
    section = Section(label["title"], label["rest"] or "")
    known = section.words & (MATERIAL | BESIDE | DATED)
    return section if known and (not section.body or len(section.words) <= _SHORT) else None


_SHORT = 4
"""Words of a label that has its text on the same line."""
