"""Related evidence of other seeds, which distractors are made from.

Source:
    SubtleMemory, section 3.1, semantic neighbouring search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.benchmarks.subtlememory.make.sources.seeds import Evidence, Seed
from recollect.text.normal import normalise, search_tokens

SAME = 0.95
"""Two texts at least this similar say the same."""
BATCH = 128
"""Texts that are embedded at once."""
K1, B = 1.2, 0.75
"""Saturation and normalisation of length in the word overlap (Robertson and Zaragoza 2009), their usual values."""
Matrix = NDArray[np.float64]


class Vectors(Protocol):
    """The part of an embedder that is used here."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        ...


def neighbours(
    seeds: Sequence[Seed], wanted: Sequence[Seed], *, most: int, embedder: Vectors | None = None
) -> Mapping[str, tuple[Evidence, ...]]:
    """Key of a seed -> the evidence of others that is nearest to it, as `n1`, `n2` and so on.

    Evidence that says the same or has one of the seed's answers is left out, and any second one of the same seed.

    Args:
        seeds: The corpus.
        wanted: Seeds to find neighbours for.
        most: Neighbours of each.
        embedder: Similarity is the cosine of its vectors; without one it is the overlap of words.
    """
    corpus = [(seed, one) for seed in sorted(seeds, key=lambda seed: seed.key) for one in seed.evidence]
    if not corpus or not wanted or not most:
        return {seed.key: () for seed in wanted}
    texts = [f"{one.asked} {one.accepted[0]}" for _, one in corpus]
    questions = [seed.question for seed in wanted]
    if embedder is None:
        similar = _overlaps(questions, texts)
    else:
        similar = unit_rows(questions, embedder.embed) @ unit_rows(texts, embedder.embed).T
    return {seed.key: _nearest(seed, corpus, row, most) for seed, row in zip(wanted, similar, strict=True)}


def _nearest(seed: Seed, corpus: Sequence[tuple[Seed, Evidence]], row: Matrix, most: int) -> tuple[Evidence, ...]:
    own = {normalise(text) for one in seed.evidence for text in one.accepted} | set(map(normalise, seed.answers))
    questions = {normalise(one.asked) for one in seed.evidence} | {normalise(seed.question)}
    chosen: dict[str, Evidence] = {}
    for place in np.argsort(-row, kind="stable"):
        other, one = corpus[int(place)]
        if len(chosen) == most or row[place] <= 0:
            break
        known = own & set(map(normalise, one.accepted)) or normalise(one.asked) in questions
        if other.key == seed.key or other.key in chosen or known or row[place] >= SAME:
            continue
        chosen[other.key] = one
    return tuple(replace(one, memory_id=f"n{number}") for number, one in enumerate(chosen.values(), start=1))


def unit_rows(texts: Sequence[str], embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> Matrix:
    """A unit vector for each text; zeros for a zero vector."""
    rows = [np.asarray(embed(texts[at : at + BATCH]), np.float64) for at in range(0, len(texts), BATCH)]
    whole = np.concatenate(rows)
    norms = np.linalg.norm(whole, axis=1, keepdims=True)
    unit: Matrix = np.divide(whole, norms, out=np.zeros_like(whole), where=norms > 0)
    return unit


def _overlaps(questions: Sequence[str], texts: Sequence[str]) -> Matrix:
    """Share of a question's word weights that a text holds, 0 to 1."""
    counted = [Counter(search_tokens(text)) for text in texts]
    postings: dict[str, list[int]] = {}
    for place, words in enumerate(counted):
        for word in words:
            postings.setdefault(word, []).append(place)
    lengths = np.array([sum(words.values()) for words in counted], np.float64)
    longer = 1 - B + B * lengths / max(float(lengths.mean()), 1.0)
    weights = {word: np.log1p((len(texts) - len(at) + 0.5) / (len(at) + 0.5)) for word, at in postings.items()}
    found = np.zeros((len(questions), len(texts)))
    for number, question in enumerate(questions):
        asked = sorted(set(search_tokens(question)))
        for word in (one for one in asked if one in postings):
            at = np.array(postings[word])
            often = np.array([counted[place][word] for place in postings[word]], np.float64)
            found[number, at] += weights[word] * often * (K1 + 1) / (often + K1 * longer[at])
        unseen = float(np.log1p(2 * len(texts) + 1))
        found[number] /= max(sum(float(weights.get(word, unseen)) for word in asked) * (K1 + 1), 1e-9)
    return found
