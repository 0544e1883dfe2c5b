"""Novel summaries: a book in paragraphs, a gold summary, and the points that a summary must have."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.benchmarks.memoryagentbench.families.events import novel_family
from recollect.benchmarks.memoryagentbench.families.family import Published, Scored, Source, published
from recollect.benchmarks.memoryagentbench.families.short_answers import best
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Judgement, Outcome, Part
from recollect.domain.questions import AnswerFormat
from recollect.metrics.rouge import rouge_l

TASK, MADE = "infbench_sum_eng_shots2", "summary_generated"
ROWS = 100
ABOUT, POINTS = "about", "points"
"""Labels by which a generated row assigns the points to its questions."""


def asked_of(
    *,
    text: str,
    gold: Sequence[str],
    points: Sequence[str],
    demo: str = "",
    about: str = "",
    evidence: Sequence[int] = (),
) -> Asked:
    """A request for a summary of what happens to *about*, or of the whole book; blank points are left out.

    The paper's prompt shows *demo*, worked examples; *evidence* has the positions of the passages with the points.
    """
    stated = [point for point in points if point.strip()]
    return Asked(
        text=text,
        gold=tuple(gold),
        cue=f"what happens to {about}" if about else None,
        answer_format=AnswerFormat.SUMMARY,
        variables={"demo": demo},
        field_gold={str(number): (point,) for number, point in enumerate(stated, start=1)},
        evidence=tuple(evidence),
        labels={POINTS: str(len(stated)), **({ABOUT: about} if about else {})},
    )


def _asked(row: Row, place: int) -> Asked:
    """With the question's own points: all of them in a row with one question, else as many as its label says."""
    extras = row.recollect.questions if row.recollect is not None else ()
    points = row.metadata.keypoints or ()
    if len(row.questions) > 1:
        counts = [extra.labels.get(POINTS, "") for extra in extras]
        if not counts or not all(map(str.isdecimal, counts)) or sum(map(int, counts)) != len(points):
            raise ValueError(
                f"`metadata.keypoints`: which of the {len(points)} belong to it cannot be told, since the row has "
                f"{len(row.questions)} questions. Give each question a row of its own"
            )
        start = sum(map(int, counts[:place]))
        points = points[start : start + int(counts[place])]
    return asked_of(
        text=row.questions[place],
        gold=row.answers[place],
        points=points,
        demo=row.metadata.demo or "",
        about=extras[place].labels.get(ABOUT, "") if extras else "",
    )


def _published(one: Keyed) -> Published:
    questions = one.history.questions
    golds = [one.keys[question.question_id].field_gold for question in questions]
    points = tuple(point for gold in golds for values in gold.values() for point in values)
    demo = next((question.variables["demo"] for question in questions), "")
    return published(one, metadata={"demo": demo or None, "keypoints": points or None})


F1_SUMMARY, RIGHT = "f1_summary", "right"
JUDGED_PARTS = ("fluency", "recall", "precision")


def score_summary(scored: Scored) -> Outcome:
    """The judge's F1; undecided without a verdict or where it has no value.

    A verdict of right or wrong alone is used as it is.

    Source:
        HELMET (Yen et al. 2024) as used by MemoryAgentBench, section 2.2.5 of its notes.
    """
    judged = scored.verdict.parts if scored.verdict is not None else ()
    parts = {part.name: part for part in judged}
    found = parts.get(F1_SUMMARY) or parts.get(RIGHT) or Judgement(name=F1_SUMMARY, value=None, why="no verdict")
    decided = Part(name=F1_SUMMARY, value=found.value, weight=1.0, why=found.why)
    others = [Part(name=part.name, value=part.value, why=part.why) for part in judged if part.name in JUDGED_PARTS]
    rouge = best(lambda text, gold: rouge_l(text, gold).f1, (scored.reply_text,), scored.key.gold)
    return scored.judged(decided, [*others, Part(name="rouge_l", value=rouge)], declined=0.0)


FAMILY = novel_family(
    name="infbench_sum",
    split="Long_Range_Understanding",
    output_tokens=1_200,
    measure="f1_summary",
    judged=True,
    binary=False,
    score=score_summary,
    asked=_asked,
    published=_published,
)

SOURCES = (
    Source(name=TASK, family=FAMILY, questions=ROWS, rows=ROWS),
    Source(name=MADE, family=FAMILY, questions=None, rows=None),
)
