"""What generated texts must not do: say a sentence again and again, or tell what is to be inferred.

Each finds; what a finding means, and how much is too much, is up to the benchmark.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from recollect.text.normal import FUNCTION_WORDS, normalise, search_tokens
from recollect.text.sentences import split
from recollect.worlds.patterns import words_in

LEAST_WORDS = 8
"""A sentence of fewer may come as often as it likes."""
MOST = 0.01
"""Share of the sessions in which one sentence may stand."""
STATED = 0.8
"""Share of a fact's content words that makes a sentence say it outright."""
MASK = "_"
Names = Mapping[str, Sequence[tuple[str, ...]]]
"""First word of names, in small letters -> the names as words, longest first."""


def says(text: str, words: str) -> bool:
    """Whether the words stand in the text, whatever marks and capitals."""
    return f" {normalise(words)} " in f" {normalise(text)} "


def holders(texts: Iterable[str], words: str) -> list[int]:
    """Places of the texts that say the words; *texts* are normalised, with a space at either end."""
    wanted = f" {normalise(words)} "
    return [place for place, text in enumerate(texts) if wanted in text]


@lru_cache(maxsize=65_536)
def substance(text: str) -> frozenset[str]:
    """Stems of the words of a text that are no function words."""
    kept = " ".join(word for word in search_tokens(text, stop=False, stemmed=False) if word not in FUNCTION_WORDS)
    return frozenset(search_tokens(kept))


def outright(fact: str, sentences: Iterable[str], besides: Collection[str] = ()) -> Iterator[str]:
    """Sentences with nearly all content words of a fact.

    Args:
        fact: What may show and must not be said.
        sentences: Of those who may show it.
        besides: Names of the people concerned; they are no content.
    """
    wanted = substance(fact) - substance(" ".join(besides))
    for sentence in sentences:
        if wanted and len(wanted & substance(sentence)) >= STATED * len(wanted):
            yield sentence


def twice(texts: Iterable[str], least: int) -> Iterator[tuple[str, int]]:
    """Sentences of so many words and more that stand more than once, and how often."""
    said = Counter(normalise(one) for text in texts for one in split(text) if len(words_in(one)) >= least)
    yield from ((text, count) for text, count in said.items() if count > 1)


def repeated(sessions: Sequence[Iterable[str]], names: Collection[str]) -> dict[str, float]:
    """Share of the sessions that hold a sentence, for all of eight words and more that stand in several.

    Args:
        sessions: The messages of each.
        names: Of persons and things; each counts as the same word.

    Returns:
        Sentence in small letters without marks, its names masked -> share, the most frequent first.
    """
    known: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for words in sorted({tuple(word.lower() for word in words_in(name)) for name in names}, key=len, reverse=True):
        if words:
            known[words[0]].append(words)
    counts: Counter[str] = Counter()
    for messages in sessions:
        sentences = (masked(sentence, known) for message in messages for sentence in split(message))
        counts.update({" ".join(kept) for kept in sentences if len(kept) >= LEAST_WORDS})
    return {text: count / len(sessions) for text, count in counts.most_common() if count > 1}


def masked(sentence: str, names: Names) -> list[str]:
    """Its words in small letters, each name as one mask."""
    words = [word.lower() for word in words_in(sentence)]
    kept: list[str] = []
    at = 0
    while at < len(words):
        name = next((one for one in names.get(words[at], ()) if tuple(words[at : at + len(one)]) == one), ())
        kept.append(MASK if name else words[at])
        at += len(name) or 1
    return kept
