"""Caches travel as one file: the same calls, the same bytes; nothing damaged or contradicting comes in."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.models import Usage
from recollect.domain.errors import ClashError, DataError, DiskError, NewerSchemaError, RecollectError
from recollect.models.cache import merge as cache_merge
from recollect.models.cache.calls import CallCache
from recollect.models.cache.database import FILE
from recollect.models.cache.entries import Stored
from recollect.models.cache.merge import Merged
from recollect.records.digests import digest

LONG = "the river runs past an old mill where nobody has ground corn since the flood " * 300


def key(number: object) -> str:
    return digest(number)


def reply(number: int, text: str = "the mill") -> Stored:
    body = {"id": f"chatcmpl-{number}", "created": number, "choices": [text, number]}
    return Stored(
        reply=json.dumps(body).encode(),
        prompt=json.dumps({"messages": [LONG, f"question {number}", "ü\ud800"]}),
        model="m-1",
        usage=Usage(input=number, output=3) if number % 2 else None,
        payer=f"run {number % 3}",
    )


def filled(folder: Path, numbers: list[int]) -> CallCache:
    """A cache with the calls of these numbers, put in this order."""
    cache = CallCache(folder)
    for number in numbers:
        cache.put(key(number), reply(number))
    return cache


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[CallCache]:
    with CallCache(tmp_path / "ours") as cache:
        yield cache


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An export of ten calls."""
    with filled(tmp_path / "theirs", list(range(10))) as cache:
        cache.export(tmp_path / "calls.gz")
    return tmp_path / "calls.gz"


