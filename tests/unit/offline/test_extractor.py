from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Role
from recollect.offline.extractor import ExtractorSettings, RuleExtractor, dates_in, is_question, points_of, with_name

SATURDAY = "2024-06-15T10:00"


def message(
    text: str,
    *,
    name: str = "m1",
    speaker: str = "Ann",
    session: str = "s1",
    role: Role = "user",
    at: str | None = SATURDAY,
) -> Message:
    return Message(
        message_id=MessageId(name), session_id=SessionId(session), text=text, speaker=speaker, role=role, said_at=at
    )


def texts(*messages: Message, least: int = 2) -> list[str]:
    return [found.text for found in RuleExtractor(ExtractorSettings(least_points=least)).extract(messages)]


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("I bought a red bicycle in Ghent yesterday.", 4),  # person, signal, name, five content words
        ("I bought it.", 2),  # person, signal
        ("It rained.", -1),  # two words
        ("Thanks so much!", -2),  # a greeting of three words
        ("Hey Bo, I moved!", 1),  # person, signal, name, but it opens like a greeting of under six words
        ("What did you buy?", None),
    ],
)
def test_a_sentence_gets_a_point_for_each_thing_facts_are_made_of(sentence: str, points: int | None) -> None:
    """Spec: one each for a person, a signal, a name inside, five content words; less for greetings and scraps."""
    assert points_of(sentence) == points


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [("Is it so?", True), ('"Why?"', True), ("what did you do then", True), ("What a day!", False), ("Do it.", False)],
)
def test_a_question_is_known_by_its_end_or_its_opening(sentence: str, asks: bool) -> None:
    assert is_question(sentence) == asks


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I like tea and my sister likes coffee.", "Ann likes tea and Ann's sister likes coffee."),
        ("I'm tired, I've been up since 5.", "Ann is tired, Ann has been up since 5."),
        ("I really enjoy it.", "Ann really enjoys it."),
        ("I don't eat meat, it makes me ill.", "Ann doesn't eat meat, it makes Ann ill."),
        ("They gave me-time a try.", "Ann: They gave me-time a try."),
        ("It was great.", "Ann: It was great."),
        ("Part I of the book is mine.", "Part Ann of the book is Ann's."),
    ],
)
def test_the_first_person_gives_way_to_the_name(text: str, told: str) -> None:
    """The last one is a known miss: a Roman one reads like the pronoun."""
    assert with_name(text, "Ann") == told


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("I went there yesterday.", "yesterday: 14 June 2024"),
        ("We met last week.", "last week: week of 3 June 2024"),
        ("I will call on Monday.", "on Monday: 17 June 2024"),
        ("I called on Monday.", "on Monday: 10 June 2024"),
        ("We married two years ago.", "two years ago: 2022"),
        ("It was on 3 May 2020.", ""),
        ("It rained.", ""),
    ],
)
def test_relative_dates_are_resolved_against_the_time_of_the_message(text: str, note: str) -> None:
    """15 June 2024 was a Saturday."""
    assert dates_in(text, SATURDAY) == note


def test_without_a_time_nothing_is_resolved() -> None:
    assert dates_in("I went there yesterday.", None) == ""


def test_only_telling_sentences_are_kept_and_worded_to_stand_alone() -> None:
    found = texts(message("Hi Bo! I adopted a dog named Rex yesterday. How are you? So fun."))
    assert found == ["Ann adopted a dog named Rex yesterday. (yesterday: 14 June 2024)"]


def test_a_message_without_a_telling_sentence_leaves_no_memory() -> None:
    assert texts(message("Thanks! See you later.")) == []


def test_a_higher_threshold_keeps_less() -> None:
    said = message("I like tea. I visited my aunt in Ghent for the long holiday weekend.")
    assert [len(texts(said, least=least)[0].split(". ")) if texts(said, least=least) else 0 for least in (2, 3, 5)] == [
        2,
        1,
        0,
    ]


def test_the_question_that_was_answered_stands_with_the_answer_and_among_the_sources() -> None:
    asked = message("Nice day. What is your job?", name="m0", speaker="Bo")
    answer = message("I work as a baker in Ghent.")
    found = RuleExtractor().extract([asked, answer])
    assert [one.text for one in found] == ["Ann works as a baker in Ghent. (answering: What is your job?)"]
    assert found[0].sources == ("m1", "m0")
    assert found[0].said_at == SATURDAY


def test_without_a_question_the_message_is_the_only_source() -> None:
    said = [message("It rains a lot here.", name="m0", speaker="Bo"), message("I moved to Ghent in May.")]
    assert [one.sources for one in RuleExtractor(ExtractorSettings(least_points=3)).extract(said)] == [("m1",)]


def test_a_question_of_an_earlier_call_is_passed_as_before() -> None:
    asked = message("What is your job?", name="m0", speaker="Bo")
    found = RuleExtractor().extract([message("I work as a baker in Ghent.")], before=asked)
    assert found[0].sources == ("m1", "m0")


@pytest.mark.parametrize(("speaker", "session"), [("Ann", "s1"), ("Bo", "s0")])
def test_one_own_question_and_one_of_another_session_are_not_answered(speaker: str, session: str) -> None:
    asked = message("What is your job?", name="m0", speaker=speaker, session=session)
    found = RuleExtractor().extract([asked, message("I work as a baker in Ghent.")])
    assert found[-1].sources == ("m1",)


def test_a_nameless_speaker_is_told_by_role() -> None:
    assert texts(message("I work as a baker.", speaker="")) == ["The user works as a baker."]
    assert texts(message("I work as a baker.", speaker="", role="document")) == ["I work as a baker."]


def test_the_fingerprint_tells_the_settings() -> None:
    assert RuleExtractor().fingerprint == "rules-extractor-1:2+question"
    assert RuleExtractor(ExtractorSettings(least_points=3, with_question=False)).fingerprint == "rules-extractor-1:3"


def test_a_threshold_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="least_points starts at 0, got -1"):
        ExtractorSettings(least_points=-1)


@given(st.lists(st.text(), max_size=4), st.integers(0, 4))
def test_any_text_can_be_extracted_from_and_sources_are_shown_messages(said: list[str], least: int) -> None:
    messages = [message(text, name=f"m{at}", speaker="AB"[at % 2]) for at, text in enumerate(said)]
    extractor = RuleExtractor(ExtractorSettings(least_points=least))
    found = extractor.extract(messages)
    assert found == extractor.extract(messages)
    own = [one.sources[0] for one in found]
    assert own == sorted(set(own))
    assert {source for one in found for source in one.sources} <= {one.message_id for one in messages}
