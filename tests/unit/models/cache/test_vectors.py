"""Vectors are computed once, shared by processes, and never taken from another embedder."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.contracts.models import Embedder
from recollect.domain.errors import BusyError, CallError, DataError, DiskError
from recollect.models.cache import vectors
from recollect.models.cache.vectors import FILE, CachedEmbedder, VectorCache, cached

Floats = NDArray[np.float32]


class CountingEmbedder:
    """Vectors that say which text they are of; every text it is asked for is noted."""

    def __init__(self, fingerprint: str = "counting:1", fail_at: str | None = None) -> None:
        self.fingerprint = fingerprint
        self.dimensions = 3
        self.asked: list[str] = []
        self._fail_at = fail_at

    def embed(self, texts: Sequence[str]) -> Floats:
        if self._fail_at in texts:
            raise CallError("the embedder broke")
        self.asked += texts
        return np.array([[len(text), hash_free(text), 1 / 3] for text in texts], np.float32)


def hash_free(text: str) -> float:
    return sum(map(ord, text)) / 7


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    with VectorCache(tmp_path / "cache") as cache:
        yield cache


def test_a_text_is_embedded_once(cache: VectorCache) -> None:
    inner = CountingEmbedder()
    embedder: Embedder = CachedEmbedder(inner, cache)
    first = embedder.embed(["a", "b", "a"])
    again = embedder.embed(["b", "c", "a"])
    assert inner.asked == ["a", "b", "c"]
    assert np.array_equal(first[[1, 0]], again[[0, 2]])
    assert np.array_equal(again, CountingEmbedder().embed(["b", "c", "a"]))
    assert (embedder.fingerprint, embedder.dimensions) == ("counting:1", 3)


def test_nothing_asked_is_nothing_embedded(cache: VectorCache) -> None:
    assert CachedEmbedder(CountingEmbedder(), cache).embed([]).shape == (0, 3)


def test_another_embedder_has_vectors_of_its_own(cache: VectorCache) -> None:
    CachedEmbedder(CountingEmbedder(), cache).embed(["a"])
    other = CountingEmbedder("counting:2")
    CachedEmbedder(other, cache).embed(["a"])
    assert other.asked == ["a"]


def test_the_cache_outlives_the_process(tmp_path: Path) -> None:
    with VectorCache(tmp_path) as cache:
        CachedEmbedder(CountingEmbedder(), cache).embed(["a", "ü\ud800"])
    inner = CountingEmbedder()
    with VectorCache(tmp_path) as cache:
        CachedEmbedder(inner, cache).embed(["ü\ud800", "a"])
    assert inner.asked == []


def test_what_was_embedded_before_a_failure_is_kept(cache: VectorCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_EMBED_AT_ONCE", 2)
    with pytest.raises(CallError):
        CachedEmbedder(CountingEmbedder(fail_at="e"), cache).embed(["a", "b", "c", "d", "e"])
    assert set(cache.get("counting:1", ["a", "b", "c", "d", "e"])) == {"a", "b", "c", "d"}


def test_vectors_that_were_paid_for_are_kept_call_by_call(tmp_path: Path) -> None:
    """An endpoint is paid for each call; what the calls before the failure gave is there."""
    inner = CountingEmbedder(fail_at="e")
    with pytest.raises(CallError):
        vectors.cached(inner, tmp_path, print, at_once=2).embed(["a", "b", "c", "d", "e"])
    with VectorCache(tmp_path) as cache:
        assert set(cache.get("counting:1", ["a", "b", "c", "d", "e"])) == {"a", "b", "c", "d"}


def test_more_texts_than_one_statement_takes(cache: VectorCache) -> None:
    texts = [f"text {number}" for number in range(1203)]
    embedder = CachedEmbedder(CountingEmbedder(), cache)
    assert np.array_equal(embedder.embed(texts), embedder.embed(texts))


def test_a_vector_of_another_length_is_embedded_again(cache: VectorCache) -> None:
    cache.put("counting:1", {"a": np.ones(2, np.float32)})
    assert CachedEmbedder(CountingEmbedder(), cache).embed(["a"]).shape == (1, 3)
    assert cache.get("counting:1", ["a"])["a"].shape == (3,)


def test_a_torn_tail_is_dropped(tmp_path: Path, cache: VectorCache) -> None:
    """
    The files as a kill could leave them: the last write cut off in the middle.

    What was put before is there, what was cut off is not, and the copy takes new vectors.
    """
    cache.put("f", {"first": np.ones(384, np.float32)})
    whole = (tmp_path / "cache" / f"{FILE}-wal").stat().st_size
    cache.put("f", {"torn": np.ones(384, np.float32)})
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "cache", copy)
    log = (copy / f"{FILE}-wal").read_bytes()
    assert len(log) > whole
    (copy / f"{FILE}-wal").write_bytes(log[: (whole + len(log)) // 2])
    with VectorCache(copy) as torn:
        assert set(torn.get("f", ["first", "torn"])) == {"first"}
        torn.put("f", {"torn": np.ones(384, np.float32)})
        assert set(torn.get("f", ["first", "torn"])) == {"first", "torn"}


WRITER = """
import sys
from pathlib import Path
import numpy as np
from recollect.models.cache.vectors import VectorCache
me = sys.argv[2]
with VectorCache(Path(sys.argv[1])) as cache:
    for number in range(40):
        cache.put("f", {f"{me} {number}": np.full(4, number, np.float32), f"all {number}": np.ones(4, np.float32)})
