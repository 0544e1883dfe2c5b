from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.offline.slots import slot_of


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


@given(st.text(max_size=60))
def test_any_statement_can_be_parted(statement: str) -> None:
    slot = slot_of(statement)
    assert slot is None or slot.value
