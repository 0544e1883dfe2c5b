"""The authors' F1, followed by the judge's verdict and other measures."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping
from typing import Any

from recollect.benchmarks.locomo.rows import ADVERSARIAL, NUMBERS
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.porter import stem
from recollect.metrics.rouge import Overlap
from recollect.metrics.text_match import exact_match


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The authors' score of the reply; needs no verdict, but shows it."""
    text = "" if reply.abstained else reply.text
    declines = reply.abstained or says_nothing_is_known(text)
    declined = Part(name="declined", value=float(declines), weight=1.0 if key.abstain else 0.0)
    if key.abstain:
        measure, others = declined, []
        if key.rejected:
            trap = 0.0 if declines else max(stemmed_f1(text, wrong) for wrong in key.rejected)
            others = [Part(name="trap_f1", value=trap)]
    else:
        f1 = answer_f1(NUMBERS[key.labels["category"]], text, key.gold[0])
        measure = Part(name="f1", value=f1, weight=1.0)
        exact = bool(text.strip()) and any(exact_match(text, gold) for gold in key.gold)
        others = [declined, Part(name="exact_match", value=float(exact))]
    right = Part(name="right", value=None, why="no verdict")
    if verdict is not None:
        why = "; ".join(part.why for part in verdict.parts if part.name == "right")
        right = Part(name="right", value=verdict.value("right"), why=why)
    parts = (measure, right, *others)
    if reply.abstained:
        return Outcome.abstained(measure.value or 0.0, parts=parts, why="declined to answer")
    return Outcome.scored(measure.value or 0.0, parts=parts, why="" if text.strip() else "the reply is empty")


MULTI_HOP = 1
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
    """Both split at commas; the mean over the wanted parts of the best `stemmed_f1` with any part of the reply.

    Source:
        LoCoMo, `f1` of the released evaluation; checked as `normalised`.
    """
    parts = wanted.split(",")
    return sum(max(stemmed_f1(one, part) for one in said.split(",")) for part in parts) / len(parts)


def says_nothing_is_known(said: str) -> bool:
    """Whether a reply declines in one of the two ways that the authors' code knows."""
    return any(phrase in said.lower() for phrase in _DECLINED)


def answer_f1(category: int, said: str, wanted: str) -> float:
    """The authors' score of one answer, a ratio; *wanted* is cut by `scored_gold`.

    Source:
        LoCoMo, `eval_question_answering` of the released evaluation; checked as `normalised`.
    """
    if category == ADVERSARIAL:
        return float(says_nothing_is_known(said))
    return listed_f1(said, wanted) if category == MULTI_HOP else stemmed_f1(said, wanted)
