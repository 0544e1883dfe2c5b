"""Invented stories: seeded, causally sound, readable, told in order, and of no use to one who has not read them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families.events import MADE, context_of, texts_of
from recollect.benchmarks.memoryagentbench.generate.event_plots import WITH_OTHER, Town
from recollect.benchmarks.memoryagentbench.generate.event_rows import Candidate, solved
from recollect.benchmarks.memoryagentbench.generate.event_telling import (
    StoryWords,
    draw_cast,
    story_words,
    summary,
    tell,
)
from recollect.benchmarks.memoryagentbench.generate.events import SIZES, SPECS
from recollect.domain.histories import Keyed
from recollect.memories.window import WindowConfig
from recollect.text.tokens import count

from tests.unit.benchmarks.memoryagentbench.generated import generated

Rows = list[Keyed]


@pytest.fixture(scope="module", params=[False, True], ids=["usual", "held-out"])
def held_out(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def rows(held_out: bool) -> Rows:
    return list(generated(SPECS, "small", 3, held_out))


def test_the_same_seed_gives_the_same_stories_and_another_seed_gives_others(rows: Rows, held_out: bool) -> None:
    assert next(generated(SPECS, "small", 3, held_out)) == rows[0]
    assert next(generated(SPECS, "small", 4, held_out)) != rows[0]


def test_a_story_is_as_long_as_the_size_says_and_longer_than_a_window(rows: Rows) -> None:
    assert len(rows) == SIZES["small"].histories
    for one in rows:
        texts = [message.text for message in one.history.messages()]
        assert 4_000 < count(context_of(texts)) < 8_000
        assert count(context_of(texts)) > 2 * WindowConfig().tokens
        assert texts_of(context_of(texts)) == texts
        assert (one.task, len(one.history.questions)) == (MADE, SIZES["small"].questions)


def test_nothing_is_taken_given_or_found_that_is_not_there() -> None:
    """Replayed from the events alone: who holds a thing, and where it lies, once either is known."""
    for seed in range(6):
        where: dict[int, tuple[str, int]] = {}
        for kind, actor, other, thing, place in Town(people=7, things=8, places=10, rng=Random(seed)).live(150):
            known = where.get(thing)
            if kind in {"hide", "lose", "give", "sell", "show"}:
                assert known in {None, ("person", actor)}, (seed, kind)
            if kind == "steal":
                assert known in {None, ("person", other)}
            if kind == "find":
                assert known in {None, ("place", place)}
            if kind == "search":
                assert known != ("place", place)
            if kind in {"find", "steal"}:
                where[thing] = ("person", actor)
            if kind in {"give", "sell"}:
                where[thing] = ("person", other)
            if kind in {"hide", "lose"}:
                where[thing] = ("place", place)
            assert (other >= 0) == (kind in WITH_OTHER)
            assert actor != other


def test_no_event_happens_twice_and_all_kinds_happen() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(4):
        story = Town(people=7, things=8, places=10, rng=Random(seed)).live(150)
        assert len(set(story)) == 150
        kinds.update(event.kind for event in story)
    assert kinds.keys() == story_words(held_out=False).tales.keys()
    assert max(kinds.values()) < 0.25 * kinds.total()


def test_a_plot_that_can_go_no_further_says_so() -> None:
    with pytest.raises(ValueError, match="nothing more can happen"):
        Town(people=2, things=2, places=2, rng=Random(1)).live(500)


def test_every_wording_names_who_and_what_and_where(held_out: bool) -> None:
    words = story_words(held_out=held_out)
    for kind, tale in words.tales.items():
        for text in (tale.summary, *tale.told):
            slots = set(re.findall(r"\{(\w+)\}", text))
            assert {"a"} <= slots
            assert {"o", "O"} & slots, text
            assert {"p", "P", "at", "At"} & slots, text
            assert ("b" in slots) == (kind in WITH_OTHER), text


def test_events_are_told_in_order_in_paragraphs_that_name_them(held_out: bool) -> None:
    words, rng = story_words(held_out=held_out), Random(2)
    cast = draw_cast(words, people=7, things=8, places=10, rng=rng)
    story = Town(people=7, things=8, places=10, rng=rng).live(60)
    told = tell(words, cast, story, rng)
    assert list(told.places) == sorted(set(told.places))
    for event, place in zip(story, told.places, strict=True):
        paragraph = told.passages[place].lower()
        assert cast.people[event.actor].name.lower() in paragraph
        assert cast.things[event.thing] in paragraph
        assert words.places[cast.places[event.place]].name in paragraph
        assert event.other < 0 or cast.people[event.other].name.lower() in paragraph
        assert cast.people[event.actor].name in summary(words, cast, event)


def test_the_text_reads_clean(rows: Rows) -> None:
    for one in rows:
        for message in one.history.messages():
            text = message.text.removesuffix("\n\n")
            assert not re.search(r"[{}]|\s{2}|[.!?] [a-z]|\b[Aa] [aeiou]|\b(\w+) \1\b", text), text
            assert text[0].isupper() or text[0] == '"'
            assert text.endswith((".", '."', '?"', "!", '!"')) or text.startswith("CHAPTER"), text


def test_no_paragraph_of_more_than_a_sentence_is_common(rows: Rows) -> None:
    for one in rows:
        times = Counter(message.text for message in one.history.messages() if message.text.count(". ") > 1)
        assert max(times.values()) == 1


def test_evidence_tells_the_last_event_shown_and_the_next_one(rows: Rows) -> None:
    for one in rows:
        texts = {message.message_id: message.text for message in one.history.messages()}
        order = {message.message_id: place for place, message in enumerate(one.history.messages())}
        ends = [-1]
        for question in one.history.questions:
            key = one.keys[question.question_id]
            assert 1 <= len(key.evidence) <= 2
            assert key.labels["character"] in texts[key.evidence[-1]]
            assert order[key.evidence[-1]] > ends[-1]
            ends.append(order[key.evidence[-1]])


def test_options_are_two_events_each_with_two_twins_in_one_part(rows: Rows) -> None:
    """Twins differ in the same words from each other and from what happened: none stands in the middle."""
    for one in rows:
        for question in one.history.questions:
            key = one.keys[question.question_id]
            assert key.labels["altered"] == "4"
            assert len({option.text for option in question.options}) == 6


def test_readers_who_have_not_read_the_story_are_at_chance() -> None:
    """Longest, shortest, most and least like the rest, like the last event, like all before; 100 questions."""
    right: dict[str, float] = defaultdict(float)
    asked, places = 0, Counter[str]()
    for seed in range(5):
        for one in generated(SPECS, "small", seed, False):
            for question in one.history.questions:
                letter, event = one.keys[question.question_id].gold
                others = [option.text for option in question.options if option.letter != letter]
                lines = question.variables["previous_events"].split("\n")
                previous = tuple(line.partition(". ")[2] for line in lines)
                for name, share in solved(Candidate(previous, (event, *others))).items():
                    right[name] += share
                places[letter] += 1
                asked += 1
    assert asked == 100
    assert {name: round(share / asked, 2) for name, share in right.items() if abs(share / asked - 1 / 6) > 0.05} == {}
    assert max(places.values()) - min(places.values()) <= 9


def _wordings(words: StoryWords) -> set[str]:
    tales = {text for tale in words.tales.values() for text in (tale.summary, *tale.told)}
    fillings = {text for texts in words.fillings.values() for text in texts}
    places = {part for place in words.places for part in place[1:]}
    beside = {*words.things, *words.openings, *words.titles, *words.reasons, *words.leads, *words.codas, *words.trades}
    return tales | fillings | places | beside


def test_held_out_words_are_used_by_no_other_size() -> None:
    assert not _wordings(story_words(held_out=True)) & _wordings(story_words(held_out=False))
