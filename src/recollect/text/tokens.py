"""The bundled tokenizer: one regular expression, no table, the same count on every machine.

It replaces a byte-pair encoding for budgets and chunk sizes. A token is a word of up to eight letters with the space
before it, three digits, three signs or a run of white space; a longer word costs a token for every further eight
letters. The count of English text is within a few percent of o200k_base; in other scripts it is higher.

Two properties hold exactly, because no rule looks ahead or behind and every end of a token is itself a token:

* the tokens up to (or from) a token border are those of the whole text, so a cut has just the tokens asked for;
* `count(a + b) <= count(a) + count(b)`, so what fits piece by piece fits when it is joined.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Protocol, cast

NAME = "recollect-bpe-free-1"
LONGEST = 16
"""No token has more characters."""

Span = tuple[int, int]

_SMALL = "a-zªµºÀ-ÖØ-öø-\u036f"
_CLITIC = "(?:['’](?:s|t|re|ve|m|ll|d))?"
_RULES = (
    rf"[ '’_]?(?:[A-Z]?[{_SMALL}]{{1,8}}|[A-Z]{{1,3}}){_CLITIC}",
    r"[0-9]{1,3}",
    r" ?(?:[^\s\w\u0300-\u1fff\u2e80-\U0010ffff]|_){1,3}[\r\n]{0,2}",
    r" ?[\u0370-\u167f\u1681-\u1fff]{1,4}",  # Greek, Cyrillic, Semitic and Indic scripts
    r" ?[\uac00-\ud7ff]{1,2}",  # Hangul
    rf"\s{{1,{LONGEST}}}",
    r".",
)
_tokens = re.compile("|".join(_RULES), re.DOTALL)


def count(text: str) -> int:
    """Number of tokens of *text*."""
    return len(_tokens.findall(text))


def spans(text: str) -> list[Span]:
    """Start and end of each token in characters; they cover *text* without gap or overlap."""
    return list(pairwise(accumulate(map(len, _tokens.findall(text)), initial=0)))


def cut_end(text: str, limit: int) -> str:
    """The first *limit* tokens of *text*."""
    if limit <= 0:
        return ""
    last = deque(islice(_tokens.finditer(text), limit), maxlen=1)
    return text[: last[0].end()] if last else ""


def cut_front(text: str, limit: int) -> str:
    """The last *limit* tokens of *text*."""
    if limit <= 0:
        return ""
    # No token but a run of white space continues over a space, so that one after a sign is a token border.
    border = max(len(text) - limit * LONGEST, 0)
    while border > 0:
        border = max(text.rfind(" ", 0, border), 0)
        if not text[border - 1].isspace():
            break
    tail = text[border:]
    kept = sum(map(len, _tokens.findall(tail)[-limit:]))
    return tail[len(tail) - kept :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokenizer:
    """A way of counting and cutting; results name it."""

    name: str
    count: Callable[[str], int]
    spans: Callable[[str], list[Span]]
    cut_front: Callable[[str, int], str]
    cut_end: Callable[[str, int], str]


BUNDLED = Tokenizer(name=NAME, count=count, spans=spans, cut_front=cut_front, cut_end=cut_end)


def counter(name: str = "auto") -> Tokenizer:
    """The tokenizer called *name*; nothing is ever downloaded.

    Args:
        name: `auto` takes o200k_base where tiktoken is installed with its table, else the bundled one; the name of
            the tokenizer says which. Any other name gives that one or an error.

    Raises:
        MissingExtraError: o200k_base was asked for by name, and tiktoken or its table is not here.
        UnknownNameError: There is no tokenizer of this name.
    """
    from recollect.domain.errors import UnknownNameError

    if name == NAME or (name == "auto" and not o200k_available()):
        return BUNDLED
    if name in ("auto", O200K_NAME):
        return o200k_tokenizer()
    raise UnknownNameError("tokenizer", name, ("auto", NAME, O200K_NAME))


O200K_NAME = "o200k_base"
_TABLE_FILE = hashlib.sha1(
    b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken", usedforsecurity=False
).hexdigest()
_TABLE_DIGEST = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


class Encoding(Protocol):
    """The part of tiktoken that is used."""

    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_single_token_bytes(self, token: int) -> bytes: ...


def o200k_available() -> bool:
    """Whether tiktoken can be used without a download: it replaces a table with another digest by a fetched one."""
    path = _o200k_table()
    if find_spec("tiktoken") is None or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == _TABLE_DIGEST


def o200k_tokenizer() -> Tokenizer:
    """The tokenizer.

    Raises:
        MissingExtraError: tiktoken is not installed, or its table is not in its cache folder.
    """
    if not o200k_available():
        from recollect.domain.errors import MissingExtraError

        what = f"tokenizer `{O200K_NAME}` (with its table at {_o200k_table()})"
        raise MissingExtraError(what, "tiktoken", "pip install tiktoken")
    return tokenizer_of(cast("Encoding", import_module("tiktoken").get_encoding(O200K_NAME)))


def tokenizer_of(encoding: Encoding) -> Tokenizer:
    """The four operations over an encoding."""

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    def spans(text: str) -> list[Span]:
        # Tokens that end inside a character are one span with the next; so there may be fewer spans than tokens.
        borders = [0]
        for token in encoding.encode_ordinary(text):
            part = encoding.decode_single_token_bytes(token)
            borders.append(borders[-1] + sum(byte & 0xC0 != 0x80 for byte in part))
        return [(a, b) for a, b in pairwise(borders) if a < b]

    def cut_front(text: str, limit: int) -> str:
        starts = [start for start, _ in spans(text)[-limit:]] if limit > 0 else []
        return next((text[start:] for start in starts if count(text[start:]) <= limit), "")

    def cut_end(text: str, limit: int) -> str:
        ends = [end for _, end in spans(text)[:limit]] if limit > 0 else []
        return next((text[:end] for end in reversed(ends) if count(text[:end]) <= limit), "")

    return Tokenizer(name=O200K_NAME, count=count, spans=spans, cut_front=cut_front, cut_end=cut_end)


def _o200k_table() -> Path:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    return (Path(folder) if folder else Path(tempfile.gettempdir(), "data-gym-cache")) / _TABLE_FILE
