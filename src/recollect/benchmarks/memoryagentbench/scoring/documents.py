"""Answers from documents: the measures of a short answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.scoring.short_answers import accepted, fact_parts, outcome, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question


def score_document(
    question: Question,  # noqa: ARG001 - a scorer's form
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """Whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`."""
    parts = fact_parts(said_by(reply), accepted(key), ())
    return outcome(reply, [part for part in parts if part.name != "stale"])
