"""Provenance: shown messages, messages of the history in them, and whether a text is theirs unchanged."""

from __future__ import annotations

import pytest

from recollect.contracts.benchmark import StepSettings
from recollect.diagnose.records.visibility import VisibleHistory
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.records.kinds import ContentRecord, StateRecord, StoredItem
from recollect.records.tables.cells import RecalledItem

from tests.fakes.run_builder import make_history, steps

HISTORY = make_history(0).history
M0, M1, M2 = (MessageId(f"m-facts-0-{i}") for i in range(3))
CHUNK = MessageId("c-s-facts-0-0")
TEXT0, TEXT1 = "item 0 of facts-0 is value0", "item 1 of facts-0 is value1"


def exhibit(chunker: str = "none") -> VisibleHistory:
    return VisibleHistory(HISTORY, steps(HISTORY, StepSettings(chunker=chunker)))


def item(stored: StoredItem, shown: VisibleHistory) -> RecalledItem:
    return shown.recalled(ContentRecord(items=(stored,)), "test").items[0]


def test_a_chunk_covers_the_messages_in_it_and_a_plain_message_itself() -> None:
    assert exhibit("paper").covered_by(CHUNK) == (M0, M1)
    assert exhibit().covered_by(M0) == (M0,)


@pytest.mark.parametrize(
    ("text", "sources", "verbatim"),
    [
        pytest.param(f"Ann said: {TEXT0}; {TEXT1}", (M0, M1), True, id="both-stand-in-it"),
        pytest.param(TEXT0, (M0, M1), False, id="one-is-lost"),
        pytest.param("value0", (M0,), False, id="rewritten"),
        pytest.param(TEXT0, (), False, id="no-provenance"),
        pytest.param("", (M0,), False, id="empty"),
        pytest.param(TEXT0, (MessageId("m-else"),), False, id="unknown-source"),
    ],
)
def test_an_item_is_verbatim_when_it_holds_all_its_sources_unchanged(
    text: str, sources: tuple[MessageId, ...], verbatim: bool
) -> None:
    assert item(StoredItem(text=text, sources=sources), exhibit()).verbatim is verbatim


def test_a_piece_counts_as_the_message_it_was_cut_from_and_only_once() -> None:
    pieces = {MessageId("p1"): M0, MessageId("p2"): M0}
    shown = exhibit().of_trial([StateRecord(step=0, did="observe", pieces=pieces)])
    found = item(StoredItem(text="item 0 of", sources=(MessageId("p1"), MessageId("p2"))), shown)
    assert (found.sources, found.covers, found.verbatim) == ((M0,), (M0,), True)
    lost = item(StoredItem(text="a summary", sources=(MessageId("p1"),)), shown)
    assert (lost.sources, lost.verbatim) == ((M0,), False)


def test_what_was_said_in_a_dialogue_is_known_to_its_trial_alone() -> None:
    said = Message(message_id=MessageId("t1"), session_id=SessionId("s"), text="hello", speaker="user")
    whole = exhibit()
    own = whole.of_trial([StateRecord(step=0, did="converse", talk=(said,))])
    assert item(StoredItem(message=MessageId("t1")), own).text == "hello"
    assert whole.of_trial([StateRecord(step=0, did="observe")]) is whole


def test_the_oracles_messages_are_known_though_the_steps_show_chunks() -> None:
    assert item(StoredItem(message=M2), exhibit("paper")).covers == (M2,)


def test_a_score_does_not_change_the_message_it_stands_beside() -> None:
    shown = exhibit()
    plain, scored = (item(StoredItem(message=M0, score=score), shown) for score in (None, 0.5))
    assert (plain.score, scored.score) == (None, 0.5)
    assert (plain.text, plain.speaker, plain.covers) == (scored.text, scored.speaker, scored.covers)
