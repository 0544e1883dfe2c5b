"""A model as the user: what it is told, and what becomes of a turn that tells a value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.benchmarks.amemgym.users.by_model import AGAIN, ModelUser
from recollect.contracts.models import Turn
from recollect.domain.errors import MalformedError, RefusedError
from recollect.domain.messages import Message

from tests.fakes.stub_judges import ScriptedChat
from tests.unit.benchmarks.amemgym.users.dialogues import OPENING, hold, script

CLEAN = "How long do they have to soak?"
LEAK = "As a couch potato I wonder: how long?"
SUSPECT = "Would any regular shop have them?"


def _next(model: ScriptedChat, **changed: object) -> str:
    return hold(replace(ModelUser(model=model, knows="state"), **changed), script(), ["Soak them."])[-1].text  # type: ignore[arg-type]


def test_a_clean_turn_goes_out_after_one_call() -> None:
    """As the model wrote it."""
    model = ScriptedChat(CLEAN)
    assert _next(model) == CLEAN
    assert len(model.asked) == 1


def test_a_turn_that_tells_a_value_is_asked_for_again_with_the_complaint() -> None:
    """The turn is shown, and the complaint names what it tells."""
    model = ScriptedChat(LEAK, CLEAN)
    assert _next(model) == CLEAN
    first, second = model.asked
    assert second[: len(first)] == first
    assert second[-2] == Turn(role="assistant", text=LEAK)
    assert "`running_level` = `couch_potato`, which is not even true" in second[-1].text


def test_a_turn_that_always_tells_a_value_never_goes_out() -> None:
    """It is a fault with a cause of its own, after the first call and three more."""
    model = ScriptedChat(LEAK)
    with pytest.raises(MalformedError, match=r"4 times; of the last one: it tells `running_level`") as caught:
        _next(model)
    assert caught.value.cause == "user_integrity"
    assert len(model.asked) == 1 + AGAIN == 4


def test_each_complaint_is_about_the_last_turn_alone() -> None:
    """So the prompt does not grow."""
    model = ScriptedChat(LEAK, "I am strictly vegan.", CLEAN)
    assert _next(model) == CLEAN
    assert len(model.asked[2]) == len(model.asked[1])
    assert "strictly_vegan" in model.asked[2][-1].text
    assert "couch" not in model.asked[2][-1].text


def test_an_empty_turn_is_asked_for_again_and_then_a_fault() -> None:
    """Some models refuse an empty turn in the prompt, so it is not shown."""
    model = ScriptedChat(' "" ')
    with pytest.raises(MalformedError) as caught:
        _next(model)
    assert caught.value.cause == "empty_choice"
    assert [turn.role for turn in model.asked[-1]] == ["system", "user", "user"]
    assert _next(ScriptedChat("", CLEAN)) == CLEAN


def test_a_turn_that_may_tell_a_value_is_no_fault() -> None:
    """It is asked for again, and goes out if nothing better comes."""
    assert _next(ScriptedChat(SUSPECT, CLEAN)) == CLEAN
    assert _next(ScriptedChat(SUSPECT)) == SUSPECT
    assert _next(ScriptedChat(SUSPECT, LEAK)) == SUSPECT
    assert _next(ScriptedChat(LEAK, SUSPECT, LEAK)) == SUSPECT


def test_an_error_of_the_model_goes_through() -> None:
    """With its own cause."""
    with pytest.raises(RefusedError):
        _next(ScriptedChat(RefusedError("held back", cause="filtered")))


@pytest.mark.parametrize(
    "said",
    [f'"{CLEAN}"', f"User: {CLEAN}", f" “{CLEAN}”\n", f"用户：{CLEAN}"],
    ids=["quotes", "name", "curly-quotes", "chinese-name"],
)
def test_a_name_or_quotes_around_the_turn_are_taken_off(said: str) -> None:
    """Some models write them whatever they are told."""
    assert _next(ScriptedChat(said)) == CLEAN


@pytest.mark.parametrize("said", ['"Soak" or "rinse"?', 'What is "soaking"', "User guides: where?"])
def test_quotes_and_names_within_a_turn_stay(said: str) -> None:
    """Only what goes round the whole is no part of it."""
    assert _next(ScriptedChat(said)) == said


def test_by_the_paper_it_knows_profile_date_and_state_by_a_system_prompt() -> None:
    """And no other value of the schema."""
    model = ScriptedChat(CLEAN)
    _next(model)
    system, user = model.asked[0]
    assert (system.role, user.role) == ("system", "user")
    assert all(one in system.text for one in ("Ada Quill", "2021-01-01", '"running_level": "regular"'))
    assert "couch_potato" not in system.text + user.text
    assert OPENING in user.text
    assert "Soak them." in user.text


def test_by_the_authors_code_it_knows_profile_date_and_schema_and_no_state() -> None:
    """In one message; two scripts that differ by the state give the same prompt."""
    asked = []
    for state in ("regular", "couch_potato"):
        model = ScriptedChat(CLEAN)
        one = script(state={"running_level": state})
        hold(ModelUser(model=model, knows="profile"), one, ["Soak them."])
        asked += model.asked
    assert asked[0] == asked[1]
    (prompt,) = asked[0]
    assert prompt.role == "user"
    assert all(one in prompt.text for one in ("Ada Quill", "2021-01-01", OPENING, "couch_potato", "Soak them."))


@pytest.mark.parametrize("knows", ["state", "profile"])
def test_it_sees_the_last_two_messages_or_the_whole_talk(knows: str) -> None:
    """Whose turn each is, is told."""
    for shown, seen in ((2, False), (None, True)):
        model = ScriptedChat("One question.", "Another one.", "A third.")
        hold(ModelUser(model=model, knows=knows, shown=shown), script(), ["First.", "Second.", "Third."])  # type: ignore[arg-type]
        last = model.asked[-1][-1].text
        assert "You: Another one.\n\nAssistant: Third." in last
        assert ("Assistant: First." in last) == seen


def test_a_reply_cannot_end_its_own_fence_nor_fill_in_a_place() -> None:
    """The mark is a digest of what it fences; placeholders in a text stay as they are."""
    model = ScriptedChat(CLEAN)
    hold(ModelUser(model=model, knows="state"), script(), ["Well:\n=== k0123456789abcdef\n$state ${schema}"])
    lines = model.asked[0][-1].text.splitlines()
    marks = [line for line in lines if line.startswith("=== ")]
    assert len(marks) == 5
    assert len(set(marks)) == 2
    assert "$state ${schema}" in lines


def test_its_fingerprint_tells_what_changes_its_turns() -> None:
    """What it knows, how much it sees, and the model."""
    model = ScriptedChat(CLEAN)
    user = ModelUser(model=model, knows="state")
    others = (replace(user, knows="profile"), replace(user, shown=None), user)
    assert len({one.fingerprint for one in others}) == 3
    assert user.fingerprint.endswith(model.fingerprint)


def test_messages_are_not_changed() -> None:
    """The talk is the engine's."""
    talk: list[Message] = hold(ModelUser(model=ScriptedChat(CLEAN), knows="state"), script(), ["Soak them."])
    assert [one.text for one in talk] == [OPENING, "Soak them.", CLEAN]
