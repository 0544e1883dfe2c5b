"""What one write takes, and where time, speaker and channel stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.traits import Traits, WriteUnit
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.engine.feeding.feeder import feed, feed_whole
from recollect.engine.feeding.visibility import VisibleMessages
from recollect.text.tokens import count


def session(*texts: str, name: str = "s") -> Session:
    messages = tuple(
        Message(
            message_id=MessageId(f"{name}{n}"),
            session_id=SessionId(name),
            text=text,
            speaker="Ann",
            said_at="2024-03-01T09:00+02:00",
            channel="sales",
        )
        for n, text in enumerate(texts)
    )
    return Session(session_id=SessionId(name), messages=messages)


FIVE = session("one", "two", "three", "four", "five")


@pytest.mark.parametrize(
    ("traits", "sizes"),
    [
        pytest.param(Traits(takes=WriteUnit.MESSAGE), [1] * 5, id="message"),
        pytest.param(Traits(takes=WriteUnit.PAIR), [2, 2, 1], id="pair"),
        pytest.param(Traits(takes=WriteUnit.MESSAGES, unit_size=3), [3, 2], id="three-messages"),
        pytest.param(Traits(takes=WriteUnit.SESSION), [5], id="session"),
        pytest.param(Traits(takes=WriteUnit.DOCUMENT), [5], id="document"),
        pytest.param(Traits(takes=WriteUnit.TOKENS, unit_size=2), [2, 2, 1], id="two-tokens"),
    ],
)
def test_messages_are_grouped_as_the_system_takes_them(traits: Traits, sizes: list[int]) -> None:
    assert [len(fed.batch.messages) for fed in feed(FIVE, traits)] == sizes


def test_a_whole_history_is_one_write_over_all_sessions() -> None:
    (fed,) = feed_whole([FIVE, session("six", name="t")], Traits(takes=WriteUnit.WHOLE_HISTORY))
    assert [m.text for m in fed.batch.messages] == ["one", "two", "three", "four", "five", "six"]


def test_nothing_is_fed_of_an_empty_history() -> None:
    assert list(feed_whole([], Traits(takes=WriteUnit.WHOLE_HISTORY))) == []


def test_fields_are_left_alone_where_the_system_has_fields() -> None:
    (fed,) = feed(session("hi"), Traits())
    (message,) = fed.batch.messages
    assert (message.text, message.speaker, message.said_at, message.channel) == (
        "hi", "Ann", "2024-03-01T09:00+02:00", "sales",
    )  # fmt: skip
    assert fed.batch.text == "#sales Ann: hi"


def test_time_speaker_and_channel_go_into_the_text_where_the_system_wants_text() -> None:
    (fed,) = feed(session("hi"), Traits(time="text", speaker="text", channel="text"))
    (message,) = fed.batch.messages
    assert message.text == "[2024-03-01T09:00+02:00] #sales Ann: hi", "as said, never converted"
    assert (message.speaker, message.said_at, message.channel) == ("", None, ""), "and nothing is said twice"
    assert fed.batch.text == message.text


def test_what_a_system_has_no_place_for_is_left_out() -> None:
    (fed,) = feed(session("hi"), Traits(time="nowhere", speaker="nowhere", channel="nowhere"))
    assert fed.batch.messages[0].said_at is None
    assert fed.batch.text == "hi"


@given(st.lists(st.text(alphabet="ab c,1", min_size=1, max_size=60), min_size=1, max_size=6), st.integers(1, 7))
def test_a_split_message_is_covered_and_never_doubled(texts: list[str], size: int) -> None:
    shown_session = session(*texts)
    shown = VisibleMessages()
    shown.add(shown_session, {})
    said: list[Message] = []
    for fed in feed(shown_session, Traits(takes=WriteUnit.TOKENS, unit_size=size)):
        shown.add_pieces(fed.pieces)
        said += fed.batch.messages
        assert sum(count(m.text) for m in fed.batch.messages) <= size or len(fed.batch.messages) == 1
    assert len({m.message_id for m in said}) == len(said)
    for origin in shown_session.messages:
        parts = [m for m in said if shown.covered_by([m.message_id]) == {origin.message_id}]
        assert "".join(m.text for m in parts) == origin.text
        assert shown.showing([origin.message_id]) == {m.message_id for m in parts} | {origin.message_id}


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.sampled_from(list(WriteUnit)))
def test_no_write_crosses_a_session(lengths: list[int], takes: WriteUnit) -> None:
    sized = takes in (WriteUnit.MESSAGES, WriteUnit.TOKENS)
    traits = Traits(takes=takes, unit_size=4 if sized else None)
    for number, length in enumerate(lengths):
        one = session(*["word"] * length, name=f"s{number}")
        for fed in feed(one, traits):
            assert {m.session_id for m in fed.batch.messages} == {one.session_id}


def test_a_unit_size_without_a_meaning_is_refused() -> None:
    with pytest.raises(ValueError, match="unit_size belongs to"):
        Traits(takes=WriteUnit.SESSION, unit_size=3)
    with pytest.raises(ValueError, match="starts at 1"):
        Traits(takes=WriteUnit.TOKENS, unit_size=0)
