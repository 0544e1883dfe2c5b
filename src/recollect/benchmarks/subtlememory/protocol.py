"""What a system is told, and when: all sessions of a person, then all questions; nothing leaks back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from recollect.benchmarks.subtlememory.questions import CLASSIFY, KINDS, LETTERS, probe_id
from recollect.contracts.benchmark import StepSettings, check_settings
from recollect.domain.histories import Asking, History
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.domain.steps import Ask, Observe, Step

OUTPUT = "output_tokens"
CONFLICTS, REPORT, FREE = "conflicts", "report", "free"
"""Setting, and a question's variable: what is expected of an answer where statements contradict each other."""
CHOICES: Mapping[str, tuple[str, ...]] = {CONFLICTS: (REPORT, FREE), CLASSIFY: ("no", "yes")}
"""Setting -> its values, the usual one first."""
LETTER_TOKENS = 64
"""Longest reply to a probe: a letter, and some words around it."""
KIND_WORDS: Mapping[str, str] = {
    "K>1": "Several statements are needed together; each adds something to the answer.",
    "any_one": "Several statements say the same in other words; each is enough for the answer.",
    "Temporal": "Statements differ, and each holds for a time of its own.",
    "Context": "Statements differ, and each holds in a situation of its own.",
    "contradictory": "Statements contradict each other, and nothing says which of them holds.",
}
"""Sub-type -> how a probe tells it: in words that name none of them."""
_CLASSIFIED = (
    "I may ask you this: «{question}» Do not answer it now. How do the statements that bear on it, as you remember "
    "them, go together?"
)


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """All sessions in order, then one Ask.

    Args:
        history: One person.
        settings: `conflicts` is told to whoever reads by rules; `classify` = `yes` asks of each question too how the
            facts behind it go together; `output_tokens` changes the longest answer.
        talk: Not used: nobody converses here.

    Raises:
        ConfigError: A setting is none of ours.
    """
    check_settings(settings, "subtlememory", uncut="sessions", numbers=(OUTPUT,), choices=CHOICES)
    asked = {question.question_id: _as_set(question, settings) for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield Observe(session=event)
        elif isinstance(event, Asking):
            questions = [asked[name] for name in event.question_ids]
            probes = [_probe(question) for question in questions] if _set(settings, CLASSIFY) == "yes" else []
            yield Ask(checkpoint=event.checkpoint, questions=(*questions, *probes))


def _set(settings: StepSettings, name: str) -> str:
    return settings.extra.get(name, CHOICES[name][0])


def _as_set(question: Question, settings: StepSettings) -> Question:
    limit = settings.extra.get(OUTPUT)
    variables = {**question.variables, CONFLICTS: _set(settings, CONFLICTS)}
    return replace(question, variables=variables, output_tokens=int(limit) if limit else question.output_tokens)


def _probe(question: Question) -> Question:
    """Found by the words of the question alone, as the question itself is."""
    options = zip(LETTERS, (KIND_WORDS[kind] for kind in KINDS), strict=False)
    return Question(
        question_id=probe_id(question.question_id),
        text=_CLASSIFIED.format(question=question.text),
        cue=question.seen_by_search,
        options=tuple(Option(letter=letter, text=text) for letter, text in options),
        answer_format=AnswerFormat.LETTER,
        output_tokens=LETTER_TOKENS,
        prompt=CLASSIFY,
        purpose="probe",
    )
