"""Brute-force cosine search: exact, ordered, grown in blocks, saved and loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recollect.domain.errors import DataError, StoreError
from recollect.index import dense
from recollect.index.dense import DenseIndex

Floats = NDArray[np.float32]


def units(count: int, dimensions: int = 16, seed: int = 0) -> Floats:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions), dtype=np.float32)
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def made(vectors: Floats) -> DenseIndex:
    index = DenseIndex(vectors.shape[1])
    index.add(range(len(vectors)), vectors)
    return index


def expected(vectors: Floats, query: Floats, limit: int) -> list[tuple[int, float]]:
    """By the definition: all cosines in double precision, rounded, sorted by score, then row."""
    cosines = [round(float(np.dot(row.astype(float), query.astype(float))), 6) for row in vectors]
    return sorted(enumerate(cosines), key=lambda hit: (-hit[1], hit[0]))[:limit]


@given(st.integers(1, 60), st.integers(1, 70), st.integers(0, 1000))
def test_the_ranking_is_that_of_the_definition(count: int, limit: int, seed: int) -> None:
    vectors, query = units(count, 5, seed), units(1, 5, seed + 1)[0]
    found = made(vectors).search(query, limit)
    wanted = expected(vectors, query, limit)
    assert [row for row, _ in found] == [row for row, _ in wanted]
    assert [score for _, score in found] == pytest.approx([score for _, score in wanted], abs=1.1e-6)


def test_equal_vectors_come_by_row_at_the_cut_too() -> None:
    vectors = np.repeat(units(1), 500, axis=0)
    index = DenseIndex(16)
    index.add(list(reversed(range(500))), vectors)
    assert [row for row, _ in index.search(vectors[0], 4)] == [0, 1, 2, 3]


def test_the_ranking_does_not_depend_on_how_rows_were_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """One block or many, one call or many: equal to the last bit."""
    vectors, queries = units(700, 64), units(20, 64, seed=1)
    whole = made(vectors)
    monkeypatch.setattr(dense, "_FIRST_BLOCK", 8)
    monkeypatch.setattr(dense, "_EXACT_AT_ONCE", 5)
    pieces = DenseIndex(64)
    for row in range(0, 700, 7):
        pieces.add(range(row, row + 7), vectors[row : row + 7])
    assert len(pieces._blocks) > 5
    assert all(pieces.search(query, 25) == whole.search(query, 25) for query in queries)


def test_blocks_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "_FIRST_BLOCK", 4)
    index = DenseIndex(2)
    for row in range(17):
        index.add([row], np.ones((1, 2), np.float32))
    assert [len(block.rows) for block in index._blocks] == [4, 4, 8, 16]


def test_scores_of_named_rows_agree_with_the_search() -> None:
    vectors = units(40)
    index = DenseIndex(16)
    index.add([row * 3 for row in range(40)], vectors)
    hits = index.search(vectors[5], 40)
    assert hits[0] == (15, 1.0)
    assert index.scores(vectors[5], [row for row, _ in hits]).tolist() == [score for _, score in hits]
    assert index.scores(vectors[5], []).tolist() == []


def test_an_unknown_row_has_no_score() -> None:
    with pytest.raises(KeyError, match="99"):
        made(units(3)).scores(units(1)[0], [99])


@pytest.mark.parametrize("count", [0, 1, 30])
def test_what_was_saved_is_loaded(tmp_path: Path, count: int) -> None:
    index, query = made(units(count)), units(1, seed=5)[0]
    index.save(tmp_path / "copy")
    loaded = DenseIndex.load(tmp_path / "copy")
    assert (loaded.count, loaded.dimensions) == (count, 16)
    assert loaded.search(query, 10) == index.search(query, 10)


def test_a_loaded_index_grows_and_leaves_its_files_alone(tmp_path: Path) -> None:
    vectors = units(20)
    made(vectors[:12]).save(tmp_path)
    before = (tmp_path / "vectors.npy").read_bytes()
    loaded = DenseIndex.load(tmp_path)
    loaded.add(range(12, 20), vectors[12:])
    assert loaded.search(vectors[3], 20) == made(vectors).search(vectors[3], 20)
    assert (tmp_path / "vectors.npy").read_bytes() == before


def test_a_save_never_overwrites(tmp_path: Path) -> None:
    index = made(units(3))
    index.save(tmp_path)
    with pytest.raises(StoreError, match="holds an index already"):
        index.save(tmp_path)


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda folder: (folder / "rows.npy").unlink(), id="rows-missing"),
        pytest.param(lambda folder: (folder / "rows.npy").write_bytes(b"\x93NUM"), id="rows-torn"),
        pytest.param(lambda folder: np.save(folder / "rows.npy", np.arange(2)), id="rows-too-few"),
        pytest.param(lambda folder: (folder / "vectors.npy").write_bytes(b""), id="vectors-empty"),
        pytest.param(
            lambda folder: (folder / "vectors.npy").write_bytes((folder / "vectors.npy").read_bytes()[:-9]),
            id="vectors-torn",
        ),
    ],
)
def test_damaged_files_are_a_data_error(tmp_path: Path, harm: object) -> None:
    made(units(3)).save(tmp_path)
    assert callable(harm)
    harm(tmp_path)
    with pytest.raises(DataError, match="Delete it and index again"):
        DenseIndex.load(tmp_path)


@pytest.mark.parametrize(
    ("rows", "vectors", "message"),
    [
        pytest.param([5], np.ones((1, 3)), "have shape", id="width"),
        pytest.param([5, 6], np.ones((1, 2)), "have shape", id="count"),
        pytest.param([0], np.ones((1, 2)), "row 0 is in the index already", id="known-row"),
        pytest.param([5, 5], np.ones((2, 2)), "row 5 is in the index already", id="row-twice"),
        pytest.param([5], np.full((1, 2), np.nan), "not finite", id="nan"),
    ],
)
def test_what_does_not_fit_is_refused_whole(rows: list[int], vectors: Floats, message: str) -> None:
    index = DenseIndex(2)
    index.add([0], np.ones((1, 2), np.float32))
    with pytest.raises(ValueError, match=message):
        index.add(rows, vectors.astype(np.float32))
    assert index.count == 1


def test_a_query_must_fit_and_ask_for_something() -> None:
    index = made(units(3))
    with pytest.raises(ValueError, match="starts at 1, got 0"):
        index.search(units(1)[0], 0)
    with pytest.raises(ValueError, match="of shape"):
        index.search(np.ones(3, np.float32), 1)
    with pytest.raises(ValueError, match="finite"):
        index.search(np.full(16, np.inf, np.float32), 1)


def test_an_empty_index_finds_nothing() -> None:
    assert DenseIndex(4).search(np.ones(4, np.float32), 3) == []
