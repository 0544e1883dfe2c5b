"""The export format of the cache: one file, gzip over JSON lines; the same calls give the same bytes."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
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
        """The reply, byte for byte."""
        try:
            return self.reply.encode() if self.encoding == "text" else b64decode(self.reply, validate=True)
        except ValueError:
            raise ValueError(f"`reply`: not {self.encoding}, got {self.reply[:60]!r}") from None


def row_of(call: Call) -> Row:
    """The row of a call whose texts are in the cache."""
    reply = call.raw()
    stored = Stored(reply=reply, model=call.model, kind=call.kind, usage=call.usage, payer=call.payer)
    chunks = tuple(Chunk(hash=bytes.fromhex(name), text=None) for name in call.prompt)
    return Row(key=call.key, stored=stored, created=call.created, body=squeezed(reply), chunks=chunks)


def to_bytes(line: Mapping[str, Any]) -> bytes:
    """A line as it stands in the file."""
    return json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def parse(line: bytes) -> Call | Chunk:
    """The call or text of a line; a ValueError lists what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not a line of JSON") from None
    if not isinstance(data, dict):
        data = {}
    if data.keys() == {"digest", "call"}:
        if digest(data["call"]) != data["digest"]:
            raise ValueError("its content does not match its digest")
        call, problems = read(Call, data["call"])
        if problems:
            raise ValueError(", ".join(problems))
        return call
    if data.keys() != {"digest", "text"} or not isinstance(data["text"], str):
        raise ValueError("neither a call nor a text, each with its digest")
    if plain(data["text"]) != data["text"]:
        raise ValueError(f"not text, got {data['text'][:60]!r}")
    text = data["text"].encode()
    if hash_of(text).hex() != data["digest"]:
        raise ValueError("its content does not match its digest")
    return Chunk(hash=hash_of(text), text=text)


def substance(reply: bytes) -> bytes:
    """The digest of a reply without what differs between any two replies."""
    try:
        data = json.loads(reply)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        rest = {name: value for name, value in data.items() if name not in ENVELOPE}
        reply = json.dumps(rest, sort_keys=True).encode()
    return blake2b(reply, digest_size=16).digest()


_ALL = f"SELECT key, created, prompt, {COLUMNS} FROM response ORDER BY key"  # noqa: S608


def export(base: sqlite3.Connection, target: Path) -> int:
    """Write all calls of *base* to *target*, as they are at this moment; returns how many."""
    base.execute("BEGIN")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        count = int(base.execute("SELECT count(*) FROM response").fetchone()[0])
        with temporary.open("wb") as raw:
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as file:
                file.write(
                    to_bytes({"kind": KIND, "schema": SCHEMA, "made_by": f"recollect {VERSION}", "calls": count})
                )
                for line in _lines(base):
                    file.write(to_bytes(line))
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(target)
    except OSError as error:
        raise DiskError(
            f"{target}: the export cannot be written ({error.strerror or error}). Make room, or name another file."
        ) from error
    finally:
        base.execute("ROLLBACK")
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return count


def _lines(base: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    """Texts and calls; a text stands before the first call that has it."""
    hashes: dict[int, str] = {}
    for key, created, prompt, *columns in base.execute(_ALL):
        numbers = texts_of(prompt)
        for number in numbers:
            if number not in hashes:
                chunk = read_chunk(base, number)
                hashes[number] = chunk.hash.hex()
                yield {"digest": hashes[number], "text": (chunk.text or b"").decode()}
        stored = unpack(columns)
        encoding: Literal["text", "base64"] = "text"
        try:
            reply = stored.reply.decode()
        except UnicodeDecodeError:
            reply, encoding = b64encode(stored.reply).decode(), "base64"
        call = Call(
            key=key,
            kind=stored.kind,
            model=stored.model,
            payer=stored.payer,
            created=created,
            prompt=tuple(hashes[number] for number in numbers),
            reply=reply,
            encoding=encoding,
            usage=stored.usage,
        )
        data = encode(call)
        yield {"digest": digest(data), "call": data}
