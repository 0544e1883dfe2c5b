"""A summary graded by rules: whether passages support each point and each sentence, and how it reads by its form.

Rules see words, not meaning. What is told in other words counts as missing, and what swaps two persons inside one
sentence may count as there. `tests/unit/offline/judge/test_summaries.py` measures both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from recollect.domain.outcomes import Judgement
from recollect.domain.questions import Key
from recollect.offline.judge.findings import Counted, Finding, no, yes
from recollect.offline.judge.lexicon import CLASSES, DENYING
from recollect.offline.judge.naming import denied
from recollect.offline.judge.polarity import opposed
from recollect.offline.judge.summary_parts import NO_GOLD, sentences_of, share_of, summary_parts
from recollect.offline.judge.texts import PreparedText, prepare
from recollect.text.normal import stem
from recollect.text.words import FUNCTION_WORDS

LEAST_SHARE = (0.6, 0.6, 0.75, 0.75)
"""Of a statement's content words, that a passage of one, two, three or four clauses must have."""
LEAST_BESIDE_NAMES = 0.5
"""Of those that are no names: who is told of says little."""
LEAST_WORDS = 3
"""So many of them it must have anyhow, if there are so many."""
SHORT = 5
"""Content words up to which a word that was swapped for another decides."""
REACH = 3
"""Words behind a verb such as `refuse`, or behind `against`, that it denies."""
PLACING = frozenset({"in", "at", "of", "on", "near", "above", "below", "from"})
"""Words before the name of a place, which is nobody's name."""
_TURNED = (
    "accept/reject accept/refuse accept/decline agree/refuse agree/decline allow/forbid permit/forbid admit/deny "
    "confess/deny confirm/deny win/lose victory/defeat succeed/fail survive/die live/die save/kill save/abandon "
    "arrive/leave stay/leave join/leave return/leave build/destroy rebuild/destroy begin/end start/stop buy/sell "
    "hire/fire hire/dismiss find/lose remember/forget forgive/blame trust/betray help/hinder guilty/innocent "
    "friend/enemy rich/poor truth/lie keep/burn hide/reveal arrest/release marry/divorce approve/reject"
)
TURNED = tuple((stem(one), stem(other)) for one, _, other in (pair.partition("/") for pair in _TURNED.split()))
"""Stems that turn a statement round where one stands for the other; general English."""

_clause = re.compile(r"[,;:](?=\s)|\s[-–—]\s|—")
_classes = tuple(frozenset(map(stem, members)) for members in CLASSES)


class Passage(NamedTuple):
    """Clauses that follow each other."""

    clauses: tuple[PreparedText, ...]
    content: frozenset[str]
    """Stems of their content words."""
    around: frozenset[str]
    """The same with the clause before and the clause behind."""


@dataclass(frozen=True)
class Text:
    """A text, cut into clauses."""

    clauses: tuple[PreparedText, ...]
    names: frozenset[str]
    """Stems of words that are names, in it or in texts on the same people."""

    @classmethod
    def of(cls, sentences: Sequence[str], related: Sequence[str] = ()) -> Text:
        """From its sentences; *related* are sentences of other texts on the same people.

        The first word of a sentence has a capital anyhow, so that other sentences must tell whether it is a name.
        """
        clauses = (clause for sentence in sentences for clause in _clause.split(sentence) if clause.strip())
        names: frozenset[str] = frozenset().union(*(prepare(sentence).names for sentence in (*sentences, *related)))
        return cls(tuple(map(prepare, clauses)), names)

    @cached_property
    def content(self) -> frozenset[str]:
        """All content stems."""
        return _content_of(self.clauses)

    @cached_property
    def passages(self) -> tuple[tuple[Passage, ...], ...]:
        """All runs of one clause, of two, of three and so on."""
        runs: list[tuple[Passage, ...]] = []
        for size in range(1, len(LEAST_SHARE) + 1):
            found = []
            for at in range(len(self.clauses) - size + 1):
                clauses = self.clauses[at : at + size]
                around = self.clauses[max(0, at - 1) : at + size + 1]
                found.append(Passage(clauses, _content_of(clauses), _content_of(around)))
            runs.append(tuple(found))
        return tuple(runs)


