"""Checks of the traits for time, speaker, channel, scores and sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.contracts.traits import Place
from recollect.domain.exchange import Recall, RecallItem
from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks.findings import HOLDS_NOTHING, Finding, absent, failed, passed, sources_of, words_of
from recollect.engine.doctor.story import ALL, NEWEST, Planted


class _Found(NamedTuple):
    planted: Planted
    recall: Recall
    items: Sequence[RecallItem]
    """Those that hold its word or name its message."""


def time(bench: Bench) -> Finding:
    """The time of a message comes back with what is found, and no other time does."""
    found = _found(bench)
    if isinstance(found, Finding):
        return found
    said_at = found.planted.message.said_at or ""
    wrong = [item.said_at for item in found.items if item.said_at and item.said_at[:10] != said_at[:10]]
    if wrong and len(found.items) == 1:
        return failed(f"what was said at {found.planted.message.said_at} comes back as said at {wrong[0]}")
    return _placed(bench, found, bench.traits.time, ("the day", said_at[:10]))


def speaker(bench: Bench) -> Finding:
    """Who said it comes back with what is found."""
    found = _found(bench)
    if isinstance(found, Finding):
        return found
    return _placed(bench, found, bench.traits.speaker, ("the speaker", found.planted.message.speaker))


def channel(bench: Bench) -> Finding:
    """Where it was said comes back with what is found."""
    found = _found(bench)
    if isinstance(found, Finding):
        return found
    return _placed(bench, found, bench.traits.channel, ("the channel", found.planted.message.channel))


def _placed(bench: Bench, found: _Found, place: Place, thing: tuple[str, str]) -> Finding:
    """Whether a named value came back: with the whole message, in a text, or as the time of an item."""
    if place == "nowhere":
        return absent("its traits ask for none")
    what, value = " ".join(thing), thing[1].casefold()
    texts = [found.recall.rendered or "", *(item.text for item in found.items)]
    texts += [item.said_at or "" for item in found.items]
    whole = any(item.message is not None for item in found.items)  # the harness then words it with all it knows
    if whole or any(value in text.casefold() for text in texts):
        return passed(f"{what} comes back with what is found")
    if place == "text" and bench.traits.keeps == "some":
        return absent(f"it rewrites what it is told, and {what} is not in what came of it")
    return failed(f"{what} was told ({place}) and does not come back with what is found")


def _found(bench: Bench) -> _Found | Finding:
    """A message of the user that is found, after the story was told."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    with bench.told() as subject:
        for one in (*reversed(NEWEST), *ALL):
            if one.message.role != "user":
                continue
            recall, name = subject.search(one.asks), one.message.message_id
            items = [
                item for item in recall.items if one.word in item.text.casefold() or name in sources_of(subject, [item])
            ]
            if items or one.word in words_of(recall):
                return _Found(one, recall, items)
    return absent("no planted word is found; that is another check")


def scores(bench: Bench) -> Finding:
    """Scores are there if the traits say so, and stand in the order of the items."""
    kind = bench.traits.score
    with bench.told() as subject:
        recalls = [subject.search(one.asks) for one in ALL]
    found = [recall for recall in recalls if recall.items]
    if not found:
        return absent("nothing is found that could have a score")
    items = [item for recall in found for item in recall.items]
    scored = [item.score for item in items if item.score is not None]
    if kind == "none" and scored:
        return failed(f"its traits say that it gives no scores, and items have one, such as {scored[0]}")
    if kind == "none":
        return _in_time(found) or passed("no scores, as it says")
    if len(scored) < len(items):
        return failed(f"its traits say that scores are a {kind}, and {len(items) - len(scored)} items have none")
    for recall in found:
        ranked = [item.score or 0.0 for item in recall.items]
        if recall.order == "ranked" and ranked != sorted(ranked, reverse=kind == "similarity"):
            shown = ", ".join(f"{score:.3g}" for score in ranked[:5])
            return failed(f"by a {kind} the best comes {'highest' if kind == 'similarity' else 'lowest'}; got {shown}")
    return _in_time(found) or passed(f"{len(items)} items, each with a {kind}, best first")


def _in_time(found: Sequence[Recall]) -> Finding | None:
    """What is said to be in the order of time is."""
    for recall in found:
        times = [item.said_at for item in recall.items if item.said_at]
        if recall.order == "time" and times != sorted(times):
            return failed("items are said to be in the order of time, and are not")
    return None


def provenance(bench: Bench) -> Finding:
    """Each item names the messages that it came from, and no other, or none at all where the traits say so."""
    kind = bench.traits.provenance
    shown = {one.message.message_id for one in ALL}
    checked = 0
    with bench.told() as subject:
        for one in ALL:
            for item in subject.search(one.asks).items:
                sources = sources_of(subject, [item])
                checked += 1
                if kind == "none" and sources:
                    return failed(f"its traits say that it tells no sources, and an item names `{min(sources)}`")
                if kind != "none" and not sources:
                    return failed(f"an item names no source: {item.text[:60]!r}")
                if sources - shown:
                    return failed(f"an item names `{min(sources - shown)}`, which was never shown")
                if kind != "none" and one.word in item.text.casefold() and one.message.message_id not in sources:
                    return failed(f"an item holds `{one.word}` and does not name the message that said it")
    if not checked:
        return absent("nothing is found that could have a source")
    return passed(f"{checked} items, {'none with a source' if kind == 'none' else 'each with its sources'}")


def bound(bench: Bench) -> Finding:
    """Who is cut to the reader's window shows everything, whatever is asked."""
    if bench.traits.bound == "budget":
        return absent("it is cut to the budget, as all that search are")
    with bench.told() as subject:
        one, other = (subject.lines(subject.search(cue)) for cue in (ALL[0].asks, "What is the weather like?"))
        shown = sources_of(subject, subject.search(ALL[0].asks).items)
    missing = {one.message.message_id for one in ALL} - shown
    if one != other:
        return failed("its traits say that it shows everything (`window`), and two questions find different things")
    if missing and bench.traits.keeps == "all":
        return failed(f"its traits say that it shows everything (`window`), and {len(missing)} messages are not shown")
    return passed(f"two unlike questions find the same {len(one)} items")
