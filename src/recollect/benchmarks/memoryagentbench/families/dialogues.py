"""LongMemEval (S*): dated chats with an assistant, and questions of six kinds about them, some without an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

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
from recollect.benchmarks.memoryagentbench.rows import Turn as RowTurn
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Part
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
CONTEXT_TOKENS = 355_000
UNANSWERABLE = "_abs"
"""In the id of a question that the history does not answer."""


@lru_cache(maxsize=2)
def _positions(context: str) -> tuple[Mapping[tuple[Turn, ...], Sequence[int]], Mapping[Turn, Sequence[int]]]:
    """Turns of a session -> first positions of such sessions, and turn -> its positions; cached for all questions."""
    sessions: dict[tuple[Turn, ...], list[int]] = {}
    turns: dict[Turn, list[int]] = {}
    for _, group in groupby(enumerate(passages_of(context)), key=lambda one: one[1].session):
        members = [(place, Turn(passage.role, passage.text)) for place, passage in group]
        sessions.setdefault(tuple(turn for _, turn in members), []).append(members[0][0])
        for place, turn in members:
            turns.setdefault(turn, []).append(place)
    return sessions, turns


def _asked(row: Row, place: int) -> Asked:
    metadata = row.metadata
    evidence, lost = _marked(row, place)
    return question_of(
        name=_entry(metadata.question_ids, "question_ids", row, place),
        kind=_entry(metadata.question_types, "question_types", row, place),
        date=_entry(metadata.question_dates, "question_dates", row, place),
        text=row.questions[place],
        gold=row.answers[place],
        evidence=evidence,
        lost=lost,
    )


def question_of(
    *, name: str, kind: str, date: str, text: str, gold: tuple[str, ...], evidence: tuple[int, ...], lost: int = 0
) -> Asked:
    """A question of LongMemEval's files; the context lacks *lost* of the turns that are evidence.

    Raises:
        ValueError: Unknown type, or not a chat time.
    """
    if kind not in TYPES:
        raise ValueError(f"question type {kind!r} is none of {', '.join(TYPES)}")
    abstain = UNANSWERABLE in name
    labels = {"question_type": kind, "question_id": name, "abstain": "yes" if abstain else "no"}
    if lost:
        labels["evidence_lost"] = str(lost)
    return Asked(
        text=text,
        gold=gold,
        evidence=evidence,
        labels=labels,
        asked_at=iso_time(date),
        abstain=abstain,
        guidance=guidance_of(kind, abstain),
    )


def _entry(values: Sequence[Any] | None, name: str, row: Row, place: int) -> Any:
    if values is None or len(values) != len(row.questions):
        found = "nothing" if values is None else f"{len(values)} entries"
        raise ValueError(f"`metadata.{name}`: it has {found} for {len(row.questions)} questions")
    return values[place]


def _marked(row: Row, place: int) -> tuple[tuple[int, ...], int]:
    """Positions of the turns that the question's haystack marks, and how many of these the context lacks."""
    if row.metadata.haystack_sessions is None:
        return (), 0
    sessions, all_turns = _positions(row.context)
    found: set[int] = set()
    lost = 0
    for session in _entry(row.metadata.haystack_sessions, "haystack_sessions", row, place):
        turns = [(Turn(turn.role, turn.content), turn.has_answer) for turn in session if turn.content.strip()]
        starts = sessions.get(tuple(turn for turn, _ in turns), ())
        for number, (turn, marked) in enumerate(turns):
            places = [start + number for start in starts] or all_turns.get(turn, ())
            found.update(places if marked else ())
            lost += bool(marked) and not places
    return tuple(sorted(found)), lost


def _published(one: Keyed) -> Published:
    questions = one.history.questions
    keys = [one.keys[question.question_id] for question in questions]
    sessions = [list(group) for _, group in groupby(one.history.messages(), key=lambda message: message.session_id)]
    haystacks = []
    for key in keys:  # the whole sessions with evidence, in which evidence is marked
        turns = [
            tuple(RowTurn(content=m.text, has_answer=m.message_id in key.evidence, role=m.role) for m in session)
            for session in sessions
        ]
        haystacks.append(tuple(session for session in turns if any(turn.has_answer for turn in session)))
    metadata = {
        "question_ids": tuple(key.labels["question_id"] for key in keys),
        "question_types": tuple(key.labels["question_type"] for key in keys),
        "question_dates": tuple(chat_time(question.asked_at) for question in questions),
        "haystack_sessions": tuple(haystacks),
    }
    return published(one, metadata=metadata)


GUIDANCE = "guidance_v1"
"""The rules of LongMemEval's judge (Wu et al. 2024) in our words; keys hold them, so no released text is edited."""


def guidance_of(question_type: str, abstain: bool) -> str:
    """The judge's instructions for a question of this type; *abstain* where the dialogues do not answer it.

    Raises:
        ValueError: There is no such type.
    """
    if question_type not in TYPES:
        raise ValueError(f"no type of question is called {question_type!r}; there are {', '.join(sorted(TYPES))}")
    return str(FAMILY.texts[GUIDANCE]["abstaining" if abstain else question_type])


RIGHT = "right"


def score_dialogue(scored: Scored) -> Outcome:
    """The judge's verdict; undecided without one or where it has no value.

    Source:
        LongMemEval (Wu et al. 2025), the judged accuracy; an unanswerable question wants the reply that says so.
    """
    verdict = scored.verdict
    right = verdict.value(RIGHT) if verdict is not None else None
    reasons = [part.why for part in verdict.parts if part.name == RIGHT] if verdict is not None else []
    decided = Part(name=RIGHT, value=right, weight=1.0, why="; ".join(reasons) or "no verdict")
    return scored.judged(decided, _unjudged(scored), declined=float(scored.key.abstain))


def _unjudged(scored: Scored) -> Iterator[Part]:
    key, reply, gold = scored.key, (scored.reply_text,), scored.accepted
    if key.abstain:
        for name in ("substring_exact_match", "f1"):
            yield Part(name=name, value=None, why="the history does not tell, so there are no words to match")
        return
    yield Part(name="substring_exact_match", value=best(holds, reply, gold))
    yield Part(name="f1", value=best(f1, reply, gold))
    if key.rejected:
        stale = best(word_match, reply, key.rejected) and not best(word_match, reply, gold)
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
