"""What a row's numbers come from: the system itself, a stand-in for it, or nothing on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

ProvenanceKind = Literal["ran", "ran against a fake", "not run here"]
RAN: ProvenanceKind = "ran"
STAND_IN: ProvenanceKind = "ran against a fake"
ABSENT: ProvenanceKind = "not run here"
PROVENANCE = "ran"
"""Entry of `run.json`, beside the config: row -> how it stood when the run was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """Whether a row's system ran, and why not; only a row that *ran* has a score."""

    word: ProvenanceKind = RAN
    why: str = ""
    """What stands in for it, or what is missing and how to get it; empty where it ran."""


def provenance_of(stands_in: str) -> Ran:
    """For a row that can be opened; *stands_in* names the stand-in, if any."""
    return Ran(word=STAND_IN, why=stands_in) if stands_in else Ran()


def encode_provenance(standings: Mapping[str, Ran]) -> dict[str, dict[str, str]]:
    return {row: {"word": ran.word, "why": ran.why} for row, ran in standings.items()}


def decode_provenance(entry: Any) -> dict[str, Ran]:
    """The entry of `run.json`; empty for runs made before it existed.

    An unknown word counts as a fake: what nobody can vouch for shows no score.
    """
    kinds: dict[str, ProvenanceKind] = {RAN: RAN, STAND_IN: STAND_IN, ABSENT: ABSENT}
    found: dict[str, Ran] = {}
    for row, facts in entry.items() if isinstance(entry, Mapping) else ():
        facts_of_row = facts if isinstance(facts, Mapping) else {}
        word, why = str(facts_of_row.get("word", "")), str(facts_of_row.get("why", ""))
        why = why or ("" if word == RAN else f"run.json says {word!r:.40}")
        found[str(row)] = Ran(word=kinds.get(word, STAND_IN), why=why)
    return found
