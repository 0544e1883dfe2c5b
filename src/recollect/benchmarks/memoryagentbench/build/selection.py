"""Which chains and which further facts stand in one context: free of contradictions in the end, and of one size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from recollect.benchmarks.memoryagentbench.build.mquake import Case, Hop
from recollect.benchmarks.memoryagentbench.families.fact_lists import HEADER, Track
from recollect.text.tokens import count


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
