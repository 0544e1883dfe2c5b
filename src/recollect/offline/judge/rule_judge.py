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
        verdict = self._weighed(question, key, reply)
        return _unguided(verdict) if key.guidance and not reply.abstained else verdict

    def _weighed(self, question: Question, key: Key, reply: Reply) -> Verdict:
        text = _label.sub("", visible(reply.text))
        if is_summary(question, key):
            return Verdict(parts=(*_summary(key, reply, text), _f1(text, key.gold)), judge=self._fingerprint)
        fields = self._fields(question, key, text)
        decline = _by_declining(question, key, reply, text)
        if decline is not None and not _tells_a_conflict(question, key, reply, fields):
            return self._verdict(decline, dict.fromkeys(key.field_gold, decline), key, text)
        if fields:
            return self._verdict(_all_of(fields), fields, key, text)
        return self._verdict(self._whole(question, key, text), {}, key, text)

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
        if not is_conflict(question, key) and question.answer_format not in (AnswerFormat.JSON, AnswerFormat.LIST):
            return {}
        gold = key.field_gold
        if is_conflict(question, key):
            capped = cap(text, [" ".join(max(values, key=len, default="") for values in gold.values())])
            said = prepare(capped.text)
            found = judge_conflict(prepare(question.text), gold, key.rejected, said)
            found |= _swaps(question, key, text, found)
            return {name: _noted(finding, capped) for name, finding in found.items()}
        if question.answer_format is AnswerFormat.JSON:
            return judge_json(text, gold, self._cosine)
        return judge_items(text, gold, question.items, self._cosine)

    def _verdict(self, right: Finding | str, fields: Mapping[str, Finding], key: Key, text: str) -> Verdict:
        whole = (
            Judgement(name=RIGHT, value=None, why=right)
            if isinstance(right, str)
            else Judgement(name=RIGHT, value=float(right.right), why=right.why)
        )
        parts = (
            Judgement(name=f"{FIELD}{name}", value=float(found.right), why=found.why) for name, found in fields.items()
        )
        return Verdict(parts=(whole, _f1(text, key.gold), *parts), judge=self._fingerprint)


def _unguided(verdict: Verdict) -> Verdict:
    """Says of what rules have weighed that they did not read the guidance; an exact answer is right under any."""
    right = next(part for part in verdict.parts if part.name == RIGHT)
    if right.why.partition(":")[0] in ("exact", "empty"):
        return verdict
    noted = replace(right, why=f"{right.why}{';' if ':' in right.why else ':'} {UNREAD}")
    return replace(verdict, parts=tuple(noted if part is right else part for part in verdict.parts))


def _summary(key: Key, reply: Reply, text: str) -> list[Judgement]:
    """The parts of a summary; one that declines, or says nothing, has 0 throughout."""
    sentences = sentences_of(text)
    if not reply.abstained and not sentences:
        return nothing_said("empty: the reply has no sentence", key.field_gold)
    if reply.abstained or (len(sentences) <= DECLINING_SENTENCES and declines(text) == "yes"):
        return nothing_said(f"abstained_wrong: {'flagged' if reply.abstained else text[:60]}", key.field_gold)
    return judge_summary(key, text)


def _swaps(question: Question, key: Key, text: str, found: Mapping[str, Finding]) -> dict[str, Finding]:
    """Fields whose value is named, but for another of the things that the question asks about."""
    if key.labels.get(CONFLICT) != "no":
        return {}
    return {name: wrong for name, wrong in swapped(question.text, key.field_gold, text).items() if found[name].right}


def is_conflict(question: Question, key: Key) -> bool:
    """Whether the right answer names several values that contradict each other."""
    structured = question.answer_format in (AnswerFormat.JSON, AnswerFormat.LIST)
    return bool(key.field_gold) and (key.labels.get(CONFLICT) == "yes" or not structured)


def _tells_a_conflict(question: Question, key: Key, reply: Reply, fields: Mapping[str, Finding]) -> bool:
    """Whether words that seem to decline, such as `unclear`, go with all that must be named."""
    answered = is_conflict(question, key) and not reply.abstained and not key.abstain
    return answered and all(found.right for found in fields.values())


def _by_declining(question: Question, key: Key, reply: Reply, text: str) -> Finding | None:
    """Decide by whether the reply declines; `None` where it answers and an answer is wanted."""
    said = "yes" if reply.abstained else declines(text)
    if key.abstain:
        if said == "yes":
            return yes("abstained_right", "flagged" if reply.abstained else text[:60])
        return no("guessed", text[:60]) if said == "guess" else no("abstention_wanted", f"answered {text[:40]!r}")
    if not text and not reply.abstained:
        return no("empty", "the reply has no text")
    if said == "no" or _is_letter_or_gold(question, key, reply, text):
        return None
    return no("abstained_wrong", "flagged" if reply.abstained else text[:60])


def _is_letter_or_gold(question: Question, key: Key, reply: Reply, text: str) -> bool:
    """Whether the words that seem to decline are the answer itself: a gold that declines too, or an option's text."""
    if reply.abstained:
        return False
    wanted = prepare(text).words
    return question.answer_format is AnswerFormat.LETTER or any(
        declines(gold) != "no" or prepare(gold).words == wanted for gold in key.gold
    )


def _all_of(fields: Mapping[str, Finding]) -> Finding:
    wrong = [name for name, finding in fields.items() if not finding.right]
    if wrong:
        return no(fields[wrong[0]].code, f"{len(fields) - len(wrong)} of {len(fields)} fields; {', '.join(wrong)}")
    return yes("all_fields", f"{len(fields)} of {len(fields)}")


def _noted(finding: Finding, capped: Capped) -> Finding:
    if not capped.note:
        return finding
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
    said = " ".join(fold(text).split())
    found = _declines.search(said)
    if found is None:
        return "no"
    return "guess" if _guess.search(said, found.end()) else "yes"
