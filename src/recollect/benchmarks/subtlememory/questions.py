"""The questions of one person with their keys: what is accepted, what is not, and where it was said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from string import Template, ascii_uppercase

from recollect.benchmarks.subtlememory.items import FOLDED, RELATED, RELATIONS, SUBTYPES, UNRELATED, Asked, Instance, Qa
from recollect.benchmarks.subtlememory.prompts import prompt
from recollect.domain.ids import HistoryId, MessageId, QuestionId
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.records.digests import opaque

ANSWER, CLASSIFY = "answer", "classify"
"""Names of the two prompts."""
OUTPUT_TOKENS = 512
CONTRADICTORY = "contradictory"
CONFLICT = "conflict"
"""Label of a key: `yes` where the right answer has to tell that two values contradict each other, `no` where a text
has to name values that do not."""
MISSED = "missed"
"""Label of a key: the wrong answers of the files as JSON, where they are not what the judge must refuse."""
LETTERS = ascii_uppercase
KINDS = tuple(SUBTYPES)
"""The five sub-types in the order in which a probe offers them."""
FRAME = "judge"
OF_SUBTYPE: Mapping[str, str] = {
    "K>1": "judge_multi",
    "any_one": "judge_any_one",
    "Temporal": "judge_temporal",
    "Context": "judge_context",
}
"""Folded sub-type -> its prompt; contradictions are told apart by source."""
OF_CONFLICT: Mapping[str, str] = {RELATED: "judge_conflict_user", UNRELATED: "judge_conflict_world"}
OF_SOURCE: Mapping[str, str] = {RELATED: "judge_user", UNRELATED: "judge_world"}


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the questions of one set of facts have in common."""

    history: HistoryId
    bundle: str
    instance: Instance
    evidence: tuple[MessageId, ...]
    """All messages of its sessions: published data say nothing finer."""

    @property
    def subtype(self) -> str:
        """Folded: who makes the claims of a contradiction does not matter."""
        raw = self.instance.relation_subtype
        return FOLDED.get(raw, raw)

    @property
    def conflict(self) -> bool:
        """Whether nothing decides between the facts."""
        return self.instance.relation_type == CONTRADICTORY


def scored(about: About, place: int) -> tuple[Question, Key]:
    """One question of a set of facts with its key."""
    qa = about.instance.qas[place]
    asked = qa.asked
    form = asked is not None and bool(asked.template)
    question = Question(
        question_id=QuestionId(opaque("q", about.history, about.instance.instance_id, place)),
        text=qa.query,
        options=_options(asked) if asked else (),
        answer_format=AnswerFormat.JSON if form else AnswerFormat.TEXT,
        template=dict(sorted(asked.template.items())) if asked else {},
        output_tokens=OUTPUT_TOKENS,
        prompt=ANSWER,
    )
    rejected, fields = _wanted(qa)
    return question, Key(
        question_id=question.question_id,
        gold=qa.correct_answers,
        rejected=rejected,
        field_gold=fields,
        evidence=about.evidence,
        guidance=guidance(about.instance, about.subtype),
        labels=dict(_labels(about, qa)),
        original_id=f"{about.bundle}:{about.instance.instance_id}:{place}",
    )


def classified(key: Key) -> Key:
    """The key of the probe that asks which of the five sub-types a question is of; only some runs ask it."""
    subtype = key.labels["subtype"]
    return Key(
        question_id=probe_id(key.question_id),
        gold=(LETTERS[KINDS.index(subtype)],) if subtype in KINDS else (),
        evidence=key.evidence,
        labels={"probe_of": key.original_id, **{name: key.labels[name] for name in ("relation", "subtype", "source")}},
        original_id=f"{key.original_id}:sub-type",
    )


def probe_id(question: QuestionId) -> QuestionId:
    """Name of the probe that belongs to a question."""
    return QuestionId(opaque("q", question, "sub-type"))


def _options(asked: Asked) -> tuple[Option, ...]:
    """In the order in which the question lists them."""
    return tuple(
        Option(letter=letter, text=_told(asked, name)) for letter, name in zip(LETTERS, asked.options, strict=False)
    )


def _told(asked: Asked, name: str) -> str:
    return f"{name}: {asked.described[name]}" if asked.described.get(name) else name


def _wanted(qa: Qa) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """What must not be said, and the accepted values of each part that must be, where those are known.

    A single side of a conflict, and one of several parts, are no right answers, but they stand in every right one, as
    most words of any published answer do. So where the parts are known, what must not be named is what our own files
    say, and not the published wrong answers.
    """
    if qa.asked is None or not qa.asked.fields:
        return qa.incorrect_answers, {}
    return qa.asked.others, qa.asked.fields


def _labels(about: About, qa: Qa) -> Iterator[tuple[str, str]]:
    instance = about.instance
    yield "relation", instance.relation_type
    yield "subtype", about.subtype
    if instance.relation_subtype != about.subtype:
        yield "subtype_raw", instance.relation_subtype
    yield "source", instance.source
    yield "topic", instance.topic
    yield "case", instance.case_id
    if about.conflict:
        yield CONFLICT, "yes"
    elif qa.asked is not None and qa.asked.fields and not qa.asked.template:
        yield CONFLICT, "no"
    if qa.asked is not None:
        yield "form", qa.asked.form
        if qa.asked.domain:
            yield "domain", qa.asked.domain
        if qa.asked.difficulty:
            yield "difficulty", qa.asked.difficulty
        if qa.asked.fields:
            yield MISSED, json.dumps(qa.incorrect_answers, ensure_ascii=False)


def guidance(instance: Instance, subtype: str) -> str:
    """Relation, sub-type, source, the case and its facts, each in a paragraph; what is not known is left out."""
    told = [
        _text(f"judge_{instance.relation_type}") if instance.relation_type in RELATIONS else "",
        *(_text(table[name]) if name in table else "" for table, name in _tables(instance, subtype)),
    ]
    rules = "\n".join(text for text in told if text)
    facts = "\n".join(f"- {_one_line(fact)}" for fact in instance.facts)
    return Template(_text(FRAME)).substitute(rules=rules, case=_one_line(instance.case), facts=facts).strip()


def _tables(instance: Instance, subtype: str) -> tuple[tuple[Mapping[str, str], str], ...]:
    if instance.relation_type == "contradictory":
        return (OF_CONFLICT, instance.source), (OF_SOURCE, instance.source)
    return (OF_SUBTYPE, subtype), (OF_SOURCE, instance.source)


@cache
def _text(role: str) -> str:
    return prompt(role).text


def _one_line(text: str) -> str:
    return " ".join(text.split())
