"""What threads must be like: whole, answered, and silent about every value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations

from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    ASIDE,
    ENTITY,
    FLOWS,
    SAID,
    STEPS,
    Exchange,
    Kind,
    Occasions,
    Thread,
)
from recollect.benchmarks.subtlememory.generate.sessions.writer import unplaced
from recollect.worlds import sentences
from recollect.worlds.checks import says, twice
from recollect.worlds.patterns import words_in
from recollect.worlds.sentences import Form, content, ungrammatical

DOMAINS = frozenset(
    ("Culture", "Media", "Competition", "World", "Society", "Cuisine", "Lifestyle", "Development", "STEM", "Nature")
)
COUNT, WORDS = 5, 640
"""Threads of a topic, and the fewest words of a thread without its asides."""
ROLES = 2
"""Threads in which the user reports a property, at least, and in which the assistant is asked for it."""
LENGTHS = {
    "opening.user": (25, 65), "opening.assistant": (45, 110), "step.user": (26, 60), "step.assistant": (55, 110),
    "closing.user": (10, 42), "closing.assistant": (18, 62), "aside": (5, 22), "task": (2, 16),
    "moment.user": (12, 66), "moment.assistant": (22, 100),
}  # fmt: skip
"""Fewest and most words."""
LEAST_WORDS = 5
"""A sentence of fewer may come as often as it likes."""
TOLD = Form(words=(5, 26), slots=frozenset({"entity", "value"}))
TASK = Form(words=(2, 16), start="small", marks="")
LABELS = re.compile(
    r"\b(?:(?<!in )facts?|memor(?:y|ies)|sessions?|(?<!in )(?<!that )cases?|benchmarks?|contradict\w*|complementary"
    r"|nuanced?|personas?|sub-?types?)\b",
    re.IGNORECASE,
)
"""Words of the benchmark, which nobody may say."""
shaped = partial(sentences.shaped, labels=LABELS)
_taking = re.compile(
    r"(?:thanks?|understood|gladly|certainly|happily|absolutely|noted|of course)\b"
    r"|(?:all right|good|right|fine|fair|yes|then|no|lovely|well|oh|ah|useful|great|ok|okay|sorry|sure)[,.;:!]",
    re.IGNORECASE,
)
_weighs = re.compile(
    r"\b(?:in (?:truth|fact)|really|truly|actually|certainly|definitely|nothing but|admit\w*|confirm\w*|official(?:ly)?"
    r"|turn(?:s|ed)? out to|it turns out|as far as (?:I|is|any)\b|seems?|apparently|supposedly|probably|possibly"
    r"|perhaps|maybe|ought|should|usually|normally|generally|often|sometimes|now|nowadays|these days|at present|present"
    r"|current(?:ly)?|still|so far|for now|lately|recently|latest|newest)\b",
    re.IGNORECASE,
)
_marks = re.compile(r"[—•*#]|^\s*[-\d]+[.)]\s|\n")


def thread_problems(threads: Sequence[Thread], named: frozenset[str], *, world: bool) -> Iterator[str]:
    """Every rule that the threads of one topic break."""
    if len(threads) != COUNT:
        yield f"{len(threads)} threads, not {COUNT}"
    if len({one.conversation_type for one in threads}) < len(threads):
        yield "two threads are of one type"
    tasks = [one.task for one in threads]
    if len(set(tasks)) < len(tasks):
        yield "two threads have one task"
    for number, thread in enumerate(threads):
        yield from (f"thread {number}: {problem}" for problem in _thread(thread, named, world=world))
    yield from repeats(text for thread in threads for _, text in texts_of(thread))


def _thread(thread: Thread, named: frozenset[str], *, world: bool) -> Iterator[str]:
    if thread.flow not in FLOWS.get(thread.conversation_type, ()):
        yield f"`{thread.flow}` is no flow of `{thread.conversation_type}`"
    if len(thread.steps) != STEPS:
        yield f"{len(thread.steps)} steps, not {STEPS}"
    yield from shaped("task", [thread.task], TASK)
    for number, step in enumerate(thread.steps):
        if step.user.count(ASIDE) != 1:
            yield f"step {number}: `{ASIDE}` stands {step.user.count(ASIDE)} times in `user`, not once"
        if _inside(step.user, ASIDE):
            yield f"step {number}: `{ASIDE}` stands inside a sentence: {step.user[:60]}"
    texts = list(texts_of(thread))
    for where, text in texts:
        yield from (f"{where}: {problem}" for problem in _text(where, text, named, world=world))
    words = sum(length(text) for where, text in texts if where.endswith((".user", ".assistant")))
    if words < WORDS:
        yield f"{words} words, not {WORDS}"


def _inside(text: str, slot: str) -> bool:
    """Whether a slot does not stand between sentences."""
    before, found, _ = text.partition(slot)
    before = before.rstrip(" \"'")
    return bool(found and before) and before[-1] not in ".?!"


def told_problems(kind: Kind, named: frozenset[str]) -> Iterator[str]:
    """Every rule that the steps of a kind break in which something of an entity is told."""
    for number, thread in enumerate(kind.threads):
        told, names = sorted(one.of for one in thread.tells), sorted(one.name for one in kind.properties)
        if told != names:
            yield f"thread {number}: tells {', '.join(told)}, not {', '.join(names)}"
        for tell in thread.tells:
            where = f"thread {number}: tells {tell.of}"
            yield from _moments(where, [tell.exchange], 1, named, asked=not tell.reports)
            yield from shaped(f"{where}: told", (tell.told, tell.held_out), TOLD)
            yield from (f"{where}: {problem}" for text in (tell.told, tell.held_out) for problem in _weighty(text))
            yield from (f"{where}: {problem}" for problem in unplaced(tell))
    for name in (one.name for one in kind.properties):
        reports = Counter(tell.reports for thread in kind.threads for tell in thread.tells if tell.of == name)
        if min(reports[True], reports[False]) < ROLES:
            yield f"tells of {name}: {reports[True]} reports and {reports[False]} lookups, not at least {ROLES} each"
        yield from (f"tells of {name}: {problem}" for problem in _contained(kind.threads, name))
    tells = [tell for thread in kind.threads for tell in thread.tells]
    yield from repeats(
        [*_texts(tell.exchange for tell in tells), *(text for tell in tells for text in (tell.told, tell.held_out))]
    )


def _contained(threads: Sequence[Thread], name: str) -> Iterator[str]:
    """Statements of which one is part of another: told of one value, the two would say the same."""
    tells = [tell for thread in threads for tell in thread.tells if tell.of == name]
    for texts in ([tell.told for tell in tells], [tell.held_out for tell in tells]):
        for text, other in permutations(texts, 2):
            if says(other, text):
                yield f"one is part of another: {text} | {other}"


def _weighty(text: str) -> Iterator[str]:
    """A statement that insists, doubts or leaves room weighs more or less than the one against which it may stand."""
    if found := _weighs.search(text):
        yield f"says `{found[0]}`: {text}"


def occasion_problems(occasions: Mapping[str, Occasions], count: int) -> Iterator[str]:
    """Every rule that the occasions of links break: what the user reports, and what the assistant is asked for."""
    for name, given in occasions.items():
        yield from _moments(f"reports of {name}", given.reports, count, frozenset())
        if given.lookups:
            yield from _moments(f"lookups of {name}", given.lookups, count, frozenset(), asked=True)
    yield from repeats(_texts(one for given in occasions.values() for one in (*given.reports, *given.lookups)))


def _texts(exchanges: Iterable[Exchange]) -> Iterator[str]:
    return (text for one in exchanges for text in (one.user, one.assistant))


def _moments(
    where: str, given: Sequence[Exchange], count: int, named: frozenset[str], *, asked: bool = False
) -> Iterator[str]:
    if len(given) != count:
        yield f"{where}: {len(given)}, not {count}"
    for number, one in enumerate(given):
        for name, text in (("user", one.user), ("assistant", one.assistant)):
            problems = (*_slots(name, text, asked=asked), *_text(f"moment.{name}", text, named, world=True))
            yield from (f"{where} {number}: {name}: {problem}" for problem in problems)


def _slots(role: str, text: str, *, asked: bool) -> Iterator[str]:
    """Who tells has `{said}` once, between sentences; who asks has the name once, and a question mark."""
    tells = role == ("assistant" if asked else "user")
    asks = asked and role == "user"
    if text.count(SAID) != tells or text.count(ENTITY) != asks:
        yield f"`{SAID}` stands {text.count(SAID)} times and `{ENTITY}` {text.count(ENTITY)} times"
    if tells and _inside(text, SAID):
        yield f"`{SAID}` stands inside a sentence: {text[:60]}"
    if asks and "?" not in text:
        yield f"asks nothing: {text[:60]}"
    if role == "assistant" and _taking.match(text):
        yield f"begins with an acknowledgement: {text[:40]}"


def texts_of(thread: Thread) -> Iterator[tuple[str, str]]:
    """Every text of a thread, with what it is."""
    yield "task", thread.task
    yield "opening.user", thread.opening.user
    yield "opening.assistant", thread.opening.assistant
    for step in thread.steps:
        yield from (("step.user", step.user), ("aside", step.aside), ("step.assistant", step.assistant))
    yield "closing.user", thread.closing.user
    yield "closing.assistant", thread.closing.assistant


def _text(where: str, text: str, named: frozenset[str], *, world: bool) -> Iterator[str]:
    least, most = LENGTHS[where]
    if not least <= length(text) <= most:
        yield f"{length(text)} words, not {least} to {most}: {text[:50]}"
    if values := sorted(content(_plain(text)) & named):
        yield f"has the word {', '.join(values)} of a value's name: {text[:60]}"
    if world and any(sign.isdigit() for sign in text):
        yield f"has a number: {text[:60]}"
    yield from blemishes(text)


def blemishes(text: str) -> Iterator[str]:
    """What no message may have: words of the benchmark, signs that nobody types, wrong articles, a word twice."""
    if found := LABELS.search(text):
        yield f"says `{found[0]}`: {text[:50]}"
    if found := _marks.search(text):
        yield f"has the sign `{found[0]}`: {text[:50]}"
    if problem := ungrammatical(_plain(text)):
        yield problem


def _plain(text: str) -> str:
    for slot in (ASIDE, SAID, ENTITY):
        text = text.replace(slot, "")
    return text


def length(text: str) -> int:
    """Its words, slots aside."""
    return len(words_in(_plain(text)))


def repeats(texts: Iterable[str]) -> Iterator[str]:
    """Sentences that stand more than once; short ones may."""
    found = twice(map(_plain, texts), LEAST_WORDS)
    yield from (f"sentence stands {count} times: {text}" for text, count in found)