def borne_out(statement: PreparedText, text: Text) -> Finding:
    """Whether a passage of *text* has most content words of *statement*, and nothing in it turns the meaning.

    Short passages come first, and of one length those with most of the words. One that has enough of them, but with a
    denial, number, name or opposite that the statement does not have, decides against it.
    """
    nearest, wanted = 0.0, frozenset(statement.content)
    names = (statement.names | text.names) & wanted
    for passages, least in zip(text.passages, LEAST_SHARE, strict=True):
        near = [Near(statement, text, passage, wanted, names) for passage in passages if wanted & passage.content]
        nearest = max([nearest, *(one.share for one in near)])
        enough = sorted((one for one in near if one.has_enough(least)), key=lambda one: -one.share)
        found = [one.finding for one in enough if one.share == enough[0].share]
        decided = [one for one in found if one.code != "number_missing"]
        if decided:
            return next((one for one in decided if one.right), decided[0])
    return no("not_covered", f"{nearest:.0%} of its words at most")


@dataclass(frozen=True)
class Near:
    """A passage that may bear out a statement."""

    statement: PreparedText
    text: Text
    passage: Passage
    wanted: frozenset[str]
    """Content stems of the statement."""
    names: frozenset[str]
    """Those of them that are names."""

    @cached_property
    def share(self) -> float:
        """Of the statement's stems; a person may be a pronoun here, if the text names him or her elsewhere."""
        return len(self.wanted & (self.passage.content | (self.names & self.text.content))) / len(self.wanted)

    def has_enough(self, least: float) -> bool:
        """Whether the share is at least *least*, and that of the words that are no names is enough too."""
        others = self.wanted - self.names
        enough = len(others & self.passage.content) >= LEAST_BESIDE_NAMES * len(others)
        words = round(self.share * len(self.wanted))
        return enough and self.share >= least and words >= min(len(self.wanted), LEAST_WORDS)

    @property
    def finding(self) -> Finding:
        """What a passage with enough of the words says of the statement."""
        wanted, found, names = self.wanted, self.passage.content, self.text.names
        on_one_side = (_denied([self.statement]) ^ _denied(self.passage.clauses)) & wanted & found
        if on_one_side:
            return no("negated", f"{'/'.join(sorted(on_one_side))} on one side only")
        if turned := self._number() or self._opposite() or self._other_name():
            return turned
        lost, added = wanted - found - names, found - wanted - names
        if lost and added and len(found) <= len(wanted) <= SHORT:  # another word in place of one of its own
            return no("swapped", f"{'/'.join(sorted(added)[:3])} for {'/'.join(sorted(lost)[:3])}")
        return yes("covered", f"{self.share:.0%} of its words")

    def _number(self) -> Finding | None:
        """A number that the passage lacks decides if it has another one; else a longer passage may have it."""
        stems = self.wanted ^ self.passage.content
        numbers = sorted(stemmed for stemmed in stems if stemmed[:1].isdigit() and stemmed != "1")
        lost = "/".join(stemmed for stemmed in numbers if stemmed in self.wanted)
        others = "/".join(stemmed for stemmed in numbers if stemmed not in self.wanted)
        if lost and others:
            return no("number_other", f"{others} for {lost}")
        return no("number_missing", lost) if lost else None

    def _opposite(self) -> Finding | None:
        lost, added = set(self.wanted - self.passage.content), set(self.passage.around - self.wanted)
        without = f"without {'/'.join(sorted(lost)[:3])}"
        turned = any((one in lost and other in added) or (other in lost and one in added) for one, other in TURNED)
        if turned or opposed(lost, added):
            return no("opposite", without)
        members_differ = any(lost & members and self.passage.content & members - self.wanted for members in _classes)
        return no("other_member", without) if members_differ else None

    def _other_name(self) -> Finding | None:
        """A name of the statement is nowhere in the text, or another one stands in its place.

        Surnames of who is wanted, which stand beside the name, and names of places are not taken for names of others.
        """
        lost = self.names - self.passage.content
        unknown = sorted(lost - self.text.content)
        if unknown:
            return no("name_missing", "/".join(unknown))
        others: set[str] = set()
        for clause in self.passage.clauses:
            place = False
            for at, stemmed in enumerate(clause.stems):
                named = stemmed in self.text.names
                place = named and (place or (at > 0 and clause.words[at - 1] in PLACING))
                if named and not place and self.names.isdisjoint(clause.stems[max(0, at - 1) : at + 2]):
                    others.add(stemmed)
        if not lost or not others:
            return None
        return no("other_name", f"{'/'.join(sorted(others)[:3])} for {'/'.join(sorted(lost))}")


