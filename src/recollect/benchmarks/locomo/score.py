"""The authors' F1; the judge's verdict and what else is worth knowing stand beside it."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
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
    said = "" if reply.abstained else reply.text
    declined = float(reply.abstained or says_nothing_is_known(said))
    parts = tuple(_declining(key, said, declined) if key.abstain else _answering(key, said, declined))
    value = parts[0].value or 0.0
    parts = (parts[0], _judged(verdict), *parts[1:])
    if reply.abstained:
        return Outcome.abstained(value, parts=parts, why="declined to answer")
    return Outcome.scored(value, parts=parts, why="" if said.strip() else "the reply is empty")


def _answering(key: Key, said: str, declined: float) -> Iterator[Part]:
    f1 = answer_f1(NUMBERS[key.labels["category"]], said, key.gold[0])
    yield Part(name="f1", value=f1, weight=1.0)
    yield Part(name="declined", value=declined)
    yield Part(
        name="exact_match", value=float(bool(said.strip()) and any(exact_match(said, gold) for gold in key.gold))
    )


def _declining(key: Key, said: str, declined: float) -> Iterator[Part]:
    yield Part(name="declined", value=declined, weight=1.0)
    if key.rejected:
        yield Part(name="trap_f1", value=0.0 if declined else max(stemmed_f1(said, trap) for trap in key.rejected))


def _judged(verdict: Verdict | None) -> Part:
    if verdict is None:
        return Part(name="right", value=None, why="no verdict")
    why = "; ".join(part.why for part in verdict.parts if part.name == "right")
    return Part(name="right", value=verdict.value("right"), why=why)


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
    """Both parted at commas; the mean over the wanted parts of the best `stemmed_f1` with any part said.

    Source:
        LoCoMo, `f1` of the released evaluation; checked as `normalised`.
    """
    parts = wanted.split(",")
    return sum(max(stemmed_f1(one, part) for one in said.split(",")) for part in parts) / len(parts)


def says_nothing_is_known(said: str) -> bool:
    """Whether a reply declines in one of the two ways that the authors' code knows."""
    return any(phrase in said.lower() for phrase in _DECLINED)


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
