"""The three questions on a summary that a model is asked, and all questions on any reply."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.judging.asking_model import (
    RIGHT,
    WRONG,
    Ask,
    ask_declining,
    ask_fields,
    ask_whole,
    decision_schema,
    object_of,
)
from recollect.judging.summary_parts import is_summary, sentences_of
from recollect.judging.verdict_text import Decision, Decisions, Unusable, read_numbers, read_whole

FLUENT, BROKEN = "fluent", "broken"
_SUPPORTED = "supported"
_SIDES = {FLUENT: RIGHT, BROKEN: WRONG}


def asks_of(question: Question, key: Key, text: str) -> tuple[Ask, ...]:
    """What a model is asked of the reply *text*, which is as the key accepts it; nothing where rules decide."""
    if key.abstain:
        return (ask_declining(question, key, text),)
    if is_summary(question, key):
        return (ask_fluency(key, text), ask_points(key, text), *_of_sentences(key, text))
    if key.field_gold:
        return (ask_fields(question, key, text),)
    if question.answer_format in (AnswerFormat.LETTER, AnswerFormat.SUMMARY) or not key.gold:
        return ()
    return (ask_whole(question, key, text),)


def ask_fluency(key: Key, text: str) -> Ask:
    """Does the summary *text* read well to its end?"""
    return Ask(
        role="summary_fluency",
        places={"summary": text},
        words=(FLUENT, BROKEN),
        schema=decision_schema((FLUENT, BROKEN)),
        example=json.dumps({"reason": "...", "verdict": FLUENT}),
        read=_read_fluency,
        guidance=key.guidance,
    )


def ask_points(key: Key, text: str) -> Ask:
    """Which of the key's points does the summary *text* have?"""
    points = {name: " | ".join(values) for name, values in key.field_gold.items()}
    return _ask_numbers("summary_recall", {"points": _numbered(points.values()), "summary": text}, list(points), key)


def ask_sentences(key: Key, sentences: Mapping[str, str]) -> Ask:
    """Which of the *sentences* does the gold summary bear out?"""
    places = {"reference": key.gold[0], "sentences": _numbered(sentences.values())}
    return _ask_numbers("summary_precision", places, list(sentences), key)


def _of_sentences(key: Key, text: str) -> Iterable[Ask]:
    return (ask_sentences(key, sentences) for sentences in (sentences_of(text),) if sentences and key.gold)


def _ask_numbers(role: str, places: Mapping[str, str], names: Sequence[str], key: Key) -> Ask:
    example = json.dumps({"reason": "...", _SUPPORTED: list(range(1, len(names) + 1))[:2]})
    number = {"type": "integer", "minimum": 1, "maximum": len(names)}
    return Ask(
        role=role,
        places={**places, "example": example},
        words=(),
        schema=object_of({"reason": {"type": "string"}, _SUPPORTED: {"type": "array", "items": number}}),
        example=example,
        read=lambda said: read_numbers(said, _SUPPORTED, names, (RIGHT, WRONG)),
        guidance=key.guidance,
        most=len(names),
    )


def _read_fluency(said: str) -> Decisions | Unusable:
    found = read_whole(said, (FLUENT, BROKEN))
    if isinstance(found, Unusable):
        return found
    return {name: Decision(_SIDES[one.verdict], one.reason) for name, one in found.items()}


def _numbered(texts: Iterable[str]) -> str:
    return "\n".join(f"{number}: {' '.join(text.split())}" for number, text in enumerate(texts, start=1))
