"""LongMemEval (S*): dated chats with an assistant, and questions of six kinds about them, some without an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families.dialogue_layout import (
    Turn,
    chat_time,
    context_of,
    iso_time,
    passages_of,
    whole_of,
)
from recollect.benchmarks.memoryagentbench.families.family import Family, Published, Scored, Source, published
from recollect.benchmarks.memoryagentbench.families.short_answers import best, f1, holds
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.domain.histories import Keyed
from recollect.domain.messages import Message
from recollect.domain.outcomes import Outcome, Part
from recollect.domain.questions import Key
from recollect.metrics.text_match import word_match

TASK = "longmemeval_s*"
MADE = "longmemeval_generated"
TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
)
PUBLISHED_TYPES = dict(zip(TYPES, (45, 30, 30, 75, 75, 45), strict=True))
"""Type -> questions, over the five published rows."""
CONTEXT_TOKENS = 355_000
UNANSWERABLE = "_abs"
"""In the id of a question that the history does not answer."""


class _Index(NamedTuple):
    """Where sessions and turns of a context stand."""

    sessions: Mapping[tuple[Turn, ...], Sequence[int]]
    """Turns of a session -> place of the first turn of each such session."""
    turns: Mapping[Turn, Sequence[int]]


@lru_cache(maxsize=2)
def _index(context: str) -> _Index:
    """Made once a context, which is asked about often."""
    sessions: dict[tuple[Turn, ...], list[int]] = {}
    turns: dict[Turn, list[int]] = {}
    placed = enumerate(passages_of(context))
    for _, group in groupby(placed, key=lambda one: one[1].session):
        members = [(place, Turn(said.role, said.text)) for place, said in group]
        sessions.setdefault(tuple(turn for _, turn in members), []).append(members[0][0])
        for place, turn in members:
            turns.setdefault(turn, []).append(place)
    return _Index(sessions, turns)


def _asked(row: Row, place: int) -> Asked:
    told = row.metadata
    evidence, lost = _marked(row, place)
    return question_of(
        Told(
            name=_entry(told.question_ids, "question_ids", row, place),
            kind=_entry(told.question_types, "question_types", row, place),
            date=_entry(told.question_dates, "question_dates", row, place),
            text=row.questions[place],
            gold=row.answers[place],
        ),
        evidence,
        lost=lost,
    )


class Told(NamedTuple):
    """What LongMemEval's files say of a question."""

    name: str
    kind: str
    date: str
    text: str
    gold: tuple[str, ...]


def question_of(told: Told, evidence: tuple[int, ...], *, lost: int = 0) -> Asked:
    """The question that the files tell of, with the places of its evidence.

    Raises:
        ValueError: Its type or date is none.
    """

    if told.kind not in TYPES:
        raise ValueError(f"question type {told.kind!r} is none of {', '.join(TYPES)}")
    abstain = UNANSWERABLE in told.name
    labels = {"question_type": told.kind, "question_id": told.name, "abstain": "yes" if abstain else "no"}
    return Asked(
        text=told.text,
        gold=told.gold,
        evidence=evidence,
        labels={**labels, **({"evidence_lost": str(lost)} if lost else {})},
        asked_at=iso_time(told.date),
        abstain=abstain,
        guidance=guidance_of(told.kind, abstain),
    )


def _entry(values: Sequence[Any] | None, name: str, row: Row, place: int) -> Any:
    if values is None or len(values) != len(row.questions):
        found = "nothing" if values is None else f"{len(values)} entries"
        raise ValueError(f"`metadata.{name}`: it has {found} for {len(row.questions)} questions")
    return values[place]


def _marked(row: Row, place: int) -> tuple[tuple[int, ...], int]:
    """Places of the turns that the question's haystack marks, and how many of these the context lacks."""
    if row.metadata.haystack_sessions is None:
        return (), 0
    index = _index(row.context)
    found: set[int] = set()
    lost = 0
    for session in _entry(row.metadata.haystack_sessions, "haystack_sessions", row, place):
        said = [(Turn(turn.role, turn.content), turn.has_answer) for turn in session if turn.content.strip()]
        starts = index.sessions.get(tuple(turn for turn, _ in said), ())
        for number, (turn, marked) in enumerate(said):
            places = [start + number for start in starts] or index.turns.get(turn, ())
            found.update(places if marked else ())
            lost += bool(marked) and not places
    return tuple(sorted(found)), lost


