"""FactConsolidation made anew from MQuAKE: one list of facts per size, and 100 questions of one and of several hops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.mquake import FOLDER, Case, Hop, invented, read_cases
from recollect.benchmarks.memoryagentbench.families.fact_lists import (
    HEADER,
    FactBook,
    Track,
    shuffled,
    stale_ends,
    walk,
)
from recollect.benchmarks.memoryagentbench.families.facts import HOPS, SIZES, source_of
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import substring_match
from recollect.text.tokens import count

QUOTAS = {2: 34, 3: 33, 4: 33}
"""Chains by number of hops."""
UNIQUE = 26
"""Single-hop questions about a fact that never changed, as many as the published 6K row has: the control."""
LEAST = 0.9
"""Share of a size that must be reached."""


def build_facts(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources; both rows of a size share their context.

    Raises:
        DataError: The source data are not there, or reach less than 90 % of a size.
    """
    cases = read_cases(folder)
    made: list[Keyed] = []
    reached: list[str] = []
    for size in SIZES:
        wanted = [hops for hops in HOPS if source_of(hops, size).name in tasks]
        if wanted:
            world = _world(cases, size, seed, folder / FOLDER)
            made.extend(world.row(hops, size) for hops in wanted)
            reached.append(world.reached)
    return made, f"{FOLDER} ({len(cases)} cases; {'; '.join(reached)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _World:
    """One context, and the questions that can be put to it."""

    texts: Sequence[str]
    asked: dict[str, list[Asked]]
    """By kind: `sh` and `mh`."""
    reached: str
    """How much of the size it has, and of what."""

    def row(self, hops: str, size: str) -> Keyed:
        return keyed(source_of(hops, size), 0, self.texts, self.asked[hops])


def _world(cases: Sequence[Case], size: str, seed: int, where: Path) -> _World:
    """Facts and questions of one size; every choice is the seed's."""
    rng = Random(f"factconsolidation {size} {seed}")
    cases = [case for case in cases if _can_be_told(case)]
    rng.shuffle(cases)
    limit = SIZES[size]
    found = choose(cases, QUOTAS, limit)
    if found is None:
        raise DataError(f"there are not {sum(QUOTAS.values())} chains that agree within {limit} tokens", where)
    selection, chains = found
    full = fill(selection, cases, rng)
    real = selection.statements
    if not full:
        fill_from(selection, invented(cases, Random(f"invented {size} {seed}")))
    if selection.tokens < LEAST * limit:
        raise DataError(
            f"all facts that agree, and all invented ones, make {selection.tokens} tokens, "
            f"{selection.tokens / limit:.0%} of size {size}",
            where,
            fix="Take a smaller size, or add cases.",
        )
    texts, places = shuffled(selection.tracks, rng)
    book = FactBook(tracks=selection.tracks, places=places)
    return _World(
        texts=texts,
        asked={"sh": _single(book, selection, rng), "mh": [_chained(book, case, rng) for case in chains]},
        reached=f"{size}: {selection.tokens:,} of {limit:,} tokens, {1 - real / selection.statements:.1%} of the "
        "statements invented",
    )


def _can_be_told(case: Case) -> bool:
    """The right answer is not a part of the one before the edits, nor of one that a stale fact gives."""
    ends = [case.old_answer, *(old for old in [case.hops[-1].old] if old)]
    return not any(substring_match(end, case.hops[-1].value) for end in ends)


def _single(book: FactBook, selection: Selection, rng: Random) -> list[Asked]:
    """Questions about one fact: mostly edited ones, some that never changed."""
    keys = sorted(key for key in selection.tracks if selection.hops[key].question)  # none asks about invented facts
    rng.shuffle(keys)
    usable = [selection.hops[key] for key in _distinct(keys, selection.hops) if _is_clear(book, key)]
    unique = [hop for hop in usable if not book.tracks[hop.key].conflicted][:UNIQUE]
    edited = [hop for hop in usable if book.tracks[hop.key].conflicted][: sum(QUOTAS.values()) - len(unique)]
    hops = [*unique, *edited]
    rng.shuffle(hops)
    return [book.asked(hop.question, (hop.value, *hop.aliases), [hop.key], _stale(book, hop)) for hop in hops]


def _distinct(keys: Iterable[str], hops: dict[str, Hop]) -> Iterator[str]:
    """The first key of each question."""
    asked: set[str] = set()
    for key in keys:
        if hops[key].question not in asked:
            asked.add(hops[key].question)
            yield key


def _is_clear(book: FactBook, key: str) -> bool:
    track = book.tracks[key]
    return not any(substring_match(value, track.value) for value in track.values if value != track.value)


