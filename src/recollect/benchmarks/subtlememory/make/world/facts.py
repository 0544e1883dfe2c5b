"""Which facts a case has: selected from the evidence of a seed, in one way for each sub-type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from recollect.benchmarks.subtlememory.generate.rules.threads import DOMAINS
from recollect.benchmarks.subtlememory.make.calling import LABEL, SENTENCE, step
from recollect.benchmarks.subtlememory.make.relations import guidance
from recollect.benchmarks.subtlememory.make.sources.layouts import MOST_TOLD
from recollect.benchmarks.subtlememory.make.sources.seeds import (
    ANY_ONE,
    CONTEXT,
    CONTRADICTORY,
    K_FACTS,
    TEMPORAL,
    Evidence,
)
from recollect.benchmarks.subtlememory.make.world import fact_checks, progress
from recollect.benchmarks.subtlememory.make.world.progress import ROLES, SELECTIONS
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import WHOLE, Check, Given, Sight, Stage, Step

TOPICS = tuple(sorted(DOMAINS))


def _given(sight: Sight, _: str) -> Given:
    task = progress.task(sight)
    told = guidance()[task.seed.subtype]
    return {
        "subtype": task.seed.subtype,
        "means": told.means,
        "guidance": told.facts,
        "question": task.seed.question,
        "answer": ", or: ".join(task.seed.answers) or NONE,
        "evidence": shown([_shown(one) for one in task.evidence]),
        "neighbours": shown([_shown(one) for one in task.neighbours]) if task.neighbours else NONE,
        "domains": ", ".join(f"`{topic}`" for topic in TOPICS),
        "own": [one.memory_id for one in task.evidence],
        "sources": {
            one.memory_id: {"asked": one.asked, "accepted": list(one.accepted), "date": one.date}
            for one in (*task.evidence, *task.neighbours)
        },
    }


def _shown(one: Evidence) -> dict[str, Any]:
    optional = {"other_wordings": list(one.accepted[1:]), "date": one.date, "text": one.text}
    found = {"memory_id": one.memory_id, "question": one.asked, "answer": one.accepted[0], **optional}
    return {name: value for name, value in found.items() if value or name not in optional}


def _fact(given: Given, **more: Schema) -> Schema:
    return record(memory_id=one_of(list(given["sources"])), **more)


def _reply(**more: Schema) -> Schema:
    return record(**more, description=text(1, SENTENCE), topic=one_of(TOPICS), fact_selection_notes=text(0, SENTENCE))


def _complementary(given: Given) -> Schema:
    fact = _fact(
        given,
        fact_role=one_of(ROLES),
        about=text(1, LABEL),
        fact_statement=text(1, SENTENCE),
        answer_contribution=text(1, SENTENCE),
        in_answer=flag(),
        selection_rationale=text(0, SENTENCE),
    )
    return _reply(
        complementary_question=text(1, SENTENCE),
        canonical_answer=text(1, SENTENCE),
        effective_k=whole_number(1, MOST_TOLD),
        selected_facts=array(fact, 2, MOST_TOLD),
    )


def _temporal(given: Given) -> Schema:
    fact = _fact(given, time_condition=text(1, LABEL), answer_text=text(1, SENTENCE), fact_statement=text(1, SENTENCE))
    return _reply(temporal_question=text(1, SENTENCE), temporal_facts=array(fact, 2, MOST_TOLD))


def _context(given: Given) -> Schema:
    fact = _fact(
        given,
        context_condition=text(1, SENTENCE),
        context_anchor=text(1, 2 * LABEL),
        answer_text=text(1, SENTENCE),
        fact_statement=text(1, SENTENCE),
    )
    return _reply(context_question=text(1, SENTENCE), context_facts=array(fact, 2, MOST_TOLD))


def _contradictory(given: Given) -> Schema:
    fact = _fact(given, contradictory_answer=text(1, SENTENCE), fact_statement=text(1, SENTENCE))
    return _reply(
        conflict_question=text(1, SENTENCE), selected_facts=array(fact, 2, 2), conflict_rationale=text(0, SENTENCE)
    )


def _selecting(subtypes: Sequence[str], shape: Callable[[Given], Schema], checks: tuple[Check, ...]) -> Step:
    """The step that selects facts for these sub-types."""

    def parts(sight: Sight) -> Sequence[str]:
        return (WHOLE,) if progress.subtype(sight) in subtypes else ()

    called = step(SELECTIONS[subtypes[0]].step, given=_given, shape=shape, checks=checks)
    return each(called, parts, lambda item: int(item.data.seed.subtype in subtypes))


STAGES: tuple[Stage, ...] = (
    _selecting((K_FACTS, ANY_ONE), _complementary, fact_checks.COMPLEMENTARY_CHECKS),
    _selecting((TEMPORAL,), _temporal, fact_checks.TEMPORAL_CHECKS),
    _selecting((CONTEXT,), _context, fact_checks.CONTEXT_CHECKS),
    _selecting((CONTRADICTORY,), _contradictory, fact_checks.CONTRADICTORY_CHECKS),
)
"""A case without facts is rejected."""
