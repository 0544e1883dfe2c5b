"""All records of a journal at once. Reading a whole run must not take longer than looking at it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.domain.ids import RecordKey
from recollect.records.digests import KEY_LENGTH
from recollect.records.kinds import BODIES
from recollect.records.lines import body_of, schema_of
from recollect.store.journal import Journal

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_KEY_AT = len('{"key":"') + KEY_LENGTH


class Record(NamedTuple):
    """A record that counts, or the last fault of what has none."""

    key: RecordKey
    kind: str
    offset: int
    """Where it stands in the journal: later records were written later."""
    body: Any


def lines_of(journal: Journal) -> Iterator[tuple[RecordKey, str, int, bytes]]:
    """Key, kind, offset and line of each record and fault, in the order of the file."""
    data = journal.path.read_bytes() if journal.path.exists() else b""
    entries = [*journal.done.items(), *journal.faults.items()]
    for key, entry in sorted(entries, key=lambda pair: pair[1].offset):
        yield key, entry.kind, entry.offset, data[entry.offset : entry.offset + entry.length]


def records_of(journal: Journal) -> Iterator[Record]:
    """Each record and fault with its body, in the order of the file.

    Raises:
        DataError: A body is not what its schema promises.
        NewerSchemaError: A newer version wrote it.
    """
    for key, kind, offset, line in lines_of(journal):
        yield Record(key, kind, offset, _body(line, kind, str(journal.path)))


def is_newest(line: bytes, kind: str) -> bool:
    """The line is written as writers write now, so that its body can be taken as it stands."""
    return line.startswith(_head(kind), _KEY_AT)


def _body(line: bytes, kind: str, where: str) -> Any:
    if is_newest(line, kind):
        try:
            return _adapter(kind).validate_json(line[_KEY_AT + len(_head(kind)) : line.rindex(b"}")])
        except ValueError:  # the slow way names every problem with its path
            return body_of(line, where=where)
    return body_of(line, where=where)


@cache
def _head(kind: str) -> bytes:
    return f'","kind":"{kind}","schema":{schema_of(kind)},"body":'.encode()


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(BODIES[kind])
