"""What a turn of a simulated user tells of the values that it must keep to itself: the checker on every such user."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.domain.histories import Script
from recollect.records.digests import canonical
from recollect.text.normal import normalise, search_tokens
from recollect.text.sentences import split
from recollect.text.words import FUNCTION_WORDS, NEGATIONS

CACHED = 256
Run = tuple[str, ...]
"""Stems of words as they follow each other."""
Pair = tuple[str, str]
"""A variable and a value of it."""
_FILLERS = FUNCTION_WORDS - NEGATIONS
"""Words that may stand between the words of a value, or be missing there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A turn tells the value of a variable, or may do so."""

    variable: str
    value: str
    sure: bool
    """Else a value of one word stands there alone, and may mean anything: `even`, `regular`, `sound`."""
    contradicts: bool
    """Another value holds."""
    exposed: bool
    """The dialogue's opening shows this value, as it should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A value is named in a sentence."""

    pair: Pair
    run: Run
    sure: bool


class Checker:
    """Checks the turns of one dialogue.

    A value is told if its words stand in a sentence as a phrase; a value of one word also needs a word of its
    variable's name beside it, else it is only suspected. Where the data are generated, the sentences of the catalogue
    and what comes near them tell a value too. A value that is asked about or denied counts as told; a value that is
    implied in words that the catalogue does not have is not seen.
    """

    def __init__(
        self, schema: Mapping[str, Sequence[str]], state: Mapping[str, str], exposed: Mapping[str, str]
    ) -> None:
        self._state, self._exposed = state, exposed
        self._schema = _known(canonical(schema))

    def findings(self, text: str) -> tuple[Finding, ...]:
        """Every value that *text* tells or may tell, by name; none for a harmless turn."""
        mentions = [one for sentence in split(text) for one in self._mentions(sentence)]
        shown = _unshadowed(self._schema.classifier.leaks(text))
        sure = {*shown, *(one.pair for one in mentions if one.sure)}
        found = sure | {one.pair for one in mentions}
        return tuple(
            Finding(
                variable=variable,
                value=value,
                sure=(variable, value) in sure,
                contradicts=self._state.get(variable, value) != value,
                exposed=self._exposed.get(variable) == value,
            )
            for variable, value in sorted(found)
        )

    def touches(self, text: str) -> bool:
        """Whether *text* has any word that carries the meaning of a variable or value; stricter than `findings`."""
        return bool(self._schema.topics.intersection(_content(_words(text)))) or bool(self.findings(text))

    def _mentions(self, sentence: str) -> list[Mention]:
        said = _Sentence(sentence)
        found = [one for name in self._schema.names if (one := name.mention(said))]
        kept = [one for one in found if not any(_within(one.run, other.run) for other in found)]
        return self._fitting(kept)

    def _fitting(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Of variables that share a value, those for which it holds, where there are any."""
        by_run: dict[tuple[Run, bool], list[Mention]] = {}
        for one in mentions:
            by_run.setdefault((one.run, one.sure), []).append(one)
        return [one for group in by_run.values() for one in ([m for m in group if self._holds(m.pair)] or group)]

    def _holds(self, pair: Pair) -> bool:
        return self._state.get(pair[0]) == pair[1]


class _Sentence:
    """A sentence as it is compared with names."""

    def __init__(self, text: str) -> None:
        words = _words(text)
        self.words, self.signs = frozenset(words), frozenset(text)
        self.full, self.content = _stems(words), _content(words)


class _Name:
    """One value of one variable, as it would be named."""

    def __init__(self, variable: str, value: str) -> None:
        said = _words(_spoken(value))
        self.pair = (variable, value)
        self.full, self.content = _stems(said), _content(said)
        self.about = frozenset(_content(_words(_spoken(variable)))) - frozenset(self.full)
        self.bare = said[0] if len(said) == 1 else ""

    def mention(self, said: _Sentence) -> Mention | None:
        """How this value is named in a sentence, if it is."""
        if len(self.full) == 1:
            beside = _has(said.full, self.full) and not self.about.isdisjoint(said.full)
            # A Chinese character by itself stands in no pair of characters.
            alone = self.bare in said.words or self.bare in said.signs
            return Mention(pair=self.pair, run=self.full, sure=beside) if beside or alone else None
        named = _has(said.full, self.full) or (len(self.content) > 1 and _has(said.content, self.content))
        return Mention(pair=self.pair, run=self.full, sure=True) if named and self.full else None


@dataclass(frozen=True, slots=True)
class _Schema:
    """What all dialogues of a user have in common."""

    classifier: Classifier
    names: tuple[_Name, ...]
    topics: frozenset[str]
    """Stems of the words that carry the meaning of a variable or value."""


def checker_of(script: Script) -> Checker:
    """The checker for the dialogue of a script; the same one for the same states."""
    return _checker(*(script.variables.get(name) or "{}" for name in ("schema", "state", "exposed")))


def told(findings: Sequence[Finding]) -> Iterator[str]:
    """The values in words, for those who must say it again."""
    for one in findings:
        yield f"`{one.variable}` = `{one.value}`" + (", which is not even true" if one.contradicts else "")


@lru_cache(maxsize=CACHED)
def _checker(schema: str, state: str, exposed: str) -> Checker:
    return Checker(json.loads(schema), json.loads(state), json.loads(exposed))


@lru_cache(maxsize=CACHED)
def _known(schema: str) -> _Schema:
    values: Mapping[str, Sequence[str]] = json.loads(schema)
    names = tuple(_Name(variable, value) for variable, several in values.items() for value in several)
    topics = frozenset(stem for name in names for stem in (*name.about, *name.content))
    return _Schema(Classifier(values), names, topics)


def _unshadowed(pairs: Sequence[Pair]) -> list[Pair]:
    """Without values whose words are part of another one's that the same variable has and the turn tells too."""
    runs = {pair: _stems(_words(_spoken(pair[1]))) for pair in pairs}
    return [one for one in pairs if not any(other[0] == one[0] and _within(runs[one], runs[other]) for other in pairs)]


def _spoken(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _words(text: str) -> list[str]:
    return search_tokens(normalise(text), stop=False, stemmed=False)


def _stems(said: Sequence[str]) -> Run:
    return tuple(token for word in said for token in search_tokens(word, stop=False))


def _content(said: Sequence[str]) -> Run:
    return _stems([word for word in said if word not in _FILLERS])


def _has(run: Run, part: Run) -> bool:
    return any(run[start : start + len(part)] == part for start in range(len(run) - len(part) + 1))


def _within(part: Run, run: Run) -> bool:
    return len(part) < len(run) and _has(run, part)
