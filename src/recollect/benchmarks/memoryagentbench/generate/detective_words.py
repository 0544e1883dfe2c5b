"""The words of invented cases, read from `detective.yaml`, and how one case puts its clues into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.generate.catalogue import read_catalogue
from recollect.benchmarks.memoryagentbench.generate.detective_cases import CREDITOR, GRID, SPOTS, Clue, Query
from recollect.benchmarks.memoryagentbench.generate.event_words import story_words
from recollect.benchmarks.memoryagentbench.generate.names import draw_names

Words = Mapping[str, Any]
TRIES = 30
LATE = 0.1
"""Share of the fillings behind the theft that speak of it."""
PRONOUNS = {
    "women": {"he": "she", "him": "her", "his": "her"},
    "men": {"he": "he", "him": "him", "his": "his"},
}


@cache
def case_words(*, held_out: bool) -> Words:
    """The usual words, or those that no other size uses."""
    half = "held_out" if held_out else "usual"
    data: Words = read_catalogue("detective.yaml")[half]
    story = story_words(held_out=held_out)
    return {**data, "names": story.people, "titles": story.titles}


class CaseTeller:
    """Puts the clues of one case into words; no wording comes again before all of its kind were there."""

    def __init__(self, words: Words, guests: int, rng: Random) -> None:
        self._words, self._rng = words, rng
        self._left: dict[str, list[str]] = {}
        self._used: set[str] = set()
        women = guests // 2
        names = draw_names(words["names"], {"women": women, "men": guests - women}, rng)
        both = [(name, sex) for sex in ("women", "men") for name in names[sex]]
        self._guests = rng.sample(both, guests)
        self._trades = rng.sample(words["trades"], guests)
        self._values = {
            "place": [" ".join(place) for place in rng.sample(words["places"], guests)],
            "thing": rng.sample(words["things"], guests),
            "hour": rng.sample(words["hours"], guests),
        }
        self._spots = [" ".join(spot) for spot in rng.sample(words["spots"], SPOTS)]
        self._loot = rng.choice(words["loot"])

    @property
    def guests(self) -> int:
        """How many there are."""
        return len(self._guests)

    def value(self, kind: str, value: int) -> str:
        """What an option says; `who`, `spot`, `when` or a kind of the grid."""
        if kind == "who":
            return self._guests[value][0]
        if kind == "spot":
            return self._spots[value]
        if kind == "when":
            times: Sequence[str] = self._words["times"]
            return f"between {times[value]} and {times[value + 1]}"
        found: str = self._values[kind][value]
        return found

    def clue(self, clue: Clue, *, decoy: bool = False) -> str:
        """The clue as the story tells it; a decoy is told of another time."""
        if clue.kind == "mark":
            return self._filled(self._words["traits"][clue.subject]["mark"][clue.value])
        if clue.kind.startswith("trait"):
            place = int(clue.kind.partition(" ")[2])
            side = "had" if clue.value else "lacked"
            return self._filled(self._draw(f"{clue.kind} {side}", self._words["traits"][place][side]), clue.subject)
        name = f"{clue.kind}_decoy" if decoy else clue.kind
        return self._filled(self._draw(name, self._words[name]), *self._slots(clue))

    def _slots(self, clue: Clue) -> tuple[int | None, int | None, dict[str, str]]:
        if clue.kind == "searched":
            return None, None, {"spot": self._spots[clue.subject]}
        if clue.kind in {"seen", "gone"}:
            times = self._words["times"]
            return None, None, {"time": times[clue.subject + (clue.kind == "gone")]}
        if clue.kind == CREDITOR:
            return clue.subject, clue.value, {}
        return clue.subject, None, self._named(clue.kind, clue.value) if clue.kind in GRID else {}

    def _named(self, kind: str, value: int) -> dict[str, str]:
        return {{"place": "at", "thing": "t", "hour": "h"}[kind]: self._values[kind][value]}

    def ask(self, query: Query) -> str:
        """The question in words."""
        pattern = self._words["ask"]["-".join(query.path) if query.kind in {"cell", "chain"} else query.kind]
        if query.kind == "cell":
            return self._filled(pattern, query.subject)
        named = self._named(query.path[0], query.subject) if query.kind == "chain" else {}
        return self._filled(pattern, None, None, named)

    def scene(self, name: str) -> str:
        """`setting`, `discovery` or `closing`."""
        return self._filled(self._draw(name, self._words[name]))

    def introduction(self, guest: int) -> str:
        """Who a guest is."""
        return self._filled(self._draw("intro", self._words["intro"]), guest)

    def filling(self, *, after: bool) -> str:
        """A paragraph in which nothing is to be learned, new while there are any; some are for *after* the theft."""
        for _ in range(TRIES):
            text = self._filling(after=after)
            if text not in self._used:
                break
        self._used.add(text)
        return text

    def _filling(self, *, after: bool) -> str:
        late = after and self._rng.random() < LATE
        name = "filler_after" if late else "filler"
        pattern = self._draw(name, self._words[name])
        one, other = self._rng.sample(range(self.guests), 2)
        lists = {
            name: self._draw(name, items) for name, items in self._words["lists"].items() if f"{{{name}}}" in pattern
        }
        return self._filled(pattern, one, other, lists)

    def heading(self, number: int) -> str:
        """Of a chapter."""
        return f"CHAPTER {number}. {self._draw('titles', self._words['titles'])}"

    def _draw(self, name: str, items: Sequence[str]) -> str:
        if not self._left.get(name):
            self._left[name] = self._rng.sample(list(items), len(items))
        return self._left[name].pop()

    def _filled(
        self, pattern: str, one: int | None = None, other: int | None = None, more: Mapping[str, str] | None = None
    ) -> str:
        slots = {"loot": self._loot, **(more or {})}
        if one is not None:
            name, sex = self._guests[one]
            slots |= {"a": name, "trade": self._trades[one], **PRONOUNS[sex]}
            slots["He"] = slots["he"].capitalize()
        if other is not None:
            slots["b"] = self._guests[other][0]
        text = pattern.format_map(slots)
        for article in ("a", "A"):
            for vowel in "aeio":
                text = text.replace(f" {article} {vowel}", f" {article}n {vowel}")
        return _sentences(text)


def _sentences(text: str) -> str:
    """With a capital at each start, where a slot may have brought a small one."""
    parts = text.split(". ")
    return ". ".join(part[:1].upper() + part[1:] for part in parts)
