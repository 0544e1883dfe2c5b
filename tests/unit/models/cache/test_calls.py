"""A reply that was paid for is kept once, found again by all, and never lost, mixed up or stored with a secret."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from recollect.contracts.models import Usage
from recollect.domain.errors import BusyError, DataError, DiskError, NewerSchemaError, StoreError
from recollect.models.cache import database
from recollect.models.cache.calls import CallCache, CallCounts
from recollect.models.cache.database import FILE
from recollect.models.cache.entries import Stored, pack
from recollect.records.digests import digest

REPLY = b'{"choices": [{"message": {"content": "the mill"}}]}'
USAGE = Usage(input=12, output=3, cached=4, reasoning=1)


def key(number: object) -> str:
    return digest(number)


def reply(text: str = "the mill", prompt: str = '{"messages": []}') -> Stored:
    return Stored(
        reply=json.dumps({"text": text}).encode(), prompt=prompt, model="m-1", usage=USAGE, payer="run a", kind="chat"
    )


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[CallCache]:
    with CallCache(tmp_path / "calls") as cache:
        yield cache


def everything(folder: Path) -> bytes:
    """All that the cache in *folder* holds, unpacked."""
    base = sqlite3.connect(folder / FILE)
    rows = [row for table in ("response", "blob") for row in base.execute(f"SELECT * FROM {table}")]
    base.close()
    cells = [cell for row in rows for cell in row]
    packed = [zlib.decompress(cell) for cell in cells if isinstance(cell, bytes) and len(cell) != 16]
    raw = b"".join(file.read_bytes() for file in folder.iterdir())
    return b"\n".join([*packed, *(str(cell).encode() for cell in cells), raw])


def test_what_was_put_is_got_byte_for_byte(cache: CallCache) -> None:
    """Whatever bytes a provider sends are given back as they came."""
    raw = b'{"a" : 1,\n "b": "\xc3\xbc"} \x00\xff'
    stored = replace(reply(), reply=raw, prompt='{"messages":["ü"]}')
    cache.put(key(1), stored)
    assert cache.get(key(1)) == replace(stored, prompt="")
    assert cache.prompt(key(1)) == stored.prompt
    assert cache.get(key(2)) is None
    assert cache.prompt(key(2)) is None


def test_a_reply_without_token_counts_has_none(cache: CallCache) -> None:
    """Counts that the provider did not tell are not 0."""
    cache.put(key(1), replace(reply(), usage=None))
    cache.put(key(2), replace(reply(), usage=Usage(input=0, output=0)))
    assert [found.usage for number in (1, 2) if (found := cache.get(key(number)))] == [None, Usage(input=0, output=0)]


def test_the_cache_outlives_the_process(tmp_path: Path) -> None:
    """What one process put, the next one gets."""
    with CallCache(tmp_path) as cache:
        cache.put(key(1), reply())
    with CallCache(tmp_path) as cache:
        assert cache.get(key(1)) == replace(reply(), prompt="")


def test_the_first_reply_of_a_call_stays_and_is_given_to_the_second_payer(cache: CallCache) -> None:
    """Two that paid for one call at the same time go on with one reply."""
    first, second = reply("first"), reply("second")
    assert cache.put(key(1), first) == first
    assert cache.put(key(1), second) == replace(first, prompt="")
    assert cache.get(key(1)) == replace(first, prompt="")


@pytest.mark.parametrize(
    "long",
    [
        pytest.param("the river runs past an old mill\n" * 10_000, id="lines"),
        pytest.param("".join(chr(0x4E00 + (n * n) % 20_000) for n in range(100_000)), id="no-spaces"),
        pytest.param("a" * 300_000, id="one-letter"),
    ],
)
def test_a_long_context_is_stored_once_under_all_its_questions(cache: CallCache, tmp_path: Path, long: str) -> None:
    """A hundred questions about one text take little more room than one, wherever the question stands."""

    def ask(number: int) -> str:
        return json.dumps({"messages": [f"Question {number} {'?' * number}", long, f"So: {number}"]})

    cache.put(key(0), reply(prompt=ask(0)))
    one = blob_bytes(tmp_path / "calls")
    for number in range(1, 101):
        cache.put(key(number), reply(prompt=ask(number)))
    assert blob_bytes(tmp_path / "calls") - one < 0.05 * 100 * len(json.dumps(long))
    assert [cache.prompt(key(number)) for number in (0, 57)] == [ask(0), ask(57)]


def blob_bytes(folder: Path) -> int:
    """Bytes of all prompts, before they are packed."""
    base = sqlite3.connect(folder / FILE)
    texts = [zlib.decompress(text) for (text,) in base.execute("SELECT text FROM blob")]
    base.close()
    return sum(map(len, texts))


def test_half_a_surrogate_pair_is_no_obstacle(cache: CallCache) -> None:
    """Broken text in a prompt or a name is kept in a form that JSON reads alike."""
    cache.put(key(1), replace(reply(prompt='{"m":"\ud800"}'), model="m\ud800"))
    found, prompt = cache.get(key(1)), cache.prompt(key(1))
    assert found is not None
    assert found.model == "m?"
    assert prompt is not None
    assert json.loads(prompt) == {"m": "\ud800"}


def test_nothing_secret_is_stored(cache: CallCache, tmp_path: Path) -> None:
    """A canary in every field in which keys travel is found nowhere; the words of a prompt are."""
    canary = "sk-canary-7391"
    fields = ["headers", "extra_headers", "Authorization", "api_key", "X-API-Key", "auth_token", "Cookie", "password"]
    said = {"role": "user", "content": 'what are "headers": and "api_key":?'}
    tool = {"name": "fetch", "parameters": {"properties": {"headers": {"type": "object"}}}}
    body = {"messages": [said], "tools": [tool], "max_tokens": 5, **{name: {"Bearer": canary} for name in fields}}
    cache.put(key(1), reply(prompt=json.dumps(body)))
    cache.export(tmp_path / "calls.gz")
    assert json.loads(cache.prompt(key(1)) or "") == {"messages": [said], "tools": [tool], "max_tokens": 5}
    cache.close()
    held = everything(tmp_path / "calls")
    assert canary.encode() not in held
    assert b"what are" in held
    assert canary.encode() not in gzip.decompress((tmp_path / "calls.gz").read_bytes())


def test_the_holdings_are_counted_by_kind_and_model(cache: CallCache) -> None:
    """Calls and tokens, unknown ones left out."""
    for number, usage in enumerate((USAGE, USAGE, None)):
        cache.put(key(number), replace(reply(prompt=f"p{number % 2}"), usage=usage))
    cache.put(key(9), replace(reply(prompt="p0"), kind="embedding", model="e"))
    found = cache.holdings()
    assert found.held == (
        CallCounts(kind="chat", model="m-1", calls=3, input=24, output=6),
        CallCounts(kind="embedding", model="e", calls=1, input=12, output=3),
    )
    assert found.texts == 2
    assert found.size > 0


def test_many_threads_put_and_get_at_once(cache: CallCache) -> None:
    """Each thread finds what it put, and what the others put."""

    def work(number: int) -> bool:
        cache.put(key(number), reply(f"reply {number}", prompt=f"prompt {number % 7}"))
        found = cache.get(key(number))
        return found is not None and found.reply == reply(f"reply {number}").reply

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(300)))
        assert all(found is not None for found in pool.map(cache.get, map(key, range(300))))


def test_concurrent_puts_share_commits(cache: CallCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the file is locked a hundred puts gather; then one commit takes them all."""
    base = cache._writer._base
    commits: list[str] = []
    base.set_trace_callback(lambda statement: commits.append(statement) if statement == "COMMIT" else None)
    other = sqlite3.connect(cache._path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def put_all() -> None:
        puts = [asyncio.ensure_future(cache.put_async(key(number), reply())) for number in range(100)]
        await asyncio.sleep(0.2)
        assert not any(put.done() for put in puts), "none is acknowledged before its commit"
        assert cache.get(key(0)) is None
        other.execute("ROLLBACK")
        await asyncio.gather(*puts)

    asyncio.run(put_all())
    other.close()
    assert len(commits) <= 2
    assert cache.get(key(99)) is not None


def test_commits_are_synced(cache: CallCache) -> None:
    """Write-ahead log, synced at each commit: an acknowledged reply survives a loss of power."""
    base = cache._writer._base
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert base.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_caller_that_is_cancelled_while_it_waits_loses_nothing(cache: CallCache) -> None:
    """The reply was paid for: it is kept although nobody waits for it any more."""

    async def give_up() -> None:
        put = asyncio.ensure_future(cache.put_async(key(1), reply()))
        await asyncio.sleep(0)
        put.cancel()
        with pytest.raises(asyncio.CancelledError):
            await put

    asyncio.run(give_up())
    cache.put(key(2), reply())
    assert cache.get(key(1)) is not None


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    """Puts that were begun before the close are on the disk after it, and closing twice is no error."""
    cache = CallCache(tmp_path)
    waiting = [cache._writer.submit(partial(pack, key(number), reply(), 0)) for number in range(50)]
    cache.close()
    cache.close()
    assert all(put.result(0) is None for put in waiting)
    with CallCache(tmp_path) as again:
        assert all(again.get(key(number)) is not None for number in range(50))


def test_a_closed_cache_says_so(tmp_path: Path) -> None:
    """Neither a put that hangs nor a get that finds nothing."""
    cache = CallCache(tmp_path)
    cache.close()
    with pytest.raises(StoreError, match="closed"):
        cache.put(key(1), reply())
    with pytest.raises(StoreError, match="closed"):
        cache.get(key(1))


def test_threads_that_read_while_the_cache_is_closed_leave_no_connection(tmp_path: Path) -> None:
    """Every connection is closed, also those in use at that moment."""
    cache = CallCache(tmp_path)
    cache.put(key(1), reply())
    go = threading.Event()

    def read() -> None:
        go.wait()
        try:
            while cache.get(key(1)) is not None:
                pass
        except StoreError:
            return

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    go.set()
    threading.Event().wait(0.05)
    cache.close()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert not cache._idle
    with CallCache(tmp_path) as again:
        assert again.get(key(1)) is not None
    log = tmp_path / f"{FILE}-wal"  # two that close at once may both leave it; one that was never closed keeps it
    assert not log.exists(), "the last connection to go takes the log with it"


@pytest.mark.parametrize(
    ("bad", "hint"),
    [
        pytest.param("sk-1234", "a digest", id="no-digest"),
        pytest.param("r1:" + "0" * 31, "a digest", id="short"),
    ],
)
def test_a_key_that_is_no_digest_is_refused_and_harms_no_other(cache: CallCache, bad: str, hint: str) -> None:
    """A put that cannot be written fails alone."""
    waiting = [cache._writer.submit(partial(pack, one, reply(), 0)) for one in (key(1), bad, key(2))]
    with pytest.raises(ValueError, match=hint):
        waiting[1].result(10)
    assert [waiting[number].result(10) for number in (0, 2)] == [None, None]


def test_token_counts_that_fit_no_column_are_refused(cache: CallCache) -> None:
    """A provider's absurd number is an error of that call, not of the writer."""
    for count in (-1, 2**63):
        with pytest.raises(ValueError, match="counted from 0"):
            cache.put(key(1), replace(reply(), usage=Usage(input=count, output=0)))
    cache.put(key(1), reply())


def test_a_writer_that_breaks_leaves_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that nobody foresaw ends in errors, not in callers that wait for ever."""
    cache = CallCache(tmp_path)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def broken(_base: sqlite3.Connection) -> None:
        raise RuntimeError

    waiting = cache._writer.submit(lambda: broken)
    with pytest.raises(StoreError, match="stopped"):
        waiting.result(10)
    with pytest.raises(StoreError):
        cache.put(key(1), reply())
    cache.close()


def test_a_torn_tail_is_dropped(tmp_path: Path, cache: CallCache) -> None:
    """The files as a loss of power could leave them: the last write cut off in the middle."""
    log = tmp_path / "calls" / f"{FILE}-wal"
    cache.put(key("first"), reply("first"))
    before = log.stat().st_size
    cache.put(key("torn"), reply("torn", prompt="another prompt"))
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "calls", copy)
    whole = log.read_bytes()
    assert len(whole) > before
    (copy / f"{FILE}-wal").write_bytes(whole[: (before + len(whole)) // 2])
    with CallCache(copy) as torn:
        assert torn.get(key("first")) is not None
        assert torn.get(key("torn")) is None
        torn.put(key("torn"), reply("again"))
        assert torn.get(key("torn")) == replace(reply("again"), prompt="")


def test_a_locked_file_is_a_busy_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The put fails with what to do; the next one goes through."""
    monkeypatch.setattr(database, "_WAIT_S", 0.05)
    with CallCache(tmp_path) as cache:
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError, match="locked by another process"):
            cache.put(key(1), reply())
        with pytest.raises(BusyError):
            CallCache(tmp_path)
        other.execute("ROLLBACK")
        other.close()
        cache.put(key(1), reply())
        assert cache.get(key(1)) is not None


