"""Checks of replies. Each gives every problem, in words that the model is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from recollect.making.steps import Check, Given
from recollect.text.normal import fold, search_tokens

ALIKE = 0.8
"""Least share of common words from which on two questions ask the same."""
MOST_WORDS = {"en": 500, "zh": 1_000}
"""Of a description; in Chinese, signs."""
COPIED_SIGNS = 5
"""A Chinese value of fewer signs may well occur in a sentence by itself."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_WORD = re.compile(r"\w+")
_CHINESE = re.compile("[\u3400-\u9fff]")
Texts = Callable[[Any], Iterable[str]]


def alike(one: str, other: str) -> bool:
    """Whether two questions ask the same."""
    first, second = set(search_tokens(one)), set(search_tokens(other))
    return folded(one) == folded(other) or len(first & second) >= ALIKE * len(first | second) > 0


def folded(text: str) -> str:
    """Letters and digits of *text* alone, without case."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


def spelled(text: str, value: str) -> bool:
    """Whether *text* has *value* to the letter; one that is a single word may occur by itself."""
    if _CHINESE.search(value):
        return len(folded(value)) >= COPIED_SIGNS and folded(value) in folded(text)
    words, wanted = (_WORD.findall(fold(one.replace("_", " "))) for one in (text, value))
    return len(wanted) > 1 and f" {' '.join(wanted)} " in f" {' '.join(words)} "


def language(texts: Texts) -> Check:
    """Each text is written in the language that was asked for."""

    def find(reply: Any, given: Given) -> Iterator[str]:
        for text in texts(reply):
            letters = [sign for sign in text if sign.isalpha()]
            chinese = 2 * sum(bool(_CHINESE.match(sign)) for sign in letters) > len(letters)
            if letters and chinese != (given["lang"] == "zh"):
                yield f"not written in {given['language']}: {text[:40]}"

    return Check("language", find)


def differ(name: str, texts: Texts, problem: str) -> Check:
    """No two texts are the same; the format string *problem* says which are."""
    return Check(name, lambda reply, _: (problem.format(text) for text in _doubled(texts(reply))))


def named(names: Texts) -> Check:
    """Names have the form of a variable's name."""
    problem = "`{}` is no name of small English letters, digits and underscores"
    return Check(
        "named",
        lambda reply, _: (problem.format(one) for one in dict.fromkeys(names(reply)) if not _NAME.fullmatch(one)),
    )


def hinted(texts: Callable[[Any], Iterable[tuple[str, str]]]) -> Check:
    """Texts, each with its label, do not copy the names and values that they are to show."""

    def find(reply: Any, given: Given) -> Iterator[str]:
        for label, text in texts(reply):
            copied = [name for name in given.get("names", ()) if "_" in name and name in text]
            copied += [value for value in given.get("values_hidden", ()) if spelled(text, value)]
            yield from (f"{label} says `{one}` to the letter; let it be seen in other words" for one in copied)

    return Check("hinted", find)


def _described(reply: Any, given: Given) -> Iterator[str]:
    text = reply["profile"]
    size = len(_CHINESE.findall(text)) if given["lang"] == "zh" else len(text.split())
    if size >= MOST_WORDS[given["lang"]]:
        yield f"`profile` has {size} words, fewer than {MOST_WORDS[given['lang']]} are asked for"


PROFILE_CHECKS = (Check("length", _described), language(lambda reply: [reply["profile"]]))


def _questions_differ(reply: Any, _: Given) -> Iterator[str]:
    asked = [one["question"] for one in reply["questions"]]
    for number, text in enumerate(asked):
        twin = next((earlier for earlier in range(number) if alike(text, asked[earlier])), None)
        if twin is not None:
            yield f"question {number + 1} asks the same as question {twin + 1}"


def _facts_differ(reply: Any, _: Given) -> Iterator[str]:
    for number, one in enumerate(reply["questions"], start=1):
        for name in _doubled(fact["info_type"] for fact in one["required_info"]):
            yield f"question {number} needs `{name}` twice"


def _values_differ(reply: Any, _: Given) -> Iterator[str]:
    for one in reply["questions"]:
        for fact in one["required_info"]:
            for value in _doubled(fact["info_choices"]):
                yield f"`{fact['info_type']}` has the value `{value}` twice"


QUESTION_CHECKS = (
    Check("questions_differ", _questions_differ),
    Check("facts_differ", _facts_differ),
    Check("values_differ", _values_differ),
    named(lambda reply: [fact["info_type"] for one in reply["questions"] for fact in one["required_info"]]),
    language(lambda reply: [one["question"] for one in reply["questions"]]),
)


def _covered(reply: Any, given: Given) -> Iterator[str]:
    gathered = Counter(name for one in reply["variables"] for name in one["gathers"])
    yield from (f"no variable gathers `{name}`" for name in given["facts"] if not gathered[name])
    yield from (f"`{name}` stands in {count} places" for name, count in sorted(gathered.items()) if count > 1)


def _apart(reply: Any, given: Given) -> Iterator[str]:
    variable_of = {fact: one["name"] for one in reply["variables"] for fact in one["gathers"]}
    for needed in given["needed"]:
        for name in _doubled(variable_of[fact] for fact in needed if fact in variable_of):
            same = [f"`{fact}`" for fact in needed if variable_of.get(fact) == name]
            yield f"{' and '.join(same)} belong to one question and must stay apart"


