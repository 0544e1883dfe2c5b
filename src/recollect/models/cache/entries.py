"""A reply as the cache stores it. Prompts are cut by content, so that those with common passages share chunks."""

from __future__ import annotations

import re
import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b, shake_256
from json import dumps, loads
from typing import Any, Literal

import numpy as np

from recollect.contracts.models import Usage

Kind = Literal["chat", "embedding"]

KEY = re.compile(r"r\d+:[0-9a-f]{32}")
_FIELD = r"[\w-]{0,40}(?:headers?|authorization|api[-_]?key|(?:auth|access)[-_]?token|cookies?|passwords?|secrets?)"
_MAY_HOLD_SECRETS = re.compile(rf'"{_FIELD}"\s*:', re.IGNORECASE)
_SECRET = re.compile(_FIELD, re.IGNORECASE)
"""Fields of a request in which some servers and libraries take keys; a prompt is kept without them."""
LARGEST = 2**63 - 1
"""What a column of the database takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One reply that was paid for."""

    reply: bytes
    """As the provider sent it, byte for byte."""
    model: str
    kind: Kind = "chat"
    prompt: str = ""
    """The request's body; `CallCache.get` leaves it out, `CallCache.prompt` reads it."""
    usage: Usage | None = None
    payer: str = ""
    """The run that paid."""


@dataclass(slots=True, kw_only=True)
class Chunk:
    """A part of a prompt, stored once however many prompts have it."""

    hash: bytes
    text: bytes | None
    """`None`: it is in the cache already."""


@dataclass(slots=True, kw_only=True)  # one is made for every call, and freezing costs time
class Row:
    """A reply, ready to be written."""

    key: str
    stored: Stored
    """Without its prompt."""
    created: int
    """Seconds since 1970."""
    body: bytes
    chunks: tuple[Chunk, ...]


def pack(key: str, stored: Stored, created: int) -> Row:
    """The row of a reply; a ValueError says why it fits no row."""
    if not KEY.fullmatch(key):
        raise ValueError(f"the key of a call is a digest, got {key!r}")
    if stored.usage is not None and not all(0 <= count <= LARGEST for count in counts(stored.usage)):
        raise ValueError(f"tokens are counted from 0 on, got {stored.usage}")
    text = _without_secrets(stored.prompt).encode("utf-8", "backslashreplace")
    return Row(
        key=key,
        stored=replace(stored, prompt="", model=plain(stored.model), payer=plain(stored.payer)),
        created=created,
        body=squeezed(stored.reply),
        chunks=tuple(Chunk(hash=hash_of(chunk), text=chunk) for chunk in chunks_of(text)),
    )


def plain(text: str) -> str:
    """*text* as the database takes it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def counts(usage: Usage) -> tuple[int, int, int, int]:
    """Tokens in the order of the columns."""
    return usage.input, usage.output, usage.cached, usage.reasoning


def _without_secrets(prompt: str) -> str:
    if not _MAY_HOLD_SECRETS.search(prompt):
        return prompt
    try:
        body = loads(prompt)
    except ValueError:
        return prompt
    if not isinstance(body, dict) or not any(map(_SECRET.fullmatch, body)):
        return prompt
    kept = {name: value for name, value in body.items() if not _SECRET.fullmatch(name)}
    return dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


_BARE = 1024
"""Bytes of a text that is not worth compressing: zlib releases the interpreter lock four times."""
_SHORT = 4096
_SMALL = (13, 5)
"""Window and memory level for short texts; allocating the usual ones takes ten times as long as filling them."""
COLUMNS = "kind, model, payer, input, output, cached, reasoning, body"
_READ = f"SELECT {COLUMNS} FROM response WHERE key = ?"  # noqa: S608


def unpack(found: Any) -> Stored:
    """The reply in its `COLUMNS`, without its prompt."""
    kind, model, payer, fresh, out, cached, reasoning, body = found
    usage = None if fresh is None else Usage(input=fresh, output=out, cached=cached, reasoning=reasoning)
    return Stored(reply=whole(body), kind=kind, model=model, payer=payer, usage=usage)


def squeezed(text: bytes) -> bytes:
    """*text* in zlib format, compressed only if it is long; `whole` reads it."""
    length = len(text)
    if length <= _BARE:  # one stored block (RFC 1950 and 1951)
        sizes = length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little")
        return b"".join((b"\x78\x01\x01", sizes, text, zlib.adler32(text).to_bytes(4, "big")))
    if length > _SHORT:
        return zlib.compress(text, 1)
    packer = zlib.compressobj(1, zlib.DEFLATED, *_SMALL)
    return packer.compress(text) + packer.flush()


def whole(packed: bytes) -> bytes:
    """The text of a column; its checksum is verified."""
    try:
        return zlib.decompress(packed)
    except zlib.error as error:
        raise sqlite3.DatabaseError(f"a packed text is damaged ({error})") from error


def find(base: sqlite3.Connection, key: str) -> Stored | None:
    """The reply stored under *key*."""
    found = base.execute(_READ, (key,)).fetchone()
    return None if found is None else unpack(found)


def read_chunk(base: sqlite3.Connection, number: int) -> Chunk:
    """A text by its number; a missing or damaged one is an IntegrityError."""
    found = base.execute("SELECT hash, text FROM blob WHERE id = ?", (number,)).fetchone()
    if found is None:
        raise sqlite3.IntegrityError(f"text {number} of a prompt is missing")
    text = whole(found[1])
    if hash_of(text) != found[0]:
        raise sqlite3.IntegrityError(f"text {number} of a prompt is not what its hash says")
    return Chunk(hash=found[0], text=text)


def listed(texts: Iterable[int]) -> bytes:
    """The column that says which texts make up a prompt."""
    return squeezed(",".join(map(str, texts)).encode())


def texts_of(prompt: bytes) -> list[int]:
    """Numbers of the texts that make up a prompt, from its column."""
    return [int(number) for number in whole(prompt).decode().split(",") if number]


LEAST, MOST = 512, 8192
"""Bytes of a chunk; the last one may be shorter."""
WHOLE = 1536
"""Bytes of a text that is not worth cutting."""
_BITS = 11
"""A border about every 2 ** _BITS bytes."""
_NUMBERS = np.frombuffer(shake_256(b"recollect: pieces of prompts, 1").digest(1024), "<u4")
"""A random number for each byte; others would cut elsewhere, and new chunks would match no stored ones."""


def hash_of(chunk: bytes) -> bytes:
    """Names a chunk, in 16 bytes."""
    return blake2b(chunk, digest_size=16).digest()


def chunks_of(text: bytes) -> list[bytes]:
    """*text* (UTF-8) in chunks that make it up again; no character is cut in two."""
    if len(text) <= WHOLE:
        return [text] if text else []
    borders, chunks, start = _borders(text), [], 0
    while len(text) - start > LEAST:
        at = bisect_left(borders, start + LEAST)
        end = min(borders[at] if at < len(borders) else len(text), start + MOST, len(text))
        while end < len(text) and text[end] & 0xC0 == 0x80:  # inside a character
            end -= 1
        chunks.append(text[start:end])
        start = end
    return [*chunks, text[start:]] if start < len(text) else chunks


def _borders(text: bytes) -> list[int]:
    """Offsets at which the rolling hash of the 16 bytes before them says so."""
    rolled = _NUMBERS.take(np.frombuffer(text, np.uint8))
    for shift in (1, 2, 4, 8):
        rolled[shift:] += rolled[:-shift] << np.uint32(shift)
    offsets: list[int] = (np.flatnonzero(rolled >> np.uint32(32 - _BITS) == 0) + 1).tolist()
    return offsets
