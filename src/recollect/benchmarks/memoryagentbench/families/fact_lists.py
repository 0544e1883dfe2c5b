"""Facts that change: one track per key, laid out in one numbered list, and the questions over them."""

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
    """The header, if any, and each numbered fact; a line without the next number belongs to the fact above."""
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
    """Header and facts as messages; the first fact is message 1 and has the number 0."""
    return [HEADER, *(f"{serial}. {statement}" for serial, statement in enumerate(statements))]


def serial_and_fact(text: str) -> tuple[int, str] | None:
    """Number and statement of a message; `None` for the header."""
    found = _NUMBERED.fullmatch(text)
    return (int(found[1]), found[2]) if found else None


KeyOf = Callable[[str], str]
"""Entity -> key of the fact about it that a hop needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """All values of one key, oldest first."""

    values: tuple[str, ...]
    statements: tuple[str, ...]
    """Without numbers."""

    @property
    def value(self) -> str:
        """The newest value."""
        return self.values[-1]

    @property
    def conflicted(self) -> bool:
        """Whether an older value differs."""
        return len(set(self.values)) > 1


def shuffled(tracks: Mapping[str, Track], rng: Random) -> tuple[list[str], dict[str, tuple[int, ...]]]:
    """All statements in a random order that keeps the order within each track.

    Returns:
        Texts of the messages, header first, and key -> positions of its statements among them.
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
    """A path through the facts, each hop from the entity that the one before led to."""

    keys: tuple[str, ...]
    end: str


def walk(tracks: Mapping[str, Track], start: str, hops: Sequence[KeyOf]) -> Walk | None:
    """Where the newest facts lead; `None` where one is missing."""
    keys, entity = [], start
    for key_of in hops:
        key = key_of(entity)
        if key not in tracks:
            return None
        keys.append(key)
        entity = tracks[key].value
    return Walk(tuple(keys), entity)


def stale_ends(tracks: Mapping[str, Track], start: str, hops: Sequence[KeyOf]) -> tuple[str, ...]:
    """Where a path with at least one stale fact ends; fewest stale facts first, then by name."""
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
        wrong = distinguishable(rejected, gold[0])
        stale = []
        for key in keys:
            pairs = zip(self.places[key], self.tracks[key].values, strict=True)
            stale.append([place - 1 for place, value in pairs if value != self.tracks[key].value])
        return Asked(
            text=text,
            gold=tuple(dict.fromkeys([gold[0], *safe_aliases(gold[1:], wrong)])),
            rejected=wrong,
            evidence=tuple(dict.fromkeys(self.places[key][-1] for key in keys)),
            labels=fact_labels([self.places[key][-1] - 1 for key in keys], stale, wrong),
        )


def fact_labels(newest: Sequence[int], stale: Sequence[Sequence[int]], wrong: Sequence[str]) -> dict[str, str]:
    """Labels of a question by serial numbers: of the newest fact per hop, and of the stale ones, oldest first."""
    edited = [(serial, old) for serial, old in zip(newest, stale, strict=True) if old]
    labels = {
        "stratum": "conflicted" if edited else "unique",
        "hops": str(len(newest)),
        "edited_hops": str(len(edited)),
        "stale_facts": str(sum(len(old) for _, old in edited)),
        "gold_serial": str(newest[-1]),
    }
    if edited:
        labels["distance"] = str(max(serial - old[-1] for serial, old in edited))
    if wrong:
        labels["stale_answer"] = wrong[0]
    return labels


def distinguishable(rejected: Iterable[str], gold: str) -> tuple[str, ...]:
    """The wrong answers that do not contain the right one; the others could not be scored."""
    return tuple(dict.fromkeys(wrong for wrong in rejected if not substring_match(wrong, gold)))


def safe_aliases(aliases: Iterable[str], rejected: Sequence[str]) -> tuple[str, ...]:
    """The aliases that contain a word and are part of no wrong answer: `US` is in `Austria` and `Russia`."""
    return tuple(a for a in aliases if normalise(a) and not any(substring_match(wrong, a) for wrong in rejected))
