"""Dialogues in which a system recommends films, and conversations that wait for its next recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.family import (
    Asked,
    Family,
    Published,
    Shared,
    Source,
    joined,
    plain,
    scored_by,
)
from recollect.domain.questions import AnswerFormat

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.benchmarks.memoryagentbench.rows import Row
    from recollect.contracts.benchmark import TaskCard
    from recollect.domain.histories import Keyed

WORD = "Dialogue"
TITLES = 20
"""How many are asked for."""
ENTITIES = "entities"
"""The field of a key that holds the ids of the right films, and that of the shared data with all names by id."""
FILMS = "films"
"""The field of the shared data with the ids that are films; absent where that is not known."""
REDIAL, MADE = "recsys_redial_full", "recsys_generated"
MADE_FILMS = 112
"""So many films are invented, the same for all generated rows of a data set."""
MADE_CHUNK_TOKENS = 192
"""Generated dialogues have about 110 tokens, and are kept whole."""
MEASURE = "recall@5"

LABELS = {
    "wanted": "recommendations: how many films are right",
    "met": "recommendations: how many dialogues of the context name one of them; where 0, none can be learned",
}
LICENCES = {"ReDial (recsys_redial)": "CC BY 4.0: name Li et al. 2018"}
DEVIATION = (
    "Built from the 992 dialogues of ReDial's test split, about 119K tokens where the published row has 1.44M. "
    "Evidence is every dialogue that names a right film; published rows are searched for its title and a year."
)
_PARTS = {
    MEASURE: "share of the right films among the first five titles, each taken for the entity whose name is nearest, "
    "as the paper's program reads them; the primary measure",
    "recall@1": "the same of the first title",
    "recall@10": "the same of the first ten",
    "lenient_recall@5": "as recall@5, without empty lines, bullets and bold, and taken for films alone where it is "
    "known which entities are films",
}


def texts_of(context: str) -> list[str]:
    """The dialogues, each with its header line.

    Raises:
        ValueError: There is none.
    """
    return blocks.texts_of(context, WORD)


def asked(text: str, ids: Sequence[str]) -> Asked:
    """A conversation and the entities that are right; their names are for `told` to say."""
    known = tuple(dict.fromkeys(ids))
    return Asked(
        text=text,
        gold=known,
        labels={"wanted": str(len(known))},
        answer_format=AnswerFormat.LIST,
        items=TITLES,
        field_gold={ENTITIES: known},
    )


def _asked(row: Row, place: int) -> Asked:
    wrong = [said for said in row.answers[place] if not said.strip().isdecimal()]
    if wrong:
        raise ValueError(f"`{wrong[0]}` is no id of an entity, which is a number")
    return asked(row.questions[place], [said.strip() for said in row.answers[place]])


def _published(one: Keyed) -> Published:
    questions = one.history.questions
    return Published(
        tuple(question.text for question in questions),
        tuple(one.keys[question.question_id].field_gold[ENTITIES] for question in questions),
        {},
    )


def _task(source: Source) -> TaskCard:
    from recollect.contracts.benchmark import TaskCard

    shown = "invented dialogues" if source.made else "about 1.44M tokens of dialogues"
    return TaskCard(
        name=source.name,
        meaning=f"Recommend {TITLES} films to go on with a conversation, after {shown} about films.{_differs(source)}",
        measure=MEASURE,
        chance=5 / MADE_FILMS if source.made else None,
        binary=False,
        parts=_PARTS,
    )


def _differs(source: Source) -> str:
    return "" if source.made else f" {DEVIATION}"


def _beside(folder: Path) -> Shared | None:
    from recollect.benchmarks.memoryagentbench.entities import read_entities

    return read_entities(folder)


def _told(one: Keyed, shared: Shared, published: bool) -> Keyed:
    from recollect.benchmarks.memoryagentbench.entities import with_names

    return with_names(one, shared, search=published)


FAMILY = Family(
    name="recsys_redial",
    split="Test_Time_Learning",
    output_tokens=300,
    chunk_tokens=4096,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    task=_task,
    score=scored_by("recommendations", "score_titles"),
    asked=_asked,
    published=_published,
    beside=_beside,
    told=_told,
)

SOURCES = (
    Source(name=REDIAL, family=FAMILY, questions=200, context_tokens=1_440_000),
    Source(name=MADE, family=FAMILY, questions=None),
)
