"""LME(S*) rebuilt from LongMemEval: the haystacks of sixty questions merged into each of five histories.

Questions of one history must not contradict each other. The rule, without a model: two questions clash where they are
the same but for `_abs`, ask in nearly the same words, date a shared chat differently, or where a turn that is the
evidence of one has nearly all words of the other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import cast

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families import dialogues as family
from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS, context_of, iso_time
from recollect.benchmarks.memoryagentbench.families.dialogues import TYPES, UNANSWERABLE
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Passage
from recollect.benchmarks.memoryagentbench.rows import Turn
from recollect.domain.errors import DataError, listed
from recollect.domain.histories import Keyed
from recollect.domain.messages import Role
from recollect.records.data_files import text_of
from recollect.text.normal import search_tokens
from recollect.text.tokens import count

ROWS = 5
QUOTAS = {kind: questions // ROWS for kind, questions in family.PUBLISHED_TYPES.items()}
SAME_QUESTION, SAME_MATTER, LEAST_WORDS = 0.6, 0.8, 3
"""Shares of words from which two questions are the same, and a turn answers one; least words of a question for that."""


@dataclass(frozen=True)
class Candidate:
    """A question, and what decides whether it clashes with another."""

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
        """Id and contents of each evidence chat -> its time."""
        return {name: chat.said_at for chat in self.chats if chat.evidence for name in (chat.session_id, chat.texts)}

    @property
    def stem(self) -> str:
        """The same for a question and its twin without an answer."""
        return self.item.question_id.replace(family.UNANSWERABLE, "")


def clash(one: Candidate, other: Candidate) -> bool:
    """Whether two questions cannot be asked about one history."""

    def share(part: Set[str], whole: Set[str]) -> float:
        return len(part) / len(whole) if whole else 0.0

    return (
        one.stem == other.stem
        or any(other.dates.get(name, at) != at for name, at in one.dates.items())
        or share(one.words & other.words, one.words | other.words) >= SAME_QUESTION
        or any(
            len(asked.words) >= LEAST_WORDS and share(asked.words & told, asked.words) >= SAME_MATTER
            for teller, asked in ((one, other), (other, one))
            for told in teller.told
        )
    )


def build_dialogues(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:  # noqa: ARG001 - a builder's form
    """The five rows."""
    items = read_items(folder)
    rng = Random(f"{family.TASK} {seed}")
    candidates = [Candidate(item) for item in rng.sample(items, len(items))]
    made, origins = [], []
    for number, chosen in enumerate(_choose(candidates)):
        if not chosen:
            raise DataError(f"its {len(items)} questions do not reach for {ROWS} histories", folder / FILE)
        merged = merge(chosen, family.CONTEXT_TOKENS, rng)
        passages = [passage for place, chat in enumerate(merged) for passage in _passages(chat, place)]
        made.append(keyed(SOURCES[family.TASK], number, passages, [_asked(one, merged) for one in chosen]))
        kinds = Counter(one.item.question_type for one in chosen)
        short = ", ".join(f"{kinds[kind]} of {quota} {kind}" for kind, quota in QUOTAS.items() if kinds[kind] < quota)
        questions = f"{len(chosen)} of {sum(QUOTAS.values())} questions{f' ({short})' if short else ''}"
        tokens = f"{count(context_of(passages)):,} of {family.CONTEXT_TOKENS:,} tokens"
        origins.append(f"row {number}: {questions}, {passages[-1].session + 1} chats, {tokens}")
    return made, f"{family.TASK} ({len(items)} questions; {'; '.join(origins)})"


def _choose(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Questions of each history: of every type up to its quota, none that clash; few are spread over all histories."""
    rows: list[list[Candidate]] = [[] for _ in range(ROWS)]
    taken: Counter[tuple[int, str]] = Counter()
    for one in candidates:
        kind = one.item.question_type
        free = sorted((taken[row, kind], row) for row in range(ROWS) if taken[row, kind] < QUOTAS[kind])
        row = next((row for _, row in free if not any(clash(one, other) for other in rows[row])), None)
        if row is not None:
            rows[row].append(one)
            taken[row, kind] += 1
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
    return count(context_of(_passages(chat, 0)))


