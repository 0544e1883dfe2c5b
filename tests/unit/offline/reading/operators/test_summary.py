"""Extractive summaries."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat
from recollect.text.tokens import count

from tests.unit.offline.reading.one_line import ask

STORY = [
    "The ship Aurora left Denn in spring. Its captain was Ida Holt. Rain fell.",
    "Captain Holt found an island with gold. The crew of the ship wanted the gold. They ate.",
    "The crew left the captain on the island. The ship Aurora sank near Denn. So it goes.",
]


@pytest.mark.parametrize("limit", [12, 25, 60])
def test_a_summary_stays_within_its_budget(limit: int) -> None:
    reply = ask(STORY, "Summarise the story.", answer_format=AnswerFormat.SUMMARY, output_tokens=limit)
    assert 0 < count(reply.text) <= limit


def test_a_summary_keeps_the_order_of_the_story() -> None:
    reply = ask(STORY, "Summarise the story.", answer_format=AnswerFormat.SUMMARY, output_tokens=60)
    places = [" ".join(STORY).find(sentence) for sentence in reply.text.split(". ")]
    assert places == sorted(places)


def test_a_larger_budget_covers_more() -> None:
    short, long = (
        ask(STORY, "Summarise.", answer_format=AnswerFormat.SUMMARY, output_tokens=limit).text for limit in (12, 60)
    )
    assert len(set(long.split())) > len(set(short.split()))


def test_what_the_question_names_is_kept_first() -> None:
    reply = ask(STORY, "Summarise what is told of the gold.", answer_format=AnswerFormat.SUMMARY, output_tokens=14)
    assert "gold" in reply.text


def test_an_empty_context_has_no_summary() -> None:
    assert ask([], "Summarise.", answer_format=AnswerFormat.SUMMARY).abstained