def _content_of(clauses: Sequence[PreparedText]) -> frozenset[str]:
    return frozenset(stemmed for clause in clauses for stemmed in clause.content)


def _denied(clauses: Sequence[PreparedText]) -> frozenset[str]:
    """Stems that are denied wherever they stand."""
    free: set[str] = set()
    for clause in clauses:
        for at, stemmed in enumerate(clause.stems):
            before = clause.words[max(0, at - REACH) : at]
            if not (denied(clause, at, size=1) or "against" in before or not DENYING.isdisjoint(before)):
                free.add(stemmed)
    return _content_of(clauses) - free


MOST_REPEATED = 0.25
"""Share of the sentences, or of the runs of words, that may have stood before."""
RUN = 6
LEAST_SMALL_WORDS = 0.15
"""Share of function words below which a text is a heap of words."""

_ended = re.compile(r"[.!?…][\"'”’»)\]*_]*\Z")


def judge_summary(key: Key, text: str) -> list[Judgement]:
    """The parts of the verdict on *text*, which has a sentence at least."""
    sentences = sentences_of(text)
    listed = [value for values in key.field_gold.values() for value in values]
    prepared = Text.of(list(sentences.values()), [*listed, *(key.gold[:1])])
    points: dict[str, Counted] = {}
    for name, values in key.field_gold.items():
        found = [borne_out(prepare(value), prepared) for value in values]
        points[name] = _counted(next((one for one in found if one.right), found[0] if found else no("no_reference")))
    precision = share_of(sentence_findings(sentences, key.gold[0]), "sentences") if key.gold else NO_GOLD
    return summary_parts(_counted(reads_well(text)), share_of(points, "points"), precision, points)


def reads_well(text: str) -> Finding:
    """Whether *text* has the form of whole sentences, comes to an end, and does not repeat itself."""
    sentences = [prepare(sentence) for sentence in sentences_of(text).values()]
    words = [word for sentence in sentences for word in sentence.words]
    small = sum(word in FUNCTION_WORDS for word in words) / max(1, len(words))
    if small < LEAST_SMALL_WORDS:
        return no("no_sentences", f"{small:.0%} function words")
    runs = [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]
    pieces: tuple[Sequence[tuple[str, ...]], ...] = ([sentence.stems for sentence in sentences], runs)
    repeated = max((1 - len(set(found)) / len(found) for found in pieces if found), default=0.0)
    if repeated > MOST_REPEATED:
        return no("repetitive", f"{repeated:.0%} stood before")
    return yes("reads_well") if _ended.search(text.strip()) else no("cut_off", f"ends in {text.strip()[-30:]!r}")


def sentence_findings(sentences: Mapping[str, str], gold: str) -> dict[str, Counted]:
    """Name of a sentence -> whether *gold* bears it out."""
    reference = Text.of(list(sentences_of(gold).values()), list(sentences.values()))
    unfinished = no("cut_off", "the sentence has no end")
    return {
        name: _counted(borne_out(prepare(one), reference) if _ended.search(one.strip()) else unfinished)
        for name, one in sentences.items()
    }


def _counted(found: Finding) -> Counted:
    return Counted(float(found.right), found.why)