"""


def test_processes_write_side_by_side(tmp_path: Path) -> None:
    starts = [[sys.executable, "-c", WRITER, str(tmp_path), str(me)] for me in range(3)]
    running = [subprocess.Popen(start) for start in starts]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    texts = [f"{me} {number}" for me in (0, 1, 2, "all") for number in range(40)]
    with VectorCache(tmp_path) as cache:
        assert set(cache.get("f", texts)) == set(texts)


def test_threads_share_one_cache(cache: VectorCache) -> None:
    embedder = CachedEmbedder(CountingEmbedder(), cache)
    lists = [[f"{number} {part}" for number in range(20)] for part in (1, 2, 1, 2)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(embedder.embed, lists))
    assert np.array_equal(found[0], found[2])


def test_a_file_that_is_no_cache_is_a_data_error(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, but long enough to be taken for a torn one" * 20)
    with pytest.raises(DataError, match="Delete it"):
        VectorCache(tmp_path)


def test_a_locked_file_is_a_busy_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_WAIT_S", 0.05)
    with VectorCache(tmp_path) as cache:
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError, match="locked by another process"):
            cache.put("f", {"a": np.ones(2, np.float32)})
        other.execute("ROLLBACK")
        other.close()
        cache.put("f", {"a": np.ones(2, np.float32)})


def test_a_disk_that_takes_nothing_is_a_disk_error(cache: VectorCache) -> None:
    cache._base.execute("PRAGMA query_only = 1")
    with pytest.raises(DiskError, match="Free some space or allow writing"):
        cache.put("f", {"a": np.ones(2, np.float32)})


def test_a_cache_that_breaks_in_the_middle_is_given_up_once_and_changes_no_vector(cache: VectorCache) -> None:
    """A write-protected database stands for a full disk; several threads meet it at once."""
    said: list[str] = []
    embedder = CachedEmbedder(CountingEmbedder(), cache, said.append)
    embedder.embed(["kept"])
    cache._base.execute("PRAGMA query_only = 1")
    texts = [[f"text {number}", "kept"] for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(embedder.embed, texts))
    assert np.array_equal(np.stack(found), np.stack([CountingEmbedder().embed(few) for few in texts]))
    (line,) = said
    assert line.startswith("vectors are computed without being kept: ")
    assert FILE in line


def test_a_cache_that_breaks_in_reading_is_given_up(cache: VectorCache) -> None:
    said: list[str] = []
    cache.close()
    embedder = CachedEmbedder(CountingEmbedder(), cache, said.append)
    for _ in range(2):
        assert np.array_equal(embedder.embed(["a", "b"]), CountingEmbedder().embed(["a", "b"]))
    assert len(said) == 1


def test_a_failing_embedder_is_no_failing_cache(cache: VectorCache) -> None:
    said: list[str] = []
    with pytest.raises(CallError):
        CachedEmbedder(CountingEmbedder(fail_at="a"), cache, said.append).embed(["a"])
    assert said == []


@pytest.mark.parametrize("broken", ["a file", "no database"])
def test_a_cache_that_cannot_be_opened_is_done_without(broken: str, tmp_path: Path) -> None:
    said: list[str] = []
    if broken == "a file":
        (tmp_path / "cache").write_text("in the way")
    else:
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / FILE).write_bytes(b"not a database, but long enough to be taken for a torn one" * 20)
    embedder = cached(CountingEmbedder(), tmp_path / "cache", said.append)
    assert np.array_equal(embedder.embed(["a"]), CountingEmbedder().embed(["a"]))
    (line,) = said
    assert str(tmp_path / "cache") in line
