"""What every session must keep: its shape, what is told in it, and what must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.benchmarks.subtlememory.generate.plans import Telling
from recollect.benchmarks.subtlememory.items import Turn
from recollect.text.normal import normalise, search_tokens
from recollect.text.sentences import split
from recollect.worlds.checks import holders, outright, says, substance, twice

Rule = Literal[
    "roles alternate", "length", "label word", "repeated sentence", "evidence", "all in the opening", "sibling told",
    "sibling value", "explicit", "stock sentence", "options", "gold", "sides", "answers", "chance", "coverage",
    "session count", "dates", "settled",
]  # fmt: skip
_labels = re.compile(
    r"\b(?:(?<!in )facts?|memor(?:y|ies)|sessions?|(?<!in )(?<!that )cases?|benchmarks?|contradict\w*|complementary"
    r"|nuanced?|personas?|sub-?types?|any_one|k ?> ?1|ground truth|(?:un)?related-(?:export|persona)\S*"
    r"|user-(?:un)?related)(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A rule that is not kept."""

    rule: Rule
    what: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRules:
    """What one session must hold and must not."""

    lengths: tuple[int, ...]
    """Allowed numbers of messages."""
    told: tuple[Telling, ...] = ()
    """Sentences that must stand there word for word, each telling's in order; empty where a model words them."""
    named: tuple[tuple[str, ...], ...] = ()
    """Of each thing that must be named: its accepted wordings, one of which must occur."""
    siblings: tuple[str, ...] = ()
    """Sentences that tell other facts of the case."""
    sibling_values: tuple[str, ...] = ()
    """Values of other facts of the case; a word that is also in `named` or `told` is no leak."""
    hidden: tuple[str, ...] = ()
    """Facts that may show and must not be said outright."""
    names: tuple[str, ...] = ()
    """Of the user; they are no content of a fact."""


def session_problems(turns: Sequence[Turn], rules: SessionRules) -> tuple[Breach, ...]:
    """Every rule that a session breaks."""
    return (
        *_of_shape(turns, rules.lengths),
        *_of_words(turns),
        *_of_evidence(turns, rules),
        *_of_siblings(turns, rules),
        *_of_hiding(turns, rules),
    )


def _of_shape(turns: Sequence[Turn], lengths: Sequence[int]) -> Iterator[Breach]:
    for place, turn in enumerate(turns):
        if turn.role != ("user", "assistant")[place % 2]:
            yield Breach(rule="roles alternate", what=f"message {place} is by `{turn.role}`")
            break
    if len(turns) not in lengths or len(turns) % 2:
        yield Breach(rule="length", what=f"{len(turns)} messages, not {' or '.join(map(str, lengths))}")


def _of_words(turns: Sequence[Turn]) -> Iterator[Breach]:
    for place, turn in enumerate(turns):
        if found := _labels.search(turn.content):
            yield Breach(rule="label word", what=f"message {place} says `{found[0]}`")
    for text, count in twice((turn.content for turn in turns), 1):
        yield Breach(rule="repeated sentence", what=f"{count} times: {text}")


def _of_evidence(turns: Sequence[Turn], rules: SessionRules) -> Iterator[Breach]:
    for telling in rules.told:
        place = _place(turns, telling)
        if place is None:
            yield Breach(rule="evidence", what=f"fact {telling.fact} is not told by the {telling.role} as planned")
        elif telling.role == "user" and place == 0:
            yield Breach(rule="all in the opening", what=f"fact {telling.fact}")
    for wordings in rules.named:
        holding = [place for place, turn in enumerate(turns) if any(says(turn.content, one) for one in wordings)]
        if not holding:
            yield Breach(rule="evidence", what=f"nobody says `{wordings[0]}`")
        elif holding == [0]:
            yield Breach(rule="all in the opening", what=f"`{wordings[0]}`")


def _place(turns: Sequence[Turn], telling: Telling) -> int | None:
    """The message in which it is told; None where it is not."""
    found = (at for at, turn in enumerate(turns) if turn.role == telling.role and telling.text in turn.content)
    return next(found, None)


def _of_siblings(turns: Sequence[Turn], rules: SessionRules) -> Iterator[Breach]:
    text = normalise(" ".join(turn.content for turn in turns))
    yield from (Breach(rule="sibling told", what=one) for one in rules.siblings if holders([f" {text} "], one))
    said = frozenset(search_tokens(text))
    own = {telling.text for telling in rules.told} | {one for each in rules.named for one in each}
    free = substance(" ".join(sorted(own)))
    for value in rules.sibling_values:
        if found := sorted((substance(value) - free) & said):
            yield Breach(rule="sibling value", what=f"`{', '.join(found)}` of `{value}`")


def _of_hiding(turns: Sequence[Turn], rules: SessionRules) -> Iterator[Breach]:
    said = [one for turn in turns for one in split(turn.content)]
    for fact in rules.hidden:
        for sentence in outright(fact, said, rules.names):
            yield Breach(rule="explicit", what=f"`{sentence}` says outright: {fact}")
