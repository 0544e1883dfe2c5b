"""Rules of selected facts. Each gives every problem, in words that the model is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from recollect.benchmarks.subtlememory.make.checks import (
    content,
    cut,
    dated,
    fit_for_all,
    names,
    names_date,
    qualified,
    qualifiers,
    sentences,
    twins,
)
from recollect.benchmarks.subtlememory.make.sources.seeds import ANY_ONE, K_FACTS
from recollect.benchmarks.subtlememory.make.world.progress import DISTRACTOR, EQUIVALENT, REQUIRED
from recollect.making.steps import Check, Given
from recollect.text.normal import normalise
from recollect.worlds.checks import STATED, says

FEWEST = 2
"""Facts that a question needs, or that are each enough."""
ANCHOR_WORDS = 8
Listed = Callable[[Any], Sequence[Mapping[str, Any]]]


def _once(listed: Listed, *, all_of_them: bool) -> Check:
    """No source twice; where all are wanted, none left out."""

    def find(reply: Any, given: Given) -> Iterator[str]:
        counts = Counter(one["memory_id"] for one in listed(reply))
        yield from (f"`{name}` stands there {count} times" for name, count in counts.items() if count > 1)
        if all_of_them:
            yield from (f"`{name}` is missing" for name in given["sources"] if not counts[name])

    return Check("once", find)


def _grounded(listed: Listed, value: str) -> Check:
    """A value is that of its source, or a part of it, or holds it."""

    def find(reply: Any, given: Given) -> Iterator[str]:
        for one in listed(reply):
            accepted = given["sources"][one["memory_id"]]["accepted"]
            said = one[value]
            if not any(says(other, said) or says(said, other) for other in accepted):
                yield f"`{one['memory_id']}`: `{cut(said)}` is not what the source says: {cut(accepted[0])}"

    return Check("grounded", find)


def _stated(listed: Listed, value: str) -> Check:
    """A statement says its value to the letter."""

    def find(reply: Any, _: Given) -> Iterator[str]:
        for one in listed(reply):
            if not says(one["fact_statement"], one[value]):
                yield f"the statement of `{one['memory_id']}` does not say `{cut(one[value])}`"

    return Check("stated", find)


def _usual(listed: Listed, question: str, value: str) -> tuple[Check, ...]:
    """What holds whatever the sub-type is."""

    def told(reply: Any) -> list[str]:
        return [reply[question], reply["description"], *(one["fact_statement"] for one in listed(reply))]

    def ends(reply: Any, _: Given) -> Iterator[str]:
        yield from sentences(told(reply))

    def differ(reply: Any, _: Given) -> Iterator[str]:
        yield from twins([one["fact_statement"] for one in listed(reply)])

    def given_away(reply: Any, _: Given) -> Iterator[str]:
        for one in listed(reply):
            if one.get("fact_role") != DISTRACTOR and says(reply[question], one[value]):
                yield f"the question gives `{cut(one[value])}` away"

    return (
        Check("sentences", ends),
        Check("differ", differ),
        Check("question_leak", given_away),
        *fit_for_all(told),
    )


_selected = itemgetter("selected_facts")


def _of_role(reply: Any, role: str) -> list[Mapping[str, Any]]:
    return [one for one in _selected(reply) if one["fact_role"] == role]


def _roles(reply: Any, given: Given) -> Iterator[str]:
    wanted, other = (REQUIRED, EQUIVALENT) if given["subtype"] == K_FACTS else (EQUIVALENT, REQUIRED)
    if len(_of_role(reply, wanted)) < FEWEST:
        yield f"{len(_of_role(reply, wanted))} facts are `{wanted}`, at least {FEWEST} are asked for"
    yield from (f"`{one['memory_id']}` is `{other}`, which nothing is here" for one in _of_role(reply, other))


def _counted(reply: Any, given: Given) -> Iterator[str]:
    wanted = len(_of_role(reply, REQUIRED)) if given["subtype"] == K_FACTS else 1
    if reply["effective_k"] != wanted:
        yield f"`effective_k` is {reply['effective_k']}, and it should be {wanted}"


def _own(reply: Any, given: Given) -> Iterator[str]:
    """What the answer needs comes from the record itself."""
    for one in _selected(reply):
        if one["fact_role"] != DISTRACTOR and one["memory_id"] not in given["own"]:
            yield f"`{one['memory_id']}` is from elsewhere, and can only be a `{DISTRACTOR}`"


def _parts(reply: Any, given: Given) -> Iterator[str]:
    """The answer names what it is made of."""
    inside = [one for one in _selected(reply) if one["in_answer"]]
    if not inside:
        yield "no fact is `in_answer`"
    for one in inside:
        if one["fact_role"] == DISTRACTOR:
            yield f"`{one['memory_id']}` is a `{DISTRACTOR}`, and `in_answer`"
        elif not says(reply["canonical_answer"], one["answer_contribution"]):
            yield f"`canonical_answer` does not say `{cut(one['answer_contribution'])}`, which is `in_answer`"
    if given["subtype"] == ANY_ONE:
        yield from (
            f"`{one['memory_id']}` is not `in_answer`" for one in _of_role(reply, EQUIVALENT) if one not in inside
        )
    yield from (
        f"two facts of the answer are about `{one}`" for one in _doubled([one["about"] for one in inside], given)
    )


def _doubled(about: Sequence[str], given: Given) -> list[str]:
    """Names of parts that are taken twice; where each fact is enough, all are about the same."""
    counts = Counter(map(normalise, about))
    return [one for one, count in counts.items() if count > 1] if given["subtype"] == K_FACTS else []


def _leaked(reply: Any, given: Given) -> Iterator[str]:
    """Where several are needed, none answers the question alone: by all that is asked, or by the last link of a chain
    that names where the chain begins."""
    if given["subtype"] != K_FACTS:
        return
    inside = [one["answer_contribution"] for one in _selected(reply) if one["in_answer"]]
    for one in _selected(reply):
        statement = one["fact_statement"]
        if not inside or not all(says(statement, value) for value in inside):
            continue
        asked = content(reply["complementary_question"]) - content(" ".join(inside))
        if len(inside) > 1 or len(asked & content(statement)) >= STATED * len(asked):
            yield f"`{one['memory_id']}` alone gives the whole answer"


def _same(reply: Any, given: Given) -> Iterator[str]:
    """Where each is enough, all give one value, and a distractor another."""
    if given["subtype"] != ANY_ONE:
        return
    enough = _of_role(reply, EQUIVALENT)
    values = {normalise(one["answer_contribution"]) for one in enough}
    if len(values) > 1:
        yield f"facts that are each enough give {len(values)} values: {', '.join(sorted(values))}"
    for one in _of_role(reply, DISTRACTOR):
        if names(one["fact_statement"], [other["answer_contribution"] for other in enough]):
            yield f"`{one['memory_id']}` is a `{DISTRACTOR}`, and gives the answer"


COMPLEMENTARY_CHECKS = (
    _once(_selected, all_of_them=False),
    Check("roles", _roles),
    Check("effective_k", _counted),
    Check("own", _own),
    Check("parts", _parts),
    Check("leak", _leaked),
    Check("same", _same),
    _stated(_selected, "answer_contribution"),
    _grounded(_selected, "answer_contribution"),
    *_usual(_selected, "complementary_question", "answer_contribution"),
)


_snapshots = itemgetter("temporal_facts")


def _as_of(reply: Any, given: Given) -> Iterator[str]:
    for one in _snapshots(reply):
        day = given["sources"][one["memory_id"]]["date"]
        if day not in one["time_condition"]:
            yield f"`time_condition` of `{one['memory_id']}` does not have its date, {day}"
        if not names_date(one["fact_statement"], day):
            yield f"the statement of `{one['memory_id']}` does not have its date, {day}"


def _timeless(reply: Any, _: Given) -> Iterator[str]:
    if found := dated(reply["temporal_question"]):
        yield f"the question names a time, `{found}`, and should be the same for all"


TEMPORAL_CHECKS = (
    _once(_snapshots, all_of_them=True),
    Check("as_of", _as_of),
    Check("timeless", _timeless),
    _stated(_snapshots, "answer_text"),
    _grounded(_snapshots, "answer_text"),
    *_usual(_snapshots, "temporal_question", "answer_text"),
)


_entries = itemgetter("context_facts")


def _anchors(reply: Any, _: Given) -> Iterator[str]:
    yield from twins([one["context_anchor"] for one in _entries(reply)])
    for one in _entries(reply):
        if len(one["context_anchor"].split()) > ANCHOR_WORDS:
            yield f"`context_anchor` of `{one['memory_id']}` has more than {ANCHOR_WORDS} words"


def _anchored(reply: Any, _: Given) -> Iterator[str]:
    for one in _entries(reply):
        wanted = content(one["context_anchor"])
        if 2 * len(wanted & content(one["fact_statement"])) < len(wanted):
            yield f"the statement of `{one['memory_id']}` does not say under what it holds: {one['context_anchor']}"


def _broad(reply: Any, _: Given) -> Iterator[str]:
    for one in _entries(reply):
        if says(reply["context_question"], one["context_anchor"]):
            yield f"the question names a condition, `{one['context_anchor']}`, and should be open to all"


CONTEXT_CHECKS = (
    _once(_entries, all_of_them=True),
    Check("anchors", _anchors),
    Check("anchored", _anchored),
    Check("broad", _broad),
    _stated(_entries, "answer_text"),
    _grounded(_entries, "answer_text"),
    *_usual(_entries, "context_question", "answer_text"),
)


def _apart(reply: Any, _: Given) -> Iterator[str]:
    one, other = (entry["contradictory_answer"] for entry in _selected(reply))
    if says(one, other) or says(other, one):
        yield f"the answers do not exclude each other: `{one}`, `{other}`"


def _plain(reply: Any, given: Given) -> Iterator[str]:
    """Neither question nor statements keep what would reconcile the two."""
    entries = _selected(reply)
    values = [one["contradictory_answer"] for one in entries]
    asked = [given["sources"][one["memory_id"]]["asked"] for one in entries]
    known = qualifiers(given["question"], asked, values)
    yield from qualified(_without(reply["conflict_question"], values), known)
    for one, words in zip(entries, known, strict=True):
        yield from qualified(_without(one["fact_statement"], values), [words])


def _without(text: str, values: Sequence[str]) -> str:
    """*text* without the answers: a year that is one settles nothing."""
    for value in values:
        text = text.replace(value, "")
    return text


CONTRADICTORY_CHECKS = (
    _once(_selected, all_of_them=False),
    Check("apart", _apart),
    Check("plain", _plain),
    _stated(_selected, "contradictory_answer"),
    _grounded(_selected, "contradictory_answer"),
    *_usual(_selected, "conflict_question", "contradictory_answer"),
)
