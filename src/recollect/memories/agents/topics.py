"""What to remember, as rules follow it: one topic a line; a sentence matches if it shares a stem with one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.offline.extractor import points_of
from recollect.text.normal import search_tokens

EVERYTHING = "anything that tells something"
"""A line that keeps every informative sentence, whatever its topic; the first policy of rules."""
LEAST_POINTS = 2
"""A sentence with so many points is informative."""
LEAST_SHARED = 0.5
"""Share of a variable's stems that a sentence must have to be about it."""
_MARK = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = re.compile(r"[,;\n]")
_SENTENCE = 7
"""A line of so many words that lists nothing is an order and no name."""


def lines_of(policy: str) -> list[str]:
    """The topics of a policy: its lines without bullets or numbers; empty ones are left out."""
    return [line for line in (_MARK.sub("", raw).strip() for raw in policy.splitlines()) if line]


def named_in(text: str) -> list[str]:
    """The names that a message lists, as words: one a line, or separated by commas, after a colon if there is one.

    `workout_time` and `workoutTime` both give `workout time`.
    """
    names: list[str] = []
    for line in lines_of(text):
        behind = line.partition(":")[2]
        listed = behind if behind.strip() else line.removesuffix(":")
        bare = [part.strip(" \t\"'`.[]{}()") for part in _BETWEEN.split(listed)]
        parts = [" ".join(_CAMEL.sub(" ", name.replace("_", " ")).split()).lower() for name in bare]
        is_order = len(parts) == 1 and (line.endswith(":") or len(parts[0].split()) >= _SENTENCE)
        names += [part for part in parts if part and not is_order]
    return list(dict.fromkeys(names))


@dataclass
class Sieve:
    """Selects the sentences that a policy asks for."""

    policy: str
    known: list[str] = field(default_factory=list)
    """Names of variables from system messages; each has one value at a time."""

    def learn(self, names: Sequence[str]) -> None:
        self.known = list(dict.fromkeys([*self.known, *names]))

    def keeps(self, sentence: str) -> bool:
        """Whether *sentence* is informative and the policy asks for all that is, or it matches a topic.

        A match needs few points; questions, greetings and scraps stay out all the same.
        """
        points = points_of(sentence)
        if points is None or points < 0:
            return False
        lines = lines_of(self.policy)
        if points >= LEAST_POINTS and EVERYTHING in lines:
            return True
        stems = set(search_tokens(sentence))
        topics = [line for line in lines if line != EVERYTHING]
        return any(not stems.isdisjoint(search_tokens(topic)) for topic in topics) or bool(self.about(sentence))

    def about(self, sentence: str) -> str:
        """The known variable that a sentence shares most of its words with; empty where it shares too few."""
        stems = set(search_tokens(sentence))
        best, best_share = "", 0.0
        for name in self.known:
            wanted = set(search_tokens(name))
            share = len(wanted & stems) / len(wanted) if wanted else 0.0
            if share > best_share:  # the first of equals
                best, best_share = name, share
        return best if best_share >= LEAST_SHARED else ""
