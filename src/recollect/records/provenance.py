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
    """How a row stood, and why; only one that *ran* has a score."""

    word: ProvenanceKind = RAN
    why: str = ""
    """What stands in its place, or what is missing and how to get it; empty where it ran."""


def provenance_of(stands_in: str) -> Ran:
    """How a row stands that can be opened; *stands_in* says what is in the system's place, if anything."""
    return Ran(word=STAND_IN, why=stands_in) if stands_in else Ran()


def encode_provenance(standings: Mapping[str, Ran]) -> dict[str, dict[str, str]]:
    """For `run.json`."""
    return {row: {"word": ran.word, "why": ran.why} for row, ran in standings.items()}


def decode_provenance(said: Any) -> dict[str, Ran]:
    """What `run.json` says; nothing where it was made before rows said so.

    A word that is not known counts as a fake: what nobody can vouch for shows no score.
    """
    if not isinstance(said, Mapping):
        return {}
    return {str(row): _read(one) for row, one in said.items()}


def _read(said: Any) -> Ran:
    word, why = (str(said.get(name, "")) for name in ("word", "why")) if isinstance(said, Mapping) else ("", "")
    known: dict[str, ProvenanceKind] = {RAN: RAN, STAND_IN: STAND_IN, ABSENT: ABSENT}
    return Ran(word=known.get(word, STAND_IN), why=why or ("" if word == RAN else f"run.json says {word!r:.40}"))
