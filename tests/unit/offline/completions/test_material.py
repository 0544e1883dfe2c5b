"""Who said what and when is read from every way to write a dialogue down."""

from __future__ import annotations

import json

import pytest

from recollect.offline.completions.material import Material, read_material, text_of

TURNS = [{"role": "user", "content": "My cat is Rex.", "name": "Ann"}, {"role": "assistant", "content": "Nice name!"}]


def read(text: str) -> Material:
    """The material of a prompt of one turn."""
    return read_material([{"role": "user", "content": text}])


def said(material: Material) -> list[tuple[str, str, str | None, str]]:
    """What was read, in short."""
    return [(one.role, one.speaker, one.said_at, one.text) for one in material.messages]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("user: My cat is Rex.", [("user", "", None, "My cat is Rex.")]),
        ("user: Ann: My cat is Rex.", [("user", "Ann", None, "My cat is Rex.")]),
        ("Ann: My cat is Rex.\nHe is grey.", [("user", "Ann", None, "My cat is Rex.\nHe is grey.")]),
        ("[2024-05-03 10:00] Ann: Hi.", [("user", "Ann", "2024-05-03T10:00:00", "Hi.")]),
        ("[2024-05-03T10:00] #work Ann: Hi.", [("user", "Ann", "2024-05-03T10:00:00", "Hi.")]),
        ("user: [2024-05-03] Ann: Hi.", [("user", "Ann", "2024-05-03T00:00:00", "Hi.")]),
        ("- Ann: Hi.\n- Bo B.: Ho.", [("user", "Ann", None, "Hi."), ("user", "Bo B.", None, "Ho.")]),
        ("==== Human Message ====\n\nHi.\n\n==== Ai Message ====\n\nHo.",
         [("user", "", None, "Hi."), ("assistant", "", None, "Ho.")]),
        (json.dumps(TURNS), [("user", "Ann", None, "My cat is Rex."), ("assistant", "", None, "Nice name!")]),
        (json.dumps([{"role": "system", "content": "x"}, {"speaker": "Bo", "text": "Hi", "date": "2024-05-03"}]),
         [("user", "Bo", "2024-05-03T00:00:00", "Hi")]),
        ("The cat is grey.", [("document", "", None, "The cat is grey.")]),
        ("see here: the cat is grey", [("document", "", None, "see here: the cat is grey")]),
        ('{"no": "message"}', [("document", "", None, '{"no": "message"}')]),
        ("[not json", [("document", "", None, "[not json")]),
    ],
)  # fmt: skip
def test_every_way_to_write_a_dialogue_is_read(text: str, found: list[tuple[str, str, str | None, str]]) -> None:
    """Names, roles and times are taken off the text."""
    assert said(read(text)) == found


def test_facts_are_told_of_their_speaker_with_the_days_that_are_meant() -> None:
    """By the rule extractor, from the day that the prompt names."""
    material = read("# New messages\nAnn: I moved to Lisbon yesterday. Hi! What about you?\n# Date\n2024-03-02")
    assert material.facts == ("Ann moved to Lisbon yesterday. (yesterday: 1 March 2024)",)
    assert material.said_at == "2024-03-02T00:00:00"


def test_of_a_list_every_line_is_a_fact_and_of_a_long_message_every_sentence() -> None:
    """A store of whole chunks would find whole chunks."""
    listed = "user: Here is a list:\n1. Oslo is the capital of Norway.\n2. Rome is the capital of Italy."
    assert read(listed).facts == ("1. Oslo is the capital of Norway.", "2. Rome is the capital of Italy.")
    long = "Ann: I like tea. " + "My cat Rex is grey and sleeps on the red chair in the hall. " * 4
    assert read(long).facts == ("Ann likes tea.", "Ann's cat Rex is grey and sleeps on the red chair in the hall.")


def test_a_user_without_a_name_is_named_only_where_it_speaks_of_itself() -> None:
    """What it says of others is no fact about it."""
    assert read("user: The museum opens at nine on Mondays.").facts == ("The museum opens at nine on Mondays.",)
    assert read("user: My cat is called Rex.").facts == ("The user's cat is called Rex.",)


def test_a_fact_that_is_said_twice_is_one() -> None:
    """And small talk is none."""
    assert read("Ann: I like tea.\nBo: Hello!\nAnn: I like tea.").facts == ("Ann likes tea.",)
    assert read("Hello!").facts == ()


def test_the_last_turn_of_a_user_is_read() -> None:
    """What was said before it has been answered; orders of the system are not read, unless nobody else speaks."""
    turns: list[dict[str, object]] = [
        {"role": "system", "content": "My name is Orders."},
        {"role": "user", "content": "Ann: I like tea."},
        {"role": "assistant", "content": "I like coffee."},
        {"role": "user", "content": [{"type": "text", "text": "Ann: I like milk."}]},
        {"role": "tool", "content": "I like rum."},
    ]
    assert read_material(turns).facts == ("Ann likes milk.",)
    assert read_material([{"role": "system", "content": "Ann: I like tea."}]).facts == ("Ann likes tea.",)
    assert read_material([]).facts == ()


def test_names_and_keywords_are_told_in_order() -> None:
    """Each once; numbers are no keywords."""
    material = read("Ann: My friend Bo Berg visited Oslo in 2024. Oslo was cold.")
    assert material.names == ("Ann", "Bo Berg", "Oslo")
    assert material.keywords[:3] == ("friend", "bo", "berg")
    assert "2024" not in material.keywords


@pytest.mark.parametrize(("content", "text"), [("a", "a"), (None, ""), ([{"text": "a"}, {"text": "b"}], "a\nb")])
def test_a_turn_is_text_however_it_comes(content: object, text: str) -> None:
    """Whole, in parts, or not at all."""
    assert text_of(content) == text
