"""MQuAKE's counterfactual edits: chains of facts, of which some were rewritten."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families.fact_lists import KeyOf, Track
from recollect.domain.errors import DataError

FOLDER = "mquake"
CASES = ("cf_3k.jsonl.xz", "hard_4hop.jsonl.xz")
TEMPLATES = "cloze_templates.json"
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One fact of a chain, as it is after the edits."""

    template: str
    """With `[X]` for the subject; the value follows."""
    subject: str
    value: str
    aliases: tuple[str, ...]
    """Of the value."""
    question: str
    old: str | None
    """What it said before, if it was edited."""

    @property
    def key(self) -> str:
        """The statement up to its value: what two facts must share to contradict each other."""
        return self.key_of(self.subject)

    @property
    def key_of(self) -> KeyOf:
        """The key of the same relation for any subject."""
        return lambda subject: self.template.replace("[X]", subject)

    @property
    def track(self) -> Track:
        """The fact, and what it said before."""
        values = (self.value,) if self.old is None else (self.old, self.value)
        return Track(values=values, statements=tuple(statement(self.key, value) for value in values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One chain with its questions."""

    case_id: int
    hops: tuple[Hop, ...]
    questions: tuple[str, ...]
    """The same question in three wordings."""
    old_answer: str
    """Where the chain led before the edits."""


def statement(key: str, value: str) -> str:
    """A fact as a sentence; a value that ends in a full stop needs no second one."""
    return f"{key} {value}".removesuffix(".") + "."


def read_cases(folder: Path) -> list[Case]:
    """All cases, sorted by id.

    Raises:
        DataError: A file is missing or not what it should be.
    """
    templates = _templates(folder / FOLDER / TEMPLATES)
    cases = [case for name in CASES for case in _cases(folder / FOLDER / name, templates)]
    return sorted(cases, key=lambda case: case.case_id)


def _templates(path: Path) -> dict[str, str]:
    try:
        given = json.loads(path.read_bytes())
        return {relation: template.removesuffix(" __") for relation, template in given.items()}
    except OSError as error:
        raise DataError(f"it cannot be read ({error.strerror})", path, fix=_FIX) from None
    except (ValueError, AttributeError) as error:
        raise DataError(f"it is not a JSON object of templates ({error})", path, fix=_FIX) from None


def _cases(path: Path, templates: Mapping[str, str]) -> Iterator[Case]:
    try:
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    except OSError as error:
        raise DataError(f"it cannot be read ({error.strerror})", path, fix=_FIX) from None
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise DataError(f"it is not text packed with xz ({error})", path, fix=_FIX) from None
    for number, line in enumerate(lines, start=1):
        try:
            yield _case(json.loads(line), templates)
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"it is no case of MQuAKE ({error!r})", path, line=number, fix=_FIX) from None


def _case(given: Mapping[str, Any], templates: Mapping[str, str]) -> Case:
    edits = {(edit["relation_id"], edit["subject"]): edit for edit in given["requested_rewrite"]}
    chain = given["orig"]
    triples: Sequence[Any] = chain["new_triples"]
    edited = {tuple(triple) for triple in chain["edit_triples"]}
    hops = []
    for triple, labels, hop in zip(triples, chain["new_triples_labeled"], given["new_single_hops"], strict=True):
        rewrite = edits[triple[1], labels[0]] if tuple(triple) in edited else None
        hops.append(
            Hop(
                template=templates[triple[1]],
                subject=labels[0],
                value=hop["answer"],
                aliases=tuple(hop["answer_alias"]),
                question=hop["question"],
                old=rewrite["target_true"]["str"] if rewrite else None,
            )
        )
    return Case(
        case_id=given["case_id"], hops=tuple(hops), questions=tuple(given["questions"]), old_answer=given["answer"]
    )
