"""tiktoken's encoding as a tokenizer: never downloaded, cuts never too long."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import MissingExtraError
from recollect.text import tokens


class ByteTriples:
    """An encoding of three bytes a token, which parts letters as a byte-pair encoding does."""

    def encode_ordinary(self, text: str) -> list[int]:
        data = text.encode()
        return [int.from_bytes(b"\x01" + data[place : place + 3], "big") for place in range(0, len(data), 3)]

    def decode_single_token_bytes(self, token: int) -> bytes:
        return token.to_bytes(4, "big").lstrip(b"\x00")[1:]


TOKENIZER = tokens.tokenizer_of(ByteTriples())
TEXTS = st.text(alphabet="ab é中😀\n", max_size=40)


@given(TEXTS)
def test_spans_cover_the_text_though_tokens_part_letters(text: str) -> None:
    found = TOKENIZER.spans(text)
    assert "".join(text[start:end] for start, end in found) == text
    assert len(found) <= TOKENIZER.count(text)


@given(TEXTS, st.integers(-1, 20))
def test_cuts_never_exceed_the_limit(text: str, limit: int) -> None:
    front, end = TOKENIZER.cut_front(text, limit), TOKENIZER.cut_end(text, limit)
    assert text.endswith(front)
    assert text.startswith(end)
    assert max(TOKENIZER.count(front), TOKENIZER.count(end)) <= max(limit, 0)


def test_cuts_keep_all_that_fits() -> None:
    assert TOKENIZER.cut_end("abcdefgh", 2) == "abcdef"
    assert TOKENIZER.cut_front("abcdefgh", 2) == "defgh"


def test_it_is_not_here_without_its_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tokens, "find_spec", lambda name: object())
    assert not tokens.o200k_available()
    with pytest.raises(MissingExtraError, match="pip install tiktoken"):
        tokens.o200k_tokenizer()


def test_it_is_not_here_with_another_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """tiktoken would delete the table and fetch another."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tokens, "find_spec", lambda name: object())
    name = hashlib.sha1(b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken").hexdigest()
    (tmp_path / name).write_bytes(b"not the table")
    assert not tokens.o200k_available()


def test_it_is_not_here_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "find_spec", lambda name: None)
    assert not tokens.o200k_available()
