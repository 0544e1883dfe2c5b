"""Checks of search: what was written is found, in time, within limits, whatever it is."""

from __future__ import annotations

from time import monotonic, perf_counter, sleep

from recollect.contracts.traits import WriteUnit
from recollect.domain.errors import CallError
from recollect.engine.doctor.bench import Bench, Subject
from recollect.engine.doctor.checks.findings import (
    HOLDS_NOTHING,
    Finding,
    absent,
    covered_of,
    failed,
    finds,
    found_of,
    named,
    passed,
    sources_of,
)
from recollect.engine.doctor.story import ALL, HOSTILE, NEWEST, STORY, TWICE_ASKS, hostile, sessions_of, twice
from recollect.engine.systems.validation import within

PATIENCE_S = 2.0
"""How long to wait for what should be there already: to tell late from never."""
_PAUSE_S = 0.05


def planted(bench: Bench) -> Finding:
    """A word that is in one message only leads to it."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    with bench.told() as subject:
        found, listed = found_of(subject, ALL), covered_of(subject, ALL)
    summary = f"{len(found)} of {len(ALL)} planted words are found"
    missing = [one for one in (ALL if bench.traits.keeps == "all" else listed or ()) if one not in found]
    if not found or (bench.traits.keeps == "all" and missing):
        return failed(f"{summary}; not {named(missing or ALL)}")
    if listed is not None and 2 * len(missing) > len(listed):
        return failed(f"{summary}; not {named(missing)}, though it lists what came of them")
    return passed(summary if listed is None else f"{summary}; {len(listed)} are listed")


def visible(bench: Bench) -> Finding:
    """When `settle` returns, what was written last is found."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    with bench.open() as subject:
        subject.write(*sessions_of(STORY))
        written = perf_counter()
        subject.settle()
        is_there, seconds = _some_newest(subject), round(perf_counter() - written, 3)
        if is_there:
            return passed(f"found {seconds} s after the last write", seconds)
        listed = covered_of(subject, NEWEST)
        if listed is not None and not listed and bench.traits.keeps == "some" and covered_of(subject, ALL):
            return absent("it keeps some, and of the newest session it kept nothing")
        began = monotonic()
        while monotonic() - began < PATIENCE_S:
            sleep(_PAUSE_S)
            if _some_newest(subject):
                late = round(monotonic() - began, 3)
                too_early = f"`settle` returned {late:.2f} s too early"
                return failed(f"{too_early}: only then something of the newest session is found", late)
    return failed(f"nothing of the newest session is found, {PATIENCE_S} s after `settle` returned")


def _some_newest(subject: Subject) -> bool:
    """All of the newest session where all is kept, else any of it."""
    each = (finds(subject, one) for one in reversed(NEWEST))
    return all(each) if subject.traits.keeps == "all" else any(each)


def limits(bench: Bench) -> Finding:
    """One, few, more than there is: the limit means what the traits say."""
    with bench.told() as subject:
        sizes = (30, 200, 20_000) if bench.traits.limit == "tokens" else (1, 3, 1000)
        cue = "What do you know of my boat, my dog, the gym and the street where I live?"
        found = [subject.search(cue, limit) for limit in sizes]
        lines = [subject.lines(recall) for recall in found]
    counts = ", ".join(str(len(recall.items)) for recall in found)
    if bench.traits.limit == "fixed":
        if any(other != lines[0] for other in lines):
            return failed(f"its limit is fixed by its traits, yet limits of 1, 3 and 1000 find {counts}")
        return passed(f"limits of 1, 3 and 1000 all find the same {len(lines[0])}")
    for limit, recall in zip(sizes, found, strict=True):
        try:
            within(recall, limit, bench.traits.limit)
        except CallError as error:
            return failed(str(error))
    summary = f"limits of {', '.join(map(str, sizes))} find {counts} items"
    if bench.traits.limit == "items" and found[2].items and not found[0].items:
        return failed(f"{summary}: with a limit of 1 nothing is found, as if it meant something else than items")
    if not found[2].items and not (found[2].rendered or "") and not bench.traits.holds_nothing:
        return absent("the search finds nothing that could be limited")
    return passed(summary)


def same_text(bench: Bench) -> Finding:
    """What was said twice names both sessions."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    if bench.traits.provenance == "none":
        return absent("it tells no sources, by its traits")
    first, _, second = sessions = twice()
    with bench.open() as subject:
        subject.tell(*sessions)
        sources = sources_of(subject, subject.search(TWICE_ASKS).items)
    kept = [one.messages[0].message_id in sources for one in (first, second)]
    if all(kept):
        return passed("both sessions are among the sources of what is found")
    if not any(kept):
        return failed("a text that was said in two sessions is not found at all")
    return failed(f"the {'second' if kept[0] else 'first'} session that said it is no source of what is found")


def odd_texts(bench: Bench) -> Finding:
    """Text is data, whatever is in it."""
    sessions = hostile()
    with bench.open() as subject:
        subject.tell(*sessions)
        for text in HOSTILE:
            subject.search(text, 5)
        lines = subject.lines(subject.units()) if subject.can_list else ()
    summary = f"{len(HOSTILE)} odd texts were taken and asked for"
    if bench.traits.keeps != "all" or not subject.can_list or bench.traits.takes is WriteUnit.TOKENS:
        return passed(summary)
    for session in sessions:
        message = session.messages[0]
        own = [line.text for line in lines if message.message_id in line.sources]
        if message.text.strip() and not any(message.text in text for text in own):
            return failed(f"the text {message.text[:40]!r} did not stay as it was")
    return passed(f"{summary}; all came back as they were")
