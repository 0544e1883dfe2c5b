from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.ids import UnitId
from recollect.offline.slots import Action, SlotBook, slot_of


def actions(*statements: str) -> list[str]:
    book = SlotBook()
    return [book.take(statement, UnitId(f"u{at}")).action.value for at, statement in enumerate(statements)]


@pytest.mark.parametrize(
    ("statement", "subject", "relation", "value"),
    [
        ("Ann lives in Oslo.", "ann", "live in", "Oslo"),
        ("Ann now lives in Oslo (since 2020).", "ann", "live in", "Oslo"),
        ("The capital of Arden is Tarn.", "capital of arden", "is", "Tarn"),
        ("Ann's job is a baker.", "ann job", "is", "a baker"),
        ("Ann was educated at the University of Tarn.", "ann", "was educ at", "University of Tarn"),
        ("Ann is married to Bo.", "ann", "is marri to", "Bo"),
        (
            "The seat of the Tarn Court is located in the city of Oslo.",
            "seat of tarn court",
            "is locat in citi of",
            "Oslo",
        ),
    ],
)
def test_a_statement_is_parted_into_subject_relation_and_value(
    statement: str, subject: str, relation: str, value: str
) -> None:
    slot = slot_of(statement)
    assert slot is not None
    assert (slot.subject, slot.relation, slot.value) == (subject, relation, value)


@pytest.mark.parametrize(
    "statement", ["", "Oslo", "It is raining.", "Way to go!", "Your job is great.", "Ann loves it."]
)
def test_what_names_nothing_has_no_slot(statement: str) -> None:
    assert slot_of(statement) is None


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param(["Ann lives in Oslo.", "Ann lives in Bonn."], ["add", "update"], id="other-value"),
        pytest.param(["Ann lives in Oslo.", "Ann lives in Oslo!"], ["add", "noop"], id="same-value"),
        pytest.param(["Way to go!", "Way to go."], ["add", "noop"], id="same-words-without-a-slot"),
        pytest.param(["Ann lives in Oslo.", "Bo lives in Bonn."], ["add", "add"], id="other-subject"),
        pytest.param(["Ann lives in Oslo.", "Ann works in Bonn."], ["add", "add"], id="other-relation"),
        pytest.param(["Ann likes tea.", "Ann likes coffee."], ["add", "add"], id="many-values"),
        pytest.param(["Ann likes tea.", "Ann likes coffee instead."], ["add", "update"], id="many-values-replaced"),
        pytest.param(["Ann is glad.", "Ann is tired."], ["add", "add"], id="moods-do-not-replace"),
        pytest.param(["Ann works at Tarn Mill.", "Ann left Tarn Mill."], ["add", "close"], id="left"),
        pytest.param(["Ann owns a red van.", "Ann sold the red van."], ["add", "close"], id="sold"),
        pytest.param(["Ann owns a red van.", "Bo sold the red van."], ["add", "add"], id="sold-by-another"),
        pytest.param(["Ann owns a red van.", "Ann sold a boat."], ["add", "add"], id="sold-another-thing"),
        pytest.param(["Ann plays tennis.", "Ann no longer plays tennis."], ["add", "close"], id="no-longer"),
    ],
)
def test_a_statement_replaces_repeats_ends_or_adds(statements: Sequence[str], expected: Sequence[str]) -> None:
    assert actions(*statements) == expected


def test_a_decision_names_the_statement_that_it_touches() -> None:
    book = SlotBook()
    book.take("Ann lives in Oslo.", UnitId("first"))
    decision = book.decide("Ann lives in Bonn.")
    assert (decision.action, decision.touched) == (Action.UPDATE, "first")
    assert book.held == ("first",)


def test_a_replaced_statement_is_held_no_longer() -> None:
    book = SlotBook()
    for name, statement in [("a", "Ann lives in Oslo."), ("b", "Ann lives in Bonn."), ("c", "Ann lives in Oslo.")]:
        assert book.take(statement, UnitId(name)).action is not Action.NOOP
    assert book.held == ("c",)


def test_an_ended_statement_may_be_said_again() -> None:
    assert actions("Ann works at Tarn Mill.", "Ann left Tarn Mill.", "Ann works at Tarn Mill.") == [
        "add",
        "close",
        "add",
    ]


def test_dropping_what_is_not_held_does_nothing() -> None:
    book = SlotBook()
    book.drop(UnitId("nobody"))
    assert book.held == ()


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_statements_can_be_taken_and_only_adding_ones_are_held(statements: list[str]) -> None:
    book = SlotBook()
    names = [UnitId(f"u{at}") for at in range(len(statements))]
    added = {
        name
        for name, statement in zip(names, statements, strict=True)
        if book.take(statement, name).action in (Action.ADD, Action.UPDATE)
    }
    assert set(book.held) <= added
