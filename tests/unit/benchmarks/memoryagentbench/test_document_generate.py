"""Invented documents: sound, solvable from their evidence, and in held-out words where asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of
from recollect.benchmarks.memoryagentbench.families.documents import MADE, document_finder, title_of
from recollect.benchmarks.memoryagentbench.generate.document_histories import SIZES, make
from recollect.benchmarks.memoryagentbench.generate.entries import Entry, chained, make_entries, single
from recollect.benchmarks.memoryagentbench.generate.library import library_words
from recollect.benchmarks.memoryagentbench.histories import passages_of
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Keyed
from recollect.memories.window import WindowConfig
from recollect.metrics.text_match import word_match
from recollect.text.tokens import count


def _places(one: Keyed, number: int) -> list[int]:
    names = [message.message_id for message in one.history.messages()]
    return [names.index(name) for name in one.keys[one.history.questions[number].question_id].evidence]


@pytest.fixture(params=[False, True], ids=["shown", "held out"], scope="module")
def made(request: pytest.FixtureRequest) -> list[Keyed]:
    return list(make("small", 5, request.param))


def test_the_same_seed_gives_the_same_and_another_seed_another() -> None:
    assert list(make("small", 1, False)) == list(make("small", 1, False)) != list(make("small", 2, False))


def test_counts_and_lengths_are_those_of_the_size(made: list[Keyed]) -> None:
    size = SIZES["small"]
    assert Counter(one.task for one in made) == dict.fromkeys(MADE.values(), size.histories)
    for one in made:
        texts = [message.text for message in one.history.messages()]
        assert len(one.history.questions) == size.questions
        assert abs(len(texts) - size.documents) <= 3
        assert 2 * WindowConfig().tokens < count(context_of(texts)) < 8_000
        assert max(map(count, texts)) <= SOURCES[one.task].chunk_tokens


def test_the_last_needed_document_alone_has_the_answer_and_the_question_does_not(made: list[Keyed]) -> None:
    for one in made:
        texts = [message.text for message in one.history.messages()]
        for number, question in enumerate(one.history.questions):
            key, places = one.keys[question.question_id], _places(one, number)
            assert [word_match(texts[place], key.gold[0]) for place in places] == [False] * (len(places) - 1) + [True]
            assert len(places) == (1 if key.labels["kind"] == "single" else 2)
            assert not word_match(question.text, key.gold[0])


def test_a_question_names_entities_and_so_gives_the_way_to_its_documents(made: list[Keyed]) -> None:
    for one in made:
        titles = [title_of(message.text) for message in one.history.messages()]
        assert len(set(titles)) == len(titles)
        for number, question in enumerate(one.history.questions):
            kind = one.keys[question.question_id].labels["kind"]
            named = [titles[place] in question.text for place in _places(one, number)]
            assert named == {"single": [True], "bridge": [True, False], "comparison": [True, True]}[kind]


def test_an_invented_chain_is_found_by_rule_as_it_was_made(made: list[Keyed]) -> None:
    for one in made:
        if one.task == MADE["single"]:
            continue
        find = document_finder([passage.text for passage in passages_of(one.history)])
        for number, question in enumerate(one.history.questions):
            found = find(Asked(text=question.text, gold=one.keys[question.question_id].gold))
            if found is not None:
                assert sorted(found.evidence) == sorted(_places(one, number)), question.text


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return make_entries(library_words(held_out=False), 300, Random(2))


def test_nobody_founds_or_writes_before_being_grown_up_and_no_town_is_younger_than_its_people(
    entries: list[Entry],
) -> None:
    by_name = {entry.name: entry for entry in entries}
    for entry in entries:
        values = entry.values
        if entry.kind == "company":
            assert 22 <= int(values["founded"]) - int(by_name[values["founder"]].values["birth_year"]) <= 50
        elif entry.kind == "book":
            assert 24 <= int(values["published"]) - int(by_name[values["author"]].values["birth_year"]) <= 60
        elif entry.kind == "person":
            assert int(by_name[values["birthplace"]].values["founded"]) < int(values["birth_year"])


def test_an_answer_is_what_a_walk_through_the_entries_leads_to(entries: list[Entry]) -> None:
    """A solver that reads no sentence: the entity asked for, its link, its value."""
    words = library_words(held_out=False)
    by_text = {entry.text: entry for entry in entries}
    for text, gold, documents, kind in chained(words, entries, 60, Random(3)):
        first, last = (by_text[document] for document in documents)
        if kind == "bridge":
            assert last.name in first.values.values()
        else:
            assert first.kind == last.kind
        asks = [relation for relation, said in words.kinds[last.kind].asks.items() if _asks(text, said)]
        assert gold[0] in [last.values[relation] for relation in asks]


def _asks(text: str, wordings: tuple[str, ...]) -> bool:
    return any(text.startswith(said.partition("{s}")[0]) for said in wordings)


def test_people_share_names_so_that_a_name_alone_finds_more_than_one(entries: list[Entry]) -> None:
    surnames = Counter(entry.name.split()[-1] for entry in entries if entry.kind == "person")
    assert sum(number > 1 for number in surnames.values()) > len(surnames) / 2


def test_held_out_words_are_never_shown() -> None:
    shown, held = (library_words(held_out=flag) for flag in (False, True))
    for kind, words in shown.kinds.items():
        other = held.kinds[kind]
        assert not set(words.leads) & set(other.leads)
        assert not set(words.asides) & set(other.asides)
        for ours, theirs in ((words.tells, other.tells), (words.asks, other.asks), (words.leads_to, other.leads_to)):
            assert ours.keys() == theirs.keys()
            assert all(ours[name] and theirs[name] and not set(ours[name]) & set(theirs[name]) for name in ours)
    assert all(not set(shown.values[name]) & set(held.values[name]) for name in shown.values)


def test_single_questions_go_over_all_entries_before_any_comes_again(entries: list[Entry]) -> None:
    asked = single(library_words(held_out=False), entries, 100, Random(1))
    assert len({documents for _, _, documents, _ in asked}) == 100


@pytest.mark.parametrize("place", [0, -1])
def test_generated_rows_survive_the_disk_as_json_lines_and_parquet(
    made: list[Keyed], place: int, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    data = Dataset(benchmark="memoryagentbench", histories=(made[place],), origin="generated: small, seed 5")
    for name in ("a.jsonl", "a.parquet"):
        write(data, tmp_path / name)
        assert load(tmp_path / name) == data
    assert load(tmp_path / "a.jsonl") != replace(data, origin="another")
