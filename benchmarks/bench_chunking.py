"""Tokens a second of counting, cutting and chunking, beside what one would pick instead, in the same run.

    python benchmarks/bench_chunking.py [--tokens 1000000] [--text FILE] [--repeats 3]

Rivals: a loop that counts the growing chunk again at each sentence, nltk's Punkt packed greedily, and the splitter of
langchain-text-splitters; all count with the bundled tokenizer, so that they differ in chunking alone. tiktoken is the
rival of counting. What is not installed is left out and named. Seconds are of CPU, the best of the repeats; tokens are
always those of the bundled tokenizer.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from recollect.text import sentences
from recollect.text.chunking import chunk_sentences, chunk_units
from recollect.text.tokens import NAME, count, counter, cut_end, cut_front

VOCABULARY = (
    "the a of to and in that it was his her with as had for on at but they there one by from which an old river mill "
    "station garden letter answered remembered afternoon government information nevertheless Margaret Lisbon Dr. Mr. "
    "conversation quietly seventeen 1,250 2023 isn't don't she'd house window people morning"
)
Job = tuple[str, Callable[[], object]]


def invented(tokens: int) -> str:
    """Paragraphs of sentences of 4 to 30 words, by seed 0, of about so many tokens."""
    rng, vocabulary = random.Random(0), VOCABULARY.split()
    lines, have = [], 0
    while have < tokens:
        words = [" ".join(rng.choices(vocabulary, k=rng.randint(4, 30))) for _ in range(rng.randint(1, 6))]
        lines.append(" ".join(f"{sentence[:1].upper()}{sentence[1:]}{rng.choice('...?!')}" for sentence in words))
        have += count(lines[-1]) + 1
    return "\n".join(lines)


def recounting_loop(text: str, size: int) -> list[str]:
    """Split at marks, add sentences while the chunk still fits, count the whole chunk each time."""
    chunks, chunk = [], ""
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        longer = f"{chunk} {sentence}" if chunk else sentence
        if chunk and count(longer) > size:
            chunks.append(chunk)
            chunk = sentence
        else:
            chunk = longer
    return [*chunks, chunk]


def installed(package: str) -> Any:
    """The package, or None with a line that says so."""
    try:
        return import_module(package)
    except ImportError:
        print(f"  {package} is not installed: left out")
        return None


def rivals(text: str, size: int) -> Iterator[Job]:
    """What one would pick instead."""
    yield "recounting loop", lambda: recounting_loop(text, size)
    if punkt := installed("nltk.tokenize.punkt"):
        split = punkt.PunktSentenceTokenizer()
        yield "nltk Punkt, packed", lambda: chunk_sentences(text, size, split=lambda t: list(split.span_tokenize(t)))
    if langchain := installed("langchain_text_splitters"):
        made = langchain.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, length_function=count)
        yield "langchain, recursive", lambda: made.split_text(text)


def seconds(job: Callable[[], object], repeats: int) -> float:
    """CPU time of the best run."""
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        job()
        best = min(best, process_time() - start)
    return best


def measure(jobs: list[Job], tokens: int, repeats: int) -> None:
    """A line each; ratios are to the first."""
    first = None
    for name, job in jobs:
        rate = tokens / seconds(job, repeats)
        first = first or rate
        print(f"  {name:28} {rate / 1e6:8.2f} M tokens/s   {first / rate:6.1f}x")


def basics(text: str, tokens: int) -> Iterator[Job]:
    yield "count", lambda: count(text)
    yield "cut_end to all but one", lambda: cut_end(text, tokens - 1)
    yield "cut_front to all but one", lambda: cut_front(text, tokens - 1)
    yield "sentences", lambda: sentences.spans(text)
    other = counter()
    if other.name != NAME:
        yield f"count by {other.name}", lambda: other.count(text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure counting, cutting and chunking.")
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    text = options.text.read_text(encoding="utf-8") if options.text else invented(options.tokens)
    tokens, lines = count(text), text.split("\n")
    print(f"{tokens:,} tokens, {len(text):,} characters, {len(lines):,} lines")
    measure(list(basics(text, tokens)), tokens, options.repeats)
    for size in (512, 4096):
        print(f"chunks of {size}; x: how many times as long as the first line")
        ours: list[Job] = [
            ("the paper's chunker", partial(chunk_sentences, text, size)),
            ("whole lines", partial(chunk_units, lines, size)),
        ]
        measure([*ours, *rivals(text, size)], tokens, options.repeats)


if __name__ == "__main__":
    main()
