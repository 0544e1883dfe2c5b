"""The turns of the scripted user; none of them tells anything about anybody."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from recollect.benchmarks.amemgym.generate.catalogue import files, read_catalogue, small_talk
from recollect.domain.histories import Script
from recollect.records.codec import decode
from recollect.records.digests import digest
from recollect.worlds.catalogues import catalogue

FILE = Path(__file__).parent / "turns.json"
ENGLISH = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Turns of one language; `$item` and `$place` stand for the name and the number of a list's item."""

    thanks: tuple[str, ...]
    """Before a follow-up."""
    follow_ups: tuple[str, ...]
    asked: tuple[str, ...]
    """To a question, telling nothing."""
    offered: tuple[str, ...]
    """To an offer; neither yes nor no, since a yes to a value would tell it."""
    unknown: tuple[str, ...]
    """To a reply that does not know."""
    silent: tuple[str, ...]
    items: tuple[str, ...]
    points: tuple[str, ...]
    places: tuple[str, ...]
    asides: tuple[str, ...]


def turns_of(script: Script) -> Turns:
    """The turns of the language of a script; English where there are none."""
    pools = read_turns()
    return pools.get(script.variables.get("lang", ENGLISH), pools[ENGLISH])


def of_the_domain(script: Script) -> tuple[str, ...]:
    """Follow-ups about what the opening is about; none where the generator does not know it."""
    if script.variables.get("lang", ENGLISH) != ENGLISH:
        return ()
    exposed = json.loads(script.variables.get("exposed") or "{}").items()
    turns: list[str] = []
    for domain in read_catalogue():
        if any((one.name, value.value) in exposed for one in domain.variables for value in one.values):
            turns += domain.chat
    return tuple(turns)


def of_any_domain(script: Script) -> tuple[str, ...]:
    """The generator's follow-ups that fit anything."""
    return small_talk().neutral if script.variables.get("lang", ENGLISH) == ENGLISH else ()


@cache
def read_turns() -> dict[str, Turns]:
    """Language -> its turns; read once."""
    return decode(dict[str, Turns], json.loads(FILE.read_text(encoding="utf-8")), where=str(FILE))


@cache
def digest_of_turns() -> str:
    """Digest of all files that can change a turn, or a checker's findings."""
    read = [FILE, *files(), catalogue("amemgym") / "small_talk.json"]
    return digest([file.read_text(encoding="utf-8") for file in read])
