"""Capping, declining, polarity, naming, lists, spelling and wording, each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.questions import Option
from recollect.offline.judge.findings import cap, judge_letter
from recollect.offline.judge.naming import denied, judge_dump, judge_list, judge_shorter, mentions, misspelt, state_at
from recollect.offline.judge.polarity import implied, judge_polarity, stated
from recollect.offline.judge.rule_judge import declines
from recollect.offline.judge.similarity import guard, judge_wording, overlap
from recollect.offline.judge.texts import positions_of, prepare

NO_QUESTION = prepare("")


@given(st.text(), st.lists(st.text(), max_size=3))
def test_a_cap_keeps_the_front_and_never_less_than_thirty_words(reply: str, references: list[str]) -> None:
    capped = cap(reply, references)
    assert capped.limit >= 30
    assert len(capped.text.split()) == min(capped.words, capped.limit)
    assert " ".join(reply.split()).startswith(" ".join(capped.text.split()))


def test_a_cap_grows_with_the_longest_reference() -> None:
    """Five times eight words."""
    assert cap("w " * 50, ["one", "two three four five six seven eight nine"]).limit == 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't know.", "yes"),
        ("No information available", "yes"),
        ("Not mentioned", "yes"),
        ("The conversation does not say.", "yes"),
        ("It cannot be determined from the notes.", "yes"),
        ("There is no mention of a sister.", "yes"),
        ("Unknown, maybe a bag", "guess"),
        ("It was never specified, but probably blue.", "guess"),
        ("He did not say goodbye.", "no"),
        ("She does not know how to swim.", "no"),
        ("There is no milk left.", "no"),
        ("Graz", "no"),
        ("", "no"),
    ],
)
def test_declining_is_told_from_answers_with_a_no_in_them(text: str, expected: str) -> None:
    assert declines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes.", "yes"),
        ("Likely no", "no"),
        ("not sure", None),
        ("Probably not", "no"),
        ("I think so", None),
        ("way", None),
    ],
)
def test_a_yes_or_no_opens_the_text(text: str, expected: str | None) -> None:
    assert stated(prepare(text)) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Amir owns a racing bicycle", "yes"),
        ("Amir doesn't own a bicycle", "no"),
        ("He lacks a bicycle", "no"),
        ("bicycle", None),
        ("way", None),
    ],
)
def test_a_statement_answers_by_what_it_repeats(reply: str, expected: str | None) -> None:
    assert implied(prepare("Does Amir own a bicycle?"), prepare(reply)) == expected


@pytest.mark.parametrize("gold", ["no one", "No. 5", "true love"])
def test_a_reference_that_only_begins_like_a_yes_or_no_is_left_alone(gold: str) -> None:
    assert judge_polarity(prepare("Who or what is it?"), prepare(gold), prepare("yes")) is None


def test_mentions_are_whole_words_and_stems() -> None:
    said = prepare("The gardens near a garden gate")
    assert positions_of(prepare("garden").stems, said) == [0, 2]
    assert mentions(prepare("art"), prepare("a party")) == []


def test_a_negator_reaches_four_words_and_not_over_a_comma() -> None:
    said = prepare("He did not buy the very old van, the boat he kept")
    assert denied(said, said.words.index("van"), size=1)
    assert not denied(said, said.words.index("boat"), size=1)


@pytest.mark.parametrize(
    ("gold", "reply", "accepted"),
    [
        ("Leonard Cohen", "Cohen", True),
        ("Lincoln High School", "Lincoln High", True),
        ("Lincoln High School", "high school", False),
        ("a carrot cake", "a cake", False),
        ("a blue estate car", "a blue car", True),
        ("3 blue cars", "blue cars", False),
        ("her brother-in-law", "her brother", False),
    ],
)
def test_a_shorter_form_must_still_name_it(gold: str, reply: str, accepted: bool) -> None:
    finding = judge_shorter(NO_QUESTION, prepare(gold), prepare(reply))
    assert (finding is not None) == accepted


def test_more_than_three_items_for_one_are_a_dump() -> None:
    assert judge_dump(NO_QUESTION, prepare("tea"), prepare("tea, milk, beer")) is None
    finding = judge_dump(NO_QUESTION, prepare("tea"), prepare("tea, milk, beer, wine"))
    assert finding is not None
    assert finding.code == "dumped"


@pytest.mark.parametrize(
    ("reply", "why", "right"),
    [
        ("English, Greek and Turkish", "list_coverage: 3 of 3", True),
        ("Greek and English", "list_coverage: 2 of 3", False),
        ("Greek and English but not Turkish", "list_coverage: 2 of 3", False),
    ],
)
def test_every_item_of_a_list_must_be_named(reply: str, why: str, right: bool) -> None:
    finding = judge_list(NO_QUESTION, prepare("Greek, Turkish and English"), prepare(reply))
    assert finding is not None
    assert (finding.why, finding.right) == (why, right)


def test_numbers_of_a_list_stay_with_their_things() -> None:
    wanted = prepare("two cats and a parrot")
    assert (judge_list(NO_QUESTION, wanted, prepare("a parrot and 2 cats")) or ("",))[0] is True
    assert (judge_list(NO_QUESTION, wanted, prepare("a cat and two parrots")) or ("",))[0] is False


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("physiotherapist", "physioterapist", True),
        ("physiotherapist", "psychotherapist", False),
        ("austria", "australia", False),
        ("baseball", "basketball", False),
        ("cat", "car", False),
        ("veterinarian", "vegetarian", False),
    ],
)
def test_only_long_words_may_be_misspelt(word: str, other: str, expected: bool) -> None:
    assert misspelt(word, other) == expected


def test_the_words_of_the_question_cost_an_answer_nothing() -> None:
    question = prepare("What does Ada paint?")
    assert overlap(question, prepare("landscapes"), prepare("Ada paints landscapes")) == (1.0, 1.0)
    assert overlap(NO_QUESTION, prepare("landscapes"), prepare("Ada paints landscapes"))[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("gold", "reply", "code"),
    [
        ("he should rest", "he should not rest", "negated"),
        ("more sleep", "less sleep", "opposite"),
        ("a trip on Monday", "a trip on Tuesday", "other_member"),
        ("a walk in the Alps", "a walk in the Andes", "name_missing"),
    ],
)
def test_guards_stand_before_likeness(gold: str, reply: str, code: str) -> None:
    finding = guard(NO_QUESTION, prepare(gold), prepare(reply))
    assert finding is not None
    assert finding.code == code


def test_a_swapped_word_in_a_short_reference_decides() -> None:
    finding = judge_wording(NO_QUESTION, prepare("a wooden garden chair"), prepare("a plastic garden chair"))
    assert finding is not None
    assert finding.why == "swapped: plastic for wooden"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she used to live in Oslo", "past"),
        ("Oslo before", "past"),
        ("now Oslo", "now"),
        ("she moved to Oslo", "now"),
        ("she left Oslo", "past"),
        ("Oslo", "open"),
    ],
)
def test_cues_tell_past_from_present(text: str, expected: str) -> None:
    said = prepare(text)
    assert state_at(said, said.words.index("oslo")) == expected


def test_a_letter_is_read_strictly() -> None:
    options = [Option(letter=letter, text=letter) for letter in "ABC"]
    assert judge_letter("B) blue", ["B"], options).right
    assert not judge_letter("either A or B", ["B"], options).right
    assert not judge_letter("blue", ["B"], options).right
