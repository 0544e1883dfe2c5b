"""Values that sources speak for: one of them, or two where nothing tells which one holds."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import RuleReader

from tests.unit.offline.reading.one_line import Said, WordEmbedder, ask

KNOWS = WordEmbedder(
    groups=(
        ("rooftop", "terrace", "sunlit", "balcony", "skylight"),
        ("cellar", "vault", "basement", "underground", "candlelit"),
        ("barn", "hayloft", "rafters", "stable", "straw"),
    )
)
OPTIONS = ["Maple: sunlit terrace", "Otter: candlelit vault", "Quill: straw and rafters"]
REPORT = {"conflicts": "report"}


def day(number: int, *said: str, speaker: str = "User") -> list[Said]:
    return [(f"2025-0{number}-03T10:00:0{place}", speaker, text) for place, text in enumerate(said)]


HIGH = day(3, "Our spring dinner went up to the balcony.", "Everybody stood below the skylight.")
LOW = day(5, "The wine went down to the basement.", "It is calm underground with friends.")


def chosen(said: list[Said], text: str = "Choose one room for me.", **more: object) -> str:
    wanted = {"options": OPTIONS, "variables": REPORT, **more}
    return ask(said, text, RuleReader(KNOWS), **wanted).text


def test_the_option_that_a_source_speaks_for_is_named_by_its_name() -> None:
    assert chosen(HIGH) == "Maple"
    assert chosen(LOW) == "Otter"


def test_sources_that_agree_are_one_answer() -> None:
    assert chosen([*HIGH, *day(6, "Coffee again below the skylight.", "The terrace was ours.")]) == "Maple"


def test_two_sources_that_contradict_each_other_are_both_named_and_no_third() -> None:
    """Whichever was said later."""
    said = chosen([*HIGH, *LOW])
    assert "Maple" in said
    assert "Otter" in said
    assert "Quill" not in said
    later = [*day(7, *(str(one[2]) for one in HIGH)), *LOW]
    assert {"Maple", "Otter"} <= {word.strip(".,") for word in chosen(later).split()}


def test_without_the_wish_to_hear_of_contradictions_one_is_named() -> None:
    assert chosen([*HIGH, *LOW], variables={}) in {"Maple", "Otter"}


def test_the_source_that_holds_the_condition_of_the_question_decides() -> None:
    spring = day(3, "This is about the annual choir rehearsal.", "We sat on the balcony below the skylight.")
    other = day(5, "This is about the tax adviser.", "We met in the basement, underground.")
    assert chosen([*spring, *other], "Choose one room for me, for the choir rehearsal.") == "Maple"
    assert chosen([*spring, *other], "Choose one room for me, for the tax adviser.") == "Otter"


def test_an_option_that_suits_all_sources_wins_over_those_that_suit_one() -> None:
    options = ["Maple: terrace and straw", "Otter: terrace and vault", "Quill: vault and straw"]
    talk = [f"{who} {what}." for who in ("Ann", "Bo", "Cy") for what in ("came late", "paid in cash", "sang", "slept")]
    said = [
        *day(3, "The balcony is ours.", "A skylight above.", *talk[:6]),
        *day(5, "To the stable.", "Up to the hayloft.", *talk[6:]),
    ]
    assert chosen(said, options=options) == "Maple"


def test_what_an_assistant_says_tells_nothing_of_whoever_asks() -> None:
    advice = day(3, "A basement is calm.", "Underground it is cool.", speaker="Assistant")
    assert chosen([*advice, *day(3, "The balcony is ours.", "A skylight above us.")]) == "Maple"


def test_a_field_with_choices_may_name_two() -> None:
    """One value of a form, or both sides."""
    template = {"Room": "one of: rooftop / cellar / barn"}
    form = {"answer_format": AnswerFormat.JSON, "template": template, "options": []}
    assert chosen(HIGH, "Fill in my card.", **form) == '{"Room": "rooftop"}'
    both = chosen([*HIGH, *LOW], "Fill in my card.", **form)
    assert "rooftop" in both
    assert "cellar" in both
    assert "barn" not in both


@pytest.mark.parametrize("reader", [RuleReader(), RuleReader(KNOWS)], ids=["words", "embedder"])
def test_nothing_is_named_where_nothing_was_said(reader: RuleReader) -> None:
    assert ask([], "Choose one room for me.", reader, options=OPTIONS, variables=REPORT).abstained


def test_without_an_embedder_words_decide() -> None:
    said = day(3, "We like the old vault.")
    assert ask(said, "Choose one room for me.", RuleReader(), options=OPTIONS, variables=REPORT).text == "Otter"
