"""Reads a model's verdict strictly: one JSON object with allowed words, or nothing. Several votes are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from recollect.offline.judge.findings import Counted
from recollect.text.replies import bare, strict_json, whole_characters

REASON = 200
"""Characters of a reason that are kept."""
WHOLE = ""
"""The name under which a decision on the whole reply stands."""
SHOWN = 40


class Decision(NamedTuple):
    """One verdict with its reason."""

    verdict: str
    reason: str
    """One line, at most `REASON` characters."""


Decisions: TypeAlias = Mapping[str, Decision]
"""Name of a field -> its decision; `WHOLE` where the reply is judged as one."""


class Unusable(NamedTuple):
    """A text that is no verdict."""

    problem: str
    """What is wrong with it, as the next turn says it."""


def read_whole(text: str, words: Sequence[str]) -> Decisions | Unusable:
    """The decision of a text that is one JSON object with `verdict` and `reason`, the verdict one of *words*."""
    found = one_object(text)
    if isinstance(found, Unusable):
        return found
    decision = _decision(found, words, "the object")
    return decision if isinstance(decision, Unusable) else {WHOLE: decision}


def read_fields(text: str, labels: Mapping[str, str], words: Sequence[str]) -> Decisions | Unusable:
    """The decisions of a text that is one JSON object with an entry for each of *labels*, and no other.

    Args:
        text: What the model said.
        labels: Label in the text -> name of the field.
        words: The verdicts that may be given.
    """
    found = one_object(text)
    if isinstance(found, Unusable):
        return found
    if set(found) != set(labels):
        return Unusable(f"the entries are {_names(found)} instead of {', '.join(labels)}")
    decided = {label: _decision(found[label], words, f"entry {label}") for label in labels}
    usable = {labels[label]: one for label, one in decided.items() if isinstance(one, Decision)}
    problems = [one.problem for one in decided.values() if isinstance(one, Unusable)]
    return Unusable(problems[0]) if problems else usable


def read_numbers(text: str, list_name: str, names: Sequence[str], words: tuple[str, str]) -> Decisions | Unusable:
    """The decisions of a text that is one JSON object with `reason` and a list of numbers, each the place of a name.

    Args:
        text: What the model said.
        list_name: Entry that has the list.
        names: What is decided, the first is number 1.
        words: Verdict on what is listed, and on what is not.

    Returns:
        A decision for each of *names*, and the reason under `WHOLE`.
    """
    found = one_object(text)
    if isinstance(found, Unusable):
        return found
    if set(found) != {list_name, "reason"}:
        return Unusable(f"the entries are {_names(found)} instead of reason, {list_name}")
    if not isinstance(found["reason"], str):
        return Unusable("the reason is no text")
    listed = found[list_name]
    if problem := _list_problem(listed, list_name, len(names)):
        return Unusable(problem)
    decided = {name: Decision(words[place not in listed], "") for place, name in enumerate(names, start=1)}
    return {**decided, WHOLE: Decision(words[0], one_line(found["reason"]))}


def _list_problem(listed: Any, list_name: str, most: int) -> str:
    """Why *listed* is no list of different numbers from 1 to *most*; empty where it is one."""
    if not isinstance(listed, list):
        return f"{list_name} is no list"
    wrong = [one for one in listed if isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= most]
    if wrong:
        return f"{one_line(repr(wrong[0]), SHOWN)} in {list_name} is no whole number from 1 to {most}"
    return f"a number stands twice in {list_name}" if len(set(listed)) < len(listed) else ""


def one_line(text: str, most: int = REASON) -> str:
    """*text* on one line, cut, and without half characters, which no record can hold."""
    whole = " ".join(whole_characters(text).split())
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def one_object(text: str) -> dict[str, Any] | Unusable:
    """The one JSON object that *text* is, bare or alone in a fenced block."""
    body = bare(text)
    if body is None:
        return Unusable("it has no text")
    try:
        value = strict_json(body)
    except (ValueError, RecursionError):
        return Unusable("it is not one JSON object and nothing else")
    return value if isinstance(value, dict) else Unusable("it is JSON, but no object")


def _decision(value: Any, words: Sequence[str], where: str) -> Decision | Unusable:
    if not isinstance(value, dict) or set(value) != {"verdict", "reason"}:
        return Unusable(f"{where} does not have `reason` and `verdict`, and nothing else")
    verdict, reason = value["verdict"], value["reason"]
    if not isinstance(verdict, str) or verdict not in words:
        return Unusable(f"the verdict of {where} is {one_line(repr(verdict), SHOWN)}, not one of {', '.join(words)}")
    if not isinstance(reason, str):
        return Unusable(f"the reason of {where} is no text")
    return Decision(verdict, one_line(reason))


def _names(found: Mapping[str, Any]) -> str:
    return one_line(", ".join(found), SHOWN) or "none"


UNUSABLE = "judge_unusable"
TIE = "judge_tie"
RIGHT_VERDICT = "right"


def count(votes: Sequence[Decision | Unusable]) -> Counted:
    """The majority of *votes*; one that cannot be used is a vote for neither side."""
    usable = [vote for vote in votes if isinstance(vote, Decision)]
    right = sum(vote.verdict == RIGHT_VERDICT for vote in usable)
    listed = "; ".join(
        f"{vote.verdict}, {vote.reason}" if isinstance(vote, Decision) else f"unusable, {one_line(vote.problem)}"
        for vote in votes
    )
    if not usable:
        return Counted(None, f"{UNUSABLE}: {listed}")
    if 2 * max(right, len(usable) - right) <= len(votes):
        return Counted(None, f"{TIE}: {right} of {len(votes)} votes for right: {listed}")
    won = [vote for vote in usable if (vote.verdict == RIGHT_VERDICT) == (2 * right > len(votes))]
    code = f"model_{won[0].verdict}" if len({vote.verdict for vote in won}) == 1 else "model_wrong"
    why = usable[0].reason if len(votes) == 1 else f"{len(won)} of {len(votes)} votes: {listed}"
    return Counted(float(won[0].verdict == RIGHT_VERDICT), f"{code}: {why}")
