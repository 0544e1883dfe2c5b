"""What to remember, as rules follow it: topics, one a line, that a sentence is near to if it shares a stem with one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.offline.extractor import points_of
from recollect.text.normal import search_tokens

EVERYTHING = "anything that tells something"
"""A line that keeps sentences by what they tell, whatever they speak of; the policy of rules to begin with."""
LEAST_POINTS = 2
"""From so many points on a sentence tells something."""
LEAST_SHARED = 0.5
"""Share of a variable's stems that a sentence must have to be about it."""
_mark = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+")
_camel = re.compile(r"(?<=[a-z])(?=[A-Z])")
_between = re.compile(r"[,;\n]")
_SENTENCE = 7
"""A line of so many words that lists nothing is an order and no name."""


def lines_of(policy: str) -> list[str]:
    """The topics of a policy: its lines without marks; empty ones are left out."""
    return [line for line in (_mark.sub("", said).strip() for said in policy.splitlines()) if line]


def named_in(text: str) -> list[str]:
    """The names that a message lists, as words: one a line, or parted by commas, behind a colon if there is one."""
    return list(dict.fromkeys(_named(text)))


def _named(text: str) -> Iterator[str]:
    for line in lines_of(text):
        behind = line.partition(":")[2]
        listed = behind if behind.strip() else line.removesuffix(":")
        parts = [_spoken(part) for part in _between.split(listed)]
        is_order = len(parts) == 1 and (line.endswith(":") or len(parts[0].split()) >= _SENTENCE)
        yield from (part for part in parts if part and not is_order)


def _spoken(name: str) -> str:
    """`workout_time` and `workoutTime` as `workout time`."""
    bare = name.strip(" \t\"'`.[]{}()")
    return " ".join(_camel.sub(" ", bare.replace("_", " ")).split()).lower()


@dataclass
class Sieve:
    """Lets through the sentences that a policy asks for."""

    policy: str
    known: list[str] = field(default_factory=list)
    """Names of variables that a message told; each holds one value at a time."""

    def learn(self, names: Sequence[str]) -> None:
        """These names are to be kept track of, too."""
        self.known = list(dict.fromkeys([*self.known, *names]))

    def keeps(self, sentence: str) -> bool:
        """A statement that tells something, if the policy asks for whatever does; or one near to a topic.

        Near to a topic it may tell little; questions, greetings and scraps stay out all the same.
        """
        points = points_of(sentence)
        if points is None or points < 0:
            return False
        lines = lines_of(self.policy)
        if points >= LEAST_POINTS and EVERYTHING in lines:
            return True
        told = set(search_tokens(sentence))
        topics = [line for line in lines if line != EVERYTHING]
        return any(not told.isdisjoint(search_tokens(topic)) for topic in topics) or bool(self.about(sentence))

    def about(self, sentence: str) -> str:
        """The known variable that a sentence shares most of its words with; empty where it shares too few."""
        told = set(search_tokens(sentence))
        shares = {name: _share(told, name) for name in self.known}
        best = max(shares, key=lambda name: shares[name], default="")  # of equals the first that was told
        return best if best and shares[best] >= LEAST_SHARED else ""


def _share(told: set[str], name: str) -> float:
    wanted = set(search_tokens(name))
    return len(wanted & told) / len(wanted) if wanted else 0.0
