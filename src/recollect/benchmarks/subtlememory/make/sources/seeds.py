"""Questions with linked evidence, from which cases about the world are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from recollect.records.digests import opaque

K_FACTS, ANY_ONE, TEMPORAL, CONTEXT, CONTRADICTORY = "K>1", "any_one", "Temporal", "Context", "contradictory"
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}\Z")


class Family(NamedTuple):
    """Source of seeds."""

    title: str
    licence: str
    """As far as it could be found; data made from seeds has to comply with it."""


FAMILIES: Mapping[str, Family] = {
    "fanoutqa": Family("FanOutQA (Zhu et al. 2024)", "CC BY-SA 4.0"),
    "musique": Family("MuSiQue (Trivedi et al. 2022)", "CC BY 4.0"),
    "qacc": Family("QACC (Liu et al. 2025)", "licence not found: see its authors"),
    "ambigqa": Family("AmbigQA (Min et al. 2020)", "CC BY-SA 3.0"),
    "hoh": Family("HoH (Ouyang et al. 2025)", "Apache-2.0"),
}
"""The paper's sources. The licence of FanOutQA is in its data, that of AmbigQA on its public data card; those of
MuSiQue and HoH are as cited by others who use them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A question of a source with its answer."""

    memory_id: str
    """Within its seed."""
    asked: str
    accepted: tuple[str, ...]
    """Wordings of the answer, the usual one first."""
    text: str = ""
    """The text around it, if there is any."""
    date: str = ""
    """Of a dated snapshot, `YYYY-MM-DD`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A record of a source that a case can be made from."""

    family: str
    name: str
    """Of the record within its family."""
    subtype: str
    """Does not yet say who makes the claims of a contradiction."""
    question: str
    answers: tuple[str, ...]
    """Of the whole question, the usual one first; none where each evidence has another."""
    evidence: tuple[Evidence, ...]
    place: str
    """File and line."""

    @property
    def key(self) -> str:
        """Unique among all seeds."""
        plain = self.name if _PLAIN_ID.match(self.name) else opaque("s", self.name)
        return f"{self.family}-{plain}"
