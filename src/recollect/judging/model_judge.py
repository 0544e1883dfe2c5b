"""A model as judge: asked strictly, read strictly, and undecided where it gives nothing usable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from recollect.contracts.models import ChatModel, Turn
from recollect.contracts.verdicts import CONFLICT, F1, FIELD, RIGHT
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.judging.parsing import WHOLE, Decisions, Unusable, count, one_line
from recollect.judging.prompts import FIRST, ROLES, prompt
from recollect.judging.requests import (
    VerdictRequest,
    ask_declining,
    ask_fields,
    ask_fluency,
    ask_points,
    ask_sentences,
    ask_whole,
)
from recollect.metrics.parsing import visible
from recollect.metrics.text_match import token_f1
from recollect.offline.judge.findings import Capped, Counted, Finding, cap, judge_letter, no, yes
from recollect.offline.judge.summary_parts import (
    NO_GOLD,
    UNJUDGED,
    is_summary,
    nothing_said,
    sentences_of,
    share_of,
    summary_parts,
)
from recollect.records.digests import digest

VERSION = 1
DECLINING_WORDS = 200
"""A reply to a question without an answer is cut here; it may take words to say that nothing is known."""
ECHOED = 2_000
"""Characters of an unusable reply that the model is shown again."""
_BY_RULE = "by rule, the model was not asked"
_FLAG = f"flagged; {_BY_RULE}"
_UNCAPPED = (AnswerFormat.JSON, AnswerFormat.SUMMARY)
"""Where the length of an answer says nothing: fields that are not weighed, and summaries."""

_number = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?")


class ModelJudge:
    """Judges answers by what a chat model says of them.

    Parts as those of the rule judge: `right`; `f1`, the token F1 of the whole reply, without any judge; and
    `field:<name>` for each entry of `Key.field_gold`, all asked in one call. `why` opens with a reason code and keeps
    the reason of each vote. What needs no model is decided by rule: letters, flagged abstentions, empty replies, and
    replies that are an accepted answer to the letter or to the number; with `Key.guidance` the last are asked too.

    A conflict whose values are not known is weighed by its accepted and rejected answers if the key has guidance on it.

    A summary with points in `Key.field_gold` is asked of three times: does it read well, which points has it, which of
    its sentences does `Key.gold[0]` bear out. Its parts are those of `summary_parts`.

    A reply of the model that is not exactly one JSON object with allowed verdicts is answered with what is wrong with
    it, at most `retries` times; then the vote is void. Without a majority of all votes a part stays undecided.
    """

    def __init__(self, model: ChatModel, votes: int = 1, retries: int = 2) -> None:
        if votes < 1 or retries < 0:
            raise ValueError(f"`votes` starts at 1 and `retries` at 0, got {votes} and {retries}")
        self._model, self._votes, self._retries = model, votes, retries
        digests = {role: prompt(role).digest for role in ROLES}
        prompts = digest({role: one for role, one in digests.items() if FIRST.get(role) != one})[3:15]
        self._fingerprint = (
            f"model-judge-{VERSION}:{model.fingerprint}:prompts={prompts}:votes={votes}:retries={retries}"
        )

    @property
    def fingerprint(self) -> str:
        """That of the model, the prompts, and how often it is asked."""
        return self._fingerprint

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        """The verdict with its parts.

        Raises:
            CallError: The model failed; that is no verdict.
        """
        text = visible(reply.text)
        f1 = _f1(text, key)
        if is_summary(question, key):
            return Verdict(parts=(*self._summary(key, reply, text), f1), judge=self._fingerprint)
        right, fields = _by_rule(question, key, reply, text), dict[str, Counted]()
        if right is None and key.field_gold and not key.abstain:
            fields = self._fields(question, key, text)
            right = _all_of(fields)
        else:  # what holds for the whole reply holds for its fields
            right = right or self._whole(question, key, text)
            fields = dict.fromkeys(key.field_gold, right)
        parts = (part.named(f"{FIELD}{name}") for name, part in fields.items())
        return Verdict(parts=(right.named(RIGHT), f1, *parts), judge=self._fingerprint)

    def _whole(self, question: Question, key: Key, text: str) -> Counted:
        if key.abstain:
            words = text.split()
            capped = Capped(" ".join(words[:DECLINING_WORDS]), DECLINING_WORDS, len(words))
            ask = ask_declining(question, key, capped.text)
        else:
            capped = cap(text, key.gold)
            ask = ask_whole(question, key, capped.text)
        return _noted(self._each(ask, (WHOLE,))[WHOLE], capped)

    def _fields(self, question: Question, key: Key, text: str) -> dict[str, Counted]:
        # about as many words as an answer with all fields has
        longest = " ".join(f"{name} {max(values, key=len, default='')}" for name, values in key.field_gold.items())
        capped = Capped(text, 0, 0) if question.answer_format in _UNCAPPED else cap(text, [longest])
        found = self._each(ask_fields(question, key, capped.text), tuple(key.field_gold))
        return {name: _noted(counted, capped) for name, counted in found.items()}

    def _summary(self, key: Key, reply: Reply, text: str) -> tuple[Judgement, ...]:
        sentences = sentences_of(text)
        if reply.abstained or not sentences:
            empty = f"empty: the reply has no sentence; {_BY_RULE}"
            return tuple(nothing_said(f"abstained_wrong: {_FLAG}" if reply.abstained else empty, key.field_gold))
        fluency = self._each(ask_fluency(key, text), (WHOLE,))[WHOLE]
        recall, points = self._share(ask_points(key, text), tuple(key.field_gold), "points")
        precision = NO_GOLD
        if key.gold:
            precision, _ = self._share(ask_sentences(key, sentences), tuple(sentences), "sentences")
        return tuple(summary_parts(fluency, recall, precision, points))

    def _share(self, ask: VerdictRequest, names: Sequence[str], what: str) -> tuple[Counted, dict[str, Counted]]:
        """The share that is supported, with the model's reason, and the majority on each of *names*."""
        found = self._each(ask, (*names, WHOLE))
        reason = found.pop(WHOLE).why.partition(": ")[2]
        share = share_of(found, what)
        return (share if share.value is None else share._replace(why=f"{share.why}; {reason}")), found

    def _each(self, ask: VerdictRequest, names: Sequence[str]) -> dict[str, Counted]:
        """The majority on each of *names*."""
        votes = [self._one_vote(ask, number) for number in range(1, self._votes + 1)]
        return {name: count([one if isinstance(one, Unusable) else one[name] for one in votes]) for name in names}

    def _one_vote(self, ask: VerdictRequest, number: int) -> Decisions | Unusable:
        """The decisions of one vote; each try after the first says what was wrong with the one before."""
        turns = [Turn(role="user", text=ask.text(number))]
        for _ in range(self._retries):
            reply = self._model.complete(turns, schema=ask.schema)
            found = ask.read(reply)
            if not isinstance(found, Unusable):
                return found
            turns.append(Turn(role="assistant", text=reply[:ECHOED] or "(no text)"))
            turns.append(Turn(role="user", text=ask.again(found.problem)))
        return ask.read(self._model.complete(turns, schema=ask.schema))


