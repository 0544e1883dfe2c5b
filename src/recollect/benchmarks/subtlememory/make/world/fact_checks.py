"""Checks of selected facts. Each yields every problem, in the words sent back to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from recollect.benchmarks.subtlememory.make.checks import (
    by_name,
    cut,
    dated,
    fit_for_all,
    names,
    names_date,
    qualified,
    qualifiers,
    sentences,
    twins,
    without,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import ANY_ONE, CONTEXT, CONTRADICTORY, K_FACTS, TEMPORAL
from recollect.benchmarks.subtlememory.make.world.progress import DISTRACTOR, EQUIVALENT, REQUIRED, SELECTIONS
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import STATED, says, substance

FEWEST = 2
"""Fewest facts that a question needs, or that are each enough."""
ANCHOR_WORDS = 8
Problems: TypeAlias = Iterator[tuple[str, str]]


def _checks(subtype: str, value: str, find: Callable[[Any, Given], Problems], *rules: str) -> tuple[Check, ...]:
    """The checks of a sub-type's replies: *rules* of its own, and those of any selection.

    Args:
        subtype: Of the cases.
        value: Field of a fact with the value that it states.
        find: Yields check and problem for *rules*.
    """
    _, listed, question = SELECTIONS[subtype]

    def texts(reply: Any) -> list[str]:
        return [reply[question], reply["description"], *(fact["fact_statement"] for fact in reply[listed])]

    def usual(reply: Any, given: Given) -> Problems:
        for name, count in Counter(fact["memory_id"] for fact in reply[listed]).items():
            if count > 1:
                yield "once", f"`{name}` stands there {count} times"
        if subtype in (TEMPORAL, CONTEXT):
            chosen = {fact["memory_id"] for fact in reply[listed]}
            yield from (("once", f"`{name}` is missing") for name in given["sources"] if name not in chosen)
        for fact in reply[listed]:
            name, said, accepted = fact["memory_id"], fact[value], given["sources"][fact["memory_id"]]["accepted"]
            if not says(fact["fact_statement"], said):
                yield "stated", f"the statement of `{name}` does not say `{cut(said)}`"
            if not any(says(wording, said) or says(said, wording) for wording in accepted):
                yield "grounded", f"`{name}`: `{cut(said)}` is not what the source says: {cut(accepted[0])}"
            if fact.get("fact_role") != DISTRACTOR and says(reply[question], said):
                yield "question_leak", f"the question gives `{cut(said)}` away"

    return (
        *by_name(usual, "once"),
        *by_name(find, *rules),
        *by_name(usual, "stated", "grounded"),
        Check("sentences", lambda reply, _: sentences(texts(reply))),
        Check("differ", lambda reply, _: twins([fact["fact_statement"] for fact in reply[listed]])),
        *by_name(usual, "question_leak"),
        *fit_for_all(texts),
    )


def _of_role(reply: Any, role: str) -> list[Mapping[str, Any]]:
    return [fact for fact in reply["selected_facts"] if fact["fact_role"] == role]


def _roles(reply: Any, given: Given) -> Problems:
    several = given["subtype"] == K_FACTS
    wanted, other = (REQUIRED, EQUIVALENT) if several else (EQUIVALENT, REQUIRED)
    if len(_of_role(reply, wanted)) < FEWEST:
        yield "roles", f"{len(_of_role(reply, wanted))} facts are `{wanted}`, at least {FEWEST} are asked for"
    for fact in _of_role(reply, other):
        yield "roles", f"`{fact['memory_id']}` is `{other}`, which nothing is here"
    count = len(_of_role(reply, REQUIRED)) if several else 1
    if reply["effective_k"] != count:
        yield "effective_k", f"`effective_k` is {reply['effective_k']}, and it should be {count}"
    for fact in reply["selected_facts"]:
        if fact["fact_role"] != DISTRACTOR and fact["memory_id"] not in given["own"]:
            yield "own", f"`{fact['memory_id']}` is from elsewhere, and can only be a `{DISTRACTOR}`"


def _answer(reply: Any, given: Given) -> Problems:
    """The answer names its parts."""
    inside = [fact for fact in reply["selected_facts"] if fact["in_answer"]]
    if not inside:
        yield "parts", "no fact is `in_answer`"
    for fact in inside:
        if fact["fact_role"] == DISTRACTOR:
            yield "parts", f"`{fact['memory_id']}` is a `{DISTRACTOR}`, and `in_answer`"
        elif not says(reply["canonical_answer"], fact["answer_contribution"]):
            value = cut(fact["answer_contribution"])
            yield "parts", f"`canonical_answer` does not say `{value}`, which is `in_answer`"
    if given["subtype"] == K_FACTS:
        for about, count in Counter(normalise(fact["about"]) for fact in inside).items():
            if count > 1:
                yield "parts", f"two facts of the answer are about `{about}`"
        yield from _alone(reply, [fact["answer_contribution"] for fact in inside])
    if given["subtype"] == ANY_ONE:
        yield from _equivalent(reply)


def _equivalent(reply: Any) -> Problems:
    """Where each fact is enough, all of them are in the answer and give one value, and a distractor another."""
    enough = _of_role(reply, EQUIVALENT)
    yield from (("parts", f"`{fact['memory_id']}` is not `in_answer`") for fact in enough if not fact["in_answer"])
    values = [fact["answer_contribution"] for fact in enough]
    plain = sorted(set(map(normalise, values)))
    if len(plain) > 1:
        yield "same", f"facts that are each enough give {len(plain)} values: {', '.join(plain)}"
    for fact in _of_role(reply, DISTRACTOR):
        if names(fact["fact_statement"], values):
            yield "same", f"`{fact['memory_id']}` is a `{DISTRACTOR}`, and gives the answer"


def _alone(reply: Any, values: list[str]) -> Problems:
    """Facts that give the whole answer: all of it, or the last link of a chain with where the chain begins."""
    asked = substance(reply["complementary_question"]) - substance(" ".join(values))
    for fact in reply["selected_facts"]:
        statement = fact["fact_statement"]
        whole = values and all(says(statement, value) for value in values)
        if whole and (len(values) > 1 or len(asked & substance(statement)) >= STATED * len(asked)):
            yield "leak", f"`{fact['memory_id']}` alone gives the whole answer"


def _complementary(reply: Any, given: Given) -> Problems:
    yield from _roles(reply, given)
    yield from _answer(reply, given)


def _temporal(reply: Any, given: Given) -> Problems:
    for fact in reply["temporal_facts"]:
        name, day = fact["memory_id"], given["sources"][fact["memory_id"]]["date"]
        if day not in fact["time_condition"]:
            yield "as_of", f"`time_condition` of `{name}` does not have its date, {day}"
        if not names_date(fact["fact_statement"], day):
            yield "as_of", f"the statement of `{name}` does not have its date, {day}"
    if found := dated(reply["temporal_question"]):
        yield "timeless", f"the question names a time, `{found}`, and should be the same for all"


def _context(reply: Any, _: Given) -> Problems:
    facts = reply["context_facts"]
    yield from (("anchors", problem) for problem in twins([fact["context_anchor"] for fact in facts]))
    for fact in facts:
        name, anchor = fact["memory_id"], fact["context_anchor"]
        if len(anchor.split()) > ANCHOR_WORDS:
            yield "anchors", f"`context_anchor` of `{name}` has more than {ANCHOR_WORDS} words"
        wanted = substance(anchor)
        if 2 * len(wanted & substance(fact["fact_statement"])) < len(wanted):
            yield "anchored", f"the statement of `{name}` does not say under what it holds: {anchor}"
        if says(reply["context_question"], anchor):
            yield "broad", f"the question names a condition, `{anchor}`, and should be open to all"


def _contradictory(reply: Any, given: Given) -> Problems:
    """The answers exclude each other, and neither question nor statements keep what would reconcile them."""
    facts = reply["selected_facts"]
    values = first, second = [fact["contradictory_answer"] for fact in facts]
    if says(first, second) or says(second, first):
        yield "apart", f"the answers do not exclude each other: `{first}`, `{second}`"
    asked = [given["sources"][fact["memory_id"]]["asked"] for fact in facts]
    known = qualifiers(given["question"], asked, values)
    problems = [*qualified(without(reply["conflict_question"], values), known)]
    for fact, stems in zip(facts, known, strict=True):
        problems += qualified(without(fact["fact_statement"], values), [stems])
    yield from (("plain", problem) for problem in problems)


_OWN = ("roles", "effective_k", "own", "parts", "leak", "same")
COMPLEMENTARY_CHECKS = _checks(K_FACTS, "answer_contribution", _complementary, *_OWN)
"""Of facts that are all needed, and of facts that are each enough."""
TEMPORAL_CHECKS = _checks(TEMPORAL, "answer_text", _temporal, "as_of", "timeless")
CONTEXT_CHECKS = _checks(CONTEXT, "answer_text", _context, "anchors", "anchored", "broad")
CONTRADICTORY_CHECKS = _checks(CONTRADICTORY, "contradictory_answer", _contradictory, "apart", "plain")
