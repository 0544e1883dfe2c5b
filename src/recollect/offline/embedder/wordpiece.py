"""Text to WordPiece ids, as the model's own (uncased BERT) tokenizer does it.

Where the two differ: characters newer than that tokenizer's Unicode tables. Python knows them as marks or
punctuation, it does not; the words around them are unknown to the vocabulary either way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

MAX_TOKENS = 256
"""A text is cut here, its two frame tokens included; what follows does not reach the vector."""

_LONGEST_WORD = 100
_CACHED_WORDS = 100_000
_SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Spacing(dict[int, str]):
    """Code point to its spaced form, worked out on first sight: a table for `str.translate`."""

    def __missing__(self, point: int) -> str:
        spaced = self[point] = _spaced(chr(point))
        return spaced


def _spaced(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign in "\t\n\r" or category[0] == "Z":
        return " "
    if category in ("Cc", "Cf", "Co", "Cs") or sign == "\ufffd":
        return ""
    if _stands_alone(sign, category):
        return f" {sign} "
    return sign


def _stands_alone(sign: str, category: str) -> bool:
    symbol = sign.isascii() and not sign.isalnum()
    return symbol or category[0] == "P" or any(low <= ord(sign) <= high for low, high in _IDEOGRAPHS)


class WordPiece:
    """Greedy longest match over a vocabulary; a word's pieces are worked out once."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = self._ids["[UNK]"]
        self._spacing = _Spacing()
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The ids of *text* between `[CLS]` and `[SEP]`, cut to `MAX_TOKENS`."""
        ids = [self._ids["[CLS]"]]
        for word in self._split(text):
            ids += self._pieces(word)
            if len(ids) >= MAX_TOKENS:
                break
        return [*ids[: MAX_TOKENS - 1], self._ids["[SEP]"]]

    def _split(self, text: str) -> Iterator[str]:
        if "[" not in text:
            yield from self._plain(text)
            return
        for at, part in enumerate(_SPECIAL.split(text)):
            if at % 2:
                yield part
            else:
                yield from self._plain(part)

    def _plain(self, text: str) -> list[str]:
        if text.isascii():
            return text.lower().translate(self._spacing).split()
        # spaced before the marks go, since NFD turns some ideographs into others; then again, for what it made
        bare = unicodedata.normalize("NFD", text.translate(self._spacing))
        kept = "".join(sign for sign in bare if unicodedata.category(sign) != "Mn")
        # the model's lower-casing looks at one character at a time and knows no final sigma
        return kept.replace("Σ", "σ").lower().translate(self._spacing).split()

    def _pieces(self, word: str) -> tuple[int, ...]:
        pieces = self._words.get(word)
        if pieces is None:
            if len(self._words) >= _CACHED_WORDS:
                self._words.clear()
            pieces = self._words[word] = self._match(word)
        return pieces

    def _match(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._ids), None)
            if end is None:
                return (self._unknown,)
            found.append(self._ids[mark + word[start:end]])
            start, mark = end, "##"
        return tuple(found)