def _by_rule(question: Question, key: Key, reply: Reply, text: str) -> Counted | None:
    """What needs no model; `None` where the model must be asked."""
    if reply.abstained:
        found: Finding | None = yes("abstained_right", _FLAG) if key.abstain else no("abstained_wrong", _FLAG)
    elif not text:
        found = no("empty", f"the reply has no text; {_BY_RULE}")
    elif key.abstain or key.field_gold:
        found = None
    elif question.answer_format is AnswerFormat.SUMMARY:
        return Counted(None, UNJUDGED)
    elif key.labels.get(CONFLICT) == "yes" and not key.guidance:
        why = "the key names no values that conflict, and no guidance says what is right"
        return Counted(None, f"conflict_without_values: {why}")
    elif not key.gold:
        return Counted(None, "no_reference: the key has no accepted answer")
    else:
        found = _to_the_letter(question, key, text)
    return None if found is None else Counted(float(found.right), found.why)


def _to_the_letter(question: Question, key: Key, text: str) -> Finding | None:
    if question.answer_format is AnswerFormat.LETTER:
        found = judge_letter(text, key.gold, question.options)
        return found._replace(detail="; ".join(filter(None, (found.detail, _BY_RULE))))
    gold = {visible(one) for one in key.gold}
    if key.guidance or text in {visible(one) for one in key.rejected}:
        return None
    if text in gold:
        return yes("exact", _BY_RULE)
    numbers = {Decimal(one) for one in gold if _number.fullmatch(one)}
    if question.answer_format is AnswerFormat.NUMBER and _number.fullmatch(text) and Decimal(text) in numbers:
        return yes("number", _BY_RULE)
    return None


def _all_of(fields: Mapping[str, Counted]) -> Counted:
    """Right if all fields are; wrong if one is; undecided if that hangs on an undecided one."""
    wrong = [name for name, field in fields.items() if field.value == 0.0]
    undecided = [name for name, field in fields.items() if field.value is None]
    right = f"{len(fields) - len(wrong) - len(undecided)} of {len(fields)} fields"
    if not wrong and not undecided:
        return Counted(1.0, f"all_fields: {right}")
    code = fields[(wrong or undecided)[0]].why.partition(":")[0]
    listed = f"wrong: {', '.join(wrong)}" if wrong else f"undecided: {', '.join(undecided)}"
    return Counted(0.0 if wrong else None, one_line(f"{code}: {right}; {listed}"))


def _noted(counted: Counted, capped: Capped) -> Counted:
    return counted._replace(why=f"{counted.why}; {capped.note}") if capped.note else counted


def _f1(text: str, key: Key) -> Judgement:
    if not key.gold:
        return Judgement(name=F1, value=None, why="no_reference: the key has no accepted answer")
    return Judgement(name=F1, value=max(token_f1(text, one).f1 for one in key.gold), why="token F1 of the whole reply")
