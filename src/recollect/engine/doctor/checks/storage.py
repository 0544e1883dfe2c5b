"""Checks of storage: receipts, listing, readback, forgetting, saved states."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from recollect.contracts.traits import Capability
from recollect.domain.exchange import Unit
from recollect.engine.doctor.bench import Bench, Subject
from recollect.engine.doctor.checks.findings import (
    HOLDS_NOTHING,
    Finding,
    absent,
    covered_of,
    failed,
    found_of,
    named,
    passed,
    sources_of,
)
from recollect.engine.doctor.story import ALL, STORY, sessions_of
from recollect.engine.systems.driver import NOTHING_TO_STORE

_CUES = tuple(one.asks for one in ALL)
_NO_LISTING = absent("it cannot list what it holds, by its traits")


def receipts(bench: Bench) -> Finding:
    """The listing is what the receipts said."""
    if Capability.LISTING not in bench.traits.can:
        return _NO_LISTING
    with bench.told() as subject:
        listed = {str(unit.unit_id) for unit in subject.units()}
    statuses: Counter[str] = Counter(receipt.status for _, receipt in subject.writes)
    promised = {str(name) for _, receipt in subject.writes for name in receipt.unit_ids}
    if listed and statuses[NOTHING_TO_STORE] == len(subject.writes):
        return failed(f"every receipt says that there was nothing to store, and {len(listed)} units are listed")
    if not listed and statuses["stored"]:
        return failed(f"{statuses['stored']} of {len(subject.writes)} receipts say `stored`, and no unit is listed")
    return _compared(bench, subject, listed, promised)


def _compared(bench: Bench, subject: Subject, listed: set[str], promised: set[str]) -> Finding:
    if not promised:
        return passed(f"{len(listed)} units are listed; receipts name none")
    summary = f"{len(subject.writes)} receipts name {len(promised)} units, {len(listed)} are listed"
    if bench.traits.keeps == "all" and not promised <= listed:
        return failed(f"{summary}: not `{min(promised - listed)}`")
    if bench.traits.keeps == "all" and all(r.unit_ids for _, r in subject.writes) and listed - promised:
        return failed(f"{summary}: no receipt named `{min(listed - promised)}`")
    if not promised & listed:
        return failed(f"{summary}: none of those that were named")
    return passed(summary)


def listing(bench: Bench) -> Finding:
    """It lists the same twice, each unit under a name of its own."""
    if Capability.LISTING not in bench.traits.can:
        return _NO_LISTING
    with bench.open() as subject:
        before = subject.units()
        subject.tell(*sessions_of(STORY))
        first, second = subject.units(), subject.units()
    names = [unit.unit_id for unit in first]
    if before:
        return failed(f"{len(before)} units are listed before anything was written")
    if first != second:
        return failed("two listings, one after the other, differ")
    if len(set(names)) < len(names):
        return failed(f"{len(names)} units share {len(set(names))} names")
    return passed(f"{len(first)} units, in the same order twice, each with a name of its own")


def readback(bench: Bench) -> Finding:
    """Asked for the messages of two sessions it gives what came of those, and of no other."""
    if Capability.READBACK not in bench.traits.can:
        return absent("it cannot read back, by its traits")
    wanted = [one.message.message_id for one in (*STORY[1], *STORY[3])]
    with bench.told() as subject:
        read, none = subject.stored_from(wanted), subject.stored_from([])
        strange = [item for item in read.items if not sources_of(subject, [item]) & set(wanted)]
        back = sources_of(subject, read.items)
        stored = sources_of(subject, subject.units()) & set(wanted) if subject.can_list else None
    if none.items:
        return failed(f"asked for no message, it gives {len(none.items)} items")
    if strange:
        return failed(f"it gives an item that came of none of the messages: {strange[0].text[:60]!r}")
    if stored is not None and not stored <= back:
        return failed(f"{len(stored - back)} messages that its units name are not given back")
    if bench.traits.keeps == "all" and not bench.traits.holds_nothing and not set(wanted) <= back:
        return failed(f"{len(set(wanted) - back)} of {len(wanted)} messages are not given back")
    return passed(f"{len(read.items)} items from {len(wanted)} messages, none from others")


def forgetting(bench: Bench) -> Finding:
    """What was to be forgotten is found, listed and read back nowhere; all else stays."""
    if Capability.FORGET not in bench.traits.can:
        return absent("it cannot forget, by its traits")
    gone, kept = STORY[1], (*STORY[0], *STORY[2], *STORY[3])
    ids = [one.message.message_id for one in gone]
    with bench.open() as subject:
        subject.tell(*sessions_of(STORY))
        stored = covered_of(subject, kept)
        subject.forget(ids)
        subject.settle()
        found = {source for cue in _CUES for source in sources_of(subject, subject.search(cue).items)}
        trace = ""
        if found & set(ids):
            trace = "found"
        elif subject.can_list and sources_of(subject, subject.units()) & set(ids):
            trace = "listed"
        elif subject.can(Capability.READBACK) and subject.stored_from(ids).items:
            trace = "read back"
        still = covered_of(subject, kept)
    if trace:
        return failed(f"what was to be forgotten is still {trace}")
    lost = [one for one in stored or () if one not in (still or ())]
    if lost:
        return failed(f"more was forgotten than asked for: {named(lost)}")
    return passed(f"{len(ids)} messages are gone everywhere, the others stay")


def saved(bench: Bench) -> Finding:
    """Saved, loaded into a new instance: the same listing, the same found in the same order."""
    if Capability.SNAPSHOT not in bench.traits.can:
        return absent("it cannot be saved, by its traits")
    folder = bench.path("saved")
    with bench.open() as subject:
        subject.tell(*sessions_of(STORY[:3]))
        subject.save(folder)
        before, files = subject.picture(_CUES), _bytes_of(folder)
    with bench.open() as loaded:
        loaded.load(folder)
        loaded.settle()
        after = loaded.picture(_CUES)
        loaded.tell(*sessions_of(STORY[3:]))
    if before.listed != after.listed:
        return failed(f"{len(before.listed or ())} units were saved, {len(after.listed or ())} came back, or others")
    differ = sum(one != other for one, other in zip(before.found, after.found, strict=True))
    if differ:
        return failed(f"{differ} of {len(_CUES)} searches find something else, or in another order, after loading")
    if files != _bytes_of(folder):
        return failed("loading and writing on changed the saved files")
    return passed(f"the same listing, and the same found by {len(_CUES)} searches")


def same_bytes(bench: Bench) -> Finding:
    """The same state saves the same bytes: also after searching, and in another instance."""
    if Capability.SNAPSHOT not in bench.traits.can or not bench.traits.snapshot_deterministic:
        return absent("its traits promise no equal bytes")
    folders = [bench.path("bytes") for _ in range(3)]
    with bench.open() as one:
        one.tell(*sessions_of(STORY))
        one.save(folders[0])
        one.search(_CUES[0])
        one.save(folders[1])
    with bench.open() as other:
        other.tell(*sessions_of(STORY))
        other.save(folders[2])
    first, again, elsewhere = (_bytes_of(folder) for folder in folders)
    if first != again:
        return failed(f"saved twice with a search between, {_differing(first, again)} differ")
    if first != elsewhere:
        return failed(f"saved by two instances that were told the same, {_differing(first, elsewhere)} differ")
    return passed(f"{len(first)} files, equal bytes three times")


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _differing(one: dict[str, bytes], other: dict[str, bytes]) -> str:
    names = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    return f"`{names[0]}`" + (f" and {len(names) - 1} other files" if len(names) > 1 else "")


def asking_leaves_it(bench: Bench) -> Finding:
    """Searches change nothing of what it holds, unless its traits say that they do."""
    with bench.open() as subject:
        subject.tell(*sessions_of(STORY))
        before = _state(bench, subject)
        for cue in _CUES:
            subject.search(cue)
        subject.settle()
        after = _state(bench, subject)
    if before is None:
        return absent("it can neither list nor save equal bytes: nothing shows whether asking changed it")
    if before != after and not bench.traits.writes_when_asked:
        return failed(f"{len(_CUES)} searches changed what it holds, and its traits say that asking writes nothing")
    if before == after and bench.traits.writes_when_asked:
        return absent(f"its traits say that asking writes; {len(_CUES)} searches changed nothing that can be seen")
    return passed(f"{len(_CUES)} searches changed {'what it holds, as it says' if before != after else 'nothing'}")


def _state(bench: Bench, subject: Subject) -> list[Unit] | dict[str, bytes] | None:
    if subject.can_list:
        return subject.units()
    if subject.can(Capability.SNAPSHOT) and bench.traits.snapshot_deterministic:
        folder = bench.path("state")
        subject.save(folder)
        return _bytes_of(folder)
    return None


def keeps(bench: Bench) -> Finding:
    """Who says that all is kept lists a unit for every message."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    if bench.traits.keeps == "some":
        return absent("`some` promises nothing of any one message")
    with bench.told() as subject:
        stored = covered_of(subject, ALL)
    if stored is None:
        return absent("it cannot list what it holds; that planted words are found is another check")
    missing = [one for one in ALL if one not in stored]
    if missing:
        return failed(f"{len(missing)} of {len(ALL)} messages are in no unit: {named(missing)}")
    return passed(f"all {len(ALL)} messages are in units")


