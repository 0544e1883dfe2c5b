"""Generated histories: seeded, sound, of no use to one who remembers nothing, and in held-out words where asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from string import Formatter

import pytest

from recollect.benchmarks.memoryagentbench.families.examples import label_of, utterance_of
from recollect.benchmarks.memoryagentbench.families.fact_lists import serial_and_fact
from recollect.benchmarks.memoryagentbench.generate import example_histories, fact_histories, generate
from recollect.benchmarks.memoryagentbench.generate.catalogue import Relation, fact_words, intent_words
from recollect.benchmarks.memoryagentbench.generate.names import draw_names
from recollect.benchmarks.memoryagentbench.generate.utterances import make_lesson
from recollect.benchmarks.memoryagentbench.generate.worlds import Length, fitting, make_world, said
from recollect.benchmarks.memoryagentbench.score import score
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.memories.window import WindowConfig
from recollect.metrics.text_match import substring_match
from recollect.text.normal import search_tokens
from recollect.text.tokens import count

SINGLE, CHAINED, INTENTS = "factconsolidation_sh_generated", "factconsolidation_mh_generated", "icl_intents_generated"


@pytest.fixture(params=["small", "small-held-out"], scope="module")
def made(request: pytest.FixtureRequest) -> Dataset:
    return generate(request.param, 5)


def _of(dataset: Dataset, *tasks: str) -> list[Keyed]:
    return [one for one in dataset.histories if one.task in tasks]


def test_the_same_size_and_seed_give_the_same_and_another_seed_gives_another() -> None:
    assert generate("small", 1) == generate("small", 1)
    assert generate("small", 1) != generate("small", 2)
    assert generate("small", 1).origin == "generated: small, seed 1"


@pytest.mark.parametrize("size", ["tiny", "small-held", "-held-out", ""])
def test_an_unknown_size_is_refused_with_the_known_ones(size: str) -> None:
    with pytest.raises(UnknownNameError, match="large-held-out"):
        generate(size, 1)


def test_counts_are_those_of_the_size(made: Dataset) -> None:
    size, lesson = fact_histories.SIZES["small"], example_histories.SIZES["small"]
    rows = Counter(one.task for one in made.histories)
    assert (rows[SINGLE], rows[CHAINED], rows[INTENTS]) == (size.histories, size.histories, lesson.histories)
    for one in _of(made, SINGLE, CHAINED):
        assert len(one.history.questions) == size.questions
        assert size.statements < sum(1 for _ in one.history.messages()) <= size.statements + 5
    for one in _of(made, INTENTS):
        assert sum(1 for _ in one.history.messages()) == lesson.examples
        assert len(one.history.questions) == lesson.asked


def test_both_rows_of_a_world_have_the_same_context(made: Dataset) -> None:
    single, chained = (
        [[message.text for message in one.history.messages()] for one in _of(made, task)] for task in (SINGLE, CHAINED)
    )
    assert single == chained


def test_the_last_needed_fact_has_the_answer_and_no_other_statement_of_it_is_newer(made: Dataset) -> None:
    for one in _of(made, SINGLE, CHAINED):
        texts = {message.message_id: message.text for message in one.history.messages()}
        for key in one.keys.values():
            assert len(key.evidence) == int(key.labels["hops"])
            serial, fact = serial_and_fact(texts[key.evidence[-1]]) or (-1, "")
            assert key.gold[0] in fact
            assert key.labels["gold_serial"] == str(serial)
            assert not any(substring_match(wrong, key.gold[0]) for wrong in key.rejected)


def test_strata_patterns_and_hops_agree(made: Dataset) -> None:
    for one in _of(made, SINGLE):
        for key in one.keys.values():
            changed = key.labels["pattern"] in ("revised", "chain", "reverted")
            assert (key.labels["stratum"] == "conflicted") == changed
            assert bool(key.rejected) == changed
    hops = Counter(key.labels["hops"] for one in _of(made, CHAINED) for key in one.keys.values())
    assert set(hops) == {"2", "3", "4"}
    assert {key.labels["stratum"] for one in _of(made, CHAINED) for key in one.keys.values()} == {"conflicted"}


def test_a_large_world_has_every_pattern_and_the_published_share_of_conflicts() -> None:
    """74 of 100 asked keys of the published 6K row have two values."""
    world = make_world(fact_words(held_out=False), 900, 100, Random(1))
    patterns = Counter(asked.labels["pattern"] for asked in world.single)
    assert set(patterns) == {"unique", "revised", "chain", "reverted", "repeated"}
    assert Counter(asked.labels["stratum"] for asked in world.single) == {"conflicted": 74, "unique": 26}
    assert Counter(asked.labels["hops"] for asked in world.chained) == {"2": 34, "3": 33, "4": 33}


def test_the_question_does_not_hold_the_answer(made: Dataset) -> None:
    for one in _of(made, SINGLE, CHAINED):
        for question in one.history.questions:
            assert not substring_match(question.text, one.keys[question.question_id].gold[0])


def test_no_one_answer_pays_off(made: Dataset) -> None:
    """Whoever remembers nothing is at chance: 1 in 20 labels, and no name is the answer to more than a sixth."""
    for one in _of(made, SINGLE, CHAINED, INTENTS):
        most = Counter(key.gold[0] for key in one.keys.values()).most_common(1)[0][1]
        assert most == 1 if one.task == INTENTS else most <= 2


def test_one_who_follows_the_key_is_right(made: Dataset) -> None:
    for one in _of(made, SINGLE, CHAINED, INTENTS):
        texts = {message.message_id: message.text for message in one.history.messages()}
        for question in one.history.questions:
            key = one.keys[question.question_id]
            said = label_of(texts[key.evidence[0]]) if one.task == INTENTS else texts[key.evidence[-1]]
            assert score(question, key, Reply(text=said or ""), None, {}).value == 1


def test_examples_are_balanced_and_no_text_comes_twice(made: Dataset) -> None:
    for one in _of(made, INTENTS):
        texts = [message.text for message in one.history.messages()]
        assert set(Counter(label_of(text) for text in texts).values()) == {15}  # 300 examples of 20 labels
        said = [utterance_of(text) for text in texts] + [question.text for question in one.history.questions]
        assert len(set(said)) == len(said)
        for key in one.keys.values():
            assert len(key.evidence) == 15


def test_some_questions_are_worded_as_no_example_is(made: Dataset) -> None:
    wordings = Counter(key.labels["wording"] for one in _of(made, INTENTS) for key in one.keys.values())
    assert wordings["new"] >= 5
    assert wordings["shown"] >= 20


def test_held_out_words_and_domains_are_never_used_elsewhere() -> None:
    shown, held = fact_words(held_out=False), fact_words(held_out=True)
    for one, other in zip(shown.relations, held.relations, strict=True):
        assert not set(one.statements) & set(other.statements)
        assert not set(one.questions) & set(other.questions)
        assert not set(one.chains) & set(other.chains)
    ours, theirs = (
        {pattern for domain in intent_words(held_out=flag).domains for intent in domain for pattern in intent.patterns}
        for flag in (False, True)
    )
    assert not ours & theirs


@pytest.mark.parametrize("held_out", [False, True])
def test_every_wording_of_a_relation_can_be_filled_and_continued(held_out: bool) -> None:
    """Where a chain goes on, the subject is a long phrase, which must stand last."""
    for relation in fact_words(held_out=held_out).relations:
        assert len(relation.statements) >= 3
        assert all(_places(said) == {"s", "o"} for said in relation.statements)
        assert all(_places(said) == {"s"} for said in (*relation.questions, *relation.chains))
        if relation.subject in ("person", "town", "province", "company"):
            assert any(said.endswith("{s}") for said in relation.chains), relation.name
            assert any(said.endswith("{s}?") for said in relation.questions), relation.name


@pytest.mark.parametrize("held_out", [False, True])
def test_whatever_the_wordings_question_and_fact_share_a_word(held_out: bool) -> None:
    """As published: `the capital of` is asked for with the word that the fact has."""
    for relation in fact_words(held_out=held_out).relations:
        (word,) = search_tokens(relation.word)
        for wording in (*relation.statements, *relation.questions, *relation.chains):
            assert word in search_tokens(wording.format(s="Orm", o="Yold")), wording


def test_in_one_context_a_relation_is_said_in_one_way_and_in_another_in_another() -> None:
    words = fact_words(held_out=False)
    used = [_used(make_world(words, 200, 5, Random(seed)).texts, words.relations) for seed in (1, 2)]
    assert all(len(ways) <= 1 for one in used for ways in one.values())
    assert used[0] != used[1]


def _used(texts: Sequence[str], relations: Sequence[Relation]) -> dict[str, set[str]]:
    """Relation -> its wordings that fit a fact of the texts."""
    facts = [found[1] for text in texts if (found := serial_and_fact(text))]
    patterns = {
        (r.name, wording): re.compile(re.escape(wording).replace(r"\{s\}", ".+").replace(r"\{o\}", ".+"))
        for r in relations
        for wording in sorted(r.statements, key=len, reverse=True)
    }
    met: dict[str, set[str]] = {}
    for fact in facts:
        name, wording = next(key for key, pattern in patterns.items() if pattern.fullmatch(fact.replace("s' ", "s's ")))
        met.setdefault(name, set()).add(wording)
    return met


def test_a_long_subject_stands_only_where_it_can_be_read() -> None:
    wordings = ["Who is {s}'s doctor?", "Which doctor does {s} go to?", "Who is the doctor of {s}?"]
    assert fitting(wordings, Length.NAME) == wordings
    assert fitting(wordings, Length.SHORT) == wordings[1:]
    assert fitting(wordings, Length.LONG) == wordings[2:]


@pytest.mark.parametrize(
    ("name", "owned"),
    [("Ann Marr", "Ann Marr's"), ("Cedar Works", "Cedar Works'"), ("Otterness", "Otterness's")],
)
def test_what_belongs_to_a_name_is_spelt_as_people_do(name: str, owned: str) -> None:
    assert said("{s}'s home is in {o}.", s=name, o="Tarnholt") == f"{owned} home is in Tarnholt."


def test_no_chain_takes_a_relation_twice(made: Dataset) -> None:
    """Nobody asks for the mentor of the mentor of the mentor."""
    relations = fact_words(held_out=made.origin.startswith("generated: small-held-out")).relations
    words = {search_tokens(relation.word)[0] for relation in relations}
    for one in _of(made, CHAINED):
        for question in one.history.questions:
            tokens = search_tokens(question.text.replace("home port", "port"))
            met = Counter(token for token in tokens if token in words)
            assert max(met.values()) == 1, question.text


def test_a_history_of_the_smallest_size_is_far_longer_than_the_default_window(made: Dataset) -> None:
    for one in made.histories:
        assert sum(count(message.text) for message in one.history.messages()) > 2 * WindowConfig().tokens


@pytest.mark.parametrize("task", [SINGLE, CHAINED])
def test_who_only_knows_other_worlds_is_at_chance(task: str) -> None:
    """The answers that are most frequent in other worlds are hardly ever right in this one."""
    worlds = [
        [key.gold[0] for one in _of(generate("small", seed), task) for key in one.keys.values()] for seed in range(4)
    ]
    for number, golds in enumerate(worlds):
        others = Counter(gold for other, given in enumerate(worlds) if other != number for gold in given)
        guess = others.most_common(1)[0][0]
        assert golds.count(guess) <= 0.1 * len(golds)


@pytest.mark.parametrize("held_out", [False, True])
def test_every_pattern_of_an_intent_has_its_slots(held_out: bool) -> None:
    words = intent_words(held_out=held_out)
    assert sum(map(len, words.domains)) >= 20
    for intent in (intent for domain in words.domains for intent in domain):
        assert len(intent.patterns) == 8
        assert all(_places(pattern) <= set(intent.slots) for pattern in intent.patterns)


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_no_name_is_a_part_of_another() -> None:
    names = draw_names(
        fact_words(held_out=False).names, {"person": 60, "town": 60, "company": 60, "band": 20}, Random(4)
    )
    every = [name for kind in names.values() for name in kind]
    assert not [(a, b) for a in every for b in every if a != b and substring_match(a, b)]


def test_there_are_names_enough_for_the_largest_size() -> None:
    assert (
        len(make_world(fact_words(held_out=False), fact_histories.SIZES["large"].statements, 5, Random(1)).texts)
        > 2_300
    )


def test_no_name_says_a_syllable_twice() -> None:
    with pytest.raises(ValueError, match="found 1"):
        draw_names({"town": [["Ing", "Or"], ["ing"]]}, {"town": 2}, Random(1))


def test_too_small_a_catalogue_is_said() -> None:
    with pytest.raises(ValueError, match="too few names of kind 'town'"):
        draw_names({"town": [["Ax"], ["by", "ton"]]}, {"town": 3}, Random(1))
    with pytest.raises(ValueError, match="intents, 99 are wanted"):
        make_lesson(intent_words(held_out=True), labels=99, examples=1, questions=1, rng=Random(1))


def test_articles_fit_and_sentences_begin_as_they_should(made: Dataset) -> None:
    for one in _of(made, INTENTS):
        for message in one.history.messages():
            said = utterance_of(message.text)
            assert said[0].isupper()
            assert " a a" not in said
            assert " a e" not in said
            assert "{" not in said
            assert said[-1] in ".?!"
