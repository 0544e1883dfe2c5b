"""What counts as right for questions about dialogues, in the way of LongMemEval: a rule for each type of question.

The rules follow the five prompts of that benchmark's judge (Wu et al. 2024), the words are ours. A text that was once
released is never edited: the next one gets the next version, since a key that holds it names its verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping

VERSION = 1

_CONTAINED = (
    "The reply is right if it has the accepted answer in it. An answer that means the same counts, and so does one "
    "that gives all the steps from which the accepted answer follows at once. A reply with only a part of what the "
    "accepted answer says is wrong."
)
_TEMPORAL = (
    f"{_CONTAINED} A count of days, weeks, months or the like that is off by one is no error: where the accepted "
    "answer is 18 days, 17 and 19 days are right as well."
)
_UPDATED = (
    "What was asked for has changed in the course of time, and the accepted answer is what holds now. The reply is "
    "right if that is what it gives as its answer. It may tell the earlier state beside it, or how the one became the "
    "other; with the earlier state alone, or with it as the answer, it is wrong."
)
_PREFERENCE = (
    "What stands as the accepted answer is no answer but a description of what a fitting reply takes into account. The "
    "reply is right if it recalls what the user has told about himself or herself and makes proper use of it. It need "
    "not touch all points of the description. A reply that any user might have got is wrong."
)
_UNKNOWABLE = (
    "The dialogues do not hold what is asked for. The reply is right if it finds that the question cannot be answered: "
    "by saying that this was never told, that too little is known, or that something near it was told instead and what "
    "was asked for was not. A reply that gives an answer all the same is wrong."
)
TEXTS: Mapping[str, str] = {
    "single-session-user": _CONTAINED,
    "single-session-assistant": _CONTAINED,
    "multi-session": _CONTAINED,
    "temporal-reasoning": _TEMPORAL,
    "knowledge-update": _UPDATED,
    "single-session-preference": _PREFERENCE,
}
"""Type of a question -> what counts as right for it."""
ABSTAINING = _UNKNOWABLE
"""The same for questions of any type that cannot be answered."""


def guidance_of(question_type: str, abstain: bool) -> str:
    """What the judge is told of a question of this type; *abstain* where nothing in the dialogues answers it.

    Raises:
        ValueError: There is no such type.
    """
    if question_type not in TEXTS:
        raise ValueError(f"no type of question is called {question_type!r}; there are {', '.join(sorted(TEXTS))}")
    return ABSTAINING if abstain else TEXTS[question_type]
