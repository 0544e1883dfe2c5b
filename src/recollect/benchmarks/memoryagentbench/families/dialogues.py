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
from recollect.contracts.benchmark import TaskCard
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


VERSION = 1

_CONTAINED = (
    "The reply is right if it has the accepted answer in it. An answer that means the same counts, and so does one "
    "that gives all the steps from which the accepted answer follows at once. A reply with only a part of what the "
    "accepted answer says is wrong."
)

_TEMPORAL = (
    f"{_CONTAINED} A count of days, weeks, months or the like that is off by one is no error: where the accepted "
    "answer is 18 days, 17 and 19 days are right as well."
)

_UPDATED = (
    "What was asked for has changed in the course of time, and the accepted answer is what holds now. The reply is "
    "right if that is what it gives as its answer. It may tell the earlier state beside it, or how the one became the "
    "other; with the earlier state alone, or with it as the answer, it is wrong."
)

_PREFERENCE = (
    "What stands as the accepted answer is no answer but a description of what a fitting reply takes into account. The "
    "reply is right if it recalls what the user has told about himself or herself and makes proper use of it. It need "
    "not touch all points of the description. A reply that any user might have got is wrong."
)

_UNKNOWABLE = (
    "The dialogues do not hold what is asked for. The reply is right if it finds that the question cannot be answered: "
    "by saying that this was never told, that too little is known, or that something near it was told instead and what "
    "was asked for was not. A reply that gives an answer all the same is wrong."
)

TEXTS: Mapping[str, str] = {
    "single-session-user": _CONTAINED,
    "single-session-assistant": _CONTAINED,
    "multi-session": _CONTAINED,
    "temporal-reasoning": _TEMPORAL,
    "knowledge-update": _UPDATED,
    "single-session-preference": _PREFERENCE,
}
"""Type of a question -> what counts as right for it."""

ABSTAINING = _UNKNOWABLE
"""The same for questions of any type that cannot be answered."""


def guidance_of(question_type: str, abstain: bool) -> str:
    """What the judge is told of a question of this type; *abstain* where nothing in the dialogues answers it.

    Raises:
        ValueError: There is no such type.
    """
    if question_type not in TEXTS:
        raise ValueError(f"no type of question is called {question_type!r}; there are {', '.join(sorted(TEXTS))}")
    return ABSTAINING if abstain else TEXTS[question_type]


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


LABELS = {
    "question_type": "dialogues: one of LongMemEval's six types",
    "question_id": "dialogues: what LongMemEval calls the question; `_abs` in it marks one without an answer",
    "abstain": "dialogues: `yes` where the history does not tell, and the right reply is to say so",
    "evidence_lost": "dialogues: turns that are marked as evidence, but do not stand in the context",
    "asks_for": "generated dialogues: what is asked: `name`, `value`, `rubric`, `count`, `sum`, `days_between`, "
    "`days_ago`, `first`, `order`; of a question without an answer, what it seems to ask for",
    "theme": "generated dialogues: what is spoken of",
}

LICENCES = {"LongMemEval (longmemeval_s*)": "MIT: name Wu et al. 2025; the files are the user's own"}

DEVIATION = (
    "Replies are matched by question and read strictly, where the authors' script matches by position and takes any "
    "`yes` in the judge's reply; the judge's prompts are ours. Built rows draw 60 of LongMemEval's questions each, and "
    "tokens are those of the bundled tokenizer."
)

_PARTS = {
    "right": "the judge's verdict; the primary measure",
    "substring_exact_match": "an accepted answer occurs in the reply",
    "f1": "words shared with the nearest accepted answer",
    "stale": "the reply names a value that no longer holds or is somebody else's, and no accepted one",
}


def _task(source: Source) -> TaskCard:
    if source.made:
        what = "Answer from the generated chats of one person with an assistant over months."
    else:
        what = f"Answer from the chats of one person with an assistant, about {CONTEXT_TOKENS:,} tokens. {DEVIATION}"
    return TaskCard(
        name=source.name,
        meaning=f"{what} Who always declines is right on the questions without an answer, so the floor is their share.",
        measure="right",
        chance=None,
        judged=True,
        parts=_PARTS,
    )


FAMILY = Family(
    name="longmemeval",
    split="Accurate_Retrieval",
    output_tokens=100,
    code_output_tokens=50,
    chunk_tokens=512,
    joint="\n",
    passages=passages_of,
    context=context_of,
    task=_task,
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
