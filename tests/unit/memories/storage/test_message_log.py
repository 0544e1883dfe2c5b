"""The log keeps messages in order, in memory and as lines that survive any text."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import DataError
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.storage.message_log import FILE_NAME, MessageLog, read_messages, write_messages

from tests.unit.memories.small_history import HISTORY, message

messages = st.builds(
    Message,
    message_id=st.text(min_size=1).map(MessageId),
    session_id=st.text().map(SessionId),
    text=st.text(),
    speaker=st.text(),
    role=st.sampled_from(["user", "assistant", "system", "log", "document"]),
    said_at=st.none() | st.datetimes().map(lambda at: at.isoformat()),
    channel=st.text(),
)


@given(st.lists(messages))
def test_lines_read_back_as_the_messages_written(listed: list[Message]) -> None:
    """Any text, speaker and time come back unchanged, one message to a line."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / FILE_NAME
        write_messages(file, listed)
        assert read_messages(file) == listed
        assert file.read_bytes().count(b"\n") == len(listed)


def test_a_line_holds_every_field(tmp_path: Path) -> None:
    """Fields at their default are written too, so a later default changes nothing that is stored."""
    file = tmp_path / FILE_NAME
    write_messages(file, HISTORY[:1])
    assert json.loads(file.read_text()) == {
        "message_id": "m0000",
        "session_id": "s0",
        "text": "My sister Vera moved to Lisbon in spring.",
        "speaker": "Ana",
        "role": "user",
        "said_at": "2024-03-01T00:30",
        "channel": "",
    }


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("not json", id="no-json"),
        pytest.param("[1, 2]", id="no-object"),
        pytest.param('{"message_id": "a"}', id="fields-missing"),
        pytest.param('{"message_id": "a", "session_id": "s", "text": "t", "mood": "x"}', id="unknown-field"),
        pytest.param('{"message_id": "a", "session_id": "s", "text": "t", "said_at": "noon"}', id="no-time"),
    ],
)
def test_a_line_that_is_no_message_is_named(line: str, tmp_path: Path) -> None:
    """The error says which line of which file, and what to do."""
    file = tmp_path / FILE_NAME
    write_messages(file, HISTORY[:1])
    with file.open("a") as out:
        out.write(line + "\n")
    with pytest.raises(DataError, match=r"messages\.jsonl:2: not a message: .*Delete the snapshot"):
        read_messages(file)


def test_a_message_is_found_by_place_and_by_id(tmp_path: Path) -> None:
    log = MessageLog(tmp_path)
    log.append(HISTORY)
    assert len(log) == 8
    assert log[3] == HISTORY[3]
    assert log.place(HISTORY[3].message_id) == 3
    assert HISTORY[3].message_id in log
    assert "m9999" not in log


def test_a_message_written_twice_is_refused(tmp_path: Path) -> None:
    """Its id would name two things."""
    log = MessageLog(tmp_path)
    log.append(HISTORY[:2])
    with pytest.raises(ValueError, match="'m0001' was written twice"):
        log.append(HISTORY[1:])


def test_the_file_only_grows_by_what_is_new(tmp_path: Path) -> None:
    """What is on the disk stays in place when more is written."""
    log = MessageLog(tmp_path)
    log.append(HISTORY[:5])
    log.flush()
    before = (tmp_path / FILE_NAME).read_bytes()
    log.append(HISTORY[5:])
    log.flush()
    log.flush()
    assert (tmp_path / FILE_NAME).read_bytes().startswith(before)
    assert read_messages(tmp_path / FILE_NAME) == list(HISTORY)


def test_a_long_log_reaches_the_disk_without_being_asked(tmp_path: Path) -> None:
    log = MessageLog(tmp_path)
    log.append(message(number, "x") for number in range(1000))
    assert len(read_messages(tmp_path / FILE_NAME)) == 1000


def test_forgetting_closes_the_gap(tmp_path: Path) -> None:
    """Places are counted anew, and the file holds what is left."""
    log = MessageLog(tmp_path)
    log.append(HISTORY)
    assert log.forget({HISTORY[0].message_id, MessageId("never-shown")})
    assert not log.forget({HISTORY[0].message_id})
    assert log.place(HISTORY[1].message_id) == 0
    assert read_messages(tmp_path / FILE_NAME) == list(HISTORY[1:])
