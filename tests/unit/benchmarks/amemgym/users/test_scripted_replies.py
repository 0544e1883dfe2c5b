"""What rules understand of a reply."""

from __future__ import annotations

import pytest

from recollect.benchmarks.amemgym.users.scripted import Heard, heard


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param("Soak them overnight.", Heard(), id="plain"),
        pytest.param("", Heard(says_nothing=True), id="empty"),
        pytest.param(" \n…", Heard(says_nothing=True), id="no-word"),
        pytest.param("It depends. How often do you cook?", Heard(asks=True), id="question"),
        pytest.param(
            "How often do you cook?\n\nLet me know.", Heard(asks=True), id="question-before-the-last-sentence"
        ),
        pytest.param("Why do that? Heat rises. Air cools. So wait.", Heard(), id="question-that-it-answers-itself"),
        pytest.param("**What is your budget?**", Heard(asks=True), id="question-in-markup"),
        pytest.param("你喜欢什么？", Heard(asks=True), id="question-in-chinese"),
        pytest.param("Soak them. Would you like a recipe?", Heard(asks=True, offers=True), id="offer"),
        pytest.param("I don't know that, sorry.", Heard(does_not_know=True), id="does-not-know"),
        pytest.param("I’m not sure about it.", Heard(does_not_know=True), id="curly-apostrophe"),
        pytest.param("我不知道。", Heard(does_not_know=True), id="does-not-know-in-chinese"),
        pytest.param("- Rinse\n- Soak overnight", Heard(items=("Rinse", "Soak overnight")), id="bullets"),
        pytest.param("1. **Rinse**: it helps\n2) Soak, then wait", Heard(items=("Rinse", "Soak")), id="numbers"),
        pytest.param("- Rinse", Heard(), id="one-item-is-no-list"),
        pytest.param("- <b>Rinse</b>\n- see https://x.y\n- Soak", Heard(items=("", "", "Soak")), id="not-plain"),
        pytest.param("- Since you run\n- My tip\n- Soak", Heard(items=("", "", "Soak")), id="about-a-person"),
        pytest.param("- " + "very " * 9 + "long\n- Soak", Heard(items=("", "Soak")), id="too-long"),
    ],
)
def test_a_reply_is_taken_for_what_it_does(reply: str, expected: Heard) -> None:
    """By its last sentences, its list, and set phrases."""
    assert heard(reply) == expected


def test_the_middle_of_a_very_long_reply_is_not_read() -> None:
    """What stands at its end decides, and nothing takes long."""
    assert heard("I don't know. " + "word " * 400_000 + "What is it?") == Heard(asks=True, does_not_know=True)
    assert heard("word " * 2_000 + "\n- Rinse\n- Soak\n" + "word " * 400_000) == Heard()
