"""Operator: label a text as its nearest labelled examples are labelled.

Rule: an example is whatever stands between two marks `label: <id>`; the first keeps its last paragraph, since a
heading may stand before it. The ten nearest examples vote, each with exp((s - best) / 0.05) of its cosine s;
without an embedder by shared words, BM25-weighted. Ties go to the label that comes first in the alphabet of labels.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from recollect.offline.reading.vectors import Vectors
from recollect.offline.reading.words import stem, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LABEL = re.compile(r"(?i)(?<!\w)label[ \t]*[:=][ \t]*([^\s,;]+)")
_NEAREST, _SHARPNESS = 10, 0.05
_LEXICAL_SHARPNESS = 0.2
_K1, _B = 1.2, 0.75
_FEWEST = 2


class Example(NamedTuple):
    """A text and its label."""

    text: str
    label: str


def examples(texts: Sequence[str], vectors: Vectors | None) -> ExampleSet | None:
    """The examples in *texts*, if most of what stands there are examples."""
    found: list[Example] = []
    for text in texts:
        start = 0
        for mark in _LABEL.finditer(text):
            body = text[start : mark.start()].strip()
            if start == 0:
                body = body.rsplit("\n\n", 1)[-1]
            start = mark.end()
            if body:
                found.append(Example(" ".join(body.split()), mark.group(1).strip("\"'.`*")))
    covered = sum(len(e.text) + len(e.label) + 8 for e in found)
    if len(found) < _FEWEST or covered < 0.6 * sum(len(text) for text in texts):
        return None
    return ExampleSet(tuple(dict.fromkeys(found)), vectors)


def _stems(text: str) -> list[str]:
    """All stems; in short texts function words tell labels apart too."""
    return [stem(w.low) for w in words(text)]


class ExampleSet:
    """Labelled examples, ready to be compared."""

    def __init__(self, found: tuple[Example, ...], vectors: Vectors | None) -> None:
        self.examples = found
        self._vectors = vectors

    def label(self, text: str) -> str | None:
        """The label that the nearest examples vote for; `None` if no example shares a word and there is no embedder."""
        if self._vectors is None:
            return self._vote(self._shared(text), _LEXICAL_SHARPNESS)
        cosines = [round(float(cosine), 6) for cosine in self._matrix @ self._vectors.of([text])[0]]
        best = sorted(range(len(cosines)), key=lambda i: (-cosines[i], i))[:_NEAREST]
        return self._vote({i: cosines[i] for i in best}, _SHARPNESS)

    @cached_property
    def _matrix(self) -> NDArray[np.float32]:
        if self._vectors is None:
            raise ValueError("examples: without an embedder there are no vectors; compare by shared words instead")
        return self._vectors.of([example.text for example in self.examples])

    @cached_property
    def _bags(self) -> list[Counter[str]]:
        return [Counter(_stems(example.text)) for example in self.examples]

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        postings: dict[str, list[int]] = defaultdict(list)
        for place, bag in enumerate(self._bags):
            for one in bag:
                postings[one].append(place)
        return postings

    def _shared(self, text: str) -> dict[int, float]:
        """BM25 of the ten best examples that share a word with *text*, as ratios of the best."""
        mean = sum(bag.total() for bag in self._bags) / len(self._bags)
        scores: dict[int, float] = defaultdict(float)
        for one in dict.fromkeys(_stems(text)):
            places = self._postings.get(one, [])
            rare = math.log(1 + (len(self._bags) - len(places) + 0.5) / (len(places) + 0.5))
            for place in places:
                bag = self._bags[place]
                tf = bag[one]
                scores[place] += rare * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * bag.total() / max(mean, 1e-9)))
        best = sorted(scores, key=lambda i: (-round(scores[i], 6), i))[:_NEAREST]
        return {i: scores[i] / scores[best[0]] for i in best}

    def _vote(self, near: dict[int, float], sharpness: float) -> str | None:
        votes: dict[str, float] = defaultdict(float)
        top = max(near.values(), default=0.0)
        for place, score in near.items():
            votes[self.examples[place].label] += math.exp((score - top) / sharpness)
        return min(votes, key=lambda label: (-round(votes[label], 9), label), default=None)
