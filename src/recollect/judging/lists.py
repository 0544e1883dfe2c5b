"""References that list several things: each must be named."""

from __future__ import annotations

from recollect.judging.findings import Finding, no, yes
from recollect.judging.lexicon import KEPT
from recollect.judging.naming import denied
from recollect.judging.said import Said, places, prepare
from recollect.judging.spelling import near

LONGEST_ITEM = 4
"""Content words of an item; a longer one is a clause, and the reference no list."""


def judge_list(question: Said, ref: Said, said: Said) -> Finding | None:
    """Accept where all items are named, refuse where short ones are missing; `None` where the reference is no list."""
    items = [prepare(item) for item in ref.items]
    if len(items) < 2 or any(not 1 <= len(item.content) <= LONGEST_ITEM for item in items):
        return None
    named = [item for item in items if names_item(question, item, said)]
    share = f"{len(named)} of {len(items)}"
    return yes("list_coverage", share) if len(named) == len(items) else no("list_coverage", share)


def names_item(question: Said, item: Said, said: Said) -> bool:
    """Whether one thing is named and not denied: side by side where it counts or compares, else anywhere."""
    content = [stemmed for stemmed in item.content if stemmed not in question.content] or list(item.content)
    if any(stemmed.isdigit() or stemmed in KEPT for stemmed in content):
        return any(not denied(said, at, size=len(content)) for at in places(content, said))
    found = [_place(stemmed, said) for stemmed in content]
    return all(at is not None and not denied(said, at, size=1) for at in found)


def _place(wanted: str, said: Said) -> int | None:
    return next((at for at, stemmed in enumerate(said.stems) if stemmed == wanted or near(wanted, stemmed)), None)
