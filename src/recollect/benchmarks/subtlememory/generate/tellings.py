"""How a fact about a user gets into a session: a showing of its value, behind the situation in which it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling
from recollect.benchmarks.subtlememory.generate.catalogue import Condition, ValueWords
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.showings import Showing
from recollect.benchmarks.subtlememory.generate.threads import SAID
from recollect.benchmarks.subtlememory.generate.user_words import user_words
from recollect.benchmarks.subtlememory.generate.world_values import capital, lowered
from recollect.worlds.patterns import draw

DETAILS = (1, 2)
"""Details that show a value where the settings leave it open: one masks it, two enrich it."""
_begins = re.compile(r"(?:^|[.?!:][\"']? )" + re.escape(SAID))
_adverb = re.compile(r"\w+ly", re.IGNORECASE)
"""A situation behind which nobody sets a comma: `usually`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A value of the user, and where it holds."""

    trait: str
    value: ValueWords
    condition: Condition | None = None
    """None where it holds without one."""
    lasting: bool = False
    """The condition is a stretch of time."""
    opposed: bool = False
    """Another value is claimed of the same trait, so this one may not be told of some situation only."""

    def showings(self, settings: GenerationSettings) -> Sequence[Showing]:
        """All that may show it."""
        return self.value.held_out if settings.held_out else self.value.showings


def telling(fact: int, held: Held, showing: Showing, settings: GenerationSettings, rng: Random) -> Telling:
    """One fact of a case as it is told in a thread.

    Args:
        fact: Its place among the facts of the case.
        held: The value, and where it holds.
        showing: The exchange in which it shows.
        settings: How much of it shows.
        rng: The only source of randomness.
    """
    situation = _situation(held, showing, rng)
    opens = _begins.search(showing.shown) is not None
    said = capital(situation) if opens else lowered(situation)
    shown = showing.shown.replace(f"{SAID},", said if _adverb.fullmatch(situation) else f"{said},")
    details = settings.clues or rng.choice(DETAILS)
    reason = held.condition.reason if held.condition else ""
    text = " ".join(part for part in (reason, shown, showing.more if details > 1 else "") if part)
    return Telling(
        fact=fact,
        role="user",
        text=text,
        of=held.trait,
        moment=showing.exchange,
        precedes=showing.precedes,
        follows=showing.follows,
    )


def _situation(held: Held, showing: Showing, rng: Random) -> str:
    if held.opposed:
        return rng.choice(user_words().always)
    if held.condition is None:
        return showing.usual
    return rng.choice(user_words().now) if held.lasting else draw(held.condition.said, rng)
