"""What threads must be like, as far as a program can tell: whole, answered, and silent about every value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from recollect.benchmarks.subtlememory.generate.catalogue_words import Form, content, shaped, ungrammatical
from recollect.benchmarks.subtlememory.generate.threads import ENTITY, FLOWS, SAID, STEPS, Step, Thread
from recollect.text.normal import normalise
from recollect.text.sentences import split

COUNT, WORDS = 5, 740
"""Threads of a topic, and the fewest words of a thread without what stands around facts."""
LENGTHS = {
    "opening.user": (25, 65), "opening.assistant": (45, 110), "step.user": (26, 60), "step.assistant": (60, 110),
    "closing.user": (10, 42), "closing.assistant": (18, 62), "aside": (6, 22), "lead": (3, 16), "take": (3, 16),
    "ask": (6, 22), "found": (3, 14), "task": (2, 16),
}  # fmt: skip
"""Fewest and most words."""
TASK = Form(words=(2, 16), start="small", marks="")
_word = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_labels = re.compile(
    r"\b(?:(?<!in )facts?|memor(?:y|ies)|sessions?|(?<!in )(?<!that )cases?|benchmarks?|contradict\w*|complementary"
    r"|nuanced?|personas?|sub-?types?)\b",
    re.IGNORECASE,
)
_taking = re.compile(
    r"(?:thanks?|understood|gladly|certainly|happily|absolutely|noted|of course)\b"
    r"|(?:all right|good|right|fine|fair|yes|then|no|lovely|well|oh|ah|useful|great|ok|okay|sorry|sure)[,.;:!]",
    re.IGNORECASE,
)
_marks = re.compile(r"[—•*#]|^\s*[-\d]+[.)]\s|\n")


def thread_problems(threads: Sequence[Thread], named: frozenset[str], *, world: bool) -> Iterator[str]:
    """Every rule that the threads of one topic break.

    Args:
        threads: All of the topic.
        named: Stems of the names of the topic's values, which must not be said.
        world: Whether it is a kind of entity, of which the assistant may be asked.
    """
    if len(threads) != COUNT:
        yield f"{len(threads)} threads, not {COUNT}"
    if len({one.conversation_type for one in threads}) < len(threads):
        yield "two threads are of one type"
    tasks = [one.task for one in threads if one.task]
    if len(set(tasks)) < len(tasks):
        yield "two threads have one task"
    for number, thread in enumerate(threads):
        yield from (f"thread {number}: {problem}" for problem in _thread(thread, named, world=world))
    yield from _alike(threads)


def _thread(thread: Thread, named: frozenset[str], *, world: bool) -> Iterator[str]:
    if thread.flow not in FLOWS.get(thread.conversation_type, ()):
        yield f"`{thread.flow}` is no flow of `{thread.conversation_type}`"
    if len(thread.steps) != STEPS:
        yield f"{len(thread.steps)} steps, not {STEPS}"
    if world:
        yield from _task(thread.task)
    for number, step in enumerate(thread.steps):
        yield from (f"step {number}: {problem}" for problem in _step(step, world=world))
    texts = list(texts_of(thread))
    for where, text in texts:
        yield from (f"{where}: {problem}" for problem in _text(where, text, named, world=world))
    words = sum(_length(text) for where, text in texts if where.endswith((".user", ".assistant")))
    if words < WORDS:
        yield f"{words} words, not {WORDS}"


def _task(task: str) -> Iterator[str]:
    if not task:
        yield "has no task"
    yield from shaped("task", [task] if task else [], TASK)


def _step(step: Step, *, world: bool) -> Iterator[str]:
    if step.user.count(SAID) != 1:
        yield f"`{SAID}` stands {step.user.count(SAID)} times in `user`, not once"
    before = step.user.partition(SAID)[0].rstrip(" \"'")
    if before and before[-1] not in ".?!":
        yield f"`{SAID}` stands inside a sentence: {before[-40:]}"
    if step.lead.rstrip()[-1:] not in (".", ":", "!", "?"):
        yield f"`lead` ends with no mark: {step.lead}"
    if _taking.match(step.assistant):
        yield f"`assistant` begins with an acknowledgement: {step.assistant[:40]}"
    if world and (step.ask.count(ENTITY) != 1 or not step.ask.endswith("?")):
        yield f"`ask` needs `{ENTITY}` once and a question mark: {step.ask}"
    if world and not step.found:
        yield "`found` is empty"
    if not world and (step.ask or step.found):
        yield "`ask` and `found` are for the world"


def texts_of(thread: Thread) -> Iterator[tuple[str, str]]:
    """Every text of a thread, with what it is."""
    if thread.task:
        yield "task", thread.task
    yield "opening.user", thread.opening.user
    yield "opening.assistant", thread.opening.assistant
    for step in thread.steps:
        yield "step.user", step.user
        yield "step.assistant", step.assistant
        yield from ((name, getattr(step, name)) for name in ("aside", "lead", "take", "ask", "found"))
    yield "closing.user", thread.closing.user
    yield "closing.assistant", thread.closing.assistant


def _text(where: str, text: str, named: frozenset[str], *, world: bool) -> Iterator[str]:
    if not text:
        if where not in ("ask", "found"):
            yield "is empty"
        return
    least, most = LENGTHS[where]
    if not least <= _length(text) <= most:
        yield f"{_length(text)} words, not {least} to {most}: {text[:50]}"
    if found := _labels.search(text):
        yield f"says `{found[0]}`: {text[:50]}"
    if values := sorted(content(text.replace(SAID, "").replace(ENTITY, "")) & named):
        yield f"has the word {', '.join(values)} of a value's name: {text[:60]}"
    if world and any(sign.isdigit() for sign in text):
        yield f"has a number: {text[:60]}"
    if found := _marks.search(text):
        yield f"has the sign `{found[0]}`: {text[:50]}"
    if problem := ungrammatical(text):
        yield problem


def _length(text: str) -> int:
    return len(_word.findall(text.replace(SAID, "").replace(ENTITY, "")))


def _alike(threads: Sequence[Thread]) -> Iterator[str]:
    """Sentences that stand more than once in the file."""
    said = Counter(
        normalise(sentence)
        for thread in threads
        for _, text in texts_of(thread)
        for sentence in split(text.replace(SAID, ""))
        if text
    )
    yield from (f"sentence stands {count} times: {text}" for text, count in said.items() if count > 1)
