"""Rows written in one statement are the rows that are written in steps, or none of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.models.cache.calls import CallCache
from recollect.models.cache.database import FILE, open_base, transaction
from recollect.models.cache.entries import Chunk, Row, Stored, find, pack
from recollect.models.cache.rows import AT_ONCE, RowWriter
from recollect.records.digests import digest


def row(number: object, prompt: str = "a prompt", reply: str = "the mill") -> Row:
    """A reply, ready to be written."""
    return pack(digest(number), Stored(reply=reply.encode(), prompt=prompt, model="m"), 1)


@pytest.fixture
def base(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A new cache."""
    base = open_base(tmp_path / FILE)
    yield base
    base.close()


def counted(base: sqlite3.Connection) -> tuple[int, int]:
    """Replies and pieces in the file."""
    replies, pieces = (base.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("response", "blob"))
    return replies, pieces


def test_new_rows_are_written_with_each_piece_once(base: sqlite3.Connection) -> None:
    """Three replies to two prompts; the second time the prompt's number is in mind."""
    adder = RowWriter(base)
    assert adder.at_once([row(1), row(2, "another"), row(3)])
    assert counted(base) == (3, 2)
    assert adder.at_once([row(4)])
    assert counted(base) == (4, 2)
    assert not base.in_transaction
    for number in (1, 2, 3, 4):
        stored = find(base, digest(number))
        assert stored is not None
        assert stored.reply == b"the mill"


def test_a_reply_that_is_there_stays_and_nothing_beside_it_is_written(base: sqlite3.Connection) -> None:
    """The steps then say which one stands."""
    adder = RowWriter(base)
    assert adder.at_once([row(1)])
    again = [row(2, "two"), row(1, "one", "the weir")]
    assert not adder.at_once(again)
    assert counted(base) == (1, 1)
    with transaction(base):
        assert [None if one is None else one.reply for one in adder.add(again)] == [None, b"the mill"]
    assert counted(base) == (2, 2)


def test_a_key_that_comes_twice_is_left_to_the_steps(base: sqlite3.Connection) -> None:
    """Nothing of the two is written."""
    adder = RowWriter(base)
    assert not adder.at_once([row(1), row(1, "other", "the weir")])
    assert counted(base) == (0, 0)


def test_where_another_connection_wrote_nothing_is_taken_for_known(base: sqlite3.Connection, tmp_path: Path) -> None:
    """A piece has one number, whoever gave it."""
    mine, theirs = RowWriter(base), RowWriter(open_base(tmp_path / FILE))
    assert mine.at_once([row(1, "one")])
    assert theirs.at_once([row(2, "two")])
    assert not mine.at_once([row(3, "two")])
    with transaction(base):
        assert mine.add([row(3, "two")]) == [None]
    assert mine.at_once([row(4, "two")])
    assert counted(base) == (4, 2)


def test_a_piece_that_should_be_there_is_looked_for_in_steps(base: sqlite3.Connection, tmp_path: Path) -> None:
    """It may be in the file, and not in mind."""
    known = row(1)
    bare = replace(row(2), chunks=tuple(Chunk(hash=chunk.hash, text=None) for chunk in known.chunks))
    assert RowWriter(base).at_once([known])
    other = open_base(tmp_path / FILE)
    fresh = RowWriter(other)
    assert not fresh.at_once([bare])
    with transaction(other):
        assert fresh.add([bare]) == [None]
    assert fresh.at_once([replace(bare, key=digest(3))])


def test_more_rows_than_one_statement_takes_are_left_to_the_steps(base: sqlite3.Connection) -> None:
    """Older builds of the database take 999 values."""
    assert not RowWriter(base).at_once([row(number, f"prompt {number}") for number in range(AT_ONCE // 24 + 1)])
    assert counted(base) == (0, 0)


def test_what_is_kept_in_mind_has_a_bound(base: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond it a piece that is in the file is looked for in steps."""
    monkeypatch.setattr("recollect.models.cache.rows.MOST_KNOWN", 2)
    adder = RowWriter(base)
    assert all(adder.at_once([row(number, f"prompt {number}")]) for number in range(3))
    assert not adder.at_once([row(9, "prompt 0")])
    with transaction(base):
        assert adder.add([row(9, "prompt 0")]) == [None]
    assert counted(base) == (4, 3)


def test_the_file_holds_nothing_that_it_did_not_hold_before(base: sqlite3.Connection, tmp_path: Path) -> None:
    """View and trigger are the connection's own."""
    RowWriter(base).at_once([row(1)])
    with sqlite3.connect(tmp_path / FILE) as other:
        names = {name for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type <> 'index'")}
    assert names == {"response", "blob"}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 5)), max_size=40))
def test_two_caches_on_one_file_keep_the_first_reply_and_every_prompt(puts: list[tuple[bool, int, int]]) -> None:
    """Any order of puts through either."""
    with TemporaryDirectory() as folder, CallCache(Path(folder)) as one, CallCache(Path(folder)) as other:
        firsts: dict[int, tuple[bytes, str]] = {}
        for turn, (which, number, prompt) in enumerate(puts):
            stored = Stored(reply=b"%d" % turn, prompt=f"prompt {prompt}", model="m")
            stands = (one, other)[which].put(digest(number), stored)
            firsts.setdefault(number, (stored.reply, stored.prompt))
            assert stands.reply == firsts[number][0]
        for number, (reply, said) in firsts.items():
            found = one.get(digest(number))
            assert found is not None
            assert found.reply == reply
            assert other.prompt(digest(number)) == said
