"""All checks, in the order in which they are made and printed."""

from __future__ import annotations

from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks import isolation as apart_checks
from recollect.engine.doctor.checks import models, search, side_effects, storage
from recollect.engine.doctor.checks import traits as trait_checks
from recollect.engine.doctor.checks.findings import Check, Finding, passed

STORY_HOW = "four sessions of three messages, each with a word that no language has"


def opens(bench: Bench) -> Finding:
    """It opens, with all methods that it promises."""
    with bench.open() as subject:
        subject.settle()
    can = ", ".join(sorted(bench.traits.can)) or "nothing beside"
    return passed(f"it has the four methods and those of: {can}")


CHECKS: tuple[Check, ...] = (
    Check(
        name="opens",
        proves="it opens in an empty room and has every method that its traits promise",
        how="opened, settled and closed",
        run=opens,
    ),
    Check(
        name="isolation",
        proves="two users of it never meet",
        how="two open namespaces are told contradicting facts in turns; searches, listings and readbacks of both",
        run=apart_checks.isolation,
    ),
    Check(
        name="reset",
        proves="a namespace that is closed leaves the other intact, and nothing to the next",
        how="one of two namespaces is closed and a new one opened; the other is compared with itself",
        run=apart_checks.reset,
    ),
    Check(name="planted", proves="what was written is found", how=STORY_HOW, run=search.planted),
    Check(
        name="visible",
        proves="`settle` waits until what was written can be found; the seconds are measured",
        how="from the last write to the first search that finds the newest session",
        run=search.visible,
    ),
    Check(
        name="limits",
        proves="the limit of a search means what `limit` says",
        how="limits of 1, few, and more than there is",
        run=search.limits,
    ),
    Check(
        name="same_text",
        proves="what was said in two sessions keeps both as sources",
        how="the same sentence in two sessions, another between them",
        run=search.same_text,
    ),
    Check(
        name="odd_texts",
        proves="any text can be written and asked",
        how="empty, very long, other scripts, control characters, queries, templates, paths",
        run=search.odd_texts,
    ),
    Check(name="takes", proves="the unit of writing (`takes`) is true", how=STORY_HOW, run=storage.takes),
    Check(
        name="receipts",
        proves="the listing is what receipts said",
        how="units named by receipts against units listed",
        run=storage.receipts,
    ),
    Check(name="keeps", proves="`keeps` is true", how="a unit for every message", run=storage.keeps),
    Check(
        name="holds_nothing",
        proves="`holds_nothing` is true",
        how="whether anything is listed or found after the story",
        run=storage.emptiness,
    ),
    Check(
        name="can_list",
        proves="`listing` works",
        how="listed before the first write, and twice after the last",
        run=storage.listing,
    ),
    Check(
        name="can_read_back",
        proves="`readback` works",
        how="the messages of two of four sessions, and none",
        run=storage.readback,
    ),
    Check(
        name="can_forget",
        proves="`forget` works",
        how="one of four sessions is forgotten, then looked for everywhere",
        run=storage.forgetting,
    ),
    Check(
        name="can_save",
        proves="`snapshot` works: saved, loaded by a new instance, the same listing and ranking",
        how="twelve searches and the listing before and after; the saved files stay as they were",
        run=storage.saved,
    ),
    Check(
        name="snapshot_deterministic",
        proves="`snapshot_deterministic` is true",
        how="three saves: before and after a search, and of another instance",
        run=storage.same_bytes,
    ),
    Check(
        name="writes_when_asked",
        proves="`writes_when_asked` is true",
        how="listing, or else saved bytes, before and after twelve searches",
        run=storage.asking_leaves_it,
    ),
    Check(
        name="time",
        proves="the place of `time` is true",
        how="the day of a message in what is found",
        run=trait_checks.time,
    ),
    Check(
        name="speaker",
        proves="the place of `speaker` is true",
        how="the name of who said it in what is found",
        run=trait_checks.speaker,
    ),
    Check(
        name="channel",
        proves="the place of `channel` is true",
        how="the name of the channel in what is found",
        run=trait_checks.channel,
    ),
    Check(
        name="score",
        proves="kind and order of `score` are true",
        how="scores of twelve searches",
        run=trait_checks.scores,
    ),
    Check(
        name="provenance",
        proves="`provenance` is true",
        how="sources of all items of twelve searches, against the words in them",
        run=trait_checks.provenance,
    ),
    Check(name="bound", proves="`bound` is true", how="two unlike questions", run=trait_checks.bound),
    Check(
        name="models_on_write",
        proves="`models_on_write` is true",
        how="prompts and texts sent while writing are counted",
        run=models.on_write,
    ),
    Check(
        name="models_on_search",
        proves="`models_on_search` is true",
        how="prompts and texts sent while searching are counted",
        run=models.on_search,
    ),
    Check(
        name="paid_once",
        proves="the same history told again costs nothing",
        how="two fresh instances, one cache; prompts that are new the second time are counted",
        run=models.paid_once,
    ),
    Check(
        name="server_errors",
        proves="HTTP 500 from a model surfaces",
        how="every call of a model fails",
        run=models.server_errors,
    ),
    Check(
        name="prose",
        proves="prose instead of JSON surfaces",
        how="every request for JSON is answered with a polite sentence",
        run=models.prose,
    ),
    Check(
        name="empty_calls",
        proves="tool calls without arguments surface",
        how="every request with tools is answered with an empty call of the first",
        run=models.empty_calls,
    ),
    Check(
        name="sockets",
        proves="no connection leaves this machine",
        how="a process of its own with a guard on connections and look-ups of names, by Python's audit events",
        run=side_effects.sockets,
    ),
    Check(
        name="files",
        proves="nothing is left outside its room",
        how="a process of its own whose home, working and temporary folders are empty; beyond them, audit events",
        run=side_effects.files,
    ),
    Check(
        name="clock",
        proves="the day on which it runs changes nothing",
        how="a process of its own whose `time` and `datetime` are ten years ahead, against one whose are not",
        run=side_effects.clock,
    ),
)