def test_a_cache_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    """The database itself does not wait there: who opens a new file beside others must not fail."""
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
    timer.start()
    with CallCache(tmp_path) as cache:
        cache.put(key(1), reply())
    timer.join()
    other.close()


def test_many_may_make_one_cache_at_once(tmp_path: Path) -> None:
    """None takes what another has half made for somebody else's file."""
    for attempt in range(10):
        gate = threading.Barrier(8)

        def make(folder: Path, gate: threading.Barrier) -> None:
            gate.wait(10)
            CallCache(folder).close()

        with ThreadPoolExecutor(8) as pool:
            made = [pool.submit(make, tmp_path / str(attempt), gate) for _ in range(8)]
        assert [one.result() for one in made] == [None] * 8


def test_a_full_disk_is_a_disk_error_and_loses_nothing_acknowledged(cache: CallCache) -> None:
    """The database's own bound on its size stands in for the disk's; with room again, writing goes on."""
    cache.put(key(0), reply())
    base = cache._writer._base
    pages = base.execute("PRAGMA page_count").fetchone()[0]
    base.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskError, match=r"full.*make room"):
        cache.put(key(1), reply(prompt=os.urandom(40_000).hex()))
    assert cache.get(key(0)) is not None
    base.execute("PRAGMA max_page_count = 1000000")
    cache.put(key(100), reply())
    assert cache.get(key(100)) is not None


