"""Rules that replies must keep. Each gives every problem, in words that the model is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from recollect.making.steps import Check, Given
from recollect.text.normal import fold, search_tokens

ALIKE = 0.8
"""Share of words that two questions have in common from which on they ask the same."""
MOST_WORDS = {"en": 500, "zh": 1_000}
"""Of a description; in Chinese, signs."""
COPIED_SIGNS = 5
"""A Chinese value of fewer signs may well occur in a sentence by itself."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_WORD = re.compile(r"\w+")
_CHINESE = re.compile("[\u3400-\u9fff]")
Texts = Callable[[Any], Iterable[str]]


def alike(one: str, other: str) -> bool:
    """*one* asks what *other* asks."""
    first, second = set(search_tokens(one)), set(search_tokens(other))
    return folded(one) == folded(other) or len(first & second) >= ALIKE * len(first | second) > 0


def folded(text: str) -> str:
    """Letters and digits of *text* alone, without case."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


def in_chinese(text: str) -> bool:
    """Most letters of *text* are Chinese signs."""
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(bool(_CHINESE.match(sign)) for sign in letters) > len(letters)


def spelled(text: str, value: str) -> bool:
    """*text* holds *value* to the letter, which has two words at least; a single word may occur by itself."""
    if _CHINESE.search(value):
        return len(folded(value)) >= COPIED_SIGNS and folded(value) in folded(text)
    said, wanted = (_WORD.findall(fold(one.replace("_", " "))) for one in (text, value))
    return len(wanted) > 1 and f" {' '.join(wanted)} " in f" {' '.join(said)} "


def language(texts: Texts) -> Check:
    """Each text is written in the language that was asked for."""

    def find(reply: Any, given: Given) -> Iterator[str]:
        for text in texts(reply):
            if any(sign.isalpha() for sign in text) and in_chinese(text) != (given["lang"] == "zh"):
                yield f"not written in {given['language']}: {text[:40]}"

    return Check("language", find)


def _described(reply: Any, given: Given) -> Iterator[str]:
    text = reply["profile"]
    size = len(_CHINESE.findall(text)) if given["lang"] == "zh" else len(text.split())
    if size >= MOST_WORDS[given["lang"]]:
        yield f"`profile` has {size} words, fewer than {MOST_WORDS[given['lang']]} are asked for"


PROFILE_CHECKS = (Check("length", _described), language(lambda reply: [reply["profile"]]))


def _questions_differ(reply: Any, _: Given) -> Iterator[str]:
    asked = [one["question"] for one in reply["questions"]]
    for number, text in enumerate(asked):
        twin = next((place for place in range(number) if alike(text, asked[place])), None)
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
    Check(
        "named",
        lambda reply, _: _names(fact["info_type"] for one in reply["questions"] for fact in one["required_info"]),
    ),
    language(lambda reply: [one["question"] for one in reply["questions"]]),
)


def _covered(reply: Any, given: Given) -> Iterator[str]:
    gathered = Counter(name for one in reply["variables"] for name in one["gathers"])
    yield from (f"no variable gathers `{name}`" for name in given["facts"] if not gathered[name])
    yield from (f"`{name}` stands in {count} places" for name, count in sorted(gathered.items()) if count > 1)


def _variables_differ(reply: Any, _: Given) -> Iterator[str]:
    yield from (f"two variables are named `{name}`" for name in _doubled(one["name"] for one in reply["variables"]))


def _apart(reply: Any, given: Given) -> Iterator[str]:
    of = {fact: one["name"] for one in reply["variables"] for fact in one["gathers"]}
    for needed in given["needed"]:
        for name in _doubled(of[fact] for fact in needed if fact in of):
            same = [fact for fact in needed if of.get(fact) == name]
            yield f"{' and '.join(f'`{fact}`' for fact in same)} belong to one question and must stay apart"


VARIABLE_CHECKS = (
    Check("covered", _covered),
    Check("variables_differ", _variables_differ),
    Check("named", lambda reply, _: _names(one["name"] for one in reply["variables"])),
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


def _updated_once(reply: Any, _: Given) -> Iterator[str]:
    for name in _doubled(one["variable"] for one in reply["updated"]):
        yield f"`{name}` changes twice"


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
    Check("once", _updated_once),
    Check("limit", _left),
    Check("room", _room),
    language(lambda reply: [reply["period_summary"]]),
)


def _all_told(reply: Any, given: Given) -> Iterator[str]:
    told = Counter(name for one in reply["events"] for name in one["states"])
    yield from (f"no event belongs to the change of `{name}`" for name in given["changed"] if not told[name])
    yield from (
        f"`{name}` stands in {count} places, one event is asked for" for name, count in told.items() if count > 1
    )


def _hinted(reply: Any, given: Given) -> Iterator[str]:
    for number, one in enumerate(reply["events"], start=1):
        yield from _copied(f"event {number}", one["event"], given)


EVENT_CHECKS = (
    Check("all_once", _all_told),
    Check("hinted", _hinted),
    language(lambda reply: [one["event"] for one in reply["events"]]),
)


def _answers_hint(reply: Any, given: Given) -> Iterator[str]:
    for name, text in reply.items():
        yield from _copied(f"`{name}`", text, given)


ANSWER_CHECKS = (
    Check(
        "answers_differ",
        lambda reply, _: (f"two answers are the same: {text[:40]}" for text in _doubled(reply.values())),
    ),
    Check("hinted", _answers_hint),
    language(lambda reply: reply.values()),
)
"""Also of an answer that was refined."""


def _exposed_right(reply: Any, given: Given) -> Iterator[str]:
    for number, one in enumerate(reply["queries"], start=1):
        for said in one["exposed_states"]:
            now = given["now"][said["variable"]]
            if said["value"] != now:
                yield f"query {number}: `{said['variable']}` is `{now}`, not `{said['value']}`"
        for name in _doubled(said["variable"] for said in one["exposed_states"]):
            yield f"query {number} lists `{name}` twice"


def _exposed_all(reply: Any, given: Given) -> Iterator[str]:
    seen = {said["variable"] for one in reply["queries"] for said in one["exposed_states"]}
    yield from (f"no query shows `{name}`" for name in given["now"] if name not in seen)


def _query_rules(texts: Callable[[Any], Sequence[str]]) -> tuple[Check, ...]:
    def differ(reply: Any, _: Given) -> Iterator[str]:
        yield from (f"two queries are the same: {text[:40]}" for text in _doubled(texts(reply)))

    def hinted(reply: Any, given: Given) -> Iterator[str]:
        for number, text in enumerate(texts(reply), start=1):
            yield from _copied(f"query {number}", text, given)

    return (Check("queries_differ", differ), Check("hinted", hinted), language(texts))


FIRST_QUERY_CHECKS = (
    Check("right", _exposed_right),
    Check("all_shown", _exposed_all),
    *_query_rules(lambda reply: [one["query"] for one in reply["queries"]]),
)
LATER_QUERY_CHECKS = _query_rules(lambda reply: list(reply["queries"]))
REFINED_QUERY_CHECKS = _query_rules(lambda reply: [reply["query"]])


def _copied(what: str, text: str, given: Given) -> Iterator[str]:
    names = [name for name in given.get("names", ()) if "_" in name and name in text]
    values = [value for value in given.get("values_hidden", ()) if spelled(text, value)]
    yield from (f"{what} says `{one}` to the letter; let it be seen in other words" for one in [*names, *values])


def _names(names: Iterable[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if not _NAME.fullmatch(name):
            yield f"`{name}` is no name of small English letters, digits and underscores"


def _doubled(texts: Iterable[str]) -> list[str]:
    """Texts that stand twice, whatever their case; `<5` and `>5` are two."""
    counted = Counter(" ".join(fold(text).replace("_", " ").split()) for text in texts)
    return [text for text, count in counted.items() if count > 1]
