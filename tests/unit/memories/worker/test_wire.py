"""What comes back from a worker is checked: whatever is not what the protocol says is malformed, with its place."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.domain.errors import (
    CallError,
    MalformedError,
    NotAvailableError,
    RecollectError,
    RefusedError,
    RetryableError,
)
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.worker.wire import (
    error_of,
    line_of,
    message_data,
    ok_of,
    read_line,
    recall_of,
    receipt_of,
    units_of,
)

MESSAGE = Message(message_id=MessageId("m1"), session_id=SessionId("s1"), text="Hi", said_at="2024-03-01T09:00")


def test_a_message_travels_whole_and_back() -> None:
    (item,) = recall_of({"items": [{"message": message_data(MESSAGE), "score": 2}]}).items
    assert item.message == MESSAGE
    assert (item.text, item.sources, item.unit_id, item.said_at, item.score) == (
        "Hi",
        ("m1",),
        "m1",
        MESSAGE.said_at,
        2,
    )


def test_half_a_character_travels_unchanged() -> None:
    line = line_of({"id": 1, "text": "\ud800"})
    assert line.isascii()
    assert read_line(line) == {"id": 1, "text": "\ud800"}


@pytest.mark.parametrize(
    "line", [b"", b"hello", b"[1]", b"7", b'{"a": 1}', b'{"id": 1', b'{"id": NaN}', b"\xff{}", b"[" * 99_999]
)
def test_a_line_that_is_no_answer_is_noise(line: bytes) -> None:
    assert read_line(line) is None


@pytest.mark.parametrize(
    "said",
    [
        {"items": 7},
        {"items": ["text"]},
        {"items": [{}]},
        {"items": [{"text": 7}]},
        {"items": [{"text": "t", "sources": "m1"}]},
        {"items": [{"text": "t", "sources": [1]}]},
        {"items": [{"text": "t", "score": "high"}]},
        {"items": [{"text": "t", "score": 1e999}]},
        {"items": [{"text": "t", "unit_id": 7}]},
        {"items": [{"text": "t", "said_at": 7}]},
        {"items": [{"message": "m1"}]},
        {"items": [{"message": {"text": "t"}}]},
        {"items": [{"message": {**message_data(MESSAGE), "more": 1}}]},
        {"items": [{"message": {**message_data(MESSAGE), "said_at": "now"}}]},
        {"order": "best"},
        {"order": []},
        {"rendered": 7},
    ],
)
def test_a_recall_that_is_none_is_malformed(said: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        recall_of(said)


@pytest.mark.parametrize("said", [{"status": "done"}, {"unit_ids": "u1"}, {"unit_ids": [1]}, {"status": None}])
def test_a_receipt_that_is_none_is_malformed(said: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        receipt_of(said)


@pytest.mark.parametrize("unit", [{}, {"unit_id": "u"}, {"unit_id": 1, "text": "t"}, {"unit_id": "u", "text": None}, 7])
def test_a_unit_that_is_none_is_malformed(unit: Any) -> None:
    with pytest.raises(MalformedError):
        units_of({"units": [unit]})


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("retryable", RetryableError),
        ("refused", RefusedError),
        ("malformed", MalformedError),
        ("not_available", NotAvailableError),
        ("raised", CallError),
        ("of its own", CallError),
    ],
)
def test_each_kind_of_error_has_its_class(kind: str, error: type[RecollectError]) -> None:
    made = error_of({"kind": kind, "message": "no", "cause": "odd_thing"}, "w")
    assert type(made) is error
    assert str(made) == "w: no"
    assert not isinstance(made, CallError) or made.cause == "odd_thing"


@pytest.mark.parametrize("cause", ["two words", "<b>", 7, "x" * 99, None])
def test_a_cause_that_is_no_word_is_left_out(cause: Any) -> None:
    made = error_of({"kind": "raised", "message": "no", "cause": cause}, "w")
    assert isinstance(made, CallError)
    assert made.cause == ""


@pytest.mark.parametrize(
    "answer", [{"id": 1}, {"id": 1, "ok": 7}, {"id": 1, "error": "no"}, {"id": 2, "ok": {}}, {"id": 1, "error": {}}]
)
def test_an_answer_that_is_none_breaks_the_protocol(answer: dict[str, Any]) -> None:
    with pytest.raises(MalformedError) as caught:
        ok_of(answer, 1, "w")
    assert caught.value.cause == "worker_protocol"
