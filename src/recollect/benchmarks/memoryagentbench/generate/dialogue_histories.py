"""An invented person's chats with an assistant over months, and questions of all six kinds about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.dialogues import MADE, UNANSWERABLE, guidance_of
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.dialogue_plans import Pending, Planner
from recollect.benchmarks.memoryagentbench.generate.dialogue_talk import Talked, Talker, Used
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import DialogueWords, dialogue_words
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    sessions: int
    """Chats of a history."""
    quotas: Mapping[str, int]
    """Kind -> questions of a history; `absent` ones have no answer."""


def _quotas(*counts: int) -> dict[str, int]:
    return dict(zip(("told", "advised", "preferred", "counted", "events", "updated", "absent"), counts, strict=True))


SIZES = {
    "small": Size(histories=2, sessions=34, quotas=_quotas(2, 2, 1, 2, 3, 2, 2)),
    "medium": Size(histories=5, sessions=90, quotas=_quotas(4, 3, 3, 4, 6, 4, 3)),
    "large": Size(histories=5, sessions=240, quotas=_quotas(6, 5, 5, 4, 10, 7, 4)),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row a person."""
    words = dialogue_words(held_out=held_out)
    used: Used = Counter()
    for number in range(SIZES[size].histories):
        rng = Random(seed_of("dialogues", size, seed, number, held_out=held_out))
        yield make_history(words, SIZES[size], number, rng, used)


def make_history(words: DialogueWords, size: Size, number: int, rng: Random, used: Used) -> Keyed:
    """One person's chats with all questions about them.

    Raises:
        ValueError: The catalogue is too small, or lets something else answer a question.
    """
    plan = Planner(words, rng).make(size.quotas)
    talked = Talker(words, rng, used).talk(plan.drops, size.sessions)
    today = talked.last + timedelta(days=rng.randint(1, 3))
    texts = [f" {normalise(said.text)} " for said in talked.passages]
    problems = [problem for one in plan.asked for problem in _problems(one, talked, texts)]
    if problems:
        raise ValueError(f"history {number}: {'; '.join(problems)}")
    at = today.isoformat(timespec="minutes")
    asked = [_asked(one, talked, at, today.date(), f"{number}-{place}") for place, one in enumerate(plan.asked)]
    return keyed(SOURCES[MADE], number, talked.passages, asked)


def _asked(one: Pending, talked: Talked, at: str, today: date, name: str) -> Asked:
    abstain = not one.drops
    labels = {
        "question_type": one.question_type,
        "question_id": f"{name}{UNANSWERABLE}" if abstain else name,
        "abstain": "yes" if abstain else "no",
        "asks_for": one.asks_for,
        "theme": one.theme,
    }
    return Asked(
        text=one.text,
        gold=one.answer(talked.days, today),
        rejected=one.rejected,
        evidence=tuple(sorted(talked.places[drop] for drop in one.drops)),
        labels=labels,
        asked_at=at,
        abstain=abstain,
        guidance=guidance_of(one.question_type, abstain),
    )


def _problems(one: Pending, talked: Talked, texts: Sequence[str]) -> Iterator[str]:
    """Where the chats hold something that makes an answer wrong or not the only one."""
    evidence = {talked.places[drop] for drop in one.drops}
    for value in one.unique:
        holders = _holders(texts, value)
        if not set(holders) <= evidence or not holders:
            yield f"{value!r} answers {one.text!r} and stands in messages {holders}, evidence is {sorted(evidence)}"
    yield from (f"{word!r} was never to be told" for word in one.never if _holders(texts, word))
    if one.mark:
        holders = _holders(texts, one.mark)
        known = {place for drop, place in talked.places.items() if drop.startswith(f"{one.group} ")}
        if not set(holders) <= known or not evidence <= set(holders):
            yield f"{one.mark!r} stands in messages {holders}, its group in {sorted(known)}"


def _holders(texts: Sequence[str], words: str) -> Sequence[int]:
    """Which of the normalised texts hold *words* at word borders."""
    wanted = f" {normalise(words)} "
    return [place for place, text in enumerate(texts) if wanted in text]
