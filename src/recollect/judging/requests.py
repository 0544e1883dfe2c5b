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
FLUENT, BROKEN = "fluent", "broken"
_MEANINGS = {FLUENT: RIGHT, BROKEN: WRONG}
_SUPPORTED = "supported"
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
        parts = [self.role, *(f"{name} {value}" for name, value in sorted(self.places.items()))]
        parts += [f"guidance {self.guidance}"] if self.guidance else []
        attempt = 0  # each vote has a mark of its own, so that each is a call of its own
        while (mark := opaque("", vote, attempt, *parts)) in "\n".join(parts):
            attempt += 1
        rules, fence, material = prompt(self.role).text.partition(_FENCE)
        texts = [Template(rules).substitute(self.places, mark=mark)]
        if self.guidance:
            texts.append("\n\n" + Template(prompt("guidance").text).substitute(guidance=self.guidance))
        return "".join([*texts, Template(fence + material).substitute(self.places, mark=mark)])

    def again(self, problem: str) -> str:
        """What is said after a reply that cannot be used."""
        if self.most:
            again = Template(prompt("again_numbers").text)
            return again.substitute(problem=problem, example=self.example, most=self.most)
        words = ", ".join(f'"{word}"' for word in self.words)
        return Template(prompt("again").text).substitute(problem=problem, example=self.example, words=words)


def ask_whole(question: Question, key: Key, text: str) -> VerdictRequest:
    """Does the reply *text* say what the key accepts?"""
    texts = {"question": question.text, "reply": text}
    places = {**texts, "accepted": _lines(key.gold), "rejected": _lines(key.rejected)}
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
    shape = "a list" if question.items is None else f"a list of at most {question.items} items"
    if is_conflict(question, key):
        agree = key.labels.get(CONFLICT) == "no"
        shape = "a text that has every wanted part" if agree else "several values that contradict each other"
    elif question.answer_format is AnswerFormat.JSON:
        shape = "named fields"
    places = {
        "question": question.text,
        "shape": shape,
        "wanted": "\n".join(wanted),
        "rejected": _lines(key.rejected),
        "reply": text,
        "example": example,
    }
    return VerdictRequest(
        role="fields",
        places=places,
        words=words,
        schema=_object_of({label: _decision_schema(words) for label in labels}),
        example=example,
        read=lambda reply: read_fields(reply, labels, words),
        guidance=key.guidance,
    )


def _ask_one(role: str, places: Mapping[str, str], words: tuple[str, ...], guidance: str) -> VerdictRequest:
    """A request for one verdict, of *words*; `fluent` and `broken` count as right and wrong."""

    def read(reply: str) -> Decisions | Unusable:
        found = read_whole(reply, words)
        if isinstance(found, Unusable):
            return found
        return {name: Decision(_MEANINGS.get(one.verdict, one.verdict), one.reason) for name, one in found.items()}

    return VerdictRequest(
        role=role,
        places=places,
        words=words,
        schema=_decision_schema(words),
        example=_json({"reason": "...", "verdict": words[0]}),
        read=read,
        guidance=guidance,
    )


def _lines(texts: Sequence[str]) -> str:
    return "\n".join(" ".join(text.split()) for text in texts) or _NONE


def _decision_schema(words: Sequence[str]) -> dict[str, Any]:
    return _object_of({"reason": {"type": "string"}, "verdict": {"type": "string", "enum": list(words)}})


def _object_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def asks_of(question: Question, key: Key, text: str) -> tuple[VerdictRequest, ...]:
    """What a model is asked of the reply *text*, which is as the key accepts it; nothing where rules decide."""
    if key.abstain:
        return (ask_declining(question, key, text),)
    if is_summary(question, key):
        sentences = sentences_of(text) if key.gold else {}
        of_sentences = (ask_sentences(key, sentences),) if sentences else ()
        return (ask_fluency(key, text), ask_points(key, text), *of_sentences)
    if key.field_gold:
        return (ask_fields(question, key, text),)
    if question.answer_format in (AnswerFormat.LETTER, AnswerFormat.SUMMARY) or not key.gold:
        return ()
    return (ask_whole(question, key, text),)


def ask_fluency(key: Key, text: str) -> VerdictRequest:
    """Does the summary *text* read well to its end?"""
    return _ask_one("summary_fluency", {"summary": text}, (FLUENT, BROKEN), key.guidance)


def ask_points(key: Key, text: str) -> VerdictRequest:
    """Which of the key's points does the summary *text* have?"""
    points = {name: " | ".join(values) for name, values in key.field_gold.items()}
    return _ask_numbers("summary_recall", {"points": _numbered(points.values()), "summary": text}, list(points), key)


def ask_sentences(key: Key, sentences: Mapping[str, str]) -> VerdictRequest:
    """Which of the *sentences* does the gold summary bear out?"""
    places = {"reference": key.gold[0], "sentences": _numbered(sentences.values())}
    return _ask_numbers("summary_precision", places, list(sentences), key)


def _ask_numbers(role: str, places: Mapping[str, str], names: Sequence[str], key: Key) -> VerdictRequest:
    example = json.dumps({"reason": "...", _SUPPORTED: list(range(1, len(names) + 1))[:2]})
    number = {"type": "integer", "minimum": 1, "maximum": len(names)}
    return VerdictRequest(
        role=role,
        places={**places, "example": example},
        words=(),
        schema=_object_of({"reason": {"type": "string"}, _SUPPORTED: {"type": "array", "items": number}}),
        example=example,
        read=lambda said: read_numbers(said, _SUPPORTED, names, (RIGHT, WRONG)),
        guidance=key.guidance,
        most=len(names),
    )


def _numbered(texts: Iterable[str]) -> str:
    return "\n".join(f"{number}: {' '.join(text.split())}" for number, text in enumerate(texts, start=1))
