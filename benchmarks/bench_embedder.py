"""Speed of the offline embedder, beside sentence-transformers on the same weights where it can be imported.

    python benchmarks/bench_embedder.py [--repeats 5] [--turns 1000] [--long 100]

Both take turns inside one run, so that a machine shared with others slows both alike. Processor seconds stand beside
the wall clock: they do not count the time that others had the machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from statistics import median

import numpy as np
from numpy.typing import NDArray

from recollect.offline.embedder.model import Embedder
from recollect.offline.embedder.weights import VOCABULARY, find_folder

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

OURS_FIRST = "from recollect.offline.embedder.model import Embedder; Embedder().embed(['one text'])"
THEIRS_FIRST = (
    "from recollect.offline.embedder.weights import find_folder; "
    "from sentence_transformers import SentenceTransformer as Model; "
    "Model(str(find_folder()), device='cpu').encode(['one text'], normalize_embeddings=True)"
)


def texts(count: int, *, shortest: int, longest: int) -> list[str]:
    """Texts of whole words from the model's vocabulary, about one token a word."""
    rng = np.random.default_rng(0)
    lines = (find_folder() / VOCABULARY).read_text("utf-8").split("\n")
    words = np.array([word for word in lines if word.isalpha() and word.isascii()])
    return [" ".join(rng.choice(words, rng.integers(shortest, longest + 1))) for _ in range(count)]


def theirs() -> Embed | None:
    """sentence-transformers on the same files, or None."""
    if find_spec("sentence_transformers") is None:
        return None
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(find_folder()), device="cpu")

    def embed(batch: Sequence[str]) -> NDArray[np.float32]:
        found = model.encode(list(batch), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, np.float32)

    return embed


def first_vector(code: str, repeats: int) -> list[float]:
    """Seconds from starting Python to the first vector."""
    start = [sys.executable, "-c", code]
    return [timed(lambda: subprocess.run(start, check=True, capture_output=True))[0] for _ in range(repeats)]


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds of one call."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def compare(name: str, batch: Sequence[str], rivals: dict[str, Embed], repeats: int) -> None:
    """Print each rival's rate on *batch*."""
    times: dict[str, list[tuple[float, float]]] = {rival: [] for rival in rivals}
    for _ in range(repeats):
        for rival, embed in rivals.items():
            times[rival].append(timed(partial(embed, batch)))
    for rival, measured in times.items():
        rates = sorted(len(batch) / wall for wall, _ in measured)
        cost = [1e3 * processor / len(batch) for _, processor in measured]
        spread = f"{rates[0]:.1f} / {median(rates):.1f} / {rates[-1]:.1f} texts/s (slowest / median / fastest)"
        print(
            f"{name:6} {rival:22} {spread}, processor {min(cost):.2f} / {median(cost):.2f} ms a text (least / median)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--long", type=int, default=100)
    options = parser.parse_args()
    rivals: dict[str, Embed] = {"recollect": Embedder().embed}
    rival = theirs()
    if rival is None:
        print("sentence-transformers cannot be imported: its rows are left out")
    else:
        rivals["sentence-transformers"] = rival
    for name, code in zip(rivals, (OURS_FIRST, THEIRS_FIRST), strict=False):
        seconds = first_vector(code, options.repeats)
        print(f"start  {name:22} {min(seconds):.2f} / {median(seconds):.2f} s to the first vector (least / median)")
    turns, long = texts(options.turns, shortest=8, longest=60), texts(options.long, shortest=260, longest=300)
    if rival is not None:
        cosines = (rivals["recollect"](turns) * rival(turns)).sum(axis=1)
        print(f"lowest cosine between the two over {len(turns)} texts: {cosines.min():.6f}")
    compare("turns", turns, rivals, options.repeats)
    compare("long", long, rivals, options.repeats)


if __name__ == "__main__":
    main()
