"""All checks, in the order in which they are made and printed."""

from __future__ import annotations

from functools import partial

from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks import isolation as apart_checks
from recollect.engine.doctor.checks import isolation as side_effects
from recollect.engine.doctor.checks import models, search, storage
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
        "opens",
        "it opens in an empty room and has every method that its traits promise",
        "opened, settled and closed",
        opens,
    ),
    Check(
        "isolation",
        "two users of it never meet",
        "two open namespaces are told contradicting facts in turns; searches, listings and readbacks of both",
        apart_checks.isolation,
    ),
    Check(
        "reset",
        "a namespace that is closed leaves the other intact, and nothing to the next",
        "one of two namespaces is closed and a new one opened; the other is compared with itself",
        apart_checks.reset,
    ),
    Check("planted", "what was written is found", STORY_HOW, search.planted),
    Check(
        "visible",
        "`settle` waits until what was written can be found; the seconds are measured",
        "from the last write to the first search that finds the newest session",
        search.visible,
    ),
    Check(
        "limits",
        "the limit of a search means what `limit` says",
        "limits of 1, few, and more than there is",
        search.limits,
    ),
    Check(
        "same_text",
        "what was said in two sessions keeps both as sources",
        "the same sentence in two sessions, another between them",
        search.same_text,
    ),
    Check(
        "odd_texts",
        "any text can be written and asked",
        "empty, very long, other scripts, control characters, queries, templates, paths",
        search.odd_texts,
    ),
    Check("takes", "the unit of writing (`takes`) is true", STORY_HOW, storage.takes),
    Check(
        "receipts",
        "the listing is what receipts said",
        "units named by receipts against units listed",
        storage.receipts,
    ),
    Check("keeps", "`keeps` is true", "a unit for every message", storage.keeps),
    Check(
        "holds_nothing",
        "`holds_nothing` is true",
        "whether anything is listed or found after the story",
        storage.emptiness,
    ),
    Check("can_list", "`listing` works", "listed before the first write, and twice after the last", storage.listing),
    Check("can_read_back", "`readback` works", "the messages of two of four sessions, and none", storage.readback),
    Check(
        "can_forget",
        "`forget` works",
        "one of four sessions is forgotten, then looked for everywhere",
        storage.forgetting,
    ),
    Check(
        "can_save",
        "`snapshot` works: saved, loaded by a new instance, the same listing and ranking",
        "twelve searches and the listing before and after; the saved files stay as they were",
        storage.saved,
    ),
    Check(
        "snapshot_deterministic",
        "`snapshot_deterministic` is true",
        "three saves: before and after a search, and of another instance",
        storage.same_bytes,
    ),
    Check(
        "writes_when_asked",
        "`writes_when_asked` is true",
        "listing, or else saved bytes, before and after twelve searches",
        storage.asking_leaves_it,
    ),
    Check("time", "the place of `time` is true", "the day of a message in what is found", trait_checks.time),
    Check(
        "speaker", "the place of `speaker` is true", "the name of who said it in what is found", trait_checks.speaker
    ),
    Check(
        "channel", "the place of `channel` is true", "the name of the channel in what is found", trait_checks.channel
    ),
    Check("score", "kind and order of `score` are true", "scores of twelve searches", trait_checks.scores),
    Check(
        "provenance",
        "`provenance` is true",
        "sources of all items of twelve searches, against the words in them",
        trait_checks.provenance,
    ),
    Check("bound", "`bound` is true", "two unlike questions", trait_checks.bound),
    Check(
        "models_on_write",
        "`models_on_write` is true",
        "prompts and texts sent while writing are counted",
        models.on_write,
    ),
    Check(
        "models_on_search",
        "`models_on_search` is true",
        "prompts and texts sent while searching are counted",
        models.on_search,
    ),
    Check(
        "paid_once",
        "the same history told again costs nothing",
        "two fresh instances, one cache; prompts that are new the second time are counted",
        models.paid_once,
    ),
    Check(
        "server_errors",
        "HTTP 500 from a model surfaces",
        "every call of a model fails",
        partial(models.failing, mode="server_error", unaffected="it calls no model"),
    ),
    Check(
        "prose",
        "prose instead of JSON surfaces",
        "every request for JSON is answered with a polite sentence",
        partial(models.failing, mode="prose", unaffected="it never asks a model for JSON"),
    ),
    Check(
        "empty_calls",
        "tool calls without arguments surface",
        "every request with tools is answered with an empty call of the first",
        partial(models.failing, mode="empty_call", unaffected="it offers a model no tools"),
    ),
    Check(
        "sockets",
        "no connection leaves this machine",
        "a process of its own with a guard on connections and look-ups of names, by Python's audit events",
        side_effects.sockets,
    ),
    Check(
        "files",
        "nothing is left outside its room",
        "a process of its own whose home, working and temporary folders are empty; beyond them, audit events",
        side_effects.files,
    ),
    Check(
        "clock",
        "the day on which it runs changes nothing",
        "a process of its own whose `time` and `datetime` are ten years ahead, against one whose are not",
        side_effects.clock,
    ),
)
