"""What a model is asked for a verdict: prompt, schema, and how its reply is read, for answers and for summaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from recollect.contracts.verdicts import CONFLICT
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.judging.parsing import Decision, Decisions, Unusable, read_fields, read_numbers, read_whole
from recollect.judging.prompts import prompt
from recollect.offline.judge.rule_judge import is_conflict
from recollect.offline.judge.summary_parts import is_summary, sentences_of
from recollect.records.digests import opaque

RIGHT, WRONG, ABSTAINED = "right", "wrong", "abstained"
_NONE = "(none)"
_FENCE = "\n\n<<< "
"""Opens the material of every prompt, behind its rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRequest:
    """One thing to be decided by a model."""

    role: str
    """Its prompt."""
    places: Mapping[str, str]
    """What stands between marks in the prompt, and the shape of the answer."""
    words: tuple[str, ...]
    """Verdicts that may be given."""
    schema: Mapping[str, Any]
    example: str
    """A usable reply."""
    read: Callable[[str], Decisions | Unusable]
    """Reads the model's reply."""
    guidance: str = ""
    """The key's own words on what counts as right."""
    most: int = 0
    """The largest number that may be given, where numbers are asked for and not words."""

    def text(self, vote: int) -> str:
        """The prompt. Its mark is a digest of all that it fences, so that no text in it can have known it."""
        told = [f"guidance {self.guidance}"] if self.guidance else []
        mark = _mark([self.role, *(f"{name} {value}" for name, value in sorted(self.places.items())), *told], vote)
        rules, fence, material = prompt(self.role).text.partition(_FENCE)
        said = Template(fence + material).substitute(self.places, mark=mark)
        return Template(rules).substitute(self.places, mark=mark) + self._further() + said

    def again(self, problem: str) -> str:
        """What is said after a reply that cannot be used."""
        if self.most:
            again = Template(prompt("again_numbers").text)
            return again.substitute(problem=problem, example=self.example, most=self.most)
        words = ", ".join(f'"{word}"' for word in self.words)
        return Template(prompt("again").text).substitute(problem=problem, example=self.example, words=words)

    def _further(self) -> str:
        """The guidance as a paragraph between rules and material; nothing where there is none."""
        if not self.guidance:
            return ""
        return "\n\n" + Template(prompt("guidance").text).substitute(guidance=self.guidance)


def ask_whole(question: Question, key: Key, text: str) -> VerdictRequest:
    """Does the reply *text* say what the key accepts?"""
    places = {
        "question": question.text,
        "accepted": _lines(key.gold),
        "rejected": _lines(key.rejected),
        "reply": text,
    }
    return _ask_one("single", places, (RIGHT, WRONG, ABSTAINED), key.guidance)


def ask_declining(question: Question, key: Key, text: str) -> VerdictRequest:
    """Does the reply *text* decline, as it should?"""
    return _ask_one("declining", {"question": question.text, "reply": text}, (RIGHT, WRONG), key.guidance)


def ask_fields(question: Question, key: Key, text: str) -> VerdictRequest:
    """Which of the key's fields does the reply *text* give? All in one call."""
    labels = {f"f{place}": name for place, name in enumerate(key.field_gold, start=1)}
    words = (RIGHT, WRONG)
    example = _json({label: {"reason": "...", "verdict": RIGHT} for label in labels})
    wanted = (
        f"{label} ({name}): {' | '.join(key.field_gold[name]) or _NONE}".replace("\n", " ")
        for label, name in labels.items()
    )
    places = {
        "question": question.text,
        "shape": _shape(question, key),
        "wanted": "\n".join(wanted),
        "rejected": _lines(key.rejected),
        "reply": text,
        "example": example,
    }
    return VerdictRequest(
        role="fields",
        places=places,
        words=words,
        schema=object_of({label: decision_schema(words) for label in labels}),
        example=example,
        read=lambda said: read_fields(said, labels, words),
        guidance=key.guidance,
    )


def _ask_one(role: str, places: Mapping[str, str], words: tuple[str, ...], guidance: str) -> VerdictRequest:
    return VerdictRequest(
        role=role,
        places=places,
        words=words,
        schema=decision_schema(words),
        example=_json({"reason": "...", "verdict": RIGHT}),
        read=lambda said: read_whole(said, words),
        guidance=guidance,
    )


def _shape(question: Question, key: Key) -> str:
    if is_conflict(question, key):
        agree = key.labels.get(CONFLICT) == "no"
        return "a text that has every wanted part" if agree else "several values that contradict each other"
    if question.answer_format is AnswerFormat.JSON:
        return "named fields"
    return "a list" if question.items is None else f"a list of at most {question.items} items"


def _mark(parts: Sequence[str], vote: int) -> str:
    """A digest that occurs in none of *parts*; each vote has its own, so that each is a call of its own."""
    attempt = 0
    while (mark := opaque("", vote, attempt, *parts)) in "\n".join(parts):
        attempt += 1
    return mark


def _lines(texts: Sequence[str]) -> str:
    return "\n".join(" ".join(text.split()) for text in texts) or _NONE


def decision_schema(words: Sequence[str]) -> dict[str, Any]:
    """The schema of a verdict, one of *words*, with its reason."""
    return object_of({"reason": {"type": "string"}, "verdict": {"type": "string", "enum": list(words)}})


def object_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these fields and no other."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


FLUENT, BROKEN = "fluent", "broken"
_SUPPORTED = "supported"
_SIDES = {FLUENT: RIGHT, BROKEN: WRONG}


def asks_of(question: Question, key: Key, text: str) -> tuple[VerdictRequest, ...]:
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


def ask_fluency(key: Key, text: str) -> VerdictRequest:
    """Does the summary *text* read well to its end?"""
    return VerdictRequest(
        role="summary_fluency",
        places={"summary": text},
        words=(FLUENT, BROKEN),
        schema=decision_schema((FLUENT, BROKEN)),
        example=json.dumps({"reason": "...", "verdict": FLUENT}),
        read=_read_fluency,
        guidance=key.guidance,
    )


def ask_points(key: Key, text: str) -> VerdictRequest:
    """Which of the key's points does the summary *text* have?"""
    points = {name: " | ".join(values) for name, values in key.field_gold.items()}
    return _ask_numbers("summary_recall", {"points": _numbered(points.values()), "summary": text}, list(points), key)


def ask_sentences(key: Key, sentences: Mapping[str, str]) -> VerdictRequest:
    """Which of the *sentences* does the gold summary bear out?"""
    places = {"reference": key.gold[0], "sentences": _numbered(sentences.values())}
    return _ask_numbers("summary_precision", places, list(sentences), key)


def _of_sentences(key: Key, text: str) -> Iterable[VerdictRequest]:
    return (ask_sentences(key, sentences) for sentences in (sentences_of(text),) if sentences and key.gold)


def _ask_numbers(role: str, places: Mapping[str, str], names: Sequence[str], key: Key) -> VerdictRequest:
    example = json.dumps({"reason": "...", _SUPPORTED: list(range(1, len(names) + 1))[:2]})
    number = {"type": "integer", "minimum": 1, "maximum": len(names)}
    return VerdictRequest(
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
