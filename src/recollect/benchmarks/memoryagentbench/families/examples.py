"""The context of multi-class classification: labelled examples, each followed by a blank line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.benchmarks.memoryagentbench.families.family import Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import best
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
from recollect.contracts.benchmark import TaskCard
from recollect.domain.outcomes import Outcome, Part
from recollect.metrics.parsing import lenient_answer, strict_answer
from recollect.metrics.text_match import exact_match

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


def example_finder(texts: Sequence[str]) -> Finder:
    """A finder for one set of labelled examples."""
    return _ExampleFinder(texts).find


def labelled(texts: Sequence[str], asked: Iterable[tuple[str, int]]) -> list[Asked]:
    """Questions and their labels, with every example of the label as evidence.

    Raises:
        ValueError: No example has the label.
    """
    find = example_finder(texts)
    questions = []
    for text, number in asked:
        question = Asked(text=text, gold=(str(number),))
        found = find(question)
        if found is None:
            raise ValueError(f"no example has label {number}, which {text!r} asks for")
        questions.append(replace(question, evidence=found.evidence, labels=found.labels))
    return questions


class _ExampleFinder:
    """Evidence for a label is every example that has it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._places: dict[str | None, list[int]] = defaultdict(list)
        self._said = {utterance_of(text) for text in texts}
        for place, text in enumerate(texts):
            self._places[label_of(text)].append(place)

    def find(self, asked: Asked) -> Recovered | None:
        places = self._places.get(asked.gold[0].strip() if asked.gold else None)
        if places is None:
            return None
        labels = {"shots": str(len(places)), "in_examples": "yes" if asked.text in self._said else "no"}
        return Recovered(tuple(places), (), labels)


def score_label(given: Scored) -> Outcome:
    """Whether what stands behind its `Answer:`, or the whole reply, is the label."""
    return given.outcome(label_parts(given.said, given.accepted))


def label_parts(said: str, gold: Sequence[str]) -> Iterable[Part]:
    """The measures of a label, the paper's first."""
    lenient = lenient_answer(said)
    yield Part(name="exact_match", value=best(exact_match, (strict_answer(said),), gold), weight=1.0)
    yield Part(name="lenient_exact_match", value=best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")


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
    score=score_label,
    finder=example_finder,
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
