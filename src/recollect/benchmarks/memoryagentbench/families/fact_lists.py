"""Facts that change: tracks of one key each, laid out in one numbered list, and what a question over them needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.metrics.text_match import normalise, substring_match

HEADER = "Here is a list of facts:"
_FIRST = re.compile(r"[01]\. ")
_NUMBERED = re.compile(r"(\d{1,9})\. (.*)", re.DOTALL)


def context_of(texts: Sequence[str]) -> str:
    """The messages as one text, one a line."""
    return "\n".join(texts) + "\n"


def texts_of(context: str) -> list[str]:
    """The header, if there is one, and each numbered fact; a line without the next number belongs to the fact above.

    Raises:
        ValueError: There is no fact.
    """
    lines = context.rstrip("\n").split("\n")
    first = next((place for place, line in enumerate(lines) if _FIRST.match(line)), None)
    if first is None:
        raise ValueError("there is no numbered fact in it, such as `0. The capital of Orvalia is Denn.`")
    header = "\n".join(lines[:first])
    texts = [header] if header.strip() else []
    awaited = int(lines[first][0])
    for line in lines[first:]:
        if line.startswith(f"{awaited}. "):
            texts.append(line)
            awaited += 1
        else:
            texts[-1] = f"{texts[-1]}\n{line}"
    return texts


def numbered(statements: Sequence[str]) -> list[str]:
    """Header and facts as messages; the first fact has the number 0 and stands at place 1."""
    return [HEADER, *(f"{serial}. {statement}" for serial, statement in enumerate(statements))]


def serial_and_fact(text: str) -> tuple[int, str] | None:
    """Number and statement of a message; `None` for the header."""
    found = _NUMBERED.fullmatch(text)
    return (int(found[1]), found[2]) if found else None


KeyOf = Callable[[str], str]
"""Entity -> key of the fact about it that a hop needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """All that is said of one key, oldest first."""

    values: tuple[str, ...]
    statements: tuple[str, ...]
    """Without numbers."""

    @property
    def value(self) -> str:
        """What holds in the end."""
        return self.values[-1]

    @property
    def conflicted(self) -> bool:
        """Something else was said before; saying the same twice is no conflict."""
        return len(set(self.values)) > 1


def shuffled(tracks: Mapping[str, Track], rng: Random) -> tuple[list[str], dict[str, tuple[int, ...]]]:
    """All statements in one random order in which each track keeps its own, and where they stand.

    Returns:
        Texts of the messages, header first, and key -> places of its statements among them.
    """
    slots = [key for key, track in tracks.items() for _ in track.statements]
    rng.shuffle(slots)
    places: dict[str, list[int]] = {key: [] for key in tracks}
    statements = []
    for place, key in enumerate(slots, start=len([HEADER])):
        statements.append(tracks[key].statements[len(places[key])])
        places[key].append(place)
    return numbered(statements), {key: tuple(where) for key, where in places.items()}


class Walk(NamedTuple):
    """A way through the facts, each hop at the entity the one before led to."""

    keys: tuple[str, ...]
    end: str


def walk(tracks: Mapping[str, Track], start: str, hops: Sequence[KeyOf]) -> Walk | None:
    """Where the newest facts lead to; `None` where one is missing."""
    keys, entity = [], start
    for key_of in hops:
        key = key_of(entity)
        if key not in tracks:
            return None
        keys.append(key)
        entity = tracks[key].value
    return Walk(tuple(keys), entity)


def stale_ends(tracks: Mapping[str, Track], start: str, hops: Sequence[KeyOf]) -> tuple[str, ...]:
    """Where one lands who takes a stale fact at some hop; fewest stale facts first, then by name."""
    reached = {start: 0}
    for key_of in hops:
        following: dict[str, int] = {}
        for entity, stale in reached.items():
            track = tracks.get(key_of(entity))
            for value in track.values if track else ():
                steps = stale + (track is not None and value != track.value)
                following[value] = min(steps, following.get(value, steps))
        reached = following
    return tuple(sorted((end for end, stale in reached.items() if stale), key=lambda end: (reached[end], end)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactBook:
    """Tracks with the places of their statements."""

    tracks: Mapping[str, Track]
    places: Mapping[str, tuple[int, ...]]

    def asked(self, text: str, gold: Sequence[str], keys: Sequence[str], rejected: Iterable[str]) -> Asked:
        """A question whose answer the facts of *keys* give, one a hop."""
        wrong = told_apart(rejected, gold[0])
        return Asked(
            text=text,
            gold=tuple(dict.fromkeys([gold[0], *safe_aliases(gold[1:], wrong)])),
            rejected=wrong,
            evidence=tuple(dict.fromkeys(self.places[key][-1] for key in keys)),
            labels=self._labels(keys, wrong),
        )

    def _labels(self, keys: Sequence[str], wrong: Sequence[str]) -> dict[str, str]:
        edited = [key for key in keys if self.tracks[key].conflicted]
        labels = {
            "stratum": "conflicted" if edited else "unique",
            "hops": str(len(keys)),
            "edited_hops": str(len(edited)),
            "stale_facts": str(sum(len(self._stale(key)) for key in edited)),
            "gold_serial": str(self.places[keys[-1]][-1] - 1),
        }
        if edited:
            labels["distance"] = str(max(self.places[key][-1] - self._stale(key)[-1] for key in edited))
        if wrong:
            labels["stale_answer"] = wrong[0]
        return labels

    def _stale(self, key: str) -> list[int]:
        track = self.tracks[key]
        pairs = zip(self.places[key], track.values, strict=True)
        return [place for place, value in pairs if value != track.value]


def told_apart(rejected: Iterable[str], gold: str) -> tuple[str, ...]:
    """The wrong answers that do not hold the right one; those that do could not be scored."""
    return tuple(dict.fromkeys(wrong for wrong in rejected if not substring_match(wrong, gold)))


def safe_aliases(aliases: Iterable[str], rejected: Sequence[str]) -> tuple[str, ...]:
    """The aliases that are words at all and that no wrong answer holds: `US` is in `Austria` and `Russia`."""
    kept = (a for a in aliases if normalise(a) and not any(substring_match(wrong, a) for wrong in rejected))
    return tuple(kept)
