"""An invented novel, and a stub model that makes EventQA of it; some of its replies are malformed or break a rule.

What it says is a function of the request's body alone, so that two runs, however broken, are told the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from threading import Lock
from typing import Any

from tests.fakes.model_acts import Act, Call

PEOPLE = ("Mara Quill", "Tobias Renn", "Ilse Varga", "Corwin Hale", "Petra Lund", "Anselm Foy")
VERBS = ("buried", "repaired", "borrowed", "hid", "polished", "burned", "weighed", "painted", "unlocked", "carried")
THINGS = (
    *("brass lantern", "cracked mirror", "silver thimble", "torn ledger", "oak cradle", "copper kettle"),
    *("ivory comb", "leather satchel", "marble bust", "woollen cloak", "rusted anchor", "glass beads"),
)
PLACES = (
    *("behind the windmill", "beneath the chapel stairs", "inside the boathouse", "near the frozen canal"),
    *("above the bakery", "beside the toll gate", "across the orchard", "under the viaduct"),
)
OTHER_VERBS = ("auctioned", "pawned", "varnished", "smuggled", "sketched", "dismantled")
OTHER_THINGS = (
    "walnut piano",
    "paper kite",
    "tin whistle",
    "velvet curtain",
    "clay oven",
    "birch canoe",
    "bronze bell",
)
OTHER_PLACES = ("outside the theatre", "along the quarry", "within the lighthouse", "opposite the tannery")
SHORT, LONG = "at dawn", "while the whole village watched from the bridge"
FILLER = (
    "Rain had been falling since the morning and nobody in the street looked up.",
    "The hour was late, and the lamps along the square burned low.",
    "It was the kind of week in which little is said and much is thought.",
    "The market had closed early, and only the gulls were still at work.",
)
_PASSAGE = re.compile(r"^={10}$\n(.*?)\n^={10}$", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(rf"(?:{'|'.join(PEOPLE)}) [^.]*\.")
_NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)


def novel(paragraphs: int = 120, seed: int = 1) -> str:
    """A story in which somebody does something once a paragraph."""
    rng = Random(seed)
    done = [f"{who} {did} the {what} {where}" for who in PEOPLE for did in VERBS for what in THINGS for where in PLACES]
    told = rng.sample(done, paragraphs)
    return "\n\n".join(_paragraph(deed, rng) for deed in told) + "\n"


def _paragraph(deed: str, rng: Random) -> str:
    filler = [rng.choice(FILLER) for _ in range(5)]
    return " ".join([*filler[:3], f"{deed} before the others awoke.", *filler[3:]])


@dataclass
class EventMaker:
    """Plays the maker. Use it as the reply of a `ModelServer`."""

    malformed: float = 0.0
    """Share of replies that are no JSON of the shape asked for."""
    broken: float = 0.0
    """Share of replies of the shape that break a rule."""
    happening: float = 0.1
    """Share of options that it says happen in the book."""
    said: Counter[str] = field(default_factory=Counter)
    """Replies by kind: good, malformed, broken."""
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, call: Call) -> Act | str:
        """The reply to one call."""
        asked = call.body["messages"][0]["content"]
        if "test of the connection" in asked:
            return "ready"
        rng = Random(blake2b(json.dumps(call.body["messages"]).encode(), digest_size=12).hexdigest())
        draw = rng.random()
        kind = "malformed" if draw < self.malformed else "broken" if draw < self.malformed + self.broken else "good"
        good = self._reply(asked, rng)
        with self._lock:
            self.said[kind] += 1
        if kind == "malformed":
            return rng.choice(_MALFORMED)(json.dumps(good))
        return json.dumps(spoiled(good, asked) if kind == "broken" else good)

    def _reply(self, asked: str, rng: Random) -> dict[str, Any]:
        if '"events":' in asked:
            return _events(asked)
        if '"same":' in asked:
            return {"same": []}
        if '"verdicts":' in asked:
            return _verdicts(asked, rng, self.happening)
        count = re.search(r"^Write (\d+) new ones", asked, re.MULTILINE)
        return {"distractors": options(asked, rng, int(count[1]) if count else 5)}


_MALFORMED = (
    lambda good: f"Sure, here you are: {good}",
    lambda good: good[: len(good) // 2],
    lambda good: json.dumps([json.loads(good)]),
    lambda good: json.dumps({**json.loads(good), "comment": "done"}),
)


def passage_of(asked: str) -> str:
    """The passage in a prompt."""
    found = _PASSAGE.search(asked)
    return found[1] if found else ""


def _events(asked: str) -> dict[str, Any]:
    most = re.search(r"at most (\d+) events", asked)
    sentences = _SENTENCE.findall(passage_of(asked))[: int(most[1]) if most else 1]
    return {
        "events": [
            {"text": one, "quote": one, "characters": [who for who in PEOPLE if one.startswith(who)]}
            for one in sentences
        ]
    }


def _verdicts(asked: str, rng: Random, happening: float) -> dict[str, Any]:
    listed = asked.partition("These are the options:\n")[2].partition("\n\n")[0]
    numbers = [int(number) for number in _NUMBERED.findall(listed)]
    return {
        "verdicts": [
            {"option": number, "reason": "Told in the list.", "happens": rng.random() < happening} for number in numbers
        ]
    }


def options(asked: str, rng: Random, count: int) -> list[str]:
    """Events that happen nowhere, about the person of the right answer, some short and some long."""
    right = re.search(r"is the right answer:\n(.*)$", asked, re.MULTILINE)
    who = next(name for name in PEOPLE if right and right[1].startswith(name))
    stay = asked.partition("Options that stay:\n")[2].partition("\n\n")[0]
    whats = rng.sample([what for what in OTHER_THINGS if what not in stay], count)
    made = [f"{who} {rng.choice(OTHER_VERBS)} the {what} {rng.choice(OTHER_PLACES)}" for what in whats]
    ends = (LONG, SHORT) if SHORT in stay else (SHORT, LONG)
    return [f"{one} {ends[number % 2]}." for number, one in enumerate(made)]


def spoiled(good: dict[str, Any], asked: str) -> dict[str, Any]:
    """A reply of the right shape that breaks a rule."""
    if good.get("events"):
        return {"events": [{**good["events"][0], "quote": "these words stand nowhere in it"}, *good["events"][1:]]}
    if "same" in good:
        first = next(iter(_NUMBERED.findall(asked)))
        return {"same": [{"event": int(first), "same_as": int(first)}]}
    if "verdicts" in good:
        return {"verdicts": [good["verdicts"][-1], *good["verdicts"][1:]]}
    if "distractors" in good:
        return {"distractors": ["Somebody else did something quite different on that day.", *good["distractors"][1:]]}
    return good