def lines(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def rewrite(file: Path, changed: list[bytes]) -> None:
    file.write_bytes(gzip.compress(b"".join(changed)))


def held(cache: CallCache) -> list[tuple[Any, ...]]:
    """All calls, replies and prompts."""
    base = sqlite3.connect(cache._path)
    keys = [name for (name,) in base.execute("SELECT key FROM response ORDER BY key")]
    created = base.execute("SELECT key, created FROM response ORDER BY key").fetchall()
    base.close()
    return [(name, cache.get(name), cache.prompt(name), when) for name, (_, when) in zip(keys, created, strict=True)]


def test_what_was_exported_comes_in_as_it_was(ours: CallCache, file: Path, tmp_path: Path) -> None:
    """Replies, prompts, counts, payers and times."""
    assert ours.merge([file]) == Merged(added=10, known=0, kept=0)
    with CallCache(tmp_path / "theirs") as theirs:
        assert held(ours) == held(theirs)
        assert len(held(ours)) == 10


def test_the_same_calls_make_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the order in which they were put, and by way of a merge."""
    monkeypatch.setattr("time.time", lambda: 1_700_000_000.0)
    order = list(range(10))
    files = []
    for seed in range(3):
        random.Random(seed).shuffle(order)
        with filled(tmp_path / str(seed), order) as cache:
            files.append(tmp_path / f"{seed}.gz")
            cache.export(files[-1])
    with CallCache(tmp_path / "merged") as cache:
        cache.merge([files[0]])
        files.append(tmp_path / "merged.gz")
        cache.export(files[-1])
    assert len({file.read_bytes() for file in files}) == 1
    keys = [line["call"]["key"] for line in map(json.loads, lines(files[0])[1:]) if "call" in line]
    assert keys == sorted(keys)


def test_the_file_says_what_it_is_and_holds_a_shared_context_once(file: Path) -> None:
    """Schema, maker and count stand in the first line."""
    head = json.loads(lines(file)[0])
    assert head["kind"] == "recollect.calls"
    assert (head["schema"], head["calls"]) == (1, 10)
    assert head["made_by"].startswith("recollect ")
    assert sum(map(len, lines(file))) < 5 * len(LONG)


def test_an_empty_cache_travels_too(ours: CallCache, tmp_path: Path) -> None:
    """Nothing is a number of calls."""
    assert ours.export(tmp_path / "none.gz") == 0
    assert ours.merge([tmp_path / "none.gz"]) == Merged(added=0, known=0, kept=0)


def test_bytes_that_are_no_text_travel_too(ours: CallCache, tmp_path: Path) -> None:
    """A reply is kept as it came, whatever it is."""
    with CallCache(tmp_path / "theirs") as theirs:
        theirs.put(key(1), Stored(reply=b"\xff\x00\xfe", model="m"))
        theirs.export(tmp_path / "calls.gz")
    ours.merge([tmp_path / "calls.gz"])
    assert ours.get(key(1)) == Stored(reply=b"\xff\x00\xfe", model="m")


def test_merging_again_changes_nothing(ours: CallCache, file: Path) -> None:
    """What is here is known."""
    ours.merge([file])
    before = held(ours)
    assert ours.merge([file, file]) == Merged(added=0, known=20, kept=0)
    assert held(ours) == before


def test_a_cache_takes_only_what_it_lacks(ours: CallCache, file: Path) -> None:
    """Its own calls keep their payer."""
    for number in (3, 4):
        ours.put(key(number), replace(reply(number), payer="me"))
    assert ours.merge([file]) == Merged(added=8, known=2, kept=0)
    found = ours.get(key(3))
    assert found is not None
    assert found.payer == "me"


def test_a_reply_that_differs_in_its_own_name_and_time_is_the_same(ours: CallCache, file: Path) -> None:
    """Two machines that paid for one call got two ids, and one answer."""
    body = json.loads(reply(3).reply) | {"id": "chatcmpl-other", "created": 99, "system_fingerprint": "fp"}
    ours.put(key(3), replace(reply(3), reply=json.dumps(body).encode()))
    assert ours.merge([file]) == Merged(added=9, known=1, kept=0)


def test_another_reply_to_the_same_call_is_refused(ours: CallCache, file: Path) -> None:
    """All contradictions are named, and nothing of the file comes in."""
    for number in (3, 4):
        ours.put(key(number), reply(number, "the station"))
    with pytest.raises(ClashError, match="2 calls with another reply") as error:
        ours.merge([file])
    assert all(key(number) in str(error.value) for number in (3, 4))
    assert "--keep-ours" in str(error.value)
    assert "the station" not in str(error.value)
    assert len(held(ours)) == 2


def test_ours_can_be_kept(ours: CallCache, file: Path) -> None:
    """Who asks for it keeps the reply that is here."""
    ours.put(key(3), reply(3, "the station"))
    assert ours.merge([file], keep_ours=True) == Merged(added=9, known=0, kept=1)
    assert ours.get(key(3)) == replace(reply(3, "the station"), prompt="")


def test_two_files_that_contradict_each_other_are_refused(ours: CallCache, file: Path, tmp_path: Path) -> None:
    """Nothing of either comes in."""
    with CallCache(tmp_path / "third") as third:
        third.put(key(3), reply(3, "the station"))
        third.export(tmp_path / "third.gz")
    with pytest.raises(ClashError, match=r"third\.gz: 1 call "):
        ours.merge([file, tmp_path / "third.gz"])
    assert held(ours) == []


def test_a_call_that_somebody_else_paid_meanwhile_is_not_overwritten(
    ours: CallCache, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between check and writing another process may write; its reply stays, and the merge says so."""
    real = cache_merge._written

    def meanwhile(path: Path, writer: Any) -> Any:
        ours.put(key(3), reply(3, "the station"))
        return real(path, writer)

    monkeypatch.setattr(cache_merge, "_written", meanwhile)
    with pytest.raises(ClashError, match="1 call"):
        ours.merge([file])
    assert ours.get(key(3)) == replace(reply(3, "the station"), prompt="")


def edit_call(line: bytes, **fields: Any) -> bytes:
    """A call changed, with a digest that fits."""
    data = json.loads(line)["call"] | fields
    return json.dumps({"digest": digest(data), "call": data}).encode() + b"\n"


def calls(all_lines: list[bytes]) -> list[int]:
    """Numbers of the lines with calls, from 0."""
    return [number for number, line in enumerate(all_lines) if b'"call"' in line and number]


CHANGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "flipped-word": (lambda line: line.replace(b"the mill", b"the mull"), "does not match its digest"),
    "no-json": (lambda line: line[:40] + b"\n", "not a line of JSON"),
    "deep": (lambda line: b"[" * 100_000 + b"\n", "not a line of JSON"),
    "nothing": (lambda line: b"{}\n", "neither a call nor a text"),
    "number": (lambda line: b"7\n", "neither a call nor a text"),
    "no-digest-key": (lambda line: edit_call(line, key="sk-1"), "`key`: no digest"),
    "unknown-field": (lambda line: edit_call(line, headers="x"), "headers"),
    "unknown-kind": (lambda line: edit_call(line, kind="dance"), "kind"),
    "missing-text": (lambda line: edit_call(line, prompt=["00" * 16]), "1 texts of its prompt"),
    "no-hash": (lambda line: edit_call(line, prompt=["zz"]), "1 texts of its prompt"),
    "negative": (lambda line: edit_call(line, usage={"input": -1, "output": 1}), "counted from 0"),
    "huge": (lambda line: edit_call(line, created=2**70), "created"),
    "bad-base64": (lambda line: edit_call(line, encoding="base64", reply="%%"), "not base64"),
    "surrogate": (lambda line: edit_call(line, reply="\ud800"), "not text"),
    "surrogate-model": (lambda line: edit_call(line, model="m\ud800"), "`model`"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_damaged_line_is_named_and_nothing_comes_in(ours: CallCache, file: Path, name: str) -> None:
    """Each line is checked before the first one is written."""
    change, hint = CHANGES[name]
    found = lines(file)
    at = calls(found)[4]
    found[at] = change(found[at])
    rewrite(file, found)
    with pytest.raises(DataError) as error:
        ours.merge([file])
    assert f"line {at + 1}: " in str(error.value)
    assert hint in str(error.value)
    assert "Nothing was taken" in str(error.value)
    assert held(ours) == []


def test_all_problems_are_named_at_once(ours: CallCache, file: Path) -> None:
    """With their lines; the twentieth is enough for anybody."""
    found = lines(file)
    for at in calls(found)[:3]:
        found[at] = found[at].replace(b"the mill", b"the mull")
    rewrite(file, found)
    with pytest.raises(DataError, match="4 problems") as error:
        ours.merge([file])
    assert all(f"line {at + 1}:" in str(error.value) for at in calls(found)[:3])
    rewrite(file, [found[0], *[b"?\n"] * 50])
    with pytest.raises(DataError, match=r"51 problems.*and 31 more"):
        ours.merge([file])


def test_a_text_that_was_changed_is_named(ours: CallCache, file: Path) -> None:
    """And so are the calls that need it."""
    found = lines(file)
    found[1] = found[1].replace(b"river", b"brook", 1)
    rewrite(file, found)
    with pytest.raises(DataError, match="line 2: its content does not match its digest"):
        ours.merge([file])


def test_a_text_that_no_database_takes_is_named(ours: CallCache, file: Path) -> None:
    """Half a surrogate pair, with a digest that fits."""
    found = lines(file)
    name = blake2b("\ud800".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    found.insert(1, json.dumps({"digest": name, "text": "\ud800"}).encode() + b"\n")
    rewrite(file, found)
    with pytest.raises(DataError, match="line 2: not text"):
        ours.merge([file])


def test_a_call_that_is_missing_or_stands_twice_is_seen(ours: CallCache, file: Path) -> None:
    """The first line says how many there are."""
    found = lines(file)
    last = calls(found)[-1]
    rewrite(file, found[:last])
    with pytest.raises(DataError, match="says 10 calls, 9"):
        ours.merge([file])
    rewrite(file, [*found, found[last]])
    with pytest.raises(DataError, match="stands here twice"):
        ours.merge([file])


@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_a_file_that_is_cut_off_is_seen(ours: CallCache, file: Path, share: float) -> None:
    """Half a file is no file."""
    raw = file.read_bytes()
    file.write_bytes(raw[: int(share * len(raw))])
    with pytest.raises(DataError, match=r"cut off|not an export"):
        ours.merge([file])
    assert held(ours) == []


def test_flipped_bytes_end_in_a_named_error_or_change_nothing(ours: CallCache, file: Path) -> None:
    """Wherever the damage is."""
    raw = file.read_bytes()
    with CallCache(file.parent / "theirs") as theirs:
        wanted = held(theirs)
    rng = random.Random(5)
    refused = 0
    for _ in range(150):
        damaged = bytearray(raw)
        damaged[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        try:
            ours.merge([file])
        except RecollectError:
            refused += 1
            assert held(ours) in ([], wanted)
        else:
            assert held(ours) == wanted
    assert refused > 120


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"hello", id="text"),
        pytest.param(gzip.compress(b""), id="nothing-packed"),
        pytest.param(gzip.compress(b"hello\n"), id="text-packed"),
        pytest.param(gzip.compress(b'{"kind": "recollect.calls"}\n'), id="no-count"),
        pytest.param(gzip.compress(b'[{"kind": "recollect.calls"}]\n'), id="list"),
    ],
)
def test_a_file_that_is_no_export_is_named(ours: CallCache, tmp_path: Path, content: bytes) -> None:
    """With the command that makes one."""
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(DataError, match="recollect cache export"):
        ours.merge([tmp_path / "x"])


def test_a_file_that_is_not_there_is_named(ours: CallCache, tmp_path: Path) -> None:
    """Also where it is a folder."""
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(DataError, match="recollect cache export"):
            ours.merge([path])


def test_an_export_of_a_newer_version_is_refused(ours: CallCache, file: Path) -> None:
    """With the version that made it."""
    found = lines(file)
    found[0] = json.dumps(json.loads(found[0]) | {"schema": 2, "made_by": "recollect 9"}).encode() + b"\n"
    rewrite(file, found)
    with pytest.raises(NewerSchemaError, match="recollect 9"):
        ours.merge([file])


def test_an_export_that_cannot_be_written_leaves_what_was_there(ours: CallCache, file: Path, tmp_path: Path) -> None:
    """Neither half a file nor an aside one."""
    ours.merge([file])
    with pytest.raises(DiskError, match="name another file"):
        ours.export(tmp_path / "nowhere" / "calls.gz")
    (tmp_path / "folder").mkdir()
    with pytest.raises(DiskError, match="name another file"):
        ours.export(tmp_path / "folder")
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]
    ours.put(key("after"), reply(1))


def test_a_damaged_cache_is_not_exported(ours: CallCache, file: Path) -> None:
    """An export that was there is left as it was."""
    ours.merge([file])
    before = file.read_bytes()
    base = sqlite3.connect(ours._path, isolation_level=None)
    base.execute("UPDATE blob SET text = (SELECT body FROM response LIMIT 1)")
    base.close()
    with pytest.raises(DataError, match=FILE):
        ours.export(file)
    assert file.read_bytes() == before
