"""Speed and memory of the sparse index, beside rank_bm25 and bm25s where they can be imported.

    python benchmarks/bench_bm25.py [--tokens 1000000 10000000] [--huge]

`--huge` adds 100 million tokens for our index alone: the others hold everything in memory, and rank_bm25 walks it for
each query. Text: documents of 256 words, Zipf with exponent 1.05 over 130,000 invented words, seeded; 50 queries of 8
words from the same distribution, top 10. Each measurement has a process of its own. Making the text is not counted,
nor is its memory, except that with `--huge` it is made while indexing: its time, measured alone before, is subtracted,
so that `processor_s` is the figure to read there. `peak_mb` is the highest memory at any time above that before
indexing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from tempfile import mkdtemp

import numpy as np

WORDS_PER_TEXT = 256
VOCABULARY = 130_000
QUERIES = 50
HUGE = 100_000_000

Search = Callable[[str], object]


class Texts:
    """The synthetic corpus; the same seed, the same words."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        weights = 1 / np.arange(1, VOCABULARY + 1) ** 1.05
        self._bounds = np.cumsum(weights / weights.sum())
        self._words = np.array([spelled(number) for number in range(VOCABULARY)])

    def make(self, count: int, words: int) -> Iterator[str]:
        for _ in range(count):
            drawn = np.searchsorted(self._bounds, self._rng.random(words))
            yield " ".join(self._words[np.minimum(drawn, VOCABULARY - 1)])


def spelled(number: int) -> str:
    """A word of at least four letters for a number."""
    number, letters = number + 26**3, ""
    while number:
        number, letter = divmod(number, 26)
        letters += chr(ord("a") + letter)
    return letters


def resident_mb() -> float:
    """Memory of this process that is in RAM (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def ours(folder: Path, texts: Iterable[str]) -> Search:
    from recollect.index.sparse import SparseIndex

    index = SparseIndex.open(folder)
    index.add(enumerate(texts))
    index.commit()
    return lambda query: index.search(query, 10)


def rank_bm25(_: Path, texts: Iterable[str]) -> Search:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([text.split() for text in texts])
    return lambda query: np.argsort(index.get_scores(query.split()))[::-1][:10]


def bm25s(_: Path, texts: Iterable[str]) -> Search:
    import bm25s

    stemmer = import_module("Stemmer").Stemmer("english")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts), stemmer=stemmer, show_progress=False), show_progress=False)

    def search(query: str) -> object:
        return index.retrieve(bm25s.tokenize(query, stemmer=stemmer, show_progress=False), k=10, show_progress=False)

    return search


ENGINES: dict[str, Callable[[Path, Iterable[str]], Search]] = {"ours": ours, "rank_bm25": rank_bm25, "bm25s": bm25s}


def measure(engine: str, tokens: int) -> dict[str, float]:
    """Index, then search, in this process."""
    count = tokens // WORDS_PER_TEXT
    made_s = 0.0
    texts: Iterable[str] = Texts(0).make(count, WORDS_PER_TEXT)
    if tokens < HUGE:
        texts = list(texts)
    else:
        start = time.perf_counter()
        for _ in Texts(0).make(count // 20, WORDS_PER_TEXT):
            pass
        made_s = 20 * (time.perf_counter() - start)
    folder, before = Path(mkdtemp()), resident_mb()
    wall, processor = time.perf_counter(), time.process_time()
    search = ENGINES[engine](folder, texts)
    index_s, processor_s = time.perf_counter() - wall - made_s, time.process_time() - processor - made_s
    times = [seconds(search, query) for query in Texts(1).make(QUERIES, 8)]
    disk = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    shutil.rmtree(folder)
    return {
        "index_s": index_s,
        "processor_s": processor_s,
        "query_ms": 1e3 * median(times),
        "slowest_ms": 1e3 * max(times),
        "resident_mb": resident_mb() - before,
        "peak_mb": getrusage(RUSAGE_SELF).ru_maxrss / 1e3 - before,
        "disk_mb": disk,
    }


def seconds(search: Search, query: str) -> float:
    start = time.perf_counter()
    search(query)
    return time.perf_counter() - start


def report(engine: str, tokens: int) -> None:
    start = [sys.executable, __file__, "--one", engine, str(tokens)]
    done = subprocess.run(start, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    line = " ".join(f"{name} {value:.2f}" for name, value in found.items())
    print(f"{tokens / 1e6:5.0f}M tokens {engine:10} {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--huge", action="store_true")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return
    needs = {"ours": ["tantivy"], "rank_bm25": ["rank_bm25"], "bm25s": ["bm25s", "Stemmer"]}
    there = [name for name in ENGINES if all(find_spec(package) for package in needs[name])]
    for name in sorted(ENGINES.keys() - there):
        print(f"{name} cannot be imported: its rows are left out")
    for tokens in options.tokens:
        for engine in there:
            report(engine, tokens)
    if options.huge:
        report("ours", HUGE)


if __name__ == "__main__":
    main()
