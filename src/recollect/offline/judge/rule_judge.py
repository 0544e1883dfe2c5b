"""The deterministic judge: a cascade of rules, with a reason code for every verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from recollect.contracts.models import Embedder
from recollect.contracts.verdicts import CONFLICT, F1, FIELD, RIGHT
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.metrics.parsing import visible
from recollect.metrics.text_match import token_f1
from recollect.offline.judge.cascade import Against, weigh
from recollect.offline.judge.fields import judge_conflict, judge_items, judge_json
from recollect.offline.judge.findings import Capped, Finding, cap, judge_letter, no, yes
from recollect.offline.judge.lexicon import ABSTENTIONS, GUESSES
from recollect.offline.judge.similarity import Cosine, Cosines
from recollect.offline.judge.statements import judge_summary
from recollect.offline.judge.summary_parts import UNJUDGED, is_summary, nothing_said, sentences_of
from recollect.offline.judge.swaps import swapped
from recollect.offline.judge.texts import prepare
from recollect.text.normal import fold

VERSION = 1
DECLINING_SENTENCES = 2
"""A longer reply to a demand for a summary is one, though somebody in it may not know something."""
UNREAD = "rules do not read the guidance of the key"

_label = re.compile(r"^(?:the\s+)?(?:final\s+)?answer\s*:\s*", re.IGNORECASE)


class RuleJudge:
    """Judges short answers by rules.

    Parts of a verdict: `right`; `f1`, the token F1 of the whole reply, which stands beside and decides nothing; and
    `field:<name>` for each entry of `Key.field_gold`. Where there are fields, `right` is 1 only if all of them are.
    A key is one of a conflict if its label `conflict` is `yes`, or if a text is asked for and it has fields: then each
    field's value must be named in the reply, and none of `Key.rejected`. A summary whose key names its points in
    `Key.field_gold` has the parts of `summary_parts`; one without points, and a key without any answer, stay undecided.

    Where the label `conflict` is `no` and the question names all fields, as one that asks for a property of several
    things does, a field is wrong too if the reply clearly gives it the value of another one: `Varn: cider; Morvane:
    paprika` for the reverse. Values without names, in whatever order, and names or values of which one clause tells
    several are never held against a reply (`swaps`).

    `why` opens with a reason code. Texts are cut first (`capping`), JSON and lists field by field.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._cosine: Cosine | None = Cosines(embedder) if embedder is not None else None
        self._fingerprint = f"rules-judge-{VERSION}" + (f"+{embedder.fingerprint}" if embedder is not None else "")

    @property
    def fingerprint(self) -> str:
        """Version of the rules, and the embedder's fingerprint if there is one."""
        return self._fingerprint

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        """The verdict with its parts; the key's guidance is not read, and where that may matter `why` says so."""
        text = _label.sub("", visible(reply.text))
        f1 = _f1(text, key.gold)
        if is_summary(question, key):
            parts = [*_summary_parts(key, reply, text), f1]
        else:
            found, fields = self._weigh(question, key, reply, text)
            value, why = (None, found) if isinstance(found, str) else (float(found.right), found.why)
            parts = [Judgement(name=RIGHT, value=value, why=why), f1]
            for name, field in fields.items():
                parts.append(Judgement(name=f"{FIELD}{name}", value=float(field.right), why=field.why))
        if key.guidance and not reply.abstained:
            parts[0] = _unguided(parts[0])
        return Verdict(parts=tuple(parts), judge=self._fingerprint)

    def _weigh(
        self, question: Question, key: Key, reply: Reply, text: str
    ) -> tuple[Finding | str, Mapping[str, Finding]]:
        """A finding on the whole, or why there is none, and one for each field."""
        fields = self._fields(question, key, text)
        decline = _by_declining(question, key, reply, text)
        if decline is not None:
            # words that seem to decline, such as `unclear`, may go with all that must be named
            answered = is_conflict(question, key) and not reply.abstained and not key.abstain
            if not (answered and all(found.right for found in fields.values())):
                return decline, dict.fromkeys(key.field_gold, decline)
        if not fields:
            return self._whole(question, key, text), {}
        wrong = [name for name, finding in fields.items() if not finding.right]
        if not wrong:
            return yes("all_fields", f"{len(fields)} of {len(fields)}"), fields
        counts = f"{len(fields) - len(wrong)} of {len(fields)} fields"
        return no(fields[wrong[0]].code, f"{counts}; {', '.join(wrong)}"), fields

    def _whole(self, question: Question, key: Key, text: str) -> Finding | str:
        """A finding, or why there is none."""
        if question.answer_format is AnswerFormat.SUMMARY:
            return UNJUDGED
        if key.labels.get(CONFLICT) == "yes":
            return "conflict_without_values: the key names no values that conflict"
        if not key.gold:
            return "no_reference: the key has no accepted answer"
        if question.answer_format is AnswerFormat.LETTER:
            return judge_letter(text, key.gold, question.options)
        if text in {visible(gold) for gold in key.gold}:
            return yes("exact")
        capped = cap(text, key.gold)
        found = weigh(prepare(question.text), Against.of(key.gold, key.rejected), prepare(capped.text), self._cosine)
        return _noted(found, capped)

    def _fields(self, question: Question, key: Key, text: str) -> dict[str, Finding]:
        """A finding for each part that is wanted; none where the answer is weighed as a whole."""
        gold = key.field_gold
        if is_conflict(question, key):
            capped = cap(text, [" ".join(max(values, key=len, default="") for values in gold.values())])
            found = judge_conflict(prepare(question.text), gold, key.rejected, prepare(capped.text))
            if key.labels.get(CONFLICT) == "no":  # a value may be named for another thing that is asked about
                swaps = swapped(question.text, gold, text)
                found |= {name: wrong for name, wrong in swaps.items() if found[name].right}
            return {name: _noted(finding, capped) for name, finding in found.items()}
        if question.answer_format is AnswerFormat.JSON:
            return judge_json(text, gold, self._cosine)
        if question.answer_format is AnswerFormat.LIST:
            return judge_items(text, gold, question.items, self._cosine)
        return {}


