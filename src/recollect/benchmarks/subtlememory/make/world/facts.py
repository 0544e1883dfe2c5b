"""Which facts a case has: selected from the evidence of a seed, one way for each sub-type."""

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
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.fact_checks import (
    COMPLEMENTARY_CHECKS,
    CONTEXT_CHECKS,
    CONTRADICTORY_CHECKS,
    TEMPORAL_CHECKS,
)
from recollect.benchmarks.subtlememory.make.world.progress import FACTS, ROLES
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import WHOLE, Check, Given, Sight, Stage, Step

TOPICS = tuple(sorted(DOMAINS))


def _of_seed(sight: Sight, _: str) -> Given:
    task = progress.task(sight)
    sources = (*task.evidence, *task.neighbours)
    told = guidance()[task.seed.subtype]
    return {
        "subtype": task.seed.subtype,
        "means": told.means,
        "guidance": told.facts,
        "question": task.seed.question,
        "answer": ", or: ".join(task.seed.answers) or NONE,
        "evidence": shown([_shown(one) for one in task.evidence]),
        "neighbours": shown([_shown(one) for one in task.neighbours]) if task.neighbours else NONE,
        "domains": ", ".join(f"`{one}`" for one in TOPICS),
        "own": [one.memory_id for one in task.evidence],
        "sources": {
            one.memory_id: {"asked": one.asked, "accepted": list(one.accepted), "date": one.date} for one in sources
        },
    }


def _shown(one: Evidence) -> dict[str, Any]:
    said: dict[str, Any] = {"memory_id": one.memory_id, "question": one.asked, "answer": one.accepted[0]}
    also = {"other_wordings": list(one.accepted[1:])} if one.accepted[1:] else {}
    return {**said, **also, **({"date": one.date} if one.date else {}), **({"text": one.text} if one.text else {})}


def _fact(given: Given, **more: Schema) -> Schema:
    return record(memory_id=one_of(list(given["sources"])), **more)


def _usual(**more: Schema) -> Schema:
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
    return _usual(
        complementary_question=text(1, SENTENCE),
        canonical_answer=text(1, SENTENCE),
        effective_k=whole_number(1, MOST_TOLD),
        selected_facts=array(fact, 2, MOST_TOLD),
    )


def _temporal(given: Given) -> Schema:
    fact = _fact(given, time_condition=text(1, LABEL), answer_text=text(1, SENTENCE), fact_statement=text(1, SENTENCE))
    return _usual(temporal_question=text(1, SENTENCE), temporal_facts=array(fact, 2, MOST_TOLD))


def _context(given: Given) -> Schema:
    fact = _fact(
        given,
        context_condition=text(1, SENTENCE),
        context_anchor=text(1, 2 * LABEL),
        answer_text=text(1, SENTENCE),
        fact_statement=text(1, SENTENCE),
    )
    return _usual(context_question=text(1, SENTENCE), context_facts=array(fact, 2, MOST_TOLD))


def _contradictory(given: Given) -> Schema:
    fact = _fact(given, contradictory_answer=text(1, SENTENCE), fact_statement=text(1, SENTENCE))
    return _usual(
        conflict_question=text(1, SENTENCE), selected_facts=array(fact, 2, 2), conflict_rationale=text(0, SENTENCE)
    )


def _selecting(subtypes: Sequence[str], shape: Callable[[Given], Schema], checks: tuple[Check, ...]) -> Step:
    """The call for cases of these sub-types; others pass it over."""

    def parts(sight: Sight) -> Sequence[str]:
        return (WHOLE,) if progress.subtype(sight) in subtypes else ()

    called = step(FACTS[subtypes[0]], given=_of_seed, shape=shape, checks=checks)
    return each(called, parts, lambda item: int(item.data.seed.subtype in subtypes))


STAGES: tuple[Stage, ...] = (
    _selecting((K_FACTS, ANY_ONE), _complementary, COMPLEMENTARY_CHECKS),
    _selecting((TEMPORAL,), _temporal, TEMPORAL_CHECKS),
    _selecting((CONTEXT,), _context, CONTEXT_CHECKS),
    _selecting((CONTRADICTORY,), _contradictory, CONTRADICTORY_CHECKS),
)
"""A case without facts is rejected."""
