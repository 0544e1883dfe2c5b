"""Invented dialogues about films: what people like can be learned from them, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of
from recollect.benchmarks.memoryagentbench.families.events import numbered
from recollect.benchmarks.memoryagentbench.families.recommendations import (
    ENTITIES,
    FILMS,
    MADE,
    MADE_FILMS,
)
from recollect.benchmarks.memoryagentbench.generate import generate
from recollect.benchmarks.memoryagentbench.generate.recommendations import (
    GROUP,
    SIZES,
    SPECS,
    draw_films,
    talk_words,
    tastes,
)
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Keyed
from recollect.memories.window import WindowConfig
from recollect.text.tokens import count

from tests.unit.benchmarks.memoryagentbench.generated import generated, shared


@pytest.fixture(params=[False, True], ids=["shown", "held out"], scope="module")
def made(request: pytest.FixtureRequest) -> list[Keyed]:
    return list(generated(SPECS, "small", 5, request.param))


def _liked(text: str, names: Mapping[str, str]) -> set[str]:
    return {number for number, name in names.items() if f" {name} (" in text}


def test_counts_and_lengths_are_those_of_the_size(made: list[Keyed]) -> None:
    size = SIZES["small"]
    assert len(made) == size.histories
    for one in made:
        texts = [message.text for message in one.history.messages()]
        assert (len(texts), len(one.history.questions)) == (size.length, size.questions)
        assert 2 * WindowConfig().tokens < count(context_of(texts)) < 8_000
        assert max(map(count, texts)) <= SOURCES[MADE].chunk_tokens


def _recall(one: Keyed, *, from_evidence: bool) -> float:
    """Of one who counts which films are named with those of the user; it knows no taste and no wording but the year."""
    names, rates = _names(one), []
    texts = {message.message_id: message.text for message in one.history.messages()}
    for question in one.history.questions:
        key, named = one.keys[question.question_id], _liked(question.text, names)
        sets = [_liked(texts[place], names) for place in (key.evidence if from_evidence else texts)]
        votes = {film: sum(len(films & named) for films in sets if film in films) for film in names}
        first = sorted((film for film in names if film not in named), key=lambda film: (-votes[film], film))[:5]
        rates.append(sum(film in first for film in key.field_gold[ENTITIES]) / len(key.field_gold[ENTITIES]))
    return sum(rates) / len(rates)


def test_one_who_has_the_evidence_recommends_rightly_and_one_who_searches_comes_near(made: list[Keyed]) -> None:
    """Dislikes are counted as likes here, so that it need not be right always."""
    assert min(_recall(one, from_evidence=True) for one in made) > 0.9
    assert min(_recall(one, from_evidence=False) for one in made) > 0.6


def test_nothing_in_the_question_or_the_list_of_films_tells_the_answer(made: list[Keyed]) -> None:
    """The most named films of a context, and the films nearest by number or title, are right no more than chance."""
    for one in made:
        names = _names(one)
        texts = [message.text for message in one.history.messages()]
        popular = sorted(names, key=lambda film: (-sum(f" {names[film]} (" in text for text in texts), film))[:5]
        rates = []
        for question in one.history.questions:
            wanted = one.keys[question.question_id].field_gold[ENTITIES]
            assert not _liked(question.text, {film: names[film] for film in wanted})
            rates.append(sum(film in popular for film in wanted) / len(wanted))
        assert sum(rates) / len(rates) < 0.25


def _names(one: Keyed) -> dict[str, str]:
    held_out = one.history.history_id not in {other.history.history_id for other in generated(SPECS, "small", 5, False)}
    found: dict[str, str] = shared(SPECS, "small", 5, held_out)[MADE][ENTITIES]
    return found


def test_each_wanted_film_is_named_in_the_evidence_with_one_the_user_likes(made: list[Keyed]) -> None:
    for one in made:
        names = _names(one)
        texts = {message.message_id: message.text for message in one.history.messages()}
        for question in one.history.questions:
            key, named = one.keys[question.question_id], _liked(question.text, names)
            assert key.evidence
            told = [_liked(texts[name], names) for name in key.evidence]
            assert all(films & named for films in told)
            assert all(any(film in films for films in told) for film in key.field_gold[ENTITIES])
            assert 1 <= int(key.labels["wanted"]) <= 3


def test_tastes_differ_from_row_to_row_and_films_do_not() -> None:
    films = draw_films(MADE_FILMS, Random(1))
    assert len({film.name.lower() for film in films}) == len({film.number for film in films}) == MADE_FILMS
    one, other = (tastes(films, Random(seed)) for seed in (1, 2))
    assert {len(group) for group in one} == {GROUP}
    pairs = {frozenset((a.number, b.number)) for group in one for a in group for b in group if a != b}
    again = {frozenset((a.number, b.number)) for group in other for a in group for b in group if a != b}
    assert len(pairs & again) < 0.15 * len(pairs)


def test_held_out_words_are_never_shown() -> None:
    shown, held = talk_words(held_out=False), talk_words(held_out=True)
    assert all(shown[role] and held[role] and not set(shown[role]) & set(held[role]) for role in shown)


def test_the_names_are_written_once_and_come_back(tmp_path: Path) -> None:
    data = Dataset(
        benchmark="memoryagentbench",
        histories=tuple(generated(SPECS, "small", 3, False)),
        shared=shared(SPECS, "small", 3, False),
        origin="generated: small, seed 3",
    )
    write(data, tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert ["shared" in json.loads(line)["recollect"] for line in lines] == [True, False]
    assert load(tmp_path / "a.jsonl") == data
    assert len(data.shared[MADE][ENTITIES]) == MADE_FILMS


@pytest.mark.slow
def test_all_generated_rows_come_with_the_names_of_their_films() -> None:
    whole = generate("small", 3)
    assert whole.shared[MADE] == shared(SPECS, "small", 3, False)[MADE]
    assert [one for one in whole.histories if one.task == MADE] == list(generated(SPECS, "small", 3, False))


def test_generated_rows_survive_parquet(made: list[Keyed], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    names = {ENTITIES: _names(made[0]), FILMS: list(_names(made[0]))}
    data = Dataset(benchmark="memoryagentbench", histories=tuple(made), shared={MADE: names}, origin="here")
    write(data, tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet") == data


def test_a_list_counts_from_one() -> None:
    assert numbered(["A", "B"]) == "1. A\n2. B"