def _passages(chat: Chat, session: int) -> list[Passage]:
    passages = []
    for turn in chat.turns:
        role = cast("Role", turn.role)
        speaker = SPEAKERS[role]
        passages.append(Passage(text=turn.content, session=session, role=role, speaker=speaker, said_at=chat.said_at))
    return passages


def _asked(one: Candidate, merged: Sequence[Chat]) -> Asked:
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
    return family.question_of(
        name=item.question_id,
        kind=item.question_type,
        date=item.question_date,
        text=item.question,
        gold=(str(item.answer),),
        evidence=tuple(sorted(set(marked))),
    )


FILE = Path("longmemeval") / "longmemeval_s.json"
_FIX = (
    f"Put LongMemEval's file there as `{FILE}`: a JSON array of questions, from the data that the repository "
    "xiaowu0162/LongMemEval names. It is the user's own to get."
)
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with its haystack, whose lists are parallel."""

    question_id: str
    question_type: str
    question: str
    answer: str | int | float
    question_date: str
    haystack_session_ids: tuple[str, ...]
    haystack_dates: tuple[str, ...]
    haystack_sessions: tuple[tuple[Turn, ...], ...]
    answer_session_ids: tuple[str, ...] = ()

    @property
    def abstain(self) -> bool:
        """Nothing in the chats answers it."""
        return UNANSWERABLE in self.question_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One chat of a haystack."""

    session_id: str
    said_at: str
    turns: tuple[Turn, ...]
    evidence: bool
    """An answer session of its question."""

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """Identifies the chat by its contents."""
        return tuple((turn.role, turn.content) for turn in self.turns)


def chats_of(item: Item) -> list[Chat]:
    """The haystack, without chats that have no words."""
    chats = []
    haystack = zip(item.haystack_session_ids, item.haystack_dates, item.haystack_sessions, strict=True)
    for session_id, date, turns in haystack:
        kept = tuple(turn for turn in turns if turn.content.strip())
        marked = session_id in item.answer_session_ids or any(turn.has_answer for turn in kept)
        if kept:
            chats.append(Chat(session_id=session_id, said_at=iso_time(date), turns=kept, evidence=marked))
    return chats


def read_items(folder: Path) -> list[Item]:
    """All questions of the file; fields that other versions of it add are ignored.

    Raises:
        DataError: The file is missing or malformed, with its first twenty problems.
    """
    from recollect.records.codec import read

    path = folder / FILE
    try:
        rows = json.loads(text_of(path, fix=_FIX).removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"it is not JSON ({error})", path, fix=_FIX) from None
    if not isinstance(rows, list) or not rows:
        raise DataError("it is no array of questions", path, fix=_FIX)
    known = {field.name for field in fields(Item)}
    items, problems = [], []
    for number, row in enumerate(rows):
        kept = {name: row[name] for name in row if name in known} if isinstance(row, dict) else row
        item, found = read(Item, kept)
        problems += [f"item {number}: {problem}" for problem in found or _problems(item)]
        items.append(item)
    if not problems:
        names = Counter(item.question_id for item in items)
        problems = [f"`question_id` {name!r} occurs twice" for name in sorted(names) if names[name] > 1]
    if problems:
        more = [f"and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
        raise DataError(listed([*problems[:_MOST_PROBLEMS], *more]), path, fix=_FIX)
    return items


def _problems(item: Item) -> Iterator[str]:
    if item.question_type not in TYPES:
        yield f"`question_type`: {item.question_type!r} is none of {', '.join(TYPES)}"
    if not item.question.strip() or not str(item.answer).strip():
        yield "`question` or `answer` is empty"
    sizes = {len(item.haystack_session_ids), len(item.haystack_dates), len(item.haystack_sessions)}
    if len(sizes) > 1:
        yield f"the lists of the haystack are not of one length: {sorted(sizes)}"
    strange = {turn.role for turns in item.haystack_sessions for turn in turns} - SPEAKERS.keys()
    if strange:
        yield f"`haystack_sessions`: role {sorted(strange)[0]!r} is none of {', '.join(SPEAKERS)}"
    for when in (item.question_date, *item.haystack_dates):
        try:
            iso_time(when)
        except ValueError as error:
            yield str(error)
