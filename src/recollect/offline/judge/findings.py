"""What one rule returns; and what both judges share: option letters, and how much of a reply is graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recollect.domain.outcomes import Judgement
from recollect.domain.questions import Option
from recollect.metrics.parsing import option_letter


class Finding(NamedTuple):
    """A rule's decision. A rule that has none gives `None` instead."""

    right: bool
    code: str
    """Reason code; the first word of the verdict's why."""
    detail: str = ""

    @property
    def why(self) -> str:
        """Code and detail as one line."""
        return f"{self.code}: {self.detail}" if self.detail else self.code


def yes(code: str, detail: str = "") -> Finding:
    """The rule accepts."""
    return Finding(True, code, detail)


def no(code: str, detail: str = "") -> Finding:
    """The rule refuses."""
    return Finding(False, code, detail)


class Counted(NamedTuple):
    """What the votes or rules on one thing came to."""

    value: float | None
    """In [0, 1]; `None` where it is undecided."""
    why: str
    """Opens with a reason code; the reason of each vote stands in it."""

    def named(self, name: str) -> Judgement:
        """The same as a part of a verdict."""
        return Judgement(name=name, value=self.value, why=self.why)


def judge_letter(reply: str, gold: Sequence[str], options: Sequence[Option]) -> Finding:
    """Right where the reply commits to one letter and it is the gold one."""
    wanted = {letter.strip().strip("().").upper() for letter in gold}
    chosen = option_letter(reply, letters="".join(option.letter.upper() for option in options))
    if chosen is None:
        return no("letter_missing", f"no single letter in {reply[:40]!r}")
    return (
        yes("letter", chosen) if chosen in wanted else no("letter_other", f"{chosen}, not {'/'.join(sorted(wanted))}")
    )


LEAST_WORDS = 30
TIMES_REFERENCE = 5


class Capped(NamedTuple):
    """A reply as it is judged."""

    text: str
    limit: int
    """In words between spaces."""
    words: int
    """Of the whole reply."""

    @property
    def note(self) -> str:
        """What was cut, for the reason; empty where nothing was."""
        return f"cut to the first {self.limit} of {self.words} words" if self.words > self.limit else ""


def cap(reply: str, references: Iterable[str]) -> Capped:
    """The first 30 words of *reply*, or five times the longest reference, whichever is more."""
    longest = max((len(reference.split()) for reference in references), default=0)
    limit = max(LEAST_WORDS, TIMES_REFERENCE * longest)
    words = reply.split()
    return Capped(reply if len(words) <= limit else " ".join(words[:limit]), limit, len(words))
