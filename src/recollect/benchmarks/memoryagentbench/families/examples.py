"""The context of multi-class classification: labelled examples, each followed by a blank line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.benchmarks.memoryagentbench.family import Family, Source, found_by, joined, plain, scored_by

if TYPE_CHECKING:
    from recollect.contracts.benchmark import TaskCard

_EXAMPLE = re.compile(r"\s*(\S.*?\nlabel:[ \t]*(\d{1,9}))[ \t]*(?:\n[ \t]*(?=\n)|\s*\Z)", re.DOTALL | re.IGNORECASE)
_END = re.compile(r"\s*\Z")
_LABEL = re.compile(r"\nlabel:[ \t]*(\d{1,9})\Z", re.IGNORECASE)


def context_of(texts: Sequence[str]) -> str:
    """The messages as one text."""
    return "".join(f"{text}\n\n" for text in texts)


def example(text: str, label: int) -> str:
    """One example as it is shown."""
    return f"{text}\nlabel: {label}"


def texts_of(context: str) -> list[str]:
    """Each example, its label line included.

    Raises:
        ValueError: Something in it is no labelled example.
    """
    texts: list[str] = []
    place = 0
    while not _END.match(context, place):
        found = _EXAMPLE.match(context, place)
        if found is None:
            raise ValueError(f"no labelled example (text, then a line `label: 7`) at character {place}")
        texts.append(found[1])
        place = found.end()
    if not texts:
        raise ValueError("there is no labelled example in it (text, then a line `label: 7`)")
    return texts


def label_of(text: str) -> str | None:
    """The label of one example, as it is printed."""
    found = _LABEL.search(text)
    return found[1] if found else None


def utterance_of(text: str) -> str:
    """The example without its label line."""
    return _LABEL.sub("", text)


MADE = "icl_intents_generated"
MADE_LABELS = 20

LABELS = {
    "shots": "examples: how many examples have the label",
    "in_examples": "examples: `yes` where the very text is among the examples",
    "wording": "generated examples: `shown` where the pattern of the text is among the examples, else `new`",
}
LICENCES = {
    "BANKING77": "CC BY 4.0: name Casanueva et al. 2020",
    "CLINC150": "CC BY 3.0: name Larson et al. 2019",
    "NLU evaluation data": "CC BY 4.0: name Liu et al. 2019",
    "TREC question classification": "the source states none (Li and Roth 2002; published for research)",
}
DEVIATIONS = {
    "icl_banking77_5900shot_balance": "Built from 7,504 train and 2,310 test utterances, a part of the corpus.",
    "icl_clinic150_7050shot_balance": "Built from 11,325 train and 2,325 validation utterances, a part of the corpus; "
    "75 each are out of scope.",
    "icl_nlu_8296shot_balance": "Built from 8,298 utterances of 64 labels, where the published row has 68 (chance "
    "1/68); a tenth of them is held out by the seed.",
    "icl_trec_coarse_6600shot_balance": "Built from 4,091 train and 376 test questions, a part of the corpus; examples "
    "come again once all of a label were shown.",
    "icl_trec_fine_6400shot_balance": "Built from 4,091 train and 376 test questions, a part of the corpus; examples "
    "come again once all of a label were shown, and 42 of the 50 labels are asked for.",
}
_PARTS = {
    "exact_match": "the parsed answer is the label; the primary measure",
    "lenient_exact_match": "the same where it is read from JSON, boxes, bold or behind `label:` too",
}


def _task(source: Source) -> TaskCard:
    from recollect.contracts.benchmark import TaskCard

    shown = f"{source.examples:,} examples" if source.examples else "generated examples"
    differs = f" {DEVIATIONS[source.name]}" if source.name in DEVIATIONS else ""
    return TaskCard(
        name=source.name,
        meaning=f"Give the label, a number, that {shown} of {source.labels} labels define. Evidence is any example of "
        f"the label, so all of them are named.{differs}",
        measure="exact_match",
        chance=1 / (source.labels or 1),
        parts=_PARTS,
    )


FAMILY = Family(
    name="in_context_learning",
    split="Test_Time_Learning",
    output_tokens=20,
    chunk_tokens=4096,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(context_of),
    task=_task,
    score=scored_by("short_answers", "score_label"),
    finder=found_by("recover", "example_finder"),
    evidence_by_rule=True,
)


def _source(name: str, labels: int) -> Source:
    shots = int(name.split("_")[-2].removesuffix("shot"))
    return Source(name=name, family=FAMILY, questions=100, labels=labels, examples=shots)


SOURCES = (
    _source("icl_banking77_5900shot_balance", 77),
    _source("icl_clinic150_7050shot_balance", 151),
    _source("icl_nlu_8296shot_balance", 64),
    _source("icl_trec_coarse_6600shot_balance", 6),
    _source("icl_trec_fine_6400shot_balance", 50),
    Source(name=MADE, family=FAMILY, questions=None, labels=MADE_LABELS),
)