def _published(one: Keyed) -> Published:
    questions = one.history.questions
    keys = [one.keys[question.question_id] for question in questions]
    metadata = {
        "question_ids": tuple(key.labels["question_id"] for key in keys),
        "question_types": tuple(key.labels["question_type"] for key in keys),
        "question_dates": tuple(chat_time(question.asked_at) for question in questions),
        "haystack_sessions": tuple(tuple(_evidence_sessions(one, key)) for key in keys),
    }
    return published(one, metadata=metadata)


def _evidence_sessions(one: Keyed, key: Key) -> Iterator[tuple[Any, ...]]:
    """The sessions that hold evidence, whole, with what is evidence marked."""
    for _, group in groupby(one.history.messages(), key=lambda said: said.session_id):
        said = tuple(group)
        if any(message.message_id in key.evidence for message in said):
            yield tuple(_turn(message, key) for message in said)


def _turn(message: Message, key: Key) -> Any:
    from recollect.benchmarks.memoryagentbench.rows import Turn as Written

    return Written(content=message.text, has_answer=message.message_id in key.evidence, role=message.role)


GUIDANCE = "guidance_v1"
"""The rules of LongMemEval's judge (Wu et al. 2024) in our words; keys hold them, so no released text is edited."""


def guidance_of(question_type: str, abstain: bool) -> str:
    """What the judge is told of a question of this type; *abstain* where nothing in the dialogues answers it.

    Raises:
        ValueError: There is no such type.
    """
    if question_type not in TYPES:
        raise ValueError(f"no type of question is called {question_type!r}; there are {', '.join(sorted(TYPES))}")
    return str(FAMILY.texts[GUIDANCE]["abstaining" if abstain else question_type])


RIGHT = "right"
_NOTHING_TOLD = "the history does not tell, so there are no words to match"


def score_dialogue(given: Scored) -> Outcome:
    """The judge's verdict; without one, or where it decided nothing, the outcome is undecided.

    Source:
        LongMemEval (Wu et al. 2025), the judged accuracy; an unanswerable question wants the reply that says so.
    """
    verdict = given.verdict
    right = verdict.value(RIGHT) if verdict is not None else None
    reasons = [part.why for part in verdict.parts if part.name == RIGHT] if verdict is not None else []
    decided = Part(name=RIGHT, value=right, weight=1.0, why="; ".join(reasons) or "no verdict")
    return given.judged(decided, _beside(given), declined=float(given.key.abstain))


def _beside(given: Scored) -> Iterator[Part]:
    key, said, gold = given.key, given.said, given.accepted
    if key.abstain:
        yield Part(name="substring_exact_match", value=None, why=_NOTHING_TOLD)
        yield Part(name="f1", value=None, why=_NOTHING_TOLD)
        return
    yield Part(name="substring_exact_match", value=best(holds, (said,), gold))
    yield Part(name="f1", value=best(f1, (said,), gold))
    if key.rejected:
        stale = best(word_match, (said,), key.rejected) and not best(word_match, (said,), gold)
        yield Part(name="stale", value=float(bool(stale)))


FAMILY = Family(
    name="longmemeval",
    split="Accurate_Retrieval",
    output_tokens=100,
    code_output_tokens=50,
    chunk_tokens=512,
    joint="\n",
    passages=passages_of,
    context=context_of,
    measure="right",
    judged=True,
    score=score_dialogue,
    asked=_asked,
    published=_published,
    whole=whole_of,
    chunked=False,
)

SOURCES = (
    Source(name=TASK, family=FAMILY, questions=300, rows=5, context_tokens=CONTEXT_TOKENS),
    Source(name=MADE, family=FAMILY, questions=None),
)
