"""A journal line: key first and of fixed length, so that loading reads keys and offsets only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from recollect.domain.errors import DataError, NewerSchemaError
from recollect.domain.ids import RecordKey
from recollect.records.codec import decode, encode
from recollect.records.digests import KEY_LENGTH, canonical
from recollect.records.kinds import BODIES

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
UPGRADES: Mapping[str, Mapping[int, Upgrade]] = {kind: {} for kind in BODIES}
"""Kind -> schema number -> the step to the next number."""

_KEY_AT = len('{"key":"')
_KIND_AT = _KEY_AT + KEY_LENGTH + len('","kind":"')


def schema_of(kind: str) -> int:
    """The newest schema number."""
    return 1 + max(UPGRADES[kind], default=0)


def to_line(key: str, body: Any, kind: str) -> bytes:
    """The line of one record, with its line feed."""
    if len(key) != KEY_LENGTH:
        raise ValueError(f"a key has {KEY_LENGTH} characters, got {key!r}")
    head = f'{{"key":"{key}","kind":"{kind}","schema":{schema_of(kind)},"body":'
    return f"{head}{canonical(encode(body))}}}\n".encode()


def head_of(line: bytes) -> tuple[RecordKey, str]:
    """Key and kind of a line, without reading its body.

    Raises:
        ValueError: The line is not one of ours.
    """
    end = line.find(b'"', _KIND_AT)
    if not line.startswith(b'{"key":"') or end < 0 or not line.rstrip().endswith(b"}"):
        raise ValueError("not a record")
    return RecordKey(line[_KEY_AT : _KEY_AT + KEY_LENGTH].decode("ascii")), line[_KIND_AT:end].decode("ascii")


def body_of(line: bytes, *, where: str, number: int | None = None) -> Any:
    """The body of a line, brought to the newest schema.

    Raises:
        DataError: It is not what its schema promises.
        NewerSchemaError: A newer version wrote it.
    """
    try:
        outer = json.loads(line)
        kind, schema, body = outer["kind"], outer["schema"], outer["body"]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"not a record ({error})", where, line=number, fix="Delete the line and resume.") from None
    if kind not in BODIES or not isinstance(schema, int) or schema > schema_of(kind):
        raise NewerSchemaError(f"{where}: `{kind}` records of schema {schema} are newer than this version of recollect")
    for version in range(schema, schema_of(kind)):
        body = UPGRADES[kind][version](body)
    return decode(BODIES[kind], body, where=where, line=number)
