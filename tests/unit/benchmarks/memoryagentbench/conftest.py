"""Invented source data in the shape of the real ones, and data sets made of them."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.generate import generate
from recollect.contracts.benchmark import Dataset

CHAINS = {2: 120, 3: 120, 4: 120}
TEMPLATES = {f"P{number}": f"Way {number} from [X] is to __" for number in range(9)}
SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]
INTENTS = 60


@pytest.fixture(scope="session")
def small() -> Dataset:
    """Generated histories of the smallest size."""
    return generate("small", 7)


@pytest.fixture(scope="session")
def source_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with invented files in the shape of the five corpora and of MQuAKE."""
    folder = tmp_path_factory.mktemp("source")
    _write_mquake(folder / "mquake")
    _write_corpora(folder)
    return folder


def _write_mquake(folder: Path) -> None:
    folder.mkdir()
    (folder / "cloze_templates.json").write_text(json.dumps(TEMPLATES))
    rng = Random(1)
    cases = [
        _case(number, hops, rng) for hops, count in CHAINS.items() for number in range(hops * 1000, hops * 1000 + count)
    ]
    for name, part in (("cf_3k", cases[::2]), ("hard_4hop", cases[1::2])):
        text = "".join(f"{json.dumps(case)}\n" for case in part)
        (folder / f"{name}.jsonl.xz").write_bytes(lzma.compress(text.encode()))


def _case(number: int, hops: int, rng: Random) -> dict[str, Any]:
    """A chain through names of its own; a random part of it, at least one hop, is edited."""
    relations = [f"P{rng.randrange(len(TEMPLATES))}" for _ in range(hops)]
    names = [_name(number * 10 + place) for place in range(hops + 1)]
    edited = sorted(rng.sample(range(hops), rng.randint(1, hops)))
    old = {place: _name(number * 10 + 5 + place) for place in edited}
    triples = [[names[i], relations[i], names[i + 1]] for i in range(hops)]
    return {
        "case_id": number,
        "requested_rewrite": [
            {
                "relation_id": relations[i],
                "subject": names[i],
                "target_new": {"str": names[i + 1]},
                "target_true": {"str": old[i]},
                "question": f"Where does relation {relations[i]} of {names[i]} lead to?",
            }
            for i in edited
        ],
        "questions": [f"Wording {w}: where does the chain from {names[0]} end?" for w in range(3)],
        "answer": f"Before{number}",
        "new_answer": names[-1],
        "new_single_hops": [
            {
                "question": f"Where does relation {relations[i]} of {names[i]} lead to?",
                "answer": names[i + 1],
                "answer_alias": [f"Alias of {names[i + 1]}"],
            }
            for i in range(hops)
        ],
        "orig": {
            "new_triples": triples,
            "new_triples_labeled": triples,
            "edit_triples": [triples[i] for i in edited],
        },
    }


def _name(number: int) -> str:
    """Three syllables, each number others: no name is a part of another."""
    first, rest = divmod(number, len(SYLLABLES) ** 2)
    second, third = divmod(rest, len(SYLLABLES))
    return f"{SYLLABLES[first]}{SYLLABLES[second]}{SYLLABLES[third]}".capitalize()


def _write_corpora(folder: Path) -> None:
    rows = [(f"utterance {n} about thing {n % INTENTS}", f"intent_{n % INTENTS}") for n in range(INTENTS * 5)]
    test = [(f"question {n} about thing {n % INTENTS}", f"intent_{n % INTENTS}") for n in range(INTENTS * 3)]
    for part, table in (("train", rows), ("test", test)):
        _write_table(folder / "banking77" / f"{part}.csv", ("text", "category"), table, ",")
    for part, table in (("train_5500", rows), ("TREC_10", test)):
        labelled = [(f"{'ABCDEF'[int(label[7:]) % 6]}:{label}", text) for text, label in table]
        _write_table(folder / "trec" / f"{part}.tsv", ("label", "text"), labelled, "\t")
    _write_gz(folder / "clinc150" / "data_full.json.gz", json.dumps(_clinc(rows, test)))
    home = ["answerid,scenario,intent,text,annotation", *(f"{n},home,{b},{a},{a}" for n, (a, b) in enumerate(rows))]
    _write_gz(folder / "nlu_hwu64" / "utterances.csv.gz", "\n".join(home))


def _clinc(rows: list[tuple[str, str]], test: list[tuple[str, str]]) -> dict[str, Any]:
    beside = [[f"nothing of ours {n}", "oos"] for n in range(4)]
    return {"train": rows, "val": test, "oos_train": beside, "oos_val": [["something else", "oos"]]}


def _write_table(path: Path, header: Iterable[str], rows: Iterable[tuple[str, str]], delimiter: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(rows)


def _write_gz(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
