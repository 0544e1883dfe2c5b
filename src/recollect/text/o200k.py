"""tiktoken's o200k_base as a tokenizer, where the package and its table are on this machine already."""

from __future__ import annotations

import hashlib
import os
import tempfile
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Protocol, cast

from recollect.text.tokens import Span, Tokenizer

NAME = "o200k_base"
_TABLE_FILE = hashlib.sha1(
    b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken", usedforsecurity=False
).hexdigest()
_TABLE_DIGEST = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


class Encoding(Protocol):
    """What is used of tiktoken."""

    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_single_token_bytes(self, token: int) -> bytes: ...


def is_here() -> bool:
    """Whether tiktoken can be used without a download: it replaces a table with another digest by a fetched one."""
    path = _table()
    if find_spec("tiktoken") is None or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == _TABLE_DIGEST


def tokenizer() -> Tokenizer:
    """The tokenizer.

    Raises:
        MissingExtraError: tiktoken is not installed, or its table is not in its cache folder.
    """
    if not is_here():
        from recollect.domain.errors import MissingExtraError

        what = f"tokenizer `{NAME}` (with its table at {_table()})"
        raise MissingExtraError(what, "tiktoken", "pip install tiktoken")
    return of(cast("Encoding", import_module("tiktoken").get_encoding(NAME)))


def of(encoding: Encoding) -> Tokenizer:
    """The four operations over an encoding."""

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    def spans(text: str) -> list[Span]:
        return _spans(text, encoding)

    def cut_front(text: str, limit: int) -> str:
        starts = [start for start, _ in spans(text)[-limit:]] if limit > 0 else []
        return next((text[start:] for start in starts if count(text[start:]) <= limit), "")

    def cut_end(text: str, limit: int) -> str:
        ends = [end for _, end in spans(text)[:limit]] if limit > 0 else []
        return next((text[:end] for end in reversed(ends) if count(text[:end]) <= limit), "")

    return Tokenizer(name=NAME, count=count, spans=spans, cut_front=cut_front, cut_end=cut_end)


def _spans(text: str, encoding: Encoding) -> list[Span]:
    """Tokens that end inside a character are one span with the next; so there may be fewer spans than tokens."""
    borders, place = [0], 0
    for token in encoding.encode_ordinary(text):
        part = encoding.decode_single_token_bytes(token)
        place += sum(1 for byte in part if byte & 0xC0 != 0x80)
        borders.append(place)
    return [(a, b) for a, b in pairwise(borders) if a < b]


def _table() -> Path:
    """Where tiktoken looks for its table."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    return (Path(folder) if folder else Path(tempfile.gettempdir(), "data-gym-cache")) / _TABLE_FILE
