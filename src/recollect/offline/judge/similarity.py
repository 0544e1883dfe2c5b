"""Likeness of wording and of meaning, each behind guards: an absolute threshold alone takes most wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.contracts.models import Embedder
from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.lexicon import CLASSES, GENERIC
from recollect.offline.judge.polarity import denials, opposed
from recollect.offline.judge.texts import PreparedText
from recollect.text.normal import stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_F1 = 0.65
LEAST_RECALL = 0.85
LEAST_RECALL_WITH_F1 = 0.6
"""A `cake` is half of a `carrot cake`, and not enough."""
SHORT_REFERENCE = 5
"""Content words up to which a word that was swapped for another decides against likeness of wording."""
FEW_WORDS = 3
"""References up to this many content words must stand together in a longer answer."""
SURE_COSINE = 0.80
LEAST_COSINE = 0.62
LEAST_F1_WITH_COSINE = 0.25
LEAST_WORD_COSINE = 0.55

Cosine = Callable[[str, str], float]

_classes = tuple(frozenset(map(stem, members)) for members in CLASSES)


def guard(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Refuse where likeness misleads: denial on one side, opposites, another colour or weekday, a missing name."""
    wanted, found = set(ref.content), set(answer.content)
    if denials(ref) % 2 != denials(answer) % 2:
        return no("negated", "denied on one side only")
    if opposed(wanted - found, found - wanted):
        return no("opposite")
    if any(wanted & members and found & members and not wanted & found & members for members in _classes):
        return no("other_member", "/".join(sorted(found - wanted)[:3]))
    missing = sorted((ref.names & wanted) - found - set(question.content) - GENERIC)
    return no("name_missing", ", ".join(missing)) if missing else None


def judge_wording(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Accept enough shared stems, the question's own words not counted; refuse a swapped word in a short reference."""
    f1, recall = overlap(question, ref, answer)
    if recall < (LEAST_RECALL_WITH_F1 if f1 >= LEAST_F1 else LEAST_RECALL):
        return None
    places = [answer.stems.index(stemmed) for stemmed in ref.content if stemmed in answer.stems]
    stretch = max(places, default=0) - min(places, default=0)
    if f1 < LEAST_F1 and len(ref.content) <= FEW_WORDS and stretch > len(ref.content):
        return no("scattered", f"the words of {ref.text[:40]!r} stand apart")
    lost, added = unmatched(question, ref, answer)
    if lost and added and len(ref.content) <= SHORT_REFERENCE:
        return no("swapped", f"{'/'.join(sorted(added)[:3])} for {'/'.join(sorted(lost))}")
    return yes("stem_f1", f"{f1:.2f}") if f1 >= LEAST_F1 else yes("stem_recall", f"{recall:.2f}")


def judge_meaning(question: PreparedText, ref: PreparedText, answer: PreparedText, cosine: Cosine) -> Finding | None:
    """Accept near vectors: very near, or near with some shared stems; not where a word stands in for an unlike one."""
    value = round(cosine(ref.text, answer.text), 6)
    f1, recall = overlap(question, ref, answer)
    if value < LEAST_COSINE or (value < SURE_COSINE and f1 < LEAST_F1_WITH_COSINE):
        return None
    lost, added = unmatched(question, ref, answer)
    if lost and not added and recall < LEAST_RECALL_WITH_F1:
        return no("part_only", f"without {'/'.join(sorted(lost)[:3])}")
    alike = (max(cosine(one, other) for other in sorted(added)) >= LEAST_WORD_COSINE for one in sorted(lost))
    if lost and added and not all(alike):
        return no("unlike_words", f"{'/'.join(sorted(added)[:3])} for {'/'.join(sorted(lost)[:3])}")
    return yes("embedding", f"cosine {value:.2f}")


def overlap(question: PreparedText, ref: PreparedText, answer: PreparedText) -> tuple[float, float]:
    """F1 and recall of content stems; what the answer repeats of the question costs nothing."""
    wanted = Counter(ref.content or ref.stems)
    repeated = set(question.content) - set(wanted)
    found = Counter(stemmed for stemmed in answer.content or answer.stems if stemmed not in repeated)
    shared = sum((wanted & found).values())
    if not shared:
        return 0.0, 0.0
    recall, precision = shared / sum(wanted.values()), shared / sum(found.values())
    return 2 * recall * precision / (recall + precision), recall


def unmatched(question: PreparedText, ref: PreparedText, answer: PreparedText) -> tuple[set[str], set[str]]:
    """Content stems of the reference that the answer lacks, and those it has instead; the question's left out."""
    wanted, found, asked = set(ref.content), set(answer.content), set(question.content)
    return wanted - found - asked, found - wanted - asked


MOST_KEPT = 50_000


class Cosines:
    """Cosine of two texts. Vectors are kept; threads may share them, for a text's vector is always the same."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, one: str, other: str) -> float:
        return float(self._vector(one) @ self._vector(other))

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = self._vectors.get(text)
        if vector is None:
            vector = self._embedder.embed([text])[0]
            if len(self._vectors) < MOST_KEPT:
                self._vectors[text] = vector
        return vector
