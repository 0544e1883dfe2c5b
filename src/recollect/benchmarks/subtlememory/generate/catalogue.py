"""The catalogue of what a person may be like and of what a world may hold, with talk that tells neither.

Sentences are patterns: `[this|that]` is a choice, also of nothing (`[ gladly|]`), never one inside another; `{slot}` is
filled in. Slots of talk about the user: `{name}` in facts only. Slots of talk about the world: `{entity}`, `{value}`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeVar

from recollect.benchmarks.subtlememory.generate.showings import Showing
from recollect.benchmarks.subtlememory.generate.threads import Thread
from recollect.domain.errors import DataError
from recollect.records.codec import decode
from recollect.worlds.catalogues import catalogue

FOLDER = catalogue("subtlememory")
USER, WORLD, THREADS, SHOWINGS = "user", "world", "threads", "showings"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """One value of an attribute of the user, how it shows, and what suits it."""

    value: str
    """A short noun phrase; a choice of a form's field."""
    accepted: tuple[str, ...]
    """The same in other words."""
    facts: tuple[str, ...]
    """Whole sentences that say it, with `{name}`; each is enough."""
    showings: tuple[Showing, ...]
    """Exchanges in which it shows, each in another thread; of a file of its own."""
    held_out: tuple[Showing, ...]
    """The same in other threads; used only where `held_out` is asked for."""
    resources: tuple[str, ...]
    """What a thing is like that suits this value alone, with none of its words: `pale wood and nothing on display`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A situation or a stretch of life in which another value may hold."""

    said: str
    """As the user says it, in front of what shows a value: `when my parents stay with us`."""
    reason: str
    """A sentence before it, of the situation alone: that it matters is plain, and what follows is not announced.

    A stretch is told by it, so that `said` need not name it again.
    """
    fact: str
    """As a fact says it, at the end: `when {name}'s parents stay`."""
    asked: str
    """As a question says it, behind `for`: `the week my parents are here`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One thing that persons differ in."""

    name: str
    field: str
    """Its label in a form."""
    wanted: str
    """What is looked for, behind `choose`: `one furniture package for the living room`."""
    values: tuple[ValueWords, ...]
    """At least four; a form takes one of them."""
    conditions: tuple[Condition, ...]
    """At least three standing situations, in each of which a value may hold."""
    stretches: tuple[Condition, ...]
    """At least four stretches of life, weeks or months long, that may well change it."""
    together: tuple[tuple[str, str], ...] = ()
    """Pairs of values that one person may well have side by side, so that they make no conflict."""

    @property
    def rivals(self) -> tuple[tuple[ValueWords, ValueWords], ...]:
        """Pairs of values of which one person has one."""
        both = {frozenset(pair) for pair in self.together}
        pairs = combinations(self.values, 2)
        return tuple((one, other) for one, other in pairs if frozenset((one.value, other.value)) not in both)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One part of a person's life."""

    topic: str
    domain: str
    threads: tuple[Thread, ...]
    """Talk that tells no value of any trait; of a file of its own."""
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A condition under which a property of an entity has another value."""

    told: str
    """Begins a statement, with a capital: `In its winter edition`."""
    asked: str
    """Ends a question: `in its winter edition`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One thing that can be said of an entity."""

    name: str
    kind: Literal["choice", "number", "year", "person", "place"]
    values: tuple[str, ...]
    """Of a choice: at least six, none of them famous. Of a number or a year: the least and the most. Else none."""
    told: tuple[str, ...]
    """Statements with `{entity}` and `{value}`, the first letter capital; each stands alone."""
    held_out: tuple[str, ...]
    """The same in other words; used only where `held_out` is asked for."""
    asked: tuple[str, ...]
    """Questions with `{entity}`."""
    asked_of_all: str
    """One question about several, with `{entities}`: `Which flower stands for {entities}?`"""
    editions: tuple[Edition, ...] = ()
    """At least three, where the value may depend on something."""
    changes: bool = False
    """It may be another at another date, as a count may."""
    exclusive: bool = True
    """No two values can be right, at once or one after the other, as an office's two holders are; so they conflict."""
    adds_up: str = ""
    """Of a number: the question for the sum, with `{entities}`; empty where a sum says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of invented entity."""

    kind: str
    topic: str
    domain: str
    noun: str
    """What such an entity is: `river ferry line`."""
    names: tuple[str, ...]
    """Patterns of names, with `{word}` for an invented word: `the {word} Line`."""
    threads: tuple[Thread, ...]
    """Talk that tells nothing of any entity; of a file of its own."""
    properties: tuple[Property, ...]