def emptiness(bench: Bench) -> Finding:
    """Who says that it holds nothing does; who does not, holds something."""
    with bench.told() as subject:
        units = len(subject.units()) if subject.can_list else 0
        items = len(subject.search(_CUES[0]).items) + bool(subject.search(_CUES[0]).rendered)
    if bench.traits.holds_nothing and (units or items):
        return failed(f"its traits say that it holds nothing; it lists {units} units and finds {items} items")
    if not bench.traits.holds_nothing and not units and not items:
        return failed("it lists and finds nothing after four sessions, and its traits do not say so")
    return passed("nothing, as it says" if bench.traits.holds_nothing else "something is held")


def takes(bench: Bench) -> Finding:
    """Fed by the unit that it asks for, it takes more than the first message of each write."""
    if bench.traits.holds_nothing:
        return HOLDS_NOTHING
    with bench.told() as subject:
        listed = covered_of(subject, ALL)
        stored = found_of(subject, ALL) if listed is None else listed
    batches = [[subject.shown(source) for source in batch.sources] for batch, _ in subject.writes]
    least, most = min(map(len, batches)), max(map(len, batches))
    size = f"{least} to {most} messages" if least < most else f"{least} message{'s' * (least > 1)}"
    summary = f"{len(batches)} writes of {size}"
    later = {name for sources in batches for name in sources[1:]} - {sources[0] for sources in batches}
    behind = [one for one in ALL if one.message.message_id in later]
    kept = [one for one in behind if one in stored]
    if behind and (not kept or (bench.traits.keeps == "all" and len(kept) < len(behind))):
        return failed(
            f"{summary}: {len(behind) - len(kept)} of {len(behind)} that are not the first of a write are lost"
        )
    return passed(f"{summary}, as `{bench.traits.takes}` says; {len(stored)} of {len(ALL)} messages left something")