VARIABLE_CHECKS = (
    Check("covered", _covered),
    differ(
        "variables_differ", lambda reply: (one["name"] for one in reply["variables"]), "two variables are named `{}`"
    ),
    named(lambda reply: [one["name"] for one in reply["variables"]]),
    Check("apart", _apart),
)


def _choices_differ(reply: Any, _: Given) -> Iterator[str]:
    for name, values in reply.items():
        yield from (f"`{name}` has the value `{value}` twice" for value in _doubled(values))


CHOICE_CHECKS = (Check("values_differ", _choices_differ),)


def _in_schema(reply: Any, given: Given) -> Iterator[str]:
    for one in reply["updated"]:
        values = given["values"][one["variable"]]
        if one["new"] not in values:
            yield f"`{one['new']}` is no value of `{one['variable']}`, which has {', '.join(map(repr, values))}"


def _changed(reply: Any, given: Given) -> Iterator[str]:
    for one in reply["updated"]:
        if given["now"][one["variable"]] == one["new"]:
            yield f"`{one['variable']}` is `{one['new']}` already"


def _left(reply: Any, given: Given) -> Iterator[str]:
    for one in reply["updated"]:
        if not given["may_change"][one["variable"]]:
            yield f"`{one['variable']}` has changed as often as it may, and stays as it is"


def _room(reply: Any, given: Given) -> Iterator[str]:
    """Later periods need their changes too; see `enough_room`."""
    changed = {one["variable"] for one in reply["updated"]}
    left = {name: count - (name in changed) for name, count in given["may_change"].items()}
    if not enough_room(left, given["later"], int(given["fewest"])):
        most = sorted(given["may_change"], key=lambda name: (-given["may_change"][name], name))
        yield (
            f"too few changes would be left for the {given['later']} stretches to come; "
            f"let those change that may do so most often: {', '.join(most[: int(given['fewest'])])}"
        )


def enough_room(left: Mapping[str, int], stretches: int, fewest: int) -> bool:
    """Each of *stretches* can have *fewest* different variables, if none changes oftener than *left* says.

    Necessary and sufficient (Gale and Ryser): what all stretches together need is there.
    """
    return sum(max(min(count, stretches), 0) for count in left.values()) >= stretches * fewest


UPDATE_CHECKS = (
    Check("in_schema", _in_schema),
    Check("changed", _changed),
    differ("once", lambda reply: (one["variable"] for one in reply["updated"]), "`{}` changes twice"),
    Check("limit", _left),
    Check("room", _room),
    language(lambda reply: [reply["period_summary"]]),
)


def _all_told(reply: Any, given: Given) -> Iterator[str]:
    counts = Counter(name for one in reply["events"] for name in one["states"])
    yield from (f"no event belongs to the change of `{name}`" for name in given["changed"] if not counts[name])
    for name, count in counts.items():
        if count > 1:
            yield f"`{name}` stands in {count} places, one event is asked for"


EVENT_CHECKS = (
    Check("all_once", _all_told),
    hinted(lambda reply: ((f"event {number}", one["event"]) for number, one in enumerate(reply["events"], start=1))),
    language(lambda reply: [one["event"] for one in reply["events"]]),
)
ANSWER_CHECKS = (
    differ("answers_differ", lambda reply: reply.values(), "two answers are the same: {:.40}"),
    hinted(lambda reply: ((f"`{name}`", text) for name, text in reply.items())),
    language(lambda reply: reply.values()),
)
"""Also of an answer that was refined."""


def _exposed_right(reply: Any, given: Given) -> Iterator[str]:
    for number, one in enumerate(reply["queries"], start=1):
        for shown in one["exposed_states"]:
            now = given["now"][shown["variable"]]
            if shown["value"] != now:
                yield f"query {number}: `{shown['variable']}` is `{now}`, not `{shown['value']}`"
        for name in _doubled(shown["variable"] for shown in one["exposed_states"]):
            yield f"query {number} lists `{name}` twice"


def _exposed_all(reply: Any, given: Given) -> Iterator[str]:
    seen = {shown["variable"] for one in reply["queries"] for shown in one["exposed_states"]}
    yield from (f"no query shows `{name}`" for name in given["now"] if name not in seen)


def _query_checks(texts: Texts) -> tuple[Check, ...]:
    return (
        differ("queries_differ", texts, "two queries are the same: {:.40}"),
        hinted(lambda reply: ((f"query {number}", text) for number, text in enumerate(texts(reply), start=1))),
        language(texts),
    )


FIRST_QUERY_CHECKS = (
    Check("right", _exposed_right),
    Check("all_shown", _exposed_all),
    *_query_checks(lambda reply: [one["query"] for one in reply["queries"]]),
)
LATER_QUERY_CHECKS = _query_checks(lambda reply: reply["queries"])
REFINED_QUERY_CHECKS = _query_checks(lambda reply: [reply["query"]])


def _doubled(texts: Iterable[str]) -> list[str]:
    """Texts that occur twice, whatever their case; `<5` and `>5` differ."""
    counted = Counter(" ".join(fold(text).replace("_", " ").split()) for text in texts)
    return [text for text, count in counted.items() if count > 1]
