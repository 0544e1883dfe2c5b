"""Documents with questions about them: paragraphs of SQuAD as XQuAD has them, and of HotpotQA."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of
from recollect.benchmarks.memoryagentbench.families.documents import CHAINED, SINGLE, document_set
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.text.tokens import count

QUESTIONS = 100
_FIX = "Copy it again from the source that the folder's README names."


class Item(NamedTuple):
    """A question, and what has the answer."""

    text: str
    gold: tuple[str, ...]
    documents: tuple[str, ...]
    """Needed, in the order of the reasoning where it is known."""
    kind: str


class Corpus(NamedTuple):
    """Questions and the documents they are asked among."""

    items: list[Item]
    documents: Callable[[Sequence[Item]], list[str]]
    """Chosen questions -> all documents that belong to them, each once."""


def build_documents(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources, as large as the source data make them.

    Raises:
        DataError: The source data are not there or not what they should be.
    """
    made, origins = [], []
    for task in tasks:
        one, reached = _row(task, READERS[task](folder), Random(f"{task} {seed}"))
        made.append(one)
        origins.append(f"{task} ({reached})")
    return made, ", ".join(origins)


def _row(task: str, corpus: Corpus, rng: Random) -> tuple[Keyed, str]:
    source = SOURCES[task]
    items = _spread(corpus.items, rng)[:QUESTIONS]
    made = document_set(corpus.documents(items), [(one.text, one.gold, one.documents, one.kind) for one in items], rng)
    tokens = count(context_of(made.texts))
    asked = source.context_tokens or 0
    reached = (
        f"{len(items)} of {QUESTIONS} questions, {len(made.texts)} documents, {tokens} tokens of {asked} asked for"
    )
    return keyed(source, 0, made.texts, made.asked), reached


def _spread(items: Sequence[Item], rng: Random) -> list[Item]:
    """In random order, first one of each document, then second ones, and so on."""
    met: dict[tuple[str, ...], int] = {}
    turns = []
    for item in rng.sample(items, len(items)):
        turns.append((met.get(item.documents, 0), item))
        met[item.documents] = met.get(item.documents, 0) + 1
    return [item for _, item in sorted(turns, key=lambda turn: turn[0])]


def _squad(folder: Path) -> Corpus:
    path = folder / "xquad_en" / "xquad.en.json.gz"
    try:
        articles = json.loads(_unpacked(path))["data"]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
        items = [_about(paragraph["context"], qa) for paragraph in paragraphs for qa in paragraph["qas"]]
        texts = list(dict.fromkeys(paragraph["context"].strip() for paragraph in paragraphs))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"it is not a SQuAD file ({error!r})", path, fix=_FIX) from None
    return Corpus(items, lambda _: texts)


def _about(paragraph: str, qa: Mapping[str, Any]) -> Item:
    gold = tuple(dict.fromkeys(answer["text"] for answer in qa["answers"]))
    return Item(qa["question"].strip(), gold, (paragraph.strip(),), "single")


def _hotpot(folder: Path) -> Corpus:
    path = folder / "hotpotqa_sample" / "distractor.jsonl.gz"
    items: list[Item] = []
    beside: dict[Item, list[str]] = {}
    for number, line in enumerate(_unpacked(path).splitlines(), start=1):
        try:
            item, texts = _linked(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"it is not a row of HotpotQA ({error!r})", path, line=number, fix=_FIX) from None
        items.append(item)
        beside[item] = texts
    return Corpus(items, lambda chosen: list(dict.fromkeys(text for item in chosen for text in beside[item])))


def _linked(row: Mapping[str, Any]) -> tuple[Item, list[str]]:
    """A question with all of its paragraphs, titled."""
    texts = {title: f"{title}\n{''.join(sentences).strip()}" for title, sentences in row["context"]}
    needed = tuple(dict.fromkeys(texts[title] for title, _ in row["supporting_facts"]))
    return Item(row["question"].strip(), (row["answer"],), needed, row["type"]), list(texts.values())


READERS: dict[str, Callable[[Path], Corpus]] = {SINGLE: _squad, CHAINED: _hotpot}


def _unpacked(path: Path) -> str:
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix=_FIX) from None
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 ({error})", path, fix=_FIX) from None
