"""What the sentences of the catalogue must and must not do, as far as a program can tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, ValueWords, VariableWords
from recollect.text.normal import fold, normalise, search_tokens
from recollect.text.sentences import split

ALIKE = 0.5
"""Two clauses of different values that share this part of their content words are nearly equal."""
RUN = 4
"""Advice repeats no run of so many words of what the user says."""
_snake = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_first_person = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b")
_word = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
Lengths = tuple[int, int]
TOLD: Lengths = (9, 20)
ADVICE: Lengths = (14, 28)
TALK: Lengths = (5, 14)


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry the topic; underscores part words."""
    return frozenset(search_tokens(text.replace("_", " ")))


def likeness(first: str, second: str) -> float:
    """Share of the content words of two texts that both have."""
    ours, theirs = content(first), content(second)
    return len(ours & theirs) / max(len(ours | theirs), 1)


def domain_problems(domain: LifeDomain) -> Iterator[str]:
    """Every rule that one domain breaks, with variable, value and sentence."""
    yield from _shape(domain)
    yield from _questions(domain)
    for variable in domain.variables:
        yield from _variable(variable)
    named = frozenset(
        word for variable in domain.variables for value in variable.values for word in content(value.value)
    )
    for where, sentences in (("asks", domain.asks), ("chat", domain.chat)):
        yield from _sized(where, sentences, TALK)
        yield from _without(where, sentences, named, "of a value's name")


def shared_problems(domains: Sequence[LifeDomain]) -> Iterator[str]:
    """Names and sentences that occur more than once in the whole catalogue."""
    names = [name for domain in domains for name in (domain.domain, *(one.name for one in domain.variables))]
    yield from (f"name {name!r} occurs {times} times" for name, times in Counter(names).items() if times > 1)
    said = [normalise(sentence) for domain in domains for sentence in _all_sentences(domain)]
    yield from (f"sentence occurs {times} times: {text}" for text, times in Counter(said).items() if times > 1)


def _all_sentences(domain: LifeDomain) -> Iterator[str]:
    yield from (question.query for question in domain.questions)
    yield from (*domain.asks, *domain.chat)
    for variable in domain.variables:
        for value in variable.values:
            yield from (*value.told, *value.held_out, value.event, *value.advice)


def _shape(domain: LifeDomain) -> Iterator[str]:
    for name in (domain.domain, *(one.name for one in domain.variables)):
        if not _snake.fullmatch(name):
            yield f"name {name!r} is not snake_case"
    if len(domain.variables) != 3:
        yield f"{len(domain.variables)} variables, not 3"
    for variable in domain.variables:
        if len(variable.values) not in (3, 4):
            yield f"{variable.name}: {len(variable.values)} values, not 3 or 4"
        if len({one.value for one in variable.values}) < len(variable.values):
            yield f"{variable.name}: a value occurs twice"
    yield from _counted("", {"asks": domain.asks, "chat": domain.chat}, {"asks": 4, "chat": 4})


def _counted(where: str, given: Mapping[str, Sequence[str]], wanted: Mapping[str, int]) -> Iterator[str]:
    for name, sentences in given.items():
        if len(sentences) != wanted[name]:
            yield f"{where}{name}: {len(sentences)} sentences, not {wanted[name]}"


def _questions(domain: LifeDomain) -> Iterator[str]:
    names = {one.name for one in domain.variables}
    sizes = sorted(len(question.needs) for question in domain.questions)
    if sizes != [2, 2, 3]:
        yield f"questions need {sizes} variables, not [2, 2, 3]"
    pairs = [set(question.needs) for question in domain.questions if len(question.needs) == 2]
    if len(pairs) == 2 and (pairs[0] | pairs[1] != names or len(pairs[0] & pairs[1]) != 1):
        yield "the two questions of two variables must cover all three and share one"
    for question in domain.questions:
        if unknown := sorted(set(question.needs) - names):
            yield f"question needs unknown variables {unknown}: {question.query}"
        if len(set(question.needs)) < len(question.needs):
            yield f"question needs a variable twice: {question.query}"
    values = [value.value for variable in domain.variables for value in variable.values]
    named = frozenset(word for value in values for word in content(value))
    yield from _without("question", [one.query for one in domain.questions], named, "of a value's name")


