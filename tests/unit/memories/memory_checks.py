"""What every built-in memory must keep to, each promise as one check that raises AssertionError.

A memory is given as a `Maker`: how it is opened in a folder, and what may be expected of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recollect.domain.exchange import Cue
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message

from tests.unit.memories.small_history import (
    HISTORY,
    MORE,
    UNHEARD,
    BuiltIn,
    Maker,
    batch,
    close_all,
    empty_folders,
    feed,
    files_of,
    held,
    ids,
    look,
    message,
    opened,
    rounded,
)


def check_searching_twice_is_equal(maker: Maker, place: Path) -> None:
    """A search finds the same again, in the same order."""
    memory = opened(maker, place, "a")
    first, second = look(memory), look(memory)
    memory.close()
    assert first == second


def check_same_writes_find_the_same(maker: Maker, place: Path) -> None:
    """Two instances that saw the same find the same."""
    one, other = opened(maker, place, "a"), opened(maker, place, "b")
    found = look(one), look(other)
    close_all(one, other)
    assert found[0] == found[1]


def check_searching_changes_nothing(maker: Maker, place: Path) -> None:
    """What is held is the same before and after searching and reading back."""
    memory = opened(maker, place, "a")
    before = held(memory)
    look(memory)
    memory.stored_from({HISTORY[0].message_id})
    after = held(memory)
    memory.close()
    assert before == after


def check_items_are_messages_as_shown(maker: Maker, place: Path) -> None:
    """Each item is a whole message, unchanged, and names it as its only source and its unit."""
    memory = opened(maker, place, "a")
    shown = {m.message_id: m for m in HISTORY}
    recalls = [*look(memory), memory.stored_from(set(shown))]
    memory.close()
    for item in (item for recall in recalls for item in recall.items):
        assert item.message is not None
        origin = shown[item.message.message_id]
        assert item.message == origin
        assert (item.text, item.said_at) == (origin.text, origin.said_at)
        assert item.sources == (origin.message_id,)
        assert str(item.unit_id) == origin.message_id


def check_no_item_comes_twice(maker: Maker, place: Path) -> None:
    """A recall names a message once."""
    memory = opened(maker, place, "a")
    recalls = look(memory, limit=8)
    memory.close()
    assert all(len(ids(recall)) == len(set(ids(recall))) for recall in recalls)


def check_the_limit_holds(maker: Maker, place: Path) -> None:
    """A limit in items is never passed, and a smaller one only leaves out the end."""
    memory = opened(maker, place, "a")
    found = {limit: look(memory, limit) for limit in (0, 1, 2, 3, 100)}
    memory.close()
    if maker.traits.limit != "items":
        assert all(recalls == found[0] for recalls in found.values())
        return
    for limit, recalls in found.items():
        for recall, widest in zip(recalls, found[100], strict=True):
            assert len(recall.items) <= limit
            assert {item.unit_id for item in recall.items} <= {item.unit_id for item in widest.items}


def check_an_empty_memory_finds_nothing(maker: Maker, place: Path) -> None:
    """Before the first write every search and readback is empty, and so is the listing."""
    memory = opened(maker, place, "a", ())
    recalls = [*look(memory), memory.stored_from({HISTORY[0].message_id})]
    listed = held(memory)
    memory.close()
    assert not any(recall.items for recall in recalls)
    assert listed == []


def check_unheard_words_find_nothing(maker: Maker, place: Path) -> None:
    """A lexical search that matches nothing is empty; it never falls back on all there is."""
    memory = opened(maker, place, "a")
    found = [memory.search(Cue(text=cue, limit=5)) for cue in (UNHEARD, "", " \n\t", "?!...")]
    memory.close()
    if maker.lexical:
        assert [ids(recall) for recall in found] == [[], [], [], []]


def check_settled_writes_are_found(maker: Maker, place: Path) -> None:
    """After `settle` the newest message is found like any other."""
    memory = opened(maker, place, "a")
    feed(memory, [message(20, "The quokka lives in Perth.", session=5)])
    found = memory.search(Cue(text="Where does the quokka live?", limit=8))
    memory.close()
    if maker.lexical or maker.shows_all:
        assert MessageId("m0020") in ids(found)


def check_receipts_name_the_units(maker: Maker, place: Path) -> None:
    """A write says `stored` with the ids of the messages, or that there was nothing to store."""
    memory = opened(maker, place, "a", ())
    receipt = memory.write(batch(*HISTORY[:2]))
    memory.close()
    if maker.traits.holds_nothing:
        assert (receipt.status, receipt.unit_ids) == ("nothing_to_store", ())
    else:
        assert (receipt.status, receipt.unit_ids) == ("stored", ("m0000", "m0001"))


def check_readback_is_exact(maker: Maker, place: Path) -> None:
    """`stored_from` gives the units listed with those sources: all, no other, in the order of the listing."""
    memory = opened(maker, place, "a")
    listed = held(memory)
    wanted: list[set[MessageId]] = [
        {HISTORY[7].message_id, HISTORY[2].message_id},
        {HISTORY[0].message_id},
        {MessageId("never-shown")},
        {m.message_id for m in HISTORY},
        set(),
    ]
    read = [ids(memory.stored_from(sources)) for sources in wanted]
    memory.close()
    for sources, found in zip(wanted, read, strict=True):
        assert found == [source for unit in listed for source in unit.sources if source in sources]


def check_everything_is_held(maker: Maker, place: Path) -> None:
    """A history this small is listed whole, each message once and as it was shown; the floor holds nothing."""
    memory = opened(maker, place, "a")
    listed = held(memory)
    memory.close()
    expected = () if maker.traits.holds_nothing else HISTORY
    assert [(str(u.unit_id), u.text, u.sources, u.said_at) for u in listed] == [
        (str(m.message_id), m.text, (m.message_id,), m.said_at) for m in expected
    ]


def check_forgetting_is_complete(maker: Maker, place: Path) -> None:
    """What is forgotten is in no search, listing or readback, and all else is found as if it had never been there."""
    memory = opened(maker, place, "a")
    gone = {HISTORY[3].message_id, HISTORY[0].message_id}
    memory.forget(gone)
    memory.settle()
    recalls, listed, read = look(memory, 8), held(memory), memory.stored_from(gone)
    memory.close()
    untouched = opened(maker, place, "b", [m for m in HISTORY if m.message_id not in gone])
    expected, expected_list = look(untouched, 8), held(untouched)
    untouched.close()
    assert not any(set(ids(recall)) & gone for recall in recalls)
    assert read.items == ()
    assert listed == expected_list
    assert recalls == expected


def check_forgetting_the_unknown_changes_nothing(maker: Maker, place: Path) -> None:
    """Forgetting what was never shown is no error and changes nothing."""
    memory = opened(maker, place, "a")
    before = look(memory), held(memory)
    memory.forget({MessageId("never-shown")})
    memory.forget(set())
    memory.settle()
    after = look(memory), held(memory)
    memory.close()
    assert before == after


def check_two_never_meet(maker: Maker, place: Path) -> None:
    """An instance shows nothing of what another was shown, nor loses it when that one forgets or closes."""
    one, other = opened(maker, place, "a", HISTORY[:4]), opened(maker, place, "b", HISTORY[4:])
    mine = {m.message_id for m in HISTORY[:4]}
    found = {source for recall in look(one, 8) for source in ids(recall)}
    before = look(one), held(one)
    assert found <= mine
    assert {source for unit in held(one) for source in unit.sources} <= mine
    other.forget(mine)
    other.close()
    after = look(one), held(one)
    one.close()
    assert before == after


def check_a_snapshot_is_the_unbroken_instance(maker: Maker, place: Path) -> None:
    """Saved and loaded, a memory finds, lists and reads back the same, and goes on writing and forgetting the same."""
    unbroken = opened(maker, place, "a")
    saved, kept = empty_folders(place, "saved", "again")
    unbroken.save(saved)
    before = files_of(saved)
    loaded = opened(maker, place, "b", ())
    loaded.load(saved)
    _same(unbroken, loaded)
    for memory in (unbroken, loaded):
        feed(memory, MORE)
    _same(unbroken, loaded)
    for memory in (unbroken, loaded):
        memory.forget({HISTORY[1].message_id, MORE[0].message_id})
        memory.settle()
    _same(unbroken, loaded)
    loaded.save(kept)
    close_all(unbroken, loaded)
    assert files_of(saved) == before, "loading or writing on changed the snapshot"


def check_a_snapshot_of_nothing_loads(maker: Maker, place: Path) -> None:
    """A memory may be saved before its first write."""
    empty = opened(maker, place, "a", ())
    (saved,) = empty_folders(place, "saved")
    empty.save(saved)
    loaded = opened(maker, place, "b", ())
    loaded.load(saved)
    for memory in (empty, loaded):
        feed(memory, HISTORY)
    _same(empty, loaded)
    close_all(empty, loaded)


def check_deterministic_snapshots_are(maker: Maker, place: Path) -> None:
    """Where the traits say so, the same state saves the same bytes: after searching, and in another instance."""
    one, other = opened(maker, place, "a"), opened(maker, place, "b")
    folders = empty_folders(place, "first", "second", "third")
    one.save(folders[0])
    look(one)
    one.save(folders[1])
    other.save(folders[2])
    close_all(one, other)
    saved = [files_of(folder) for folder in folders]
    if maker.traits.snapshot_deterministic:
        assert saved[0] == saved[1] == saved[2]


def _same(one: BuiltIn, other: BuiltIn) -> None:
    everything = {m.message_id for m in (*HISTORY, *MORE)}
    assert held(one) == held(other)
    assert look(one, 8) == look(other, 8)
    assert one.stored_from(everything) == other.stored_from(everything)


HOSTILE = (
    "",
    " ",
    "\x00\x1f",
    "line one\nline two\r\nline three\u2028and four\u0085five",
    '"; DROP TABLE messages; --',
    'AND OR NOT +must -not field:value [a TO b] {x} ~2 ^9 *? \\ (unbalanced "quote',
    "../../etc/passwd",
    "{{ config }} ${HOME} %s %n {0}",
    "<script>alert(1)</script>",
    "\u202eright to left\u202c \u200bzero width",
    "e\u0301 é ﬁ ß İ ǅ 𝔘𝔫𝔦 🏳️‍🌈",
    "我昨天去了北京的图书馆。",
    "a" * 5000,
    "word " * 3000,
)


def check_hostile_texts_pass_unchanged(maker: Maker, place: Path) -> None:
    """Any text may be written, asked and saved: it is data, comes back as it was, and harms nothing outside."""
    messages = [
        Message(message_id=MessageId(f"x{i}"), session_id=SessionId(text[:40] or "s"), text=text, speaker=text[:20])
        for i, text in enumerate(HOSTILE)
    ]
    place.joinpath("outside.txt").write_text("untouched")
    memory = opened(maker, place, "a", messages)
    recalls = [memory.search(Cue(text=text, limit=20)) for text in HOSTILE]
    (saved,) = empty_folders(place, "saved")
    memory.save(saved)
    loaded = opened(maker, place, "b", ())
    loaded.load(saved)
    again = [loaded.search(Cue(text=text, limit=20)) for text in HOSTILE]
    back, listed = loaded.stored_from({m.message_id for m in messages}), held(loaded)
    close_all(memory, loaded)
    assert [rounded(r) for r in recalls] == [rounded(r) for r in again]
    by_id = {m.message_id: m for m in messages}
    assert all(item.message == by_id[item.sources[0]] for r in [*recalls, back] for item in r.items)
    assert [u.text for u in listed] == [by_id[item.sources[0]].text for item in back.items]
    assert {p.name for p in place.iterdir()} == {"outside.txt", "a", "b", "saved"}


CHECKS: tuple[Callable[[Maker, Path], None], ...] = (
    check_searching_twice_is_equal,
    check_same_writes_find_the_same,
    check_searching_changes_nothing,
    check_items_are_messages_as_shown,
    check_no_item_comes_twice,
    check_the_limit_holds,
    check_an_empty_memory_finds_nothing,
    check_unheard_words_find_nothing,
    check_settled_writes_are_found,
    check_receipts_name_the_units,
    check_readback_is_exact,
    check_everything_is_held,
    check_forgetting_is_complete,
    check_forgetting_the_unknown_changes_nothing,
    check_two_never_meet,
    check_a_snapshot_is_the_unbroken_instance,
    check_a_snapshot_of_nothing_loads,
    check_deterministic_snapshots_are,
    check_hostile_texts_pass_unchanged,
)
