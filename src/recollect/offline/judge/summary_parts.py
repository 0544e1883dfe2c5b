"""The parts of a verdict on a summary, whoever weighed it: fluency, recall, precision, and the F1 of the three."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from recollect.contracts.verdicts import CONFLICT, F1_SUMMARY, FIELD, FLUENCY, PRECISION, RECALL, RIGHT, UNCALIBRATED
from recollect.domain.outcomes import Judgement
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.metrics.summaries import share, summary_f1
from recollect.offline.judge.findings import Counted
from recollect.text.sentences import spans

SHOWN = 10
"""So many names of what is missing stand in a reason."""
UNJUDGED = "summary_unjudged: the key names no points that a summary must have"
NO_GOLD = Counted(None, "no_reference: the key has no gold summary to weigh the sentences against")


def is_summary(question: Question, key: Key) -> bool:
    """Whether a summary is asked for and the key names the points that it must have."""
    wanted = question.answer_format is AnswerFormat.SUMMARY and key.labels.get(CONFLICT) != "yes"
    return wanted and bool(key.field_gold) and not key.abstain


def sentences_of(text: str) -> dict[str, str]:
    """Name -> sentence, those that say anything; a line break ends one too."""
    lines = (line for line in text.splitlines() if line.strip())
    found = (line[start:end] for line in lines for start, end in spans(line))
    worded = (sentence for sentence in found if any(sign.isalnum() for sign in sentence))
    return {f"sentence {number}": sentence for number, sentence in enumerate(worded, start=1)}


def summary_parts(
    fluency: Counted, recall: Counted, precision: Counted, points: Mapping[str, Counted]
) -> list[Judgement]:
    """`right`, `fluency`, `recall`, `precision`, `f1_summary`, and `field:<name>` for each point.

    `right` is 1 where F1 is 1 and 0 where it is 0. Between them a summary is neither right nor wrong, and `right`
    stays undecided.
    """
    shares = {FLUENCY: fluency, RECALL: recall, PRECISION: precision}
    value = summary_f1(fluency.value, recall.value, precision.value)
    if value is None:
        right = Counted(None, f"summary_undecided: `{F1_SUMMARY}` is undecided")
        name, part = next((name, part) for name, part in shares.items() if part.value is None)
        f1 = Counted(None, f"{part.why.partition(':')[0]}: {name} is undecided")
    else:
        if value in (0.0, 1.0):
            right = Counted(value, f"summary_whole: `{F1_SUMMARY}` is {value:g}")
        else:
            right = Counted(None, f"summary_graded: neither right nor wrong, `{F1_SUMMARY}` says how good")
        listed = ", ".join(
            f"{name} {'undecided' if part.value is None else f'{part.value:.3g}'}" for name, part in shares.items()
        )
        f1 = Counted(value, f"summary_f1: {listed}; {UNCALIBRATED}, for no judge check has summaries")
    return [
        right.named(RIGHT),
        *(part.named(name) for name, part in shares.items()),
        f1.named(F1_SUMMARY),
        *(point.named(f"{FIELD}{name}") for name, point in points.items()),
    ]


def nothing_said(why: str, points: Iterable[str]) -> list[Judgement]:
    """The parts of a reply that is no summary at all: 0 throughout, for one reason."""
    zero = Counted(0.0, why)
    parts = summary_parts(zero, zero, zero, dict.fromkeys(points, zero))
    return [Judgement(name=part.name, value=0.0, why=why) for part in parts]


def share_of(decided: Mapping[str, Counted], what: str) -> Counted:
    """The share of what is right; undecided as long as one is."""
    open_ones = [name for name, one in decided.items() if one.value is None]
    if open_ones:
        code, _, why = decided[open_ones[0]].why.partition(": ")
        counts = f"{len(open_ones)} of {len(decided)} {what}"
        return Counted(None, f"{code}: {counts} undecided: {_listed(open_ones)}; {why}")
    missing = [name for name, one in decided.items() if one.value == 0.0]
    found = len(decided) - len(missing)
    lacking = f"; not {_listed(missing)}" if missing else ""
    return Counted(share(found, len(decided)), f"supported: {found} of {len(decided)} {what}{lacking}")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
