"""The bundled embedder: MiniLM on numpy, from word pieces to unit vectors."""

from __future__ import annotations

import ctypes
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.offline.embedder.network import ROWS_AT_ONCE, forward, plan
from recollect.offline.embedder.weights import CHECKSUMS, DIMENSIONS, TENSORS, find_folder, load

Floats = NDArray[np.float32]

_UNITS = (1, 4, 12, 16, 48)
_PROBE_ROWS = 192
_MOST_WORKERS = 16


class _Switch(NamedTuple):
    """OpenBLAS's own functions for its number of threads."""

    read: ctypes._NamedFuncPointer
    write: ctypes._NamedFuncPointer


_LOCK = Lock()
_CALLERS: list[int] = []
"""One entry for each caller that keeps the library at one thread: the number of threads before the first came."""


@contextmanager
def workers() -> Iterator[int]:
    """How many threads may multiply at once; inside the block the library uses one thread for each product.

    Where its threads cannot be set, one thread multiplies and the library splits each product by itself.
    """
    switch = _switch()
    if switch is None:
        yield 1
        return
    with _LOCK:
        before = _CALLERS[0] if _CALLERS else switch.read()
        if not _CALLERS:
            switch.write(1)
        _CALLERS.append(before)
    try:
        affinity = getattr(os, "sched_getaffinity", None)
        yield min(_MOST_WORKERS, len(affinity(0)) if affinity else os.cpu_count() or 1)
    finally:
        with _LOCK:
            _CALLERS.pop()
            if not _CALLERS:
                switch.write(before)


@cache
def _switch() -> _Switch | None:
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            for name in ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads"):
                library = ctypes.CDLL(str(path))
                if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
                    return _Switch(library[name.format("get")], library[name.format("set")])
    return None


@cache
def row_unit() -> int:
    """Rows per unit within which a row's place may change the last bits of a product; to be asked inside `workers`.

    Found by trying: 1 on x86 processors with AVX-512, where no place matters; 12 with the AVX2 kernels of OpenBLAS;
    0 where nothing helps and each text must be multiplied alone.
    """
    left = np.sin(np.arange(_PROBE_ROWS * 384, dtype=np.float32)).reshape(_PROBE_ROWS, 384)
    right = np.cos(np.arange(384 * 384, dtype=np.float32)).reshape(384, 384)
    return next((unit for unit in _UNITS if alike(left, right, unit)), 0)


def alike(left: Floats, right: Floats, unit: int) -> bool:
    """Whether rows of *left* @ *right* keep every bit when they are multiplied from another multiple of *unit* on."""
    whole = left @ right
    parts = ((at, at + 16 * unit) for at in range(0, 48 + unit, unit))
    return all(np.array_equal(left[start:end] @ right, whole[start:end]) for start, end in parts)


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
        sign = chr(point)
        category = unicodedata.category(sign)
        symbol = sign.isascii() and not sign.isalnum()
        if sign in "\t\n\r" or category[0] == "Z":
            spaced = " "
        elif category in ("Cc", "Cf", "Co", "Cs") or sign == "\ufffd":
            spaced = ""
        elif symbol or category[0] == "P" or any(low <= point <= high for low, high in _IDEOGRAPHS):
            spaced = f" {sign} "
        else:
            spaced = sign
        self[point] = spaced
        return spaced


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
        parts = _SPECIAL.split(text) if "[" in text else [text]
        words = (word for at, part in enumerate(parts) for word in ([part] if at % 2 else self._plain(part)))
        for word in words:
            if word not in self._words:
                if len(self._words) >= _CACHED_WORDS:
                    self._words.clear()
                self._words[word] = self._match(word)
            ids += self._words[word]
            if len(ids) >= MAX_TOKENS:
                break
        return [*ids[: MAX_TOKENS - 1], self._ids["[SEP]"]]

    def _plain(self, text: str) -> list[str]:
        if text.isascii():
            return text.lower().translate(self._spacing).split()
        # spaced before the marks go, since NFD turns some ideographs into others; then again, for what it made
        bare = unicodedata.normalize("NFD", text.translate(self._spacing))
        kept = "".join(sign for sign in bare if unicodedata.category(sign) != "Mn")
        # the model's lower-casing looks at one character at a time and knows no final sigma
        return kept.replace("Σ", "σ").lower().translate(self._spacing).split()

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


RUN_TIME = "numpy-float32.1"
"""Name and version of the forward pass; a change that moves a vector's sixth digit gets a new number."""

_FEWEST_ROWS = 128


class Embedder:
    """all-MiniLM-L6-v2: 384 dimensions, English, unit vectors.

    What a text says after its first 256 tokens (about 190 words) does not reach its vector; embed long texts in
    pieces. A text's vector is the same whatever texts stand beside it.
    """

    name = "minilm-l6-v2"
    dimensions = DIMENSIONS
    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path | None = None) -> None:
        """Find the weights; they are read at the first `embed`.

        Args:
            folder: Where the model's files lie; without it, in the installed package.

        Raises:
            MissingExtraError: The package with the weights is not installed.
        """
        self._folder = folder or find_folder()

    @property
    def fingerprint(self) -> str:
        """Name, digest of the weights and run-time."""
        return f"{self.name}:{CHECKSUMS[TENSORS][:16]}:{RUN_TIME}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, 384).

        Raises:
            DataError: The weights are not those of the pinned release.
        """
        model = load(self._folder)
        tokens = [self._tokenizer.encode(text) for text in texts]
        lengths = [len(ids) for ids in tokens]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        with workers() as threads:
            unit = row_unit()
            # small inputs are still shared among the workers
            rows = min(ROWS_AT_ONCE, max(_FEWEST_ROWS, -(-sum(lengths) // threads)))
            batches = list(plan(lengths, unit=unit or 1, rows=rows if unit else 1))
            with ThreadPoolExecutor(min(threads, len(batches)) or 1) as pool:
                done = pool.map(partial(forward, model.weights, tokens=tokens), batches)
                for batch, found in zip(batches, done, strict=True):
                    vectors[batch.members] = found
        return vectors

    @cached_property
    def _tokenizer(self) -> WordPiece:
        return WordPiece(load(self._folder).vocabulary)
