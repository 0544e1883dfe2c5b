"""FactConsolidation made anew from MQuAKE: one list of facts per size, and 100 questions of one and of several hops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.filler import invented
from recollect.benchmarks.memoryagentbench.build.mquake import FOLDER, Case, Hop, read_cases
from recollect.benchmarks.memoryagentbench.build.selection import Selection, choose, fill, fill_from
from recollect.benchmarks.memoryagentbench.families.fact_lists import FactBook, shuffled, stale_ends, walk
from recollect.benchmarks.memoryagentbench.families.facts import HOPS, SIZES, source_of
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import substring_match

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
