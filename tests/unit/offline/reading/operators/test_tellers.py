"""Open questions that are put to each source by itself."""

from __future__ import annotations

from recollect.offline.reading import RuleReader
from recollect.offline.reading.operators.sources import named_together
from recollect.offline.reading.question import ParsedQuestion

from tests.unit.offline.reading.one_line import Said, ask

REPORT = {"conflicts": "report"}
TOWN: Said = ("2025-03-02T10:00:00", "User", "The Ember Museum stands in Brodal.")
OTHER: Said = ("2025-06-02T10:00:00", "Assistant", "As far as it is known, the Ember Museum stands in Tesswick.")


def answer(said: list[Said], text: str, **variables: str) -> str:
    return ask(said, text, RuleReader(), variables=variables or REPORT).text


def test_two_sources_that_say_different_things_are_both_named() -> None:
    """Neither the later nor the user's own is taken for the truth."""
    said = answer([TOWN, OTHER], "Where does the Ember Museum stand?")
    assert "Brodal" in said
    assert "Tesswick" in said


def test_without_the_wish_to_hear_of_contradictions_one_is_named() -> None:
    said = answer([TOWN, OTHER], "Where does the Ember Museum stand?", conflicts="free")
    assert ("Brodal" in said) != ("Tesswick" in said)


def test_sources_that_say_the_same_are_one_answer() -> None:
    again: Said = ("2025-06-02T10:00:00", "Assistant", "In short, the Ember Museum stands in Brodal.")
    assert answer([TOWN, again], "Where does the Ember Museum stand?") == "Brodal"


def test_a_source_that_holds_more_of_the_question_decides() -> None:
    winter: Said = ("2025-06-02T10:00:00", "Assistant", "In its winter edition, the Ember Fair features pottery.")
    summer: Said = ("2025-03-02T10:00:00", "User", "In its summer edition, the Ember Fair features weaving.")
    said = answer([summer, winter], "What does the Ember Fair feature in its winter edition?")
    assert "pottery" in said
    assert "weaving" not in said


def test_a_question_about_several_names_is_answered_for_each() -> None:
    said: list[Said] = [
        ("2025-03-02T10:00:00", "User", "The Ember Museum stands in Brodal."),
        ("2025-04-02T10:00:00", "User", "The Falk Museum stands in Tesswick."),
    ]
    found = answer(said, "Where do the Ember Museum and the Falk Museum stand?")
    assert "Brodal" in found
    assert "Tesswick" in found


def test_names_are_together_only_where_nothing_else_parts_them() -> None:
    def names(text: str) -> list[str]:
        from recollect.domain.ids import QuestionId
        from recollect.domain.questions import Question

        return list(named_together(ParsedQuestion(Question(question_id=QuestionId("q"), text=text), text)))

    assert names("Which flower stands for Orle, Vint and Tamber?") == ["Orle", "Vint", "Tamber"]
    assert names("Did Orle meet Vint?") == []
    assert names("Who met Vint?") == []