FILLER = """
import os, resource, signal, sys
from pathlib import Path
from recollect.domain.errors import DiskError
from recollect.models.cache.calls import CallCache, Stored
from recollect.records.digests import digest
with CallCache(Path(sys.argv[1])) as cache:
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
    kept = 0
    try:
        while kept < 1000:
            cache.put(digest(kept), Stored(reply=os.urandom(3000), model="m", prompt=str(kept)))
            kept += 1
    except DiskError as error:
        print(kept, "make room" in str(error))
"""


def test_a_file_that_may_not_grow_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    """The operating system refuses a write in the middle: all replies from before are there, the file is whole."""
    done = subprocess.run(
        [sys.executable, "-c", FILLER, str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    kept, told = done.stdout.split()
    assert told == "True"
    assert int(kept) > 10
    with CallCache(tmp_path) as cache:
        assert all(cache.get(key(number)) is not None for number in range(int(kept)))
        cache.put(key("more"), reply())


def test_a_place_where_no_folder_can_be_is_a_disk_error(tmp_path: Path) -> None:
    """The message says what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskError, match="--runs-dir"):
        CallCache(tmp_path / "file" / "calls")
    (tmp_path / FILE).mkdir()
    with pytest.raises(DiskError, match="--runs-dir"):
        CallCache(tmp_path)


def test_a_folder_that_takes_no_writing_is_refused_before_a_call_is_paid(tmp_path: Path) -> None:
    """A cache that can be read but not written is of no use: opening it says so."""
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to this user")
    CallCache(tmp_path).close()
    (tmp_path / FILE).chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(DiskError, match="allow writing"):
            CallCache(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_a_read_only_database_is_refused_at_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, as the database says it, for users to whom nothing is forbidden."""
    CallCache(tmp_path).close()
    real = sqlite3.connect

    def connect(path: Path, **options: object) -> sqlite3.Connection:
        return real(f"file:{path}?mode=ro", uri=True, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(DiskError, match="allow writing"):
        CallCache(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"not a database, but long enough to be taken for one" * 20, id="text"),
        pytest.param(b"SQLite format 3\x00" + b"\xff" * 600, id="damaged"),
    ],
)
def test_a_file_that_is_no_cache_is_a_data_error_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """What is not ours is not written to."""
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(DataError, match="Move it away"):
        CallCache(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Its tables do not become ours."""
    base = sqlite3.connect(tmp_path / FILE)
    base.execute("CREATE TABLE theirs (a)")
    base.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(DataError, match="no cache of calls"):
        CallCache(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_cache_of_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    """An old version does not write into what it does not understand."""
    CallCache(tmp_path).close()
    base = sqlite3.connect(tmp_path / FILE)
    base.execute("PRAGMA user_version = 2")
    base.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(NewerSchemaError, match="schema 2"):
        CallCache(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_damaged_reply_is_told_and_not_given(cache: CallCache) -> None:
    """A flipped bit on the disk does not become an answer."""
    cache.put(key(1), reply())
    other = sqlite3.connect(cache._path)
    body = bytearray(other.execute("SELECT body FROM response").fetchone()[0])
    body[len(body) // 2] ^= 1
    other.execute("UPDATE response SET body = ?", (bytes(body),))
    other.commit()
    other.close()
    with pytest.raises(DataError, match="damaged"):
        cache.get(key(1))


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param("DELETE FROM blob", id="missing"),
        pytest.param("UPDATE blob SET text = (SELECT body FROM response)", id="another"),
        pytest.param("UPDATE blob SET text = x'00'", id="damaged"),
    ],
)
def test_a_damaged_prompt_is_told_and_its_reply_given(cache: CallCache, harm: str) -> None:
    """The prompt is for people; the reply does not need it."""
    cache.put(key(1), reply(prompt="p"))
    other = sqlite3.connect(cache._path, isolation_level=None)
    other.execute(harm)
    other.close()
    with pytest.raises(DataError, match=r"prompt|damaged"):
        cache.prompt(key(1))
    assert cache.get(key(1)) is not None


def test_a_cache_survives_the_end_of_a_process_that_did_not_close_it(tmp_path: Path) -> None:
    """A process that forgets to close ends all the same, and its acknowledged puts are there."""
    code = (
        "import sys; from pathlib import Path; from recollect.models.cache.calls import *; "
        "cache = CallCache(Path(sys.argv[1])); "
        f"cache.put('{key(1)}', Stored(reply=b'r', model='m'))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], timeout=60, check=False)
    assert done.returncode == 0
    with CallCache(tmp_path) as cache:
        assert cache.get(key(1)) == Stored(reply=b"r", model="m")