def _stale(book: FactBook, hop: Hop) -> list[str]:
    track = book.tracks[hop.key]
    return [value for value in reversed(track.values) if value != track.value]


def _chained(book: FactBook, case: Case, rng: Random) -> Asked:
    """A question over a chain; its answer is walked in the final facts.

    Raises:
        ValueError: The walk ends elsewhere, so the selection is not free of contradictions.
    """
    start, hops = case.hops[0].subject, [hop.key_of for hop in case.hops]
    found = walk(book.tracks, start, hops)
    last = case.hops[-1]
    if found is None or found.end != last.value:
        raise ValueError(f"case {case.case_id}: the facts lead to {found and found.end!r}, not to {last.value!r}")
    rejected = [*stale_ends(book.tracks, start, hops), case.old_answer]
    return book.asked(rng.choice(case.questions), (last.value, *last.aliases), found.keys, rejected)


class Selection:
    """Facts chosen so far, and what they cost."""

    def __init__(self, limit: int) -> None:
        self.tracks: dict[str, Track] = {}
        self.hops: dict[str, Hop] = {}
        """The hop each key came from."""
        self.limit = limit
        self.statements = 0
        self.tokens = count(f"{HEADER}\n")

    def agrees(self, hops: Iterable[Hop]) -> bool:
        """No key would end with another value than it has, or hold another old one."""
        wanted: dict[str, Track] = {}
        for hop in hops:
            known = wanted.get(hop.key) or self.tracks.get(hop.key)
            if known is not None and not _together(known, hop.track):
                return False
            wanted[hop.key] = hop.track
        return True

    def added(self, hops: Iterable[Hop]) -> list[str]:
        """The statements that are not there yet."""
        wanted: dict[str, None] = {}
        for hop in hops:
            held = self.tracks[hop.key].statements if hop.key in self.tracks else ()
            wanted.update(dict.fromkeys(said for said in hop.track.statements if said not in held))
        return list(wanted)

    def cost(self, statements: Sequence[str]) -> int:
        """Tokens of further statements; which numbers they get does not matter to the sum."""
        numbered = enumerate(statements, start=self.statements)
        return sum(count(f"{serial}. {statement}\n") for serial, statement in numbered)

    def take(self, hops: Iterable[Hop]) -> None:
        """Add facts that agree."""
        for hop in hops:
            new = self.added([hop])
            self.tokens += self.cost(new)
            self.statements += len(new)
            held = self.tracks.get(hop.key)
            if held is None or len(held.values) < len(hop.track.values):
                self.tracks[hop.key] = hop.track
            self.hops.setdefault(hop.key, hop)

    def take_if_room(self, hop: Hop) -> bool:
        """Add a new fact if it fits; whether there was room."""
        if self.tokens + self.cost(self.added([hop])) > self.limit:
            return False
        self.take([hop])
        return True


def _together(one: Track, other: Track) -> bool:
    if one.value != other.value:
        return False
    return one.values == other.values or min(len(one.values), len(other.values)) == 1


def choose(cases: Sequence[Case], quotas: Mapping[int, int], limit: int) -> tuple[Selection, list[Case]] | None:
    """Chains by number of hops, in the given order, whose facts agree; `None` where they are too few or too long."""
    selection = Selection(limit)
    waiting = {hops: iter([case for case in cases if len(case.hops) == hops]) for hops in quotas}
    chosen: list[Case] = []
    for hops in _in_turn(quotas):
        case = next((case for case in waiting[hops] if selection.agrees(case.hops)), None)
        if case is None:
            return None
        selection.take(case.hops)
        chosen.append(case)
    return (selection, chosen) if selection.tokens <= limit else None


def _in_turn(quotas: Mapping[int, int]) -> Iterator[int]:
    left = dict(quotas)
    while any(left.values()):
        for hops, still in tuple(left.items()):
            if still:
                left[hops] -= 1
                yield hops


def fill(selection: Selection, cases: Sequence[Case], rng: Random) -> bool:
    """Further facts up to the limit: edited ones first, each with what it said before, then unedited ones.

    Returns:
        Whether the limit was reached; else the source has no more facts.
    """
    hops = {hop.key: hop for case in cases for hop in case.hops if hop.key not in selection.tracks}
    edited = [hop for case in cases for hop in case.hops if hop.old is not None]
    single = [hop for hop in hops.values() if hop.old is None]
    for group in (edited, single):
        rng.shuffle(group)
        if fill_from(selection, group):
            return True
    return False


def fill_from(selection: Selection, hops: Iterable[Hop]) -> bool:
    """Those facts that are new, as long as there is room; whether it ran out."""
    return any(hop.key not in selection.tracks and not selection.take_if_room(hop) for hop in hops)
