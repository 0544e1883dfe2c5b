"""ROUGE-L and ROUGE-Lsum: longest common subsequences of words, over a text or line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from recollect.metrics.porter import stem

_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


class Overlap(NamedTuple):
    """Word overlap of an answer with a reference, ratios in [0, 1]."""

    f1: float
    """Harmonic mean of the other two."""
    precision: float
    """Share of the answer's words that match."""
    recall: float
    """Share of the reference's words that match."""

    @classmethod
    def of(cls, hits: int, answered: int, wanted: int) -> Overlap:
        """From counts of matches, of the answer's words and of the reference's; no match is 0 throughout."""
        if not hits:
            return cls(0.0, 0.0, 0.0)
        precision, recall = hits / answered, hits / wanted
        return cls(2 * precision * recall / (precision + recall), precision, recall)


def words(text: str, *, stemmed: bool = True) -> list[str]:
    """Lower-cased runs of ASCII letters and digits; those above three letters stemmed.

    Text in other scripts has no words, so ROUGE is 0 there.
    """
    found = _NOT_A_WORD.sub(" ", text.lower()).split()
    return [stem(word) if len(word) > 3 else word for word in found] if stemmed else found


def rouge_l(prediction: str, answer: str, *, stemmed: bool = True) -> Overlap:
    """ROUGE-L: the longest common subsequence of both texts' words; line breaks do not count.

    Args:
        prediction: The answer to be scored.
        answer: The reference.
        stemmed: Whether words are compared by Porter stems.

    Source:
        Lin (2004), ROUGE, section 3.1 with beta = 1; checked against rouge_score 0.1.2 in
        `tests/reference/test_metrics_values.py`.
    """
    answered, wanted = words(prediction, stemmed=stemmed), words(answer, stemmed=stemmed)
    # All columns of a row are the bits of an integer: Hyyro (2004), Bit-parallel LCS-length computation revisited.
    positions: dict[str, int] = {}
    for position, word in enumerate(answered):
        positions[word] = positions.get(word, 0) | 1 << position
    full = (1 << len(answered)) - 1
    row = full
    for word in wanted:
        match = row & positions.get(word, 0)
        row = ((row + match) | (row - match)) & full
    return Overlap.of(len(answered) - row.bit_count(), len(answered), len(wanted))


def rouge_lsum(prediction: str, answer: str, *, stemmed: bool = True) -> Overlap:
    """ROUGE-Lsum: per line of the answer the union of its common subsequences with each line of the prediction.

    Args:
        prediction: The answer to be scored, one sentence per line.
        answer: The reference, one sentence per line.
        stemmed: Whether words are compared by Porter stems.

    Source:
        Lin (2004), ROUGE, section 3.2, matches clipped to the words there are; checked against rouge_score
        0.1.2 in `tests/reference/test_metrics_values.py`.
    """
    answered, wanted = ([words(line, stemmed=stemmed) for line in text.split("\n")] for text in (prediction, answer))
    left_answered, left_wanted = Counter(chain.from_iterable(answered)), Counter(chain.from_iterable(wanted))
    sizes = left_answered.total(), left_wanted.total()
    hits = 0
    for line in wanted:
        for position in sorted(set().union(*(_common_positions(line, other) for other in answered))):
            word = line[position]
            if left_answered[word] > 0 and left_wanted[word] > 0:
                left_answered[word] -= 1
                left_wanted[word] -= 1
                hits += 1
    return Overlap.of(hits, *sizes)


def _common_positions(line: Sequence[str], other: Sequence[str]) -> set[int]:
    """Positions in *line* of one longest common subsequence with *other*, the latest ones where several exist."""
    table = [[0] * (len(other) + 1) for _ in range(len(line) + 1)]
    for i, word in enumerate(line, 1):
        for j, there in enumerate(other, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if word == there else max(table[i - 1][j], table[i][j - 1])
    positions, i, j = set(), len(line), len(other)
    while i and j:
        if line[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            positions.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return positions