Read = TypeVar("Read", Topic, Kind)


def read_file(file: Path, form: type[Read]) -> Read:
    """What a file of the catalogue holds, with what stands in files of the same name: its threads, and showings of it.

    Raises:
        DataError: A file is missing, is no JSON or has another shape; all that is wrong is named at once.
    """
    given = _json(file)
    if isinstance(given, dict) and "threads" not in given:
        given |= _json(file.parents[1] / THREADS / file.parent.name / file.name)
        if form is Topic:
            _shown(given, _json(file.parents[1] / SHOWINGS / file.name))
    return decode(form, given, where=str(file))


def _shown(topic: Any, showings: Any) -> None:
    """Puts to each value what the file of showings has for it."""
    for trait in topic.get("traits", ()):
        for value in trait.get("values", ()):
            value.update(showings.get(trait.get("name"), {}).get(value.get("value"), {}))


def _json(file: Path) -> Any:
    if not file.exists():
        raise DataError("does not exist", file, fix="Every topic needs its threads.")
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"is no JSON: {error}", file, fix="Mend it.") from None


@cache
def topics(folder: Path = FOLDER / USER) -> tuple[Topic, ...]:
    """All parts of a person's life, by name; read once."""
    return tuple(sorted((read_file(file, Topic) for file in folder.glob("*.json")), key=lambda one: one.topic))


@cache
def kinds(folder: Path = FOLDER / WORLD) -> tuple[Kind, ...]:
    """All kinds of entities, by name; read once."""
    return tuple(sorted((read_file(file, Kind) for file in folder.glob("*.json")), key=lambda one: one.kind))


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong in the given files, or in the whole catalogue; 1 where anything is."""
    files = [Path(name) for name in arguments]
    found = tuple(_problems(files)) if files else check_catalogue()
    files = files or _files(FOLDER)
    sys.stdout.write("".join(f"{line}\n" for line in [*found, f"{len(files)} files, {len(found)} problems"]))
    return 1 if found else 0


def check_catalogue(folder: Path = FOLDER) -> tuple[str, ...]:
    """Every breach of the catalogue's rules in a folder, each with file and sentence; in the bundled one, links too."""
    return (*_problems(_files(folder)), *(_linked() if folder == FOLDER else ()))


def _linked() -> Iterator[str]:
    from recollect.benchmarks.subtlememory.generate.catalogue_rules import link_problems
    from recollect.benchmarks.subtlememory.generate.world_words import world_words

    return (f"{THREADS}/links.json: {problem}" for problem in link_problems(world_words().links))


def _files(folder: Path) -> list[Path]:
    return sorted(file for name in (USER, WORLD) for file in folder.glob(f"{name}/*.json"))


def _problems(files: Iterable[Path]) -> Iterator[str]:
    from recollect.benchmarks.subtlememory.generate.catalogue_rules import kind_problems, topic_problems

    for file in files:
        name = f"{file.parent.name}/{file.name}"
        try:
            found = (
                topic_problems(read_file(file, Topic))
                if file.parent.name == USER
                else kind_problems(read_file(file, Kind))
            )
        except DataError as error:
            yield str(error)
            continue
        yield from (f"{name}: {problem}" for problem in found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
