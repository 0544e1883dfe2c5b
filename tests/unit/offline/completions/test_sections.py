"""What a prompt wants read is told apart from its orders, its examples, and what is held already."""

from __future__ import annotations

import pytest

from recollect.offline.completions.sections import date_of, iso_in, material_of, sections

HEADED = """## Summary
Ann is a nurse.

## Last k Messages
user: I like tea.

## Existing Memories
[{"id": "0", "text": "Ann likes tea"}]

## New Messages
user: I moved to Lisbon.
assistant: How nice!

## Observation Date
2024-03-01

# Output:"""


@pytest.mark.parametrize(
    ("prompt", "material"),
    [
        (HEADED, "user: I moved to Lisbon.\nassistant: How nice!\n"),
        ("Find facts.\n<memories>\nold\n</memories>\n<session_1a-2b>\nnew\n</session_1a-2b>", "new"),
        ("Do this:\n1. List keywords\n\n    Content for analysis:\n    Ann: I like tea.", "    Ann: I like tea."),
        ("Extract.\n\nInput: Hi, I am Ann.\nOutput:", "Hi, I am Ann."),
        ("**Conversation:**\nAnn: Hi\nBob: Ho", "Ann: Hi\nBob: Ho"),
        ("# The text\nOne.\n# The conversation\nTwo.", "Two."),
        ("The new memory content:\nthis", "this"),
        ("Ann: I like tea.\nBob: I do not.", "Ann: I like tea.\nBob: I do not."),
        ("I like tea.", "I like tea."),
        ("", ""),
    ],
)
def test_the_last_part_that_announces_something_to_read_is_it(prompt: str, material: str) -> None:
    """Under a heading, a label or in a tag; all of it where nothing is announced."""
    assert material_of(prompt).strip("\n") == material.strip("\n")


def test_a_line_of_a_dialogue_is_no_heading() -> None:
    """Though it has a colon, and a long one names many words."""
    said = "Conversation:\nAnn: my notes\nThis is a message I wanted you to see: here it is"
    assert material_of(said) == said.partition("\n")[2]


def test_the_day_of_a_prompt_is_under_its_heading() -> None:
    """The first one; what stands in the text to be read is none."""
    assert date_of(HEADED) == "2024-03-01T00:00:00"
    assert date_of("Date: 2024-05-06 10:30\nText: on 2020-01-01") == "2024-05-06T10:30:00"
    assert date_of("Text: on 2020-01-01 it rained") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("said 2024-02-30, then 2024-03-01T09:30:00+02:00", "2024-03-01T09:30:00+02:00"),
        ("2024-03-01T09:30Z", "2024-03-01T09:30:00+00:00"),
        ("12 May", None),
    ],
)
def test_days_that_there_are_not_are_passed_over(text: str, found: str | None) -> None:
    """The next one that can be read is taken."""
    assert iso_in(text) == found


def test_a_long_page_of_tags_that_are_never_closed_is_read_at_once() -> None:
    """Pages of the web are."""
    page = "<p>word <b>bold</b> " * 50_000
    assert len(list(sections(page))) == 50_000


def test_tags_and_headings_keep_their_names() -> None:
    """Tags first."""
    found = [(one.title, one.body.strip()) for one in sections("<data a='1'>x</data>\n### Rules\nbe kind")]
    assert found == [("data", "x"), ("Rules", "be kind")]
