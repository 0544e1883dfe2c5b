"""Accuracy on lists made of published source data; the floors stand below what was measured, to catch a broken rule."""

from __future__ import annotations

import csv
import json
import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.contracts.reading import Prompt
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, ContextItem
from recollect.domain.ids import QuestionId
from recollect.domain.questions import Question
from recollect.offline.reading import RuleReader

pytestmark = pytest.mark.real


def answered(context: Context, asked: Iterable[tuple[str, list[str]]], *, exact: bool = False) -> float:
    """Share of questions whose answer holds, or with *exact* is, one of the accepted values."""
    reader, right = RuleReader(), []
    for place, (text, gold) in enumerate(asked):
        question = Question(question_id=QuestionId(f"q{place}"), text=text)
        try:
            said = reader.read(context, question, Prompt(name="p", text="")).text.casefold()
        except NotAvailableError:
            said = ""
        right.append(said in gold if exact else any(one.casefold().rstrip(".") in said for one in gold))
    return sum(right) / len(right)


def context_of(texts: Iterable[str]) -> Context:
    items = tuple(ContextItem(text=text) for text in texts)
    return Context(items=items, text="\n".join(item.text for item in items), tokens=1)


class Edits:
    """Cases whose edits agree with each other, as one list of numbered facts."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.new: dict[str, tuple[str, str]] = {}
        self.plain: dict[str, str] = {}
        self.asked: dict[str, str] = {}
        with lzma.open(folder / "mquake" / "cf_3k.jsonl.xz", "rt", encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        self.cases = [case for case in cases if self._takes(case)]
        self.lines = list(self._numbered(rng))

    def _takes(self, case: dict[str, Any]) -> bool:
        edits = {
            r["prompt"].format(r["subject"]): (r["target_true"]["str"], r["target_new"]["str"], r["question"])
            for r in case["requested_rewrite"]
        }
        hops = {h["cloze"]: h["answer"] for h in case["new_single_hops"]}
        plain = {key: value for key, value in hops.items() if key not in edits}
        fits = all(self.new.get(k, e[:2])[1] == e[1] and k not in self.plain for k, e in edits.items())
        fits = fits and all(k not in self.new and self.plain.get(k, v) == v for k, v in plain.items())
        if fits:
            self.new.update({key: edit[:2] for key, edit in edits.items()})
            self.asked.update({key: edit[2] for key, edit in edits.items()})
            self.plain.update(plain)
        return fits

    def _numbered(self, rng: Random) -> Iterator[str]:
        placed = [(rng.random(), key, value) for key, value in sorted(self.plain.items())]
        for key, values in sorted(self.new.items()):
            placed += zip(sorted((rng.random(), rng.random())), (key, key), values, strict=True)
        for serial, (_, key, value) in enumerate(sorted(placed)):
            yield f"{serial}. {key} {value}."


@pytest.fixture(scope="module")
def edits(data: Path) -> Edits:
    return Edits(data, Random(7))


def test_edited_facts_are_looked_up(edits: Edits) -> None:
    """All facts in the context, single hop; measured 0.99."""
    asked = [(edits.asked[key], [edits.new[key][1]]) for key in sorted(edits.new)][:300]
    assert answered(context_of(edits.lines), asked) >= 0.95


def test_chains_of_facts_are_followed(edits: Edits) -> None:
    """All facts in the context, two to four hops, questions in a model's words; measured 0.85."""
    cases = edits.cases[::7][:250]
    asked = [(case["questions"][0], [case["new_answer"], *case["new_answer_alias"]]) for case in cases]
    assert answered(context_of(["\n".join(edits.lines)]), asked) >= 0.75


def test_intents_are_told_by_shared_words_alone(data: Path) -> None:
    """77 labels, 30 examples each, no embedder; measured 0.80."""
    by_intent: dict[str, list[str]] = defaultdict(list)
    with (data / "banking77" / "train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_intent[row["category"]].append(" ".join(row["text"].split()))
    ids = {name: str(place) for place, name in enumerate(sorted(by_intent))}
    texts = [f"{text}\nlabel: {ids[name]}" for name in sorted(by_intent) for text in by_intent[name][:30]]
    with (data / "banking77" / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[::10]
    asked = [(row["text"], [ids[row["category"]]]) for row in rows]
    assert answered(context_of(texts), asked, exact=True) >= 0.7
