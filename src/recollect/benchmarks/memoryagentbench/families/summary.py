"""Novel summaries: a book in paragraphs, a gold summary, and the points that a summary must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.benchmarks.memoryagentbench.families.events import novel_family
from recollect.benchmarks.memoryagentbench.families.family import Published, Scored, Source, published
from recollect.benchmarks.memoryagentbench.families.short_answers import best
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.contracts.benchmark import TaskCard
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Judgement, Outcome, Part
from recollect.domain.questions import AnswerFormat
from recollect.metrics.rouge import rouge_l

TASK, MADE = "infbench_sum_eng_shots2", "summary_generated"
ROWS, CONTEXT_TOKENS = 100, 172_000
ABOUT, POINTS = "about", "points"
"""Labels that a row of ours needs to give each question its own points back."""


def asked_of(
    *,
    text: str,
    gold: Sequence[str],
    points: Sequence[str],
    demo: str = "",
    about: str = "",
    evidence: Sequence[int] = (),
) -> Asked:
    """A summary that is asked for, with the points that it must have.

    Args:
        text: The question as the row has it.
        gold: Gold summaries, the first as printed.
        points: What the judge looks for; blank ones say nothing and are left out.
        demo: Worked examples that the paper's prompt shows.
        about: Whom or what the summary follows; empty for the whole book.
        evidence: Places of the passages that tell the points.
    """
    told = [point for point in points if point.strip()]
    return Asked(
        text=text,
        gold=tuple(gold),
        cue=f"what happens to {about}" if about else None,
        answer_format=AnswerFormat.SUMMARY,
        variables={"demo": demo},
        field_gold={str(number): (point,) for number, point in enumerate(told, start=1)},
        evidence=tuple(evidence),
        labels={POINTS: str(len(told)), **({ABOUT: about} if about else {})},
    )


def _asked(row: Row, place: int) -> Asked:
    labels = row.recollect.questions[place].labels if row.recollect is not None else {}
    return asked_of(
        text=row.questions[place],
        gold=row.answers[place],
        points=_points(row, place),
        demo=row.metadata.demo or "",
        about=labels.get(ABOUT, ""),
    )


def _points(row: Row, place: int) -> Sequence[str]:
    """The question's own points: all of a row with one question, else as many as the label of each says."""
    listed = row.metadata.keypoints or ()
    if len(row.questions) == 1:
        return listed
    counts = [extra.labels.get(POINTS, "") for extra in row.recollect.questions] if row.recollect is not None else []
    if not counts or not all(count.isdecimal() for count in counts) or sum(map(int, counts)) != len(listed):
        raise ValueError(
            f"`metadata.keypoints`: which of the {len(listed)} belong to it cannot be told, since the row has "
            f"{len(row.questions)} questions. Give each question a row of its own"
        )
    start = sum(map(int, counts[:place]))
    return listed[start : start + int(counts[place])]


def _published(one: Keyed) -> Published:
    questions = one.history.questions
    keys = [one.keys[question.question_id] for question in questions]
    points = tuple(point for key in keys for values in key.field_gold.values() for point in values)
    demo = next((question.variables["demo"] for question in questions), "")
    return published(one, metadata={"demo": demo or None, "keypoints": points or None})


F1_SUMMARY, RIGHT = "f1_summary", "right"

BESIDE = ("fluency", "recall", "precision")


def score_summary(given: Scored) -> Outcome:
    """The judge's F1; without one, or where it decided nothing, the outcome is undecided.

    A judge that only says right or wrong is taken at its word.

    Source:
        HELMET (Yen et al. 2024) as used by MemoryAgentBench, section 2.2.5 of its notes.
    """
    parts = {part.name: part for part in given.verdict.parts} if given.verdict is not None else {}
    found = parts.get(F1_SUMMARY) or parts.get(RIGHT) or Judgement(name=F1_SUMMARY, value=None, why="no verdict")
    decided = Part(name=F1_SUMMARY, value=found.value, weight=1.0, why=found.why)
    return given.judged(decided, _beside(given), declined=0.0)


def _beside(given: Scored) -> Iterator[Part]:
    for part in given.verdict.parts if given.verdict is not None else ():
        if part.name in BESIDE:
            yield Part(name=part.name, value=part.value, why=part.why)
    yield Part(name="rouge_l", value=best(lambda text, gold: rouge_l(text, gold).f1, (given.said,), given.key.gold))


LABELS = {
    POINTS: "summaries: how many points the summary must have; without any no judge can weigh it",
    ABOUT: "generated summaries: whom or what the summary follows through the story",
}
LICENCES = {"summaries": "the published rows are the user's own copy; the text of their books is not ours to give"}
_PARTS = {
    "f1_summary": "fluency times the harmonic mean of recall and precision, by the judge; the primary measure",
    "fluency": "the summary reads well to its end",
    "recall": "share of the key points that it has",
    "precision": "share of its sentences that the gold summary bears out",
    "rouge_l": "ROUGE-L (F1) with the gold summary, Porter stems; needs no judge",
}


def _task(source: Source) -> TaskCard:
    if source.made:
        meaning = (
            "Summarise what happens to one thing of a generated story. Key points are the times when it changed hands "
            "or place; evidence is the passages that tell these. The rule judge compares words, and the rule reader "
            "copies sentences, so both stay below what a model reaches."
        )
    else:
        meaning = (
            f"Summarise a novel of about {CONTEXT_TOKENS:,} tokens. The rows are the user's own, in the published "
            "layout, and nothing is built from sources. They name no evidence, so there is no oracle. A summary that "
            "the judge could not weigh is undecided and counted, where the authors' program leaves it out."
        )
    return TaskCard(
        name=source.name,
        meaning=meaning,
        measure="f1_summary",
        chance=None,
        judged=True,
        binary=False,
        parts=_PARTS,
    )


FAMILY = novel_family(
    name="infbench_sum",
    split="Long_Range_Understanding",
    output_tokens=1_200,
    task=_task,
    score=score_summary,
    asked=_asked,
    published=_published,
)

SOURCES = (
    Source(name=TASK, family=FAMILY, questions=ROWS, rows=ROWS),
    Source(name=MADE, family=FAMILY, questions=None, rows=None),
)
