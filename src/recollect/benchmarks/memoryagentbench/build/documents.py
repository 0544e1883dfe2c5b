"""Documents with questions about them: paragraphs of SQuAD as XQuAD has them, and of HotpotQA."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of
from recollect.benchmarks.memoryagentbench.families.documents import CHAINED, SINGLE, Need, document_set
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.records.data_files import text_of
from recollect.text.tokens import count

QUESTIONS = 100
_FIX = "Copy it again from the source that the folder's README names."
Corpus = tuple[list[Need], Callable[[Sequence[Need]], list[str]]]
"""Questions, and chosen questions -> all of their documents, each once."""


def build_documents(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources, as large as the source data make them."""
    rows, origins = [], []
    for task in tasks:
        (items, documents_of), rng = READERS[task](folder), Random(f"{task} {seed}")
        turns = []
        met: Counter[tuple[str, ...]] = Counter()
        for item in rng.sample(items, len(items)):
            needed = item[2]
            turns.append((met[needed], item))
            met[needed] += 1
        # in random order, first one of each document, then a second one, and so on
        chosen = [item for _, item in sorted(turns, key=itemgetter(0))][:QUESTIONS]
        made = document_set(documents_of(chosen), chosen, rng)
        rows.append(keyed(SOURCES[task], 0, made.texts, made.asked))
        questions = f"{len(chosen)} of {QUESTIONS} questions, {len(made.texts)} documents"
        tokens = f"{count(context_of(made.texts))} tokens of {SOURCES[task].context_tokens} asked for"
        origins.append(f"{task} ({questions}, {tokens})")
    return rows, ", ".join(origins)


def _squad(folder: Path) -> Corpus:
    path = folder / "xquad_en" / "xquad.en.json.gz"
    try:
        articles = json.loads(text_of(path, fix=_FIX))["data"]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
        texts = list(dict.fromkeys(paragraph["context"].strip() for paragraph in paragraphs))
        items: list[Need] = []
        for paragraph in paragraphs:
            for qa in paragraph["qas"]:
                gold = tuple(dict.fromkeys(answer["text"] for answer in qa["answers"]))
                items.append((qa["question"].strip(), gold, (paragraph["context"].strip(),), "single"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"it is not a SQuAD file ({error!r})", path, fix=_FIX) from None
    return items, lambda _: texts


def _hotpot(folder: Path) -> Corpus:
    path = folder / "hotpotqa_sample" / "distractor.jsonl.gz"
    paragraphs: dict[Need, list[str]] = {}
    items: list[Need] = []
    for number, line in enumerate(text_of(path, fix=_FIX).splitlines(), start=1):
        try:
            row = json.loads(line)
            texts = {title: f"{title}\n{''.join(sentences).strip()}" for title, sentences in row["context"]}
            needed = tuple(dict.fromkeys(texts[title] for title, _ in row["supporting_facts"]))
            items.append((row["question"].strip(), (row["answer"],), needed, row["type"]))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"it is not a row of HotpotQA ({error!r})", path, line=number, fix=_FIX) from None
        paragraphs[items[-1]] = list(texts.values())
    return items, lambda chosen: list(dict.fromkeys(text for item in chosen for text in paragraphs[item]))


READERS: dict[str, Callable[[Path], Corpus]] = {SINGLE: _squad, CHAINED: _hotpot}