def _variable(variable: VariableWords) -> Iterator[str]:
    for value in variable.values:
        yield from _value(variable.name, value)
    for first, second in combinations(variable.values, 2):
        yield from _too_alike(f"{variable.name}: {first.value} and {second.value}", first, second)


def _value(variable: str, value: ValueWords) -> Iterator[str]:
    where = f"{variable}.{value.value}"
    if not _snake.fullmatch(value.value):
        yield f"{where}: the value is not snake_case"
    said = {"told": value.told, "held_out": value.held_out, "advice": value.advice}
    yield from _counted(f"{where}.", said, {"told": 4, "held_out": 2, "advice": 2})
    spoken = (*value.told, *value.held_out)
    yield from _sized(f"{where}.told", spoken, TOLD)
    yield from _sized(f"{where}.event", [value.event], None)
    yield from _sized(f"{where}.advice", value.advice, ADVICE)
    yield from _without(where, (*spoken, value.event), content(value.value), "of the value's name")
    yield from _without(where, (*spoken, value.event), content(variable), "of the variable's name")
    yield from _without(f"{where}.advice", value.advice, content(value.value), "of the value's name")
    yield from (f"{where}: not in the first person: {one}" for one in spoken if not _first_person.search(fold(one)))
    yield from _same_start(where, spoken)
    yield from _repeated(where, value)


def _sized(where: str, sentences: Iterable[str], lengths: Lengths | None) -> Iterator[str]:
    for sentence in sentences:
        words = len(_word.findall(sentence))
        if len(split(sentence)) != 1 and lengths != TALK:
            yield f"{where}: not one sentence: {sentence}"
        if sentence != sentence.strip() or sentence[-1:] not in ".?!":
            yield f"{where}: ends without a mark or has space around it: {sentence!r}"
        if lengths and not lengths[0] <= words <= lengths[1]:
            yield f"{where}: {words} words, not {lengths[0]} to {lengths[1]}: {sentence}"


def _without(where: str, sentences: Iterable[str], forbidden: frozenset[str], what: str) -> Iterator[str]:
    for sentence in sentences:
        if found := sorted(content(sentence) & forbidden):
            yield f"{where}: has the word {', '.join(found)} {what}: {sentence}"


def _same_start(where: str, sentences: Sequence[str]) -> Iterator[str]:
    starts = [" ".join(_word.findall(fold(sentence))[:3]) for sentence in sentences]
    yield from (f"{where}: {times} sentences start {start!r}" for start, times in Counter(starts).items() if times > 1)


def _repeated(where: str, value: ValueWords) -> Iterator[str]:
    said = {run for sentence in (*value.told, *value.held_out) for run in _runs(sentence)}
    for advice in value.advice:
        if again := [run for run in _runs(advice) if run in said]:
            yield f"{where}.advice: repeats {' '.join(again[0])!r}: {advice}"


def _runs(sentence: str) -> list[tuple[str, ...]]:
    said = _word.findall(fold(sentence))
    return [tuple(said[start : start + RUN]) for start in range(len(said) - RUN + 1)]


def _too_alike(where: str, first: ValueWords, second: ValueWords) -> Iterator[str]:
    pairs = ((one.told + one.held_out, one.advice, (one.event,)) for one in (first, second))
    for ours, theirs in zip(*pairs, strict=True):
        for one in ours:
            for other in theirs:
                if (share := likeness(one, other)) >= ALIKE:
                    yield f"{where}: {share:.0%} of the content words are the same: {one} | {other}"
