"""The export format of the cache: one file, gzip over JSON lines; the same calls give the same bytes."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from recollect.contracts.models import Usage
from recollect.domain.errors import DiskError
from recollect.domain.version import VERSION
from recollect.models.cache.entries import (
    COLUMNS,
    KEY,
    LARGEST,
    Chunk,
    Kind,
    Row,
    Stored,
    counts,
    hash_of,
    plain,
    read_chunk,
    squeezed,
    texts_of,
    unpack,
)
from recollect.records.codec import encode, read
from recollect.records.digests import digest

KIND = "recollect.calls"
SCHEMA = 1
ENVELOPE = frozenset({"id", "created", "system_fingerprint"})
"""Fields of a reply that name this one answer or the machine that gave it: they differ each time, and say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call in the file."""

    key: str
    kind: Kind
    model: str
    payer: str
    created: int
    """Seconds since 1970."""
    prompt: tuple[str, ...]
    """Digests of the texts that make it up."""
    reply: str
    encoding: Literal["text", "base64"] = "text"
    """Base64 where the reply is no UTF-8."""
    usage: Usage | None = None

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.key):
            raise ValueError(f"`key`: no digest, got {self.key[:80]!r}")
        if not 0 <= self.created <= LARGEST:
            raise ValueError(f"`created`: seconds from 1970 on, got {self.created}")
        if self.usage is not None and not all(0 <= count <= LARGEST for count in counts(self.usage)):
            raise ValueError(f"`usage`: tokens are counted from 0 on, got {self.usage}")
        for name in ("model", "payer"):
            if plain(getattr(self, name)) != getattr(self, name):
                raise ValueError(f"`{name}`: not text, got {getattr(self, name)[:60]!r}")
        self.raw()

    def raw(self) -> bytes:
        """The reply, byte for byte.

        Raises:
            ValueError: It is not written in its encoding.
        """
        try:
            return self.reply.encode() if self.encoding == "text" else b64decode(self.reply, validate=True)
        except ValueError:
            raise ValueError(f"`reply`: not {self.encoding}, got {self.reply[:60]!r}") from None


def call_of(key: str, stored: Stored, created: int, prompt: tuple[str, ...]) -> Call:
    """The call of a reply in the cache."""
    fields: dict[str, Any] = {"key": key, "kind": stored.kind, "model": stored.model, "payer": stored.payer}
    fields |= {"created": created, "prompt": prompt, "usage": stored.usage}
    try:
        return Call(**fields, reply=stored.reply.decode())
    except UnicodeDecodeError:
        return Call(**fields, reply=b64encode(stored.reply).decode(), encoding="base64")


def row_of(call: Call) -> Row:
    """The row of a call whose texts are in the cache."""
    return Row(
        key=call.key,
        kind=call.kind,
        model=call.model,
        payer=call.payer,
        created=call.created,
        usage=call.usage,
        body=squeezed(call.raw()),
        pieces=tuple(Chunk(hash=bytes.fromhex(name), text=None) for name in call.prompt),
    )


def line_of_call(call: Call) -> Mapping[str, Any]:
    """The line of a call."""
    data = encode(call)
    return {"digest": digest(data), "call": data}


def line_of_text(piece: Chunk) -> Mapping[str, Any]:
    """The line of a text."""
    return {"digest": piece.hash.hex(), "text": (piece.text or b"").decode()}


def to_bytes(line: Mapping[str, Any]) -> bytes:
    """A line as it stands in the file."""
    return json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def parse(line: bytes) -> Call | Chunk:
    """The call or text of a line.

    Raises:
        ValueError: With what is wrong with it; several problems are listed.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not a line of JSON") from None
    if isinstance(data, dict) and data.keys() == {"digest", "call"}:
        return _call(data["digest"], data["call"])
    if isinstance(data, dict) and data.keys() == {"digest", "text"} and isinstance(data["text"], str):
        return _text(data["digest"], data["text"])
    raise ValueError("neither a call nor a text, each with its digest")


def _call(told: Any, data: Any) -> Call:
    if digest(data) != told:
        raise ValueError("its content is not what its digest says")
    call, problems = read(Call, data)
    if problems:
        raise ValueError(", ".join(problems))
    return call


def _text(told: Any, text: str) -> Chunk:
    if plain(text) != text:
        raise ValueError(f"not text, got {text[:60]!r}")
    raw = text.encode()
    if hash_of(raw).hex() != told:
        raise ValueError("its content is not what its digest says")
    return Chunk(hash=hash_of(raw), text=raw)


def substance(reply: bytes) -> bytes:
    """The digest of a reply without what differs between any two replies."""
    try:
        data = json.loads(reply)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        said = {name: value for name, value in data.items() if name not in ENVELOPE}
        reply = json.dumps(said, sort_keys=True).encode()
    return blake2b(reply, digest_size=16).digest()


_ALL = f"SELECT key, created, prompt, {COLUMNS} FROM response ORDER BY key"  # noqa: S608


def export(base: sqlite3.Connection, target: Path) -> int:
    """Write all calls of *base* to *target*, as they are at this moment; how many they are.

    Raises:
        DiskError: The file cannot be written; one that was there is left as it was.
    """
    base.execute("BEGIN")
    try:
        count = int(base.execute("SELECT count(*) FROM response").fetchone()[0])
        with _aside(target) as file:
            file.write(to_bytes({"kind": KIND, "schema": SCHEMA, "made_by": _maker(), "calls": count}))
            for line in _lines(base):
                file.write(to_bytes(line))
    finally:
        base.execute("ROLLBACK")
    return count


def _maker() -> str:
    return f"recollect {VERSION}"


def _lines(base: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    """Texts and calls; a text stands before the first call that has it."""
    hashes: dict[int, str] = {}
    for key, created, prompt, *reply in base.execute(_ALL):
        numbers = texts_of(prompt)
        for number in numbers:
            if number not in hashes:
                piece = read_chunk(base, number)
                hashes[number] = piece.hash.hex()
                yield line_of_text(piece)
        yield line_of_call(call_of(key, unpack(reply), created, tuple(hashes[number] for number in numbers)))


@contextmanager
def _aside(target: Path) -> Iterator[gzip.GzipFile]:
    """A packed file that takes the place of *target* when it is whole; no name and no time in it."""
    aside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        try:
            with aside.open("wb") as raw:
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as file:
                    yield file
                raw.flush()
                os.fsync(raw.fileno())
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise DiskError(
            f"{target}: the export cannot be written ({error.strerror or error}). Make room, or name another file."
        ) from error
