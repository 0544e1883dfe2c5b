"""The authors' measure of an answer: words in common, by their stems; how depends on the kind of question."""

from __future__ import annotations

import re
import string
from collections import Counter

from recollect.benchmarks.locomo.categories import ADVERSARIAL
from recollect.metrics.porter import stem
from recollect.metrics.rouge import Overlap

MULTI_HOP, OPEN_DOMAIN = 1, 3
_MARK = "\u0300-\u036f"
"""Combining marks belong to their word, which Python's own word border does not know."""
_SMALL = re.compile(rf"(?<![\w{_MARK}])(?:a|an|the|and)(?![\w{_MARK}])")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DECLINED = ("no information available", "not mentioned")


def normalised(text: str) -> str:
    """Lower-case, without ASCII punctuation, articles, `and` and surplus white space.

    Source:
        LoCoMo, released evaluation (`normalize_answer`); checked in `tests/unit/benchmarks/locomo/test_parity.py`.
    """
    return " ".join(_SMALL.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def stemmed_f1(said: str, wanted: str) -> float:
    """F1 of the stems of both as bags, a ratio; 0 where one has no word.

    Source:
        LoCoMo, section 6.1 and `f1_score` of the released evaluation; checked as `normalised`.
    """
    ours, theirs = ([stem(word) for word in normalised(text).split()] for text in (said, wanted))
    return Overlap.of((Counter(ours) & Counter(theirs)).total(), len(ours), len(theirs)).f1


def listed_f1(said: str, wanted: str) -> float:
    """Both parted at commas; the mean over the wanted parts of the best `stemmed_f1` with any part said.

    Source:
        LoCoMo, `f1` of the released evaluation; checked as `normalised`.
    """
    parts = wanted.split(",")
    return sum(max(stemmed_f1(one, part) for one in said.split(",")) for part in parts) / len(parts)


def says_nothing_is_known(said: str) -> bool:
    """Whether a reply declines in one of the two ways that the authors' code knows."""
    return any(phrase in said.lower() for phrase in _DECLINED)


def scored_gold(category: int, answer: str) -> str:
    """The part of a published answer that counts: of an open-domain one what stands before the reason."""
    return answer.partition(";")[0].strip() if category == OPEN_DOMAIN else answer


def answer_f1(category: int, said: str, wanted: str) -> float:
    """The authors' score of one answer, a ratio.

    Args:
        category: 1 to 5.
        said: The reply.
        wanted: The published answer, cut by `scored_gold`; it does not matter to adversarial questions.

    Source:
        LoCoMo, `eval_question_answering` of the released evaluation; checked as `normalised`.
    """
    if category == ADVERSARIAL:
        return float(says_nothing_is_known(said))
    return listed_f1(said, wanted) if category == MULTI_HOP else stemmed_f1(said, wanted)
