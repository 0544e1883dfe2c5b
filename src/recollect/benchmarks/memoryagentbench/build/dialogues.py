"""LME(S*) made anew from LongMemEval: the haystacks of sixty questions merged into each of five histories.

Questions of one history must not contradict each other. Without a model that is told by rule: two questions clash
where they are the same but for `_abs`, ask in nearly the same words, date a shared chat differently, or where a turn
that is the evidence of one has nearly all words of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.dialogue_items import FILE, Chat, Item, chats_of, read_items
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS, context_of
from recollect.benchmarks.memoryagentbench.families.dialogues import (
    CONTEXT_TOKENS,
    PUBLISHED_TYPES,
    TASK,
    UNANSWERABLE,
    Told,
    question_of,
)
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Passage
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.messages import Role
from recollect.text.normal import search_tokens
from recollect.text.tokens import count

ROWS = 5
QUOTAS = {kind: questions // ROWS for kind, questions in PUBLISHED_TYPES.items()}
"""Type -> questions of a history."""
ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
SAME_QUESTION, SAME_MATTER, LEAST_WORDS = 0.6, 0.8, 3
"""Shares of words from which two questions ask for the same, and a turn tells what is asked; of so many words."""


@dataclass(frozen=True)
class Candidate:
    """A question with what tells whether it goes with another."""

    item: Item

    @cached_property
    def chats(self) -> list[Chat]:
        """Its haystack."""
        return chats_of(self.item)

    @cached_property
    def words(self) -> frozenset[str]:
        """What is asked for."""
        return frozenset(search_tokens(self.item.question))

    @cached_property
    def told(self) -> tuple[frozenset[str], ...]:
        """The words of each turn that is evidence."""
        turns = (turn for chat in self.chats if chat.evidence for turn in chat.turns if turn.has_answer)
        return tuple(frozenset(search_tokens(turn.content)) for turn in turns)

    @cached_property
    def dates(self) -> dict[object, str]:
        """Its evidence chats, by id and by text, and when they took place."""
        return {name: chat.said_at for chat in self.chats if chat.evidence for name in (chat.session_id, chat.texts)}

    @property
    def stem(self) -> str:
        """The same for a question and its twin without an answer."""
        return self.item.question_id.replace(UNANSWERABLE, "")


def clash(one: Candidate, other: Candidate) -> bool:
    """Whether both questions cannot be asked about one history."""
    return (
        one.stem == other.stem
        or any(other.dates.get(name, at) != at for name, at in one.dates.items())
        or _share(one.words & other.words, one.words | other.words) >= SAME_QUESTION
        or _tells(one, other)
        or _tells(other, one)
    )


def _tells(one: Candidate, other: Candidate) -> bool:
    """A turn that is evidence for *one* holds nearly all words of the *other* question."""
    enough = len(other.words) >= LEAST_WORDS
    return enough and any(_share(other.words & told, other.words) >= SAME_MATTER for told in one.told)


def _share(part: Set[str], whole: Set[str]) -> float:
    return len(part) / len(whole) if whole else 0.0


def build_dialogues(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:  # noqa: ARG001 - a builder's form
    """The five rows.

    Raises:
        DataError: The file is not there or not of its layout, or has too few questions for a history of its own.
    """
    items = read_items(folder)
    rng = Random(f"{TASK} {seed}")
    candidates = [Candidate(item) for item in rng.sample(items, len(items))]
    made, reached = [], []
    for number, chosen in enumerate(_choose(candidates)):
        if not chosen:
            raise DataError(f"its {len(items)} questions do not reach for {ROWS} histories", folder / FILE)
        merged = merge(chosen, CONTEXT_TOKENS, rng)
        passages = [said for place, chat in enumerate(merged) for said in _said(chat, place)]
        made.append(keyed(SOURCES[TASK], number, passages, [_asked(one, merged) for one in chosen]))
        reached.append(_reached(number, chosen, passages))
    return made, f"{TASK} ({len(items)} questions; {'; '.join(reached)})"


def _choose(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Questions of each history: of every type up to its quota, none that clash; where there are few, all get some."""
    rows: list[list[Candidate]] = [[] for _ in range(ROWS)]
    taken = [dict.fromkeys(QUOTAS, 0) for _ in range(ROWS)]
    for one in candidates:
        kind = one.item.question_type
        free = sorted((taken[row][kind], row) for row in range(ROWS) if taken[row][kind] < QUOTAS[kind])
        fits = (row for _, row in free if not any(clash(one, other) for other in rows[row]))
        row = next(fits, None)
        if row is not None:
            rows[row].append(one)
            taken[row][kind] += 1
    return rows


def merge(chosen: Sequence[Candidate], budget: int, rng: Random) -> list[Chat]:
    """The union of the haystacks in order of time.

    All evidence is in it; of other chats, in random order, as many as *budget* tokens hold. A chat comes once, by its
    text, and one that is no evidence by its id too.
    """
    every = [chat for one in chosen for chat in one.chats]
    evidence = [chat for chat in every if chat.evidence]
    others = [chat for chat in every if not chat.evidence]
    known: set[object] = set()
    kept = list(_new(evidence, known))
    budget -= sum(_tokens(chat) for chat in kept)
    for chat in _new(rng.sample(others, len(others)), known):
        tokens = _tokens(chat)
        if tokens <= budget:
            kept.append(chat)
            budget -= tokens
    return sorted(kept, key=lambda chat: (chat.said_at, chat.session_id))


def _new(chats: Sequence[Chat], known: set[object]) -> Iterator[Chat]:
    for chat in chats:
        if chat.texts not in known and (chat.evidence or chat.session_id not in known):
            known.update((chat.session_id, chat.texts))
            yield chat


def _tokens(chat: Chat) -> int:
    return count(context_of(_said(chat, 0)))


def _said(chat: Chat, number: int) -> list[Passage]:
    return [
        Passage(
            text=turn.content,
            session=number,
            role=ROLES[turn.role],
            speaker=SPEAKERS[turn.role],
            said_at=chat.said_at,
        )
        for turn in chat.turns
    ]


def _asked(one: Candidate, merged: Sequence[Chat]) -> Asked:
    """The question with its evidence: what its own haystack marks, where it stands in the history."""
    item = one.item
    starts = [0, *accumulate(len(chat.turns) for chat in merged)]
    at = {chat.texts: start for chat, start in zip(merged, starts, strict=False)}
    marked = (
        at[chat.texts] + place
        for chat in one.chats
        if chat.evidence
        for place, turn in enumerate(chat.turns)
        if turn.has_answer
    )
    told = Told(item.question_id, item.question_type, item.question_date, item.question, (str(item.answer),))
    return question_of(told, tuple(sorted(set(marked))))


def _reached(number: int, chosen: Sequence[Candidate], passages: Sequence[Passage]) -> str:
    """What was asked for, and what there was."""
    wanted = sum(QUOTAS.values())
    short = [
        f"{sum(one.item.question_type == kind for one in chosen)} of {quota} {kind}"
        for kind, quota in QUOTAS.items()
        if sum(one.item.question_type == kind for one in chosen) < quota
    ]
    less = f" ({', '.join(short)})" if short else ""
    tokens = count(context_of(passages))
    sessions = passages[-1].session + 1
    return (
        f"row {number}: {len(chosen)} of {wanted} questions{less}, {sessions} chats, "
        f"{tokens:,} of {CONTEXT_TOKENS:,} tokens"
    )
