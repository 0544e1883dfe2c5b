"""Yes and no, said or implied."""

from __future__ import annotations

import re
from typing import Literal

from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.lexicon import DENYING, HEDGES, NEGATORS, NO, OPPOSITES, PLAIN_NO, PLAIN_YES, YES
from recollect.offline.judge.texts import PreparedText, affirmed_negators
from recollect.text.normal import stem
from recollect.text.words import AUXILIARIES

Side = Literal["yes", "no"]

LEAST_SHARED = 2
"""Content words of the question that an answer must repeat before it counts as a yes, if it has so many."""

_hedges, _sides = "|".join(sorted(HEDGES)), "|".join(sorted(YES | NO))
_opens = re.compile(rf"\W*(?:(?:{_hedges})\b\W*)*(?:{_sides})\s*(?:$|[,;:!—-]|\.(?!\s*\d))", re.IGNORECASE)
"""A yes or no that stands by itself, unlike those in `no one`, `true love` and `No. 5`."""
_pairs = [(stem(one), stem(other)) for one, other in OPPOSITES]


def judge_polarity(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Compare yes with no; `None` where the reference is neither, or only begins like one."""
    wanted = stated(ref)
    asks_yes_or_no = bool(question.words) and question.words[0] in AUXILIARIES
    if wanted is None or not (_opens.match(ref.text) or asks_yes_or_no):
        return None
    found = stated(answer) or _anywhere(answer) or implied(question, answer)
    if found is None:
        return no("polarity_missing", f"neither yes nor no in {answer.text[:40]!r}")
    return yes("polarity", found) if found == wanted else no("polarity", f"{found}, not {wanted}")


def stated(text: PreparedText) -> Side | None:
    """The yes or no that opens the text, behind words such as `probably`."""
    for word in text.words:
        if word in YES:
            return "yes"
        if word in NO:
            return None if text.words[:2] in {("not", "sure"), ("not", "certain")} else "no"
        if word not in HEDGES:
            return None
    return None


def implied(question: PreparedText, answer: PreparedText) -> Side | None:
    """What a statement says to a yes-no question; `None` where too little of the question stands in it."""
    asked, told = set(question.content) - NEGATORS, set(answer.content)
    against = sum(opposed(asked - told, told - asked))
    denied = denials(answer) + sum(word in DENYING for word in answer.words)
    needed = 1 if denied or against else min(LEAST_SHARED, max(1, len(asked)))
    if len(asked & told) + against < needed:
        return None
    return "no" if (denied + against) % 2 else "yes"


def opposed(some: set[str], others: set[str]) -> list[bool]:
    """One entry for each pair of opposites of which one side stands in *some* and the other in *others*."""
    return [True for one, other in _pairs if (one in some and other in others) or (other in some and one in others)]


def denials(text: PreparedText) -> int:
    """How often the text denies something."""
    masked = affirmed_negators(text)
    return sum(word in NEGATORS for at, word in enumerate(text.words) if at not in masked)


def _anywhere(text: PreparedText) -> Side | None:
    """A plain yes or no inside the text; `no` itself mostly belongs to a noun."""
    says_yes, says_no = not PLAIN_YES.isdisjoint(text.words), not PLAIN_NO.isdisjoint(text.words)
    if says_yes == says_no:
        return None
    return "yes" if says_yes else "no"
