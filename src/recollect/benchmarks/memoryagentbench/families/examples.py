"""The context of multi-class classification: labelled examples, each followed by a blank line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.benchmarks.memoryagentbench.families.family import Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import best
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
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
    """Each example with its label line; `ValueError` if part of the context is not a labelled example."""
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
    """A finder for one set of labelled examples; evidence for a label is every example that has it."""
    places: dict[str | None, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        places[label_of(text)].append(place)
    utterances = {utterance_of(text) for text in texts}

    def find(asked: Asked) -> Recovered | None:
        found = places.get(asked.gold[0].strip() if asked.gold else None)
        if found is None:
            return None
        labels = {"shots": str(len(found)), "in_examples": "yes" if asked.text in utterances else "no"}
        return Recovered(tuple(found), (), labels)

    return find


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


def score_label(scored: Scored) -> Outcome:
    """Whether what follows `Answer:`, or else the whole reply, is the label."""
    strict, lenient = strict_answer(scored.reply_text), lenient_answer(scored.reply_text)
    right = best(exact_match, (strict,), scored.accepted)
    found = best(exact_match, (lenient.text,), scored.accepted)
    return scored.outcome(
        [
            Part(name="exact_match", value=right, weight=1.0),
            Part(name="lenient_exact_match", value=found, why=f"read: {lenient.rule}"),
        ]
    )


MADE = "icl_intents_generated"
MADE_LABELS = 20


FAMILY = Family(
    name="in_context_learning",
    split="Test_Time_Learning",
    output_tokens=20,
    chunk_tokens=4096,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(context_of),
    measure="exact_match",
    lenient="lenient_exact_match",
    chance=lambda source: 1 / (source.labels or 1),
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
