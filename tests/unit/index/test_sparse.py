"""BM25 on disk: right scores, one ranking for the same rows, nothing lost, no text that breaks it."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import BusyError, DataError, StoreError
from recollect.index.sparse import DIGITS, MAX_TERMS, SparseIndex, analyzer

TEXTS = ["red fox jumps", "blue fox", "green tea and red wine", "fox fox fox", "wine"]


def made(folder: Path, texts: Sequence[str], batch: int = 0) -> SparseIndex:
    """An index of *texts*, committed every *batch* rows, or once."""
    index = SparseIndex.open(folder)
    for start in range(0, len(texts), batch or len(texts)):
        index.add(list(enumerate(texts))[start : start + (batch or len(texts))])
        index.commit()
    return index


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SparseIndex]:
    index = made(tmp_path / "index", TEXTS)
    yield index
    index.close()


def bm25(texts: Sequence[str], query: str) -> dict[int, float]:
    """Robertson's BM25 as Lucene words it: k1 = 1.2, b = 0.75, idf = ln(1 + (n - df + 0.5) / (df + 0.5))."""
    counts = [Counter(analyzer().analyze(text)) for text in texts]
    mean = sum(count.total() for count in counts) / len(counts)
    scores: dict[int, float] = {}
    for term in analyzer().analyze(query):
        holders = [row for row, count in enumerate(counts) if count[term]]
        idf = math.log(1 + (len(texts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for row in holders:
            tf, length = counts[row][term], counts[row].total()
            part = idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
            scores[row] = scores.get(row, 0.0) + part
    return scores


def test_scores_are_those_of_the_formula(index: SparseIndex) -> None:
    """Texts below 40 terms: their lengths are stored exactly, longer ones are rounded down by tantivy."""
    found = dict(index.search("the red foxes", 10))
    assert found == pytest.approx(bm25(TEXTS, "the red foxes"), abs=1e-5)


def test_a_word_said_twice_in_the_query_counts_twice(index: SparseIndex) -> None:
    once, twice = dict(index.search("wine fox", 10)), dict(index.search("wine fox wine", 10))
    assert twice[4] == pytest.approx(2 * once[4], abs=1e-5)
    assert twice[1] == once[1]


def test_equal_scores_come_by_row_at_the_cut_too(tmp_path: Path) -> None:
    """
    Eighty equal rows, in the index in reverse: the first five are the five lowest numbers.

    More rows tie than the search fetches at first.
    """
    index = SparseIndex.open(tmp_path)
    index.add((row, "plain words") for row in reversed(range(80)))
    index.add([(80, "other words here")])
    index.commit()
    assert [row for row, _ in index.search("plain", 5)] == [0, 1, 2, 3, 4]
    assert [row for row, _ in index.search("plain", 200)] == list(range(80))
    index.close()


def sample(rng: random.Random, count: int) -> list[str]:
    """Texts of few different words and lengths, so that many scores are equal."""
    words = [f"{letter}word" for letter in "abcdefghijklmnopqrstuvwxyz"]
    return [" ".join(rng.choice(words[: rng.choice([3, 26])]) for _ in range(rng.randint(1, 9))) for _ in range(count)]


def test_the_ranking_does_not_depend_on_the_commits(tmp_path: Path) -> None:
    """
    The same rows in 1, 5 and 20 commits, and in shuffled order, give the same rows and scores at every limit.

    Many commits leave many segments, some of them merged in the background.
    """
    rng = random.Random(7)
    texts = sample(rng, 300)
    whole = made(tmp_path / "whole", texts)
    shuffled = SparseIndex.open(tmp_path / "shuffled")
    shuffled.add(rng.sample(list(enumerate(texts)), len(texts)))
    shuffled.commit()
    others = [made(tmp_path / "5", texts, 60), made(tmp_path / "20", texts, 15), shuffled]
    for query in [*sample(rng, 40), "aword", "aword bword cword dword"]:
        for limit in (1, 10, 100, 300):
            expected = whole.search(query, limit)
            assert all(other.search(query, limit) == expected for other in others)
    for index in (whole, *others):
        index.close()


def test_a_short_list_is_the_head_of_the_long_one(tmp_path: Path) -> None:
    texts = sample(random.Random(3), 300)
    index = made(tmp_path, texts, 30)
    for query in texts[:20]:
        long = index.search(query, 300)
        assert long == sorted(long, key=lambda hit: (-hit[1], hit[0]))
        assert all(index.search(query, limit) == long[:limit] for limit in (1, 2, 3, 7, 50))
    index.close()


HOSTILE = [
    '"unclosed AND (fox OR',
    "text:fox +red -fox ^2 ~3 [a TO b] {x} \\ /re.*/ *",
    "row:0",
    "",
    "   \n\t",
    "the of and",
    "!?.,;",
    "a\x00b",
    "\ud800",
    "fox " * 25_000,
    "x" * 100_000,
    " ".join(f"w{number}" for number in range(20_000)),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_query_is_an_error(index: SparseIndex, text: str) -> None:
    assert all(0 <= row < len(TEXTS) for row, _ in index.search(text, 3))


def test_operators_are_read_as_words(index: SparseIndex) -> None:
    """A minus would exclude, a field name would look elsewhere."""
    assert index.search("-fox text:red", 5) == index.search("fox text red", 5)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparseIndex]:
    index = made(tmp_path_factory.mktemp("shared"), TEXTS)
    yield index
    index.close()


@given(text=st.text(max_size=80))
def test_any_text_can_be_asked_and_answers_in_order(shared: SparseIndex, text: str) -> None:
    hits = shared.search(text, 3)
    assert hits == sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def test_any_text_can_be_indexed(tmp_path: Path) -> None:
    index = made(tmp_path, [*HOSTILE, "needle"])
    assert index.count == len(HOSTILE) + 1
    assert [row for row, _ in index.search("needle", 5)] == [len(HOSTILE)]
    index.close()


def test_a_long_query_is_searched_by_its_rarest_terms(tmp_path: Path) -> None:
    """Row 1 holds the one rare word; the common words alone would fill the terms that are searched for."""
    common = " ".join(f"common{letter}{other}" for letter in "abcdefghijklmnop" for other in "abcdefghijklmnop")
    index = made(tmp_path, [common, "rareword", *[common] * 5])
    assert len(common.split()) > MAX_TERMS
    assert 1 in dict(index.search(f"{common} rareword", 10))
    index.close()


def test_rows_are_found_after_commit_not_before(tmp_path: Path) -> None:
    index = SparseIndex.open(tmp_path)
    index.add([(0, "fox")])
    assert (index.count, index.search("fox", 5)) == (0, [])
    index.commit()
    assert (index.count, [row for row, _ in index.search("fox", 5)]) == (1, [0])
    index.close()


def test_close_drops_what_was_not_committed(tmp_path: Path) -> None:
    index = made(tmp_path, TEXTS)
    index.add([(9, "late fox")])
    index.close()
    again = SparseIndex.open(tmp_path)
    assert again.count == len(TEXTS)
    again.add([(9, "late fox")])
    again.commit()
    assert 9 in dict(again.search("late", 5))
    again.close()


KILLED = """
import os, sys
from pathlib import Path
from recollect.index.sparse import SparseIndex
index = SparseIndex.open(Path(sys.argv[1]))
index.add([(0, "kept fox")])
index.commit()
index.add((row, "lost fox") for row in range(1, 500))
os.kill(os.getpid(), 9)
"""


def test_a_kill_after_commit_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    """And the lock of the dead process does not stand in the way."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
    assert done.returncode == -9
    index = SparseIndex.open(tmp_path)
    assert [row for row, _ in index.search("fox", 5)] == [0]
    index.add([(1, "new fox")])
    index.commit()
    assert index.count == 2
    index.close()


def test_a_copy_opens_with_the_same_ranking_and_goes_its_own_way(tmp_path: Path, index: SparseIndex) -> None:
    index.add([(5, "last fox")])
    index.save(tmp_path / "copy")
    index.add([(6, "only in the first fox")])
    index.commit()
    copy = SparseIndex.open(tmp_path / "copy")
    assert copy.count == 6
    assert set(dict(copy.search("fox", 9))) == {0, 1, 3, 5}
    copy.add([(6, "other")])
    copy.commit()
    assert set(dict(index.search("fox", 9))) == {0, 1, 3, 5, 6}
    copy.close()


def test_a_copy_never_overwrites(tmp_path: Path, index: SparseIndex) -> None:
    index.save(tmp_path / "copy")
    with pytest.raises(StoreError, match="holds files already"):
        index.save(tmp_path / "copy")


def test_a_copy_that_was_interrupted_is_made_again(tmp_path: Path, index: SparseIndex) -> None:
    (tmp_path / "copy.part").mkdir()
    (tmp_path / "copy.part" / "half").touch()
    index.save(tmp_path / "copy")
    assert not (tmp_path / "copy" / "half").exists()


def test_a_row_number_is_used_once(index: SparseIndex) -> None:
    with pytest.raises(ValueError, match="row 2 is in the index already"):
        index.add([(2, "again")])
    with pytest.raises(ValueError, match="row 7 is in the index already"):
        index.add([(7, "first"), (7, "second")])
    with pytest.raises(ValueError, match="start at 0, got -1"):
        index.add([(-1, "before all")])


def test_a_limit_below_one_is_refused(index: SparseIndex) -> None:
    with pytest.raises(ValueError, match="got 0"):
        index.search("fox", 0)


def test_a_second_writer_is_told_that_the_folder_is_busy(tmp_path: Path, index: SparseIndex) -> None:
    second = SparseIndex.open(tmp_path / "index")
    assert second.count == len(TEXTS), "reading needs no lock"
    with pytest.raises(BusyError, match="another process writes"):
        second.add([(9, "x")])


def test_a_damaged_index_is_a_data_error(tmp_path: Path) -> None:
    made(tmp_path / "a", TEXTS).close()
    (tmp_path / "a" / "meta.json").write_text("{")
    with pytest.raises(DataError, match="Delete it and index again"):
        SparseIndex.open(tmp_path / "a")


def test_an_index_of_another_analysis_does_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, TEXTS).close()
    monkeypatch.setattr("recollect.index.sparse.NAME", "recollect-english-2")
    with pytest.raises(DataError, match="schema does not match"):
        SparseIndex.open(tmp_path)


def test_scores_are_rounded(index: SparseIndex) -> None:
    assert all(score == round(score, DIGITS) for _, score in index.search("red fox wine", 9))


def test_saving_leaves_the_original_in_place(tmp_path: Path, index: SparseIndex) -> None:
    index.save(tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy")
    assert index.count == len(TEXTS)
