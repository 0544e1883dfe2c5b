"""Finds the values that a turn of a simulated user tells and must not tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.domain.histories import Script
from recollect.records.digests import canonical
from recollect.text.normal import normalise, search_tokens
from recollect.text.sentences import split
from recollect.text.words import FUNCTION_WORDS, NEGATIONS

CACHED = 256
Run = tuple[str, ...]
"""Stems of consecutive words."""
Pair = tuple[str, str]
_FILLERS = FUNCTION_WORDS - NEGATIONS
"""Words that may stand between the words of a value, or be missing there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A turn tells the value of a variable, or may do so."""

    variable: str
    value: str
    sure: bool
    """False for a value of one word by itself, which may mean anything: `even`, `regular`, `sound`."""
    contradicts: bool
    """Another value holds."""


class _Mention(NamedTuple):
    pair: Pair
    run: Run
    sure: bool


class Checker:
    """Checks the turns of one dialogue.

    A value is told if its words occur in a sentence as a phrase; a value of one word also needs a word of its
    variable's name beside it, else it is only suspected. Where the data are generated, the sentences of the catalogue
    and what comes near them tell a value too. A value that is asked about or denied counts as told; a value that is
    implied in words that the catalogue does not have is not seen.
    """

    def __init__(self, schema: Mapping[str, Sequence[str]], state: Mapping[str, str]) -> None:
        self._state, self._schema = state, _known(canonical(schema))

    def findings(self, text: str) -> tuple[Finding, ...]:
        """Every value that *text* tells or may tell, by name; none for a harmless turn."""
        mentions = [mention for sentence in split(text) for mention in self._mentions(sentence)]
        leaks = self._schema.classifier.leaks(text)
        # A value whose words are part of another one's that the same variable has is not told by it.
        runs = {pair: _stems(_words(_spoken(pair[1]))) for pair in leaks}
        sure = {mention.pair for mention in mentions if mention.sure}
        for one in leaks:
            if not any(other[0] == one[0] and _within(runs[one], runs[other]) for other in leaks):
                sure.add(one)
        return tuple(
            Finding(
                variable=variable,
                value=value,
                sure=(variable, value) in sure,
                contradicts=self._state.get(variable, value) != value,
            )
            for variable, value in sorted(sure | {mention.pair for mention in mentions})
        )

    def touches(self, text: str) -> bool:
        """Whether *text* has any word that carries the meaning of a variable or value; stricter than `findings`."""
        return bool(self._schema.topics.intersection(_content(_words(text)))) or bool(self.findings(text))

    def _mentions(self, sentence: str) -> list[_Mention]:
        """The values named; of variables that share a value, those for which it holds, where there are any."""
        said = _Sentence(sentence)
        found = [mention for name in self._schema.names if (mention := name.mention(said))]
        by_run: dict[tuple[Run, bool], list[_Mention]] = {}
        for one in found:
            if not any(_within(one.run, other.run) for other in found):
                by_run.setdefault((one.run, one.sure), []).append(one)
        kept = []
        for group in by_run.values():
            kept += [one for one in group if self._state.get(one.pair[0]) == one.pair[1]] or group
        return kept


class _Sentence:
    def __init__(self, text: str) -> None:
        words = _words(text)
        self.words, self.signs = frozenset(words), frozenset(text)
        self.full, self.content = _stems(words), _content(words)


class _Name:
    """One value of one variable, as it would be named."""

    def __init__(self, variable: str, value: str) -> None:
        words = _words(_spoken(value))
        self.pair = (variable, value)
        self.full, self.content = _stems(words), _content(words)
        self.about = frozenset(_content(_words(_spoken(variable)))) - frozenset(self.full)
        self.bare = words[0] if len(words) == 1 else ""

    def mention(self, said: _Sentence) -> _Mention | None:
        if len(self.full) == 1:
            beside = _has(said.full, self.full) and not self.about.isdisjoint(said.full)
            # A Chinese character by itself stands in no pair of characters.
            alone = self.bare in said.words or self.bare in said.signs
            return _Mention(self.pair, self.full, beside) if beside or alone else None
        named = _has(said.full, self.full) or (len(self.content) > 1 and _has(said.content, self.content))
        return _Mention(self.pair, self.full, True) if named and self.full else None


class _Schema(NamedTuple):
    classifier: Classifier
    names: tuple[_Name, ...]
    topics: frozenset[str]


def checker_of(script: Script) -> Checker:
    """The checker for the dialogue of a script; the same one for the same states."""
    return _checker(*(script.variables.get(name) or "{}" for name in ("schema", "state")))


def told(findings: Sequence[Finding]) -> Iterator[str]:
    """The values in words, for a repeated request."""
    for one in findings:
        yield f"`{one.variable}` = `{one.value}`" + (", which is not even true" if one.contradicts else "")


@lru_cache(maxsize=CACHED)
def _checker(schema: str, state: str) -> Checker:
    return Checker(json.loads(schema), json.loads(state))


@lru_cache(maxsize=CACHED)
def _known(schema: str) -> _Schema:
    values: Mapping[str, Sequence[str]] = json.loads(schema)
    names = tuple(_Name(variable, value) for variable, several in values.items() for value in several)
    topics = frozenset(stem for name in names for stem in (*name.about, *name.content))
    return _Schema(Classifier(values), names, topics)


def _spoken(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _words(text: str) -> list[str]:
    return search_tokens(normalise(text), stop=False, stemmed=False)


def _stems(words: Sequence[str]) -> Run:
    return tuple(token for word in words for token in search_tokens(word, stop=False))


def _content(words: Sequence[str]) -> Run:
    return _stems([word for word in words if word not in _FILLERS])


def _has(run: Run, part: Run) -> bool:
    return any(run[start : start + len(part)] == part for start in range(len(run) - len(part) + 1))


def _within(part: Run, run: Run) -> bool:
    return len(part) < len(run) and _has(run, part)
