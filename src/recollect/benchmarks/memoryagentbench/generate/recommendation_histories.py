"""Invented dialogues about films, and conversations that wait for a recommendation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import numbered
from recollect.benchmarks.memoryagentbench.families.recommendations import (
    ENTITIES,
    FILMS,
    MADE,
    MADE_FILMS,
    WORD,
    asked,
    with_names,
)
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.tastes import Film, Request, Talker, draw_films, talk_words, tastes
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    dialogues: int
    questions: int
    """For each history."""


SIZES = {
    "small": Size(histories=2, dialogues=44, questions=12),
    "medium": Size(histories=5, dialogues=600, questions=40),
    "large": Size(histories=5, dialogues=4_000, questions=200),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row for each set of tastes; the films are the same in all."""
    films, words = _films(size, seed, held_out), talk_words(held_out=held_out)
    for number in range(SIZES[size].histories):
        rng = Random(seed_of("recommendations", size, seed, number, held_out=held_out))
        talker = Talker(words, tastes(films, rng), rng)
        talks = talker.talks(SIZES[size].dialogues)
        texts = numbered([talk.text for talk in talks], WORD)
        questions = [_asked(one) for one in talker.requests(talks, SIZES[size].questions)]
        yield with_names(keyed(SOURCES[MADE], number, texts, questions), _shared(films), search=False)


def shared(size: str, seed: int, held_out: bool) -> dict[str, dict[str, Any]]:
    """The names of the films, by task."""
    return {MADE: _shared(_films(size, seed, held_out))}


def _films(size: str, seed: int, held_out: bool) -> list[Film]:
    return draw_films(MADE_FILMS, Random(seed_of("films", size, seed, 0, held_out=held_out)))


def _shared(films: list[Film]) -> dict[str, Any]:
    names = {str(film.number): film.name for film in sorted(films, key=lambda film: film.number)}
    return {ENTITIES: names, FILMS: list(names)}


def _asked(request: Request) -> Asked:
    one = asked(request.text, [str(number) for number in request.wanted])
    return replace(one, evidence=request.evidence, labels={**one.labels, "met": str(request.met)})
