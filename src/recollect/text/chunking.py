"""Two chunkers: the paper's greedy packing of sentences, and one that keeps units (facts, turns, documents) whole.

Both say which characters and units each chunk came from, so that a caller knows the messages it covers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from recollect.text import sentences
from recollect.text.tokens import count as count_tokens
from recollect.text.tokens import spans as token_spans

Span = tuple[int, int]
Counter = Callable[[str], int]
Splitter = Callable[[str], Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a source text."""

    text: str
    start: int
    """First character in the source: the whole text, or the units joined by the separator."""
    end: int
    """One past the last character in the source."""
    units: tuple[int, ...]
    """Indices of the units with a character in it; empty where no units were given."""


def unit_spans(units: Sequence[str], separator: str) -> list[Span]:
    """Start and end of each unit in `separator.join(units)`."""
    starts = accumulate((len(unit) + len(separator) for unit in units), initial=0)
    return [(start, start + len(unit)) for start, unit in zip(starts, units, strict=False)]


def chunk_sentences(
    text: str,
    size: int,
    *,
    count: Counter = count_tokens,
    split: Splitter = sentences.spans,
    units: Sequence[Span] = (),
) -> list[Chunk]:
    """The paper's chunks: sentences packed greedily up to *size* tokens and joined again by one space.

    As in the reference, a sentence over the size is kept whole as an oversize chunk, an empty chunk comes first where
    the first sentence is over the size, the joining spaces are not counted, and borders of units are ignored.

    Args:
        text: The whole context.
        size: Tokens of a chunk, summed over its sentences; any number, as in the reference.
        count: Tokens of one sentence.
        split: Start and end of each sentence, in order.
        units: Start and end of each unit of *text*, in order and without overlap; a chunk lists those its span touches.

    Source:
        MemoryAgentBench, `chunk_text_into_sentences` (commit 455306d); checked against its frozen output in
        `tests/unit/text/test_chunking.py::test_the_papers_chunks_are_those_of_the_reference`.
    """
    found = split(text)
    sizes = [count(text[start:end]) for start, end in found]
    starts, ends = [start for start, _ in units], [end for _, end in units]
    chunks = []
    oversize = bool(sizes) and sizes[0] > size
    for group in [*([range(0)] if oversize else []), *_whole(sizes, size, joint=0)]:
        parts = found[group.start : group.stop]
        start, end = (parts[0][0], parts[-1][1]) if parts else (found[0][0], found[0][0])
        touched = range(bisect_right(ends, start), bisect_left(starts, end)) if parts else ()
        chunks.append(Chunk(" ".join([text[a:b] for a, b in parts]), start, end, tuple(touched)))
    return chunks


def chunk_units(units: Sequence[str], size: int, *, separator: str = "\n") -> list[Chunk]:
    """Whole units packed up to *size* tokens, the separators between them counted; nothing is lost.

    A unit is parted only where it alone is over the size: at borders of sentences, and a sentence that is over the
    size at borders of tokens. The pieces of a parted unit are chunks of their own, and joined without a separator
    they are the unit again. Tokens are summed over the parts, which is never less than the tokens of the chunk.

    Raises:
        ValueError: If *size* is below 1.
    """
    if size < 1:
        raise ValueError(f"size counts tokens and starts at 1, got {size}")
    sizes = [count_tokens(unit) for unit in units]
    places = unit_spans(units, separator)
    chunks: list[Chunk] = []
    for group in _whole(sizes, size, joint=count_tokens(separator)):
        first, last = group[0], group[-1]
        start, end = places[first][0], places[last][1]
        if sizes[first] <= size:
            chunks.append(Chunk(separator.join(units[first : last + 1]), start, end, tuple(group)))
            continue
        borders = pairwise(_borders(units[first], size))
        chunks.extend(Chunk(units[first][a:b], start + a, start + b, (first,)) for a, b in borders)
    return chunks


def _whole(sizes: Sequence[int], size: int, *, joint: int) -> Iterator[range]:
    """Runs of units up to *size*, *joint* tokens between two; a unit over the size is a run of its own."""
    first = used = 0
    for number, tokens in enumerate(sizes):
        if number > first and used + joint + tokens > size:
            yield range(first, number)
            first = number
        used = tokens if number == first else used + joint + tokens
    if sizes:
        yield range(first, len(sizes))


def _borders(unit: str, size: int) -> list[int]:
    cuts = [0, *[start for start, _ in sentences.spans(unit)[1:]], len(unit)]
    sizes = [count_tokens(unit[a:b]) for a, b in pairwise(cuts)]
    borders = [0]
    for group in _whole(sizes, size, joint=0):
        start, end = cuts[group.start], cuts[group.stop]
        if sizes[group.start] <= size:
            borders.append(end)
            continue
        ends = [start + stop for _, stop in token_spans(unit[start:end])]
        borders += [*ends[size - 1 : -1 : size], end]
    return borders
