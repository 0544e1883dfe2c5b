"""The rule classifier: which values a text shows, by the catalogue's sentences or by the words it shares with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import log

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, ValueWords, read_catalogue, small_talk
from recollect.text.normal import normalise, search_tokens
from recollect.text.sentences import split

Schema = Mapping[str, Sequence[str]]
"""Variable -> the values it may take."""
Shown = tuple[str, str]

LEAST_WORDS = 4
"""A sentence that is not in the catalogue shows a value only if it shares so many content words with it."""
LEAST_SHARE = 0.5
"""And so much of its content, rare words counting more."""
LEAST_MARGIN = 0.25
"""And by so much more than with any other value of the schema."""


class Classifier:
    """What sentences show about the variables of one schema.

    Sentences of the catalogue are looked up, wherever they occur in a text. Any other sentence is compared with the
    words of each value; it shows a value only where it is clearly nearer to it than to all others.
    """

    def __init__(self, schema: Schema, domains: Sequence[LifeDomain] | None = None) -> None:
        chosen = read_catalogue() if domains is None else domains
        self._values: list[tuple[Shown, ValueWords]] = []
        asks: list[str] = []
        for domain in chosen:
            if any(variable.name in schema for variable in domain.variables):
                asks += domain.asks
            for variable in domain.variables:
                known = schema.get(variable.name, ())
                self._values += [((variable.name, one.value), one) for one in variable.values if one.value in known]
        self._told = self._index(lambda value: (*value.told, *value.held_out, value.event))
        self._advice = self._index(lambda value: value.advice)
        self._asked = frozenset(_plain(one) for one in (*small_talk().openers, *asks))
        """What the user may want to know; it shows nothing, whatever its words."""
        self._words = {shown: _vocabulary(value) for shown, value in self._values}
        self._weights = _weights(tuple(chosen))
        self._heaviest = max(self._weights.values(), default=1.0)

    def exposed(self, text: str) -> dict[str, str]:
        """Variable -> the value that a user's message shows; variables of which it shows nothing are left out."""
        return dict([*self._nearest(text, self._asked), *_looked_up(text, self._told)])

    def leaks(self, text: str) -> tuple[Shown, ...]:
        """Every variable with a value that a turn shows, advises for or names; a harmless turn gives none."""
        shown = {*self._nearest(text, frozenset()), *_looked_up(text, self._told), *_looked_up(text, self._advice)}
        for sentence in split(text):
            words = frozenset(search_tokens(sentence))
            for variable, value in self._words:
                name = _name_words(value)
                # All words of a longer name, or the one of a short name beside its variable's.
                if name and name <= words and (len(name) > 1 or _name_words(variable) & words):
                    shown.add((variable, value))
        return tuple(sorted(shown))

    def answer_state(self, answer: str, variables: Sequence[str]) -> tuple[str | None, ...]:
        """The combination that an answer fits, aligned with *variables*; `None` where it fits no value."""
        found = dict([*self._nearest(answer, frozenset()), *_looked_up(answer, self._advice)])
        return tuple(found.get(name) for name in variables)

    def _index(self, sentences: Callable[[ValueWords], Sequence[str]]) -> Mapping[str, Shown]:
        return {_plain(sentence): shown for shown, value in self._values for sentence in sentences(value)}

    def _nearest(self, text: str, harmless: Set[str]) -> Iterator[Shown]:
        for sentence in split(text):
            plain = _plain(sentence)
            if any(one in plain for known in (self._told, self._advice, harmless) for one in known):
                continue
            words = frozenset(search_tokens(sentence))
            total = sum(self._weight(word) for word in words)
            if not total:
                continue
            ranked = sorted(
                ((sum(self._weight(word) for word in words & own), shown) for shown, own in self._words.items()),
                reverse=True,
            )
            best, shown = ranked[0] if ranked else (0.0, ("", ""))
            margin = best - (ranked[1][0] if len(ranked) > 1 else 0.0)
            shared = len(words & self._words.get(shown, frozenset()))
            if shared >= LEAST_WORDS and best / total >= LEAST_SHARE and margin / total >= LEAST_MARGIN:
                yield shown

    def _weight(self, word: str) -> float:
        return self._weights.get(word, self._heaviest)


@lru_cache(maxsize=16)
def _weights(domains: tuple[LifeDomain, ...]) -> Mapping[str, float]:
    """Word -> how rare it is among the values of the whole catalogue."""
    every = [_vocabulary(value) for domain in domains for variable in domain.variables for value in variable.values]
    spread = Counter(word for words in every for word in words)
    return {word: log(1 + len(every) / times) for word, times in spread.items()}


@lru_cache(maxsize=16_384)
def _vocabulary(value: ValueWords) -> frozenset[str]:
    sentences = (*value.told, *value.held_out, value.event, *value.advice, value.value.replace("_", " "))
    return frozenset(word for sentence in sentences for word in search_tokens(sentence))


def _looked_up(text: str, index: Mapping[str, Shown]) -> list[Shown]:
    plain = _plain(text)
    return [shown for sentence, shown in index.items() if sentence in plain]


@lru_cache(maxsize=16_384)
def _name_words(name: str) -> frozenset[str]:
    return frozenset(search_tokens(name.replace("_", " ")))


@lru_cache(maxsize=65_536)
def _plain(text: str) -> str:
    """The text without case and punctuation, with a space at either end: whole words only are found in it."""
    return f" {normalise(text)} "