def _unguided(right: Judgement) -> Judgement:
    """Notes that the rules did not read the guidance; an exact answer is right under any."""
    if right.why.partition(":")[0] in ("exact", "empty"):
        return right
    return replace(right, why=f"{right.why}{';' if ':' in right.why else ':'} {UNREAD}")


def _summary_parts(key: Key, reply: Reply, text: str) -> list[Judgement]:
    """The parts of a summary; one that declines, or says nothing, has 0 throughout."""
    sentences = sentences_of(text)
    if not reply.abstained and not sentences:
        return nothing_said("empty: the reply has no sentence", key.field_gold)
    if reply.abstained or (len(sentences) <= DECLINING_SENTENCES and declines(text) == "yes"):
        return nothing_said(f"abstained_wrong: {'flagged' if reply.abstained else text[:60]}", key.field_gold)
    return judge_summary(key, text)


def is_conflict(question: Question, key: Key) -> bool:
    """Whether the right answer names several values that contradict each other."""
    structured = question.answer_format in (AnswerFormat.JSON, AnswerFormat.LIST)
    return bool(key.field_gold) and (key.labels.get(CONFLICT) == "yes" or not structured)


def _by_declining(question: Question, key: Key, reply: Reply, text: str) -> Finding | None:
    """Decide by whether the reply declines; `None` where it answers and an answer is wanted."""
    declined = "yes" if reply.abstained else declines(text)
    shown = "flagged" if reply.abstained else text[:60]
    if key.abstain:
        if declined == "yes":
            return yes("abstained_right", shown)
        return no("guessed", shown) if declined == "guess" else no("abstention_wanted", f"answered {text[:40]!r}")
    if not reply.abstained:
        if not text:
            return no("empty", "the reply has no text")
        # the words that seem to decline may be the answer itself: an option's text, or a gold that declines too
        words = prepare(text).words
        golds = (declines(gold) != "no" or prepare(gold).words == words for gold in key.gold)
        if declined == "no" or question.answer_format is AnswerFormat.LETTER or any(golds):
            return None
    return no("abstained_wrong", shown)


def _noted(finding: Finding, capped: Capped) -> Finding:
    return finding._replace(detail="; ".join(filter(None, (finding.detail, capped.note))))


def _f1(text: str, gold: Sequence[str]) -> Judgement:
    if not gold:
        return Judgement(name=F1, value=None, why="no_reference: the key has no accepted answer")
    return Judgement(name=F1, value=max(token_f1(text, one).f1 for one in gold), why="token F1 of the whole reply")


_declines = re.compile("|".join(f"(?:{pattern})" for pattern in ABSTENTIONS), re.MULTILINE)
_guess = re.compile(rf"\b(?:{'|'.join(sorted(GUESSES))})\b")

Declining = Literal["yes", "guess", "no"]


def declines(text: str) -> Declining:
    """Whether *text* says that it cannot answer; `guess` where it then answers all the same."""
    folded = " ".join(fold(text).split())
    found = _declines.search(folded)
    if found is None:
        return "no"
    return "guess" if _guess.search(folded, found.end()) else "yes"
