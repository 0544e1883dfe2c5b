"""What every session must keep, whoever wrote it: each breach is named by its rule.

Sessions of the procedural generator and those that a model writes go through the same checks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from recollect.benchmarks.subtlememory.generate.briefs import CasePlan, Telling
from recollect.benchmarks.subtlememory.generate.repetition import MOST, repeated
from recollect.benchmarks.subtlememory.items import RELATED, Turn
from recollect.text.normal import FUNCTION_WORDS, normalise, search_tokens
from recollect.text.sentences import split

Rule = Literal[
    "roles alternate", "length", "label word", "repeated sentence", "evidence", "all in the opening", "sibling told",
    "sibling value", "explicit", "stock sentence", "options", "gold", "sides", "answers", "chance", "coverage",
    "session count", "dates", "settled",
]  # fmt: skip
RELATED_LENGTHS = (10, 12, 14)
"""Messages of a session about the user."""
UNRELATED_LENGTHS = (6, 8, 10, 12, 14)
"""Messages of a session about the world."""
STATED = 0.8
"""Share of a fact's content words that makes a sentence say it outright."""
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


def rules_of(plan: CasePlan, number: int, *, values: Sequence[Sequence[str]] = (), name: str = "") -> SessionRules:
    """The rules of one session of a planned case.

    Args:
        plan: The case.
        number: Of the session, from 0.
        values: Of each fact: its value's accepted wordings; empty where they are not to be checked.
        name: Of the user.
    """
    brief = plan.sessions[number].brief
    mine = {telling.fact for telling in brief.tellings}
    theirs = [one for other in plan.sessions for one in other.brief.tellings if one.fact not in mine]
    related = plan.source == RELATED
    said = {one for telling in brief.tellings for one in _sentences(telling)}
    own = {normalise(each) for fact, wordings in enumerate(values) if fact in mine for each in wordings}
    return SessionRules(
        lengths=(brief.messages,),
        told=brief.tellings,
        named=() if related else tuple(tuple(values[fact]) for fact in sorted(mine) if fact < len(values)),
        siblings=tuple(one for telling in theirs for one in _sentences(telling) if one not in said),
        sibling_values=tuple(
            each for fact, all_of in enumerate(values) if fact not in mine for each in all_of
            if normalise(each) not in own
        ),
        hidden=tuple(plan.facts[fact] for fact in sorted(mine) if fact < len(plan.facts)) if related else (),
        names=(name,) if name else (),
    )  # fmt: skip


def _sentences(telling: Telling) -> tuple[str, ...]:
    return tuple(split(telling.text))


def session_problems(turns: Sequence[Turn], rules: SessionRules) -> tuple[Breach, ...]:
    """Every rule that a session breaks."""
    return (
        *_of_shape(turns, rules.lengths),
        *_of_words(turns),
        *_of_evidence(turns, rules),
        *_of_siblings(turns, rules),
        *_of_hiding(turns, rules),
    )


def repetition_problems(
    sessions: Sequence[Sequence[Turn]], names: Collection[str], *, most: float = MOST
) -> tuple[Breach, ...]:
    """Sentences that stand in too many of the sessions, names masked."""
    found = repeated(sessions, names)
    return tuple(
        Breach(rule="stock sentence", what=f"in {share:.2%} of the sessions: {text}")
        for text, share in found.items()
        if share > most
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
    counts = Counter(normalise(one) for turn in turns for one in split(turn.content))
    for text, count in counts.items():
        if count > 1 and text:
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
    for sentence in rules.siblings:
        if f" {normalise(sentence)} " in f" {text} ":
            yield Breach(rule="sibling told", what=sentence)
    said = frozenset(search_tokens(text))
    own = {telling.text for telling in rules.told} | {one for each in rules.named for one in each}
    free = _content(" ".join(sorted(own)))
    for value in rules.sibling_values:
        if found := sorted((_content(value) - free) & said):
            yield Breach(rule="sibling value", what=f"`{', '.join(found)}` of `{value}`")


def _of_hiding(turns: Sequence[Turn], rules: SessionRules) -> Iterator[Breach]:
    names = _content(" ".join(rules.names))
    for fact in rules.hidden:
        wanted = _content(fact) - names
        for sentence in (one for turn in turns for one in split(turn.content)):
            if wanted and len(wanted & _content(sentence)) >= STATED * len(wanted):
                yield Breach(rule="explicit", what=f"`{sentence}` says outright: {fact}")


def says(text: str, words: str) -> bool:
    """Whether the words stand in the text, whatever marks and capitals."""
    return f" {normalise(words)} " in f" {normalise(text)} "


@lru_cache(maxsize=65_536)
def _content(text: str) -> frozenset[str]:
    """Stems of the words that carry something."""
    kept = " ".join(word for word in search_tokens(text, stop=False, stemmed=False) if word not in FUNCTION_WORDS)
    return frozenset(search_tokens(kept))
