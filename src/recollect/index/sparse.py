"""BM25 on disk: rows of text in, ranked rows out.

The ranking depends on the rows alone: not on the commits they came in, nor on the segments that merging leaves,
nor on the order of rows inside them.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.errors import BusyError, DataError, DiskError, StoreError

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter, Query, Schema, Searcher, TextAnalyzer

MAX_TERMS = 128
"""Different terms of one query that are searched for; of a longer one the rarest."""

DIGITS = 6
"""Scores are rounded to so many digits before rows are ranked."""

_HEAP_BYTES = 64_000_000
_SPARE_HITS = 32
_LOCKS = ("*.lock",)


class SparseIndex:
    """An index in a folder, or in the working set alone; one process writes, and rows are found after `commit`."""

    def __init__(self, folder: Path | None, index: Index) -> None:
        """Wrap an open index; `SparseIndex.open` and `SparseIndex.held` are the ways in."""
        self._folder = folder
        self._index = index
        self._analyzer = analyzer()
        self._pending: set[int] = set()
        self._writer: IndexWriter | None = None
        index.register_tokenizer(NAME, self._analyzer)
        index.config_reader("manual")
        self._searcher: Searcher = index.searcher()

    @classmethod
    def open(cls, folder: Path) -> SparseIndex:
        """The index in *folder*, made if there is none; what was committed there is found at once.

        Raises:
            DataError: The folder holds a damaged index, or one of another analysis.
        """
        from tantivy import Index

        folder.mkdir(parents=True, exist_ok=True)
        try:
            return cls(folder, Index(_schema(), path=str(folder)))
        except ValueError as error:
            problem = f"not an index of this version: {error}"
            raise DataError(problem, folder, fix="Delete it and index again.") from error

    @classmethod
    def held(cls) -> SparseIndex:
        """A new index that no disk holds: it is gone with the process, and commits wait for nothing."""
        from tantivy import Index

        return cls(None, Index(_schema()))

    @property
    def count(self) -> int:
        """Rows that a search can find."""
        return self._searcher.num_docs

    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        """Take rows in, to be found after the next `commit`.

        Raises:
            ValueError: A row number is negative or in the index already.
            BusyError: Another process writes to the folder.
        """
        from tantivy import Document

        if self._writer is None:
            try:
                self._writer = self._index.writer(_HEAP_BYTES, 1)
            except ValueError as error:
                problem = f"{self._place}: another process writes to this index. Wait for it, or use another folder."
                raise BusyError(problem) from error
        writer = self._writer
        for row, text in rows:
            if row < 0:
                raise ValueError(f"row numbers start at 0, got {row}")
            if row in self._pending or self._searcher.doc_freq("row", row):
                raise ValueError(f"row {row} is in the index already; a row's text never changes")
            document = Document()
            document.add_unsigned("row", row)
            document.add_text("text", readable(text))
            writer.add_document(document)
            self._pending.add(row)

    def commit(self) -> None:
        """Make all added rows findable; once this returned those in a folder survive a kill of the process.

        Raises:
            DiskError: They could not be written.
        """
        if self._writer is None:
            return
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            problem = f"{self._place}: the index was not written: {error}. Free some space, then resume."
            raise DiskError(problem) from error
        self._pending.clear()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """The best rows for *text* with their BM25 scores, best first, equal scores by row number.

        No text is a syntax error: it is only ever read as words. Rows that share no term with it are not returned.

        Raises:
            ValueError: *limit* is below 1.
        """
        if limit < 1:
            raise ValueError(f"limit counts rows and starts at 1, got {limit}")
        from tantivy import Occur, Query

        terms = Counter(self._analyzer.analyze(readable(text)))
        frequencies = sorted((self._searcher.doc_freq("text", term), term) for term in terms)
        rarest = [term for frequency, term in frequencies if frequency][:MAX_TERMS]
        clauses = [
            (Occur.Should, Query.term_query(self._index.schema, "text", term, "freq"))
            for term in rarest
            for _ in range(terms[term])
        ]
        return self._ranked(Query.boolean_query(clauses), limit)[:limit] if clauses else []

    def save(self, folder: Path) -> None:
        """Commit, then copy the index to *folder*, where `open` finds it; all of it or nothing.

        Raises:
            StoreError: *folder* holds something already.
            ValueError: No folder holds this index.
        """
        if self._folder is None:
            raise ValueError("an index without a folder cannot be copied; index its rows again")
        if folder.exists() and any(folder.iterdir()):
            raise StoreError(f"{folder}: holds files already. Give the copy of the index a folder of its own.")
        self.commit()
        self._release()
        part = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(self._folder, part, ignore=shutil.ignore_patterns(*_LOCKS))
        part.replace(folder)

    def close(self) -> None:
        """Give the folder free. Rows added since the last `commit` are dropped."""
        if self._writer is not None:
            self._writer.rollback()
        self._pending.clear()
        self._release()

    @property
    def _place(self) -> str:
        return "in memory" if self._folder is None else str(self._folder)

    def _release(self) -> None:
        """Let merging end, so that the files stay as they are, and give the lock back."""
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None

    def _ranked(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """At least the best *limit* hits and every row that ties with the last of them, in order."""
        wanted = limit + _SPARE_HITS
        while True:
            hits = self._searcher.search(query, wanted, count=False).hits
            if len(hits) < wanted or round(hits[-1][0], DIGITS) < round(hits[limit - 1][0], DIGITS):
                break
            wanted *= 4
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        scored = ((int(row or 0), round(score, DIGITS)) for row, (score, _) in zip(rows, hits, strict=True))
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name=NAME, index_option="freq")
    return builder.build()


NAME = "recollect-english-1"
"""Part of an index's schema, so that an index of another analysis does not open; a change gets a new number."""

_FUNCTION_WORDS = """
a an the this that these those
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves
am is are was were be been being do does did doing have has had having
can could will would shall should
and or but nor if because so than then as while until
at by for from in into of off on onto out over to under up with about above after again against
before below between down during through
what when where which who whom whose why how
all any both each few more most other own same some such no not only too very just now here there once
s t d ll m re ve don didn doesn isn wasn aren weren won wouldn couldn shouldn hasn haven hadn ain
"""
STOP_WORDS = tuple(sorted(_FUNCTION_WORDS.split()))
"""English function words and the tails that an apostrophe leaves; no word that also names a month or a country."""

_LONGEST_TERM = 100
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def analyzer() -> TextAnalyzer:
    """Words, lower case, no accents, no stop words, English stems."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_TERM))
    builder = builder.filter(Filter.lowercase()).filter(Filter.ascii_fold())
    return builder.filter(Filter.custom_stopword(list(STOP_WORDS))).filter(Filter.stemmer("english")).build()


def readable(text: str) -> str:
    """*text* as the analyzer can take it: no lone surrogates, and scripts without spaces cut into pairs of signs."""
    if text.isascii():
        return text
    return _UNSPACED.sub(_pairs, text.encode("utf-8", "replace").decode())


def _pairs(run: re.Match[str]) -> str:
    signs = run.group()
    pairs = [signs[at : at + 2] for at in range(max(1, len(signs) - 1))]
    return f" {' '.join(pairs)} "
