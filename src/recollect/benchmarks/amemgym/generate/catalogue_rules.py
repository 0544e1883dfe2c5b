"""Checks of the catalogue's sentences, as far as a program can tell.

`python -m recollect.benchmarks.amemgym.generate.catalogue_rules [FILE ...]` prints every breach.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, ValueWords, VariableWords, content, files
from recollect.text.normal import fold
from recollect.worlds import sentences
from recollect.worlds.catalogues import problems_of, read, report
from recollect.worlds.patterns import words_in
from recollect.worlds.sentences import Form, counted, different, shaped

RUN = 4
"""Advice repeats no run of so many words of what the user says."""
TOLD = Form(words=(9, 20), start="any", marks=".?!")
EVENT = Form(words=(1, 99), start="any", marks=".?!")
ADVICE = Form(words=(14, 28), start="any", marks=".?!")
TALK = Form(words=(5, 14), start="any", marks=".?!", sentences=9)
_snake = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_first_person = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b")
_without = partial(sentences.without, of=content)
_too_alike = partial(sentences.too_alike, of=content)


def check_catalogue(folder: Path | None = None) -> tuple[str, ...]:
    """Every breach of the catalogue's rules in a folder, each with file, variable, value and sentence."""
    return tuple(_problems(files(folder)))


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong in the given files, or in the whole catalogue; 1 where anything is."""
    return report(arguments, files(), _problems)


def _problems(given: Iterable[Path]) -> Iterator[str]:
    domains: dict[str, LifeDomain] = {}

    def read_domain(file: Path) -> LifeDomain:
        domains[file.stem] = read(LifeDomain, file)
        return domains[file.stem]

    yield from problems_of(given, read_domain, _of_domain)
    names: list[str] = []
    sentences: list[str] = []
    for name, one in domains.items():
        if name != one.domain:
            yield f"{name}.json: the domain is called {one.domain!r}, so the file should be {one.domain}.json"
        names += [one.domain, *(variable.name for variable in one.variables)]
        sentences += [*(question.query for question in one.questions), *one.asks, *one.chat]
        for value in (value for variable in one.variables for value in variable.values):
            sentences += [*value.told, *value.held_out, value.event, *value.advice]
    yield from different("name", names)
    yield from different("sentence", sentences)


def _of_domain(domain: LifeDomain) -> Iterator[str]:
    values = [value for variable in domain.variables for value in variable.values]
    named = frozenset(word for value in values for word in content(value.value))
    for name in (domain.domain, *(one.name for one in domain.variables)):
        if not _snake.fullmatch(name):
            yield f"name {name!r} is not snake_case"
    lists = {"variables": domain.variables, "asks": domain.asks, "chat": domain.chat}
    yield from counted("domain", lists, {"variables": 3, "asks": 4, "chat": 4})
    for variable in domain.variables:
        if len(variable.values) not in (3, 4):
            yield f"{variable.name}: {len(variable.values)} values, not 3 or 4"
        if len({one.value for one in variable.values}) < len(variable.values):
            yield f"{variable.name}: a value occurs twice"
    yield from _questions(domain, named)
    for variable in domain.variables:
        yield from _variable(variable)
    for where, texts in (("asks", domain.asks), ("chat", domain.chat)):
        yield from shaped(where, texts, TALK)
        yield from _without(where, texts, named, "of a value's name")


def _questions(domain: LifeDomain, named: frozenset[str]) -> Iterator[str]:
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
    yield from _without("question", [one.query for one in domain.questions], named, "of a value's name")


def _variable(variable: VariableWords) -> Iterator[str]:
    for value in variable.values:
        yield from _value(variable.name, value)
    for first, second in combinations(variable.values, 2):
        where = f"{variable.name}: {first.value} and {second.value}"
        yield from _too_alike(where, first.told + first.held_out, second.told + second.held_out)
        yield from _too_alike(where, first.advice, second.advice)
        yield from _too_alike(where, [first.event], [second.event])


def _value(variable: str, value: ValueWords) -> Iterator[str]:
    where = f"{variable}.{value.value}"
    if not _snake.fullmatch(value.value):
        yield f"{where}: the value is not snake_case"
    lists = {"told": value.told, "held_out": value.held_out, "advice": value.advice}
    yield from counted(where, lists, {"told": 4, "held_out": 2, "advice": 2})
    spoken = (*value.told, *value.held_out)
    yield from shaped(f"{where}.told", spoken, TOLD)
    yield from shaped(f"{where}.event", [value.event], EVENT)
    yield from shaped(f"{where}.advice", value.advice, ADVICE)
    yield from _without(where, (*spoken, value.event, *value.advice), content(value.value), "of the value's name")
    yield from _without(where, (*spoken, value.event), content(variable), "of the variable's name")
    yield from (f"{where}: not in the first person: {one}" for one in spoken if not _first_person.search(fold(one)))
    starts = Counter(" ".join(words_in(fold(sentence))[:3]) for sentence in spoken)
    yield from (f"{where}: {times} sentences start {start!r}" for start, times in starts.items() if times > 1)
    runs = {run for sentence in spoken for run in _runs(sentence)}
    for advice in value.advice:
        if again := [run for run in _runs(advice) if run in runs]:
            yield f"{where}.advice: repeats {' '.join(again[0])!r}: {advice}"


def _runs(sentence: str) -> list[tuple[str, ...]]:
    words = words_in(fold(sentence))
    return [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
