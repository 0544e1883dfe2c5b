"""The catalogue of life domains: what may change in a life, and the sentences that show it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from recollect.domain.errors import DataError
from recollect.records.codec import decode
from recollect.worlds.catalogues import catalogue

FOLDER = catalogue("amemgym") / "domains"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """One value of a variable, and how a person shows it without naming it."""

    value: str
    told: tuple[str, ...]
    """What the user says while the value holds."""
    held_out: tuple[str, ...]
    """The same in other words; used only where `held_out` is asked for."""
    event: str
    """Why the value newly holds."""
    advice: tuple[str, ...]
    """What suits this value among the variable's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableWords:
    """One fact of a life that changes over months."""

    name: str
    kind: Literal["ordinal", "nominal"]
    """An ordinal one changes by one step in the order of its values."""
    values: tuple[ValueWords, ...]

    def named(self, value: str) -> ValueWords:
        """The value of this name."""
        return next(one for one in self.values if one.value == value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceQuestion:
    """A question that can be asked at any time, with the variables that its answer needs."""

    query: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeDomain:
    """One part of a life: three variables, three questions about them, and talk that tells nothing."""

    domain: str
    questions: tuple[AdviceQuestion, ...]
    variables: tuple[VariableWords, ...]
    asks: tuple[str, ...]
    """Requests that fit whatever the values are."""
    chat: tuple[str, ...]
    """Follow-up turns that tell no value."""


def read_domain(file: Path) -> LifeDomain:
    """The domain that a file holds.

    Raises:
        DataError: The file is no JSON or has another shape; all that is wrong is named at once.
    """
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"is no JSON: {error}", file, fix="Mend it.") from None
    return decode(LifeDomain, given, where=str(file))


@cache
def read_catalogue(folder: Path = FOLDER) -> tuple[LifeDomain, ...]:
    """All domains of a folder, by name; read once."""
    return tuple(sorted(map(read_domain, sorted(folder.glob("*.json"))), key=lambda one: one.domain))


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong in the given files, or in the whole catalogue; 1 where anything is."""
    files = [Path(name) for name in arguments] or sorted(FOLDER.glob("*.json"))
    found = list(_problems(files))
    sys.stdout.write("".join(f"{line}\n" for line in [*found, f"{len(files)} files, {len(found)} problems"]))
    return 1 if found else 0


def _problems(files: Iterable[Path]) -> Iterator[str]:
    from recollect.benchmarks.amemgym.generate.catalogue_rules import domain_problems, shared_problems

    domains: dict[str, LifeDomain] = {}
    for file in files:
        try:
            domains[file.name] = read_domain(file)
        except DataError as error:
            yield str(error)
    for name, one in domains.items():
        if name != f"{one.domain}.json":
            yield f"{name}: the domain is called {one.domain!r}, so the file should be {one.domain}.json"
        yield from (f"{name}: {problem}" for problem in domain_problems(one))
    yield from shared_problems(tuple(domains.values()))


def check_catalogue(folder: Path = FOLDER) -> tuple[str, ...]:
    """Every breach of the catalogue's rules in a folder, each with file, variable, value and sentence."""
    return tuple(_problems(sorted(folder.glob("*.json"))))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
