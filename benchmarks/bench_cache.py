"""Hits and writes a second of the cache of calls, beside what one would pick instead, and what prompts cost on disk.

    python benchmarks/bench_cache.py [--entries 5000] [--repeats 5] [--folder FOLDER]

A reply has about 2 KB, a prompt 2 KB of its own. Every writer waits until its reply is on the disk; the rivals sync as
well. Rivals: a file an entry, synced and renamed; SQLite with a commit a reply; diskcache where it can be imported (it
syncs less: a loss of power may cost its last writes). All take turns inside one run. The disk decides about writes:
give `--folder` on the disk that counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from threading import Lock
from typing import NamedTuple, Protocol

sys.path.insert(0, str(Path(__file__).parents[1]))

from recollect.contracts.models import Usage
from recollect.models.cache.calls import CallCache, Stored
from recollect.records.digests import digest

TEXT = "the river runs past an old mill where nobody has ground corn since the flood of that year"
WORDS = TEXT.split()
WRITERS = 64
CONTEXT, QUESTIONS = 400_000, 300


class Store(Protocol):
    """A rival."""

    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, reply: bytes) -> None: ...
    def close(self) -> None: ...


def text(size: int, seed: int) -> str:
    """So many letters of words, others for every seed."""
    rng = random.Random(seed)
    return " ".join(rng.choices(WORDS, k=size // 4))[:size]


def reply(number: int) -> bytes:
    """A chat completion of about 2 KB."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text(1700, number)}}
    usage = {"prompt_tokens": 500, "completion_tokens": 400, "total_tokens": 900}
    body = {"id": f"chatcmpl-{number}", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}
    return json.dumps(body).encode()


def key(number: int) -> str:
    return digest(number)


def stored(number: int, prompt: str | None = None) -> Stored:
    asked = prompt if prompt is not None else text(2000, -number)
    body = json.dumps({"messages": [{"role": "user", "content": asked}], "model": "m"})
    return Stored(reply=reply(number), prompt=body, model="m", usage=Usage(input=500, output=400), payer="bench")


class Ours:
    """The cache of calls behind the face of the rivals."""

    def __init__(self, folder: Path) -> None:
        self.cache = CallCache(folder)

    def get(self, key: str) -> bytes | None:
        found = self.cache.get(key)
        return None if found is None else found.reply

    def put(self, key: str, reply: bytes) -> None:
        body = json.dumps({"messages": [{"role": "user", "content": key * 57}], "model": "m"})
        self.cache.put(key, Stored(reply=reply, prompt=body, model="m", usage=Usage(input=500, output=400)))

    def close(self) -> None:
        self.cache.close()


class Files:
    """A file an entry, synced and renamed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        path = self.folder / key.replace(":", "-")
        return path.read_bytes() if path.exists() else None

    def put(self, key: str, reply: bytes) -> None:
        path = self.folder / key.replace(":", "-")
        aside = path.with_suffix(".tmp")
        with aside.open("wb") as file:
            file.write(reply)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
        handle = os.open(self.folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)

    def close(self) -> None: ...


class PlainSqlite:
    """A commit a reply, one writer at a time."""

    def __init__(self, folder: Path) -> None:
        self.base = sqlite3.connect(folder / "plain.sqlite", isolation_level=None, check_same_thread=False)
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("PRAGMA synchronous = FULL")
        self.base.execute("CREATE TABLE reply (key TEXT PRIMARY KEY, body BLOB)")
        self.lock = Lock()

    def get(self, key: str) -> bytes | None:
        found = self.base.execute("SELECT body FROM reply WHERE key = ?", (key,)).fetchone()
        return None if found is None else bytes(found[0])

    def put(self, key: str, reply: bytes) -> None:
        with self.lock:
            self.base.execute("INSERT OR IGNORE INTO reply VALUES (?, ?)", (key, reply))

    def close(self) -> None:
        self.base.close()


def diskcache(folder: Path) -> Store:
    """diskcache with its own settings."""
    opened = import_module("diskcache").Cache(str(folder))

    class Disk:
        cache = opened

        def get(self, key: str) -> bytes | None:
            found: bytes | None = self.cache.get(key)
            return found

        def put(self, key: str, reply: bytes) -> None:
            self.cache.set(key, reply)

        def close(self) -> None:
            self.cache.close()

    return Disk()


def rivals() -> Mapping[str, Callable[[Path], Store]]:
    """All that can be opened here."""
    found: dict[str, Callable[[Path], Store]] = {"recollect": Ours, "file an entry": Files, "SQLite": PlainSqlite}
    if find_spec("diskcache") is None:
        print("diskcache cannot be imported: its rows are left out")
    else:
        found["diskcache"] = diskcache
    return found


class Pace(NamedTuple):
    """How fast, by the wall clock and in processor time, which does not count what others had of the machine."""

    rate: float
    cost_us: float


def pace(count: int, work: Callable[[], object]) -> Pace:
    """Of so many pieces of work."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Pace(count / (time.perf_counter() - wall), 1e6 * (time.process_time() - processor) / count)


def writes(store: Store, numbers: range, writers: int) -> Pace:
    """Acknowledged writes a second of so many threads."""
    replies = [(key(number), reply(number)) for number in numbers]
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(lambda _: time.sleep(0.001), range(writers)))
        return pace(len(replies), lambda: list(pool.map(lambda one: store.put(*one), replies)))


def hits(store: Store, entries: int, threads: int) -> Pace:
    """Hits a second, in random order; each reply is looked at."""
    keys = [key(number) for number in range(entries)] * max(1, 20_000 // entries)
    random.Random(0).shuffle(keys)
    parts = [keys[start::threads] for start in range(threads)]

    def read(part: list[str]) -> None:
        for one in part:
            assert store.get(one)

    with ThreadPoolExecutor(threads) as pool:
        return pace(len(keys), lambda: list(pool.map(read, parts)))


def parsed(cache: CallCache, entries: int) -> Pace:
    """Hits a second, the JSON of the reply read."""
    keys = [key(number) for number in range(entries)] * max(1, 20_000 // entries)
    random.Random(1).shuffle(keys)

    def read() -> None:
        for one in keys:
            found = cache.get(one)
            assert found is not None
            assert json.loads(found.reply)

    return pace(len(keys), read)


def in_a_loop(cache: CallCache, numbers: range, tasks: int) -> Pace:
    """Acknowledged writes a second of so many tasks of one event loop."""
    ready = iter([(key(number), stored(number)) for number in numbers])

    async def work() -> None:
        for one, value in ready:
            await cache.put_async(one, value)

    async def all_of_them() -> None:
        await asyncio.gather(*(work() for _ in range(tasks)))

    return pace(len(numbers), lambda: asyncio.run(all_of_them()))


@contextmanager
def room(parent: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        yield Path(folder)


def tell(what: str, name: str, paces: list[Pace]) -> None:
    rates, least = sorted(one.rate for one in paces), min(one.cost_us for one in paces)
    spread = f"{rates[0]:9,.0f} / {median(rates):9,.0f} / {rates[-1]:9,.0f} a second"
    print(f"{what:28} {name:16} {spread}; {least:6.1f} us of processor each")


def beside(rivals: Mapping[str, Callable[[Path], Store]], entries: int, repeats: int, parent: Path | None) -> None:
    """The table of rates: slowest, median, fastest."""
    measured: dict[tuple[str, str], list[Pace]] = {}
    for _ in range(repeats):
        for name, opened in rivals.items():
            with room(parent) as folder:
                store = opened(folder)
                few = range(entries, entries + entries // 10)
                measured.setdefault((f"writes, {WRITERS} threads", name), []).append(
                    writes(store, range(entries), WRITERS)
                )
                measured.setdefault(("writes, 1 thread", name), []).append(writes(store, few, 1))
                for threads in (1, 4):
                    what = f"hits, {threads} thread{'s' * (threads > 1)}"
                    measured.setdefault((what, name), []).append(hits(store, entries, threads))
                store.close()
    for (what, name), paces in sorted(measured.items()):
        tell(what, name, paces)


def ours_alone(entries: int, repeats: int, parent: Path | None) -> None:
    """What only we do: replies read as JSON, writes from an event loop."""
    loops, reads = [], []
    for _ in range(repeats):
        with room(parent) as folder, CallCache(folder) as cache:
            loops.append(in_a_loop(cache, range(entries), WRITERS))
            reads.append(parsed(cache, entries))
    tell(f"writes, {WRITERS} tasks of a loop", "recollect", loops)
    tell("hits, JSON read", "recollect", reads)


def on_disk(parent: Path | None) -> None:
    """Three hundred questions on one long context."""
    context = text(CONTEXT, 7)
    with room(parent) as folder:
        with CallCache(folder / "long") as cache:
            started = time.perf_counter()
            for number in range(QUESTIONS):
                cache.put(key(number), stored(number, f"{context}\n\nQuestion {number}: {text(80, number)}"))
            took = time.perf_counter() - started
            cache.export(folder / "calls.gz")
        with CallCache(folder / "short") as cache:
            for number in range(QUESTIONS):
                cache.put(key(number), stored(number, text(80, number)))
        sizes = [sum(f.stat().st_size for f in (folder / name).iterdir()) for name in ("long", "short")]
        packed = (folder / "calls.gz").stat().st_size
    print(
        f"{QUESTIONS} questions on one context of {CONTEXT / 1e3:.0f} KB: {sizes[0] / 1e6:.2f} MB on disk, "
        f"{sizes[1] / 1e6:.2f} MB without the context; {1000 * took / QUESTIONS:.1f} ms a write; "
        f"exported {packed / 1e6:.2f} MB"
    )


def exchange(entries: int, parent: Path | None) -> None:
    """Calls a second out to a file and in again."""
    with room(parent) as folder, CallCache(folder / "a") as ours, CallCache(folder / "b") as other:
        in_a_loop(ours, range(entries), WRITERS)
        out = pace(entries, lambda: ours.export(folder / "calls.gz"))
        back = pace(entries, lambda: other.merge([folder / "calls.gz"]))
    print(f"export {out.rate:,.0f} calls a second; merge {back.rate:,.0f} calls a second")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to write; by default where temporary files go")
    options = parser.parse_args()
    print("slowest / median / fastest, and the least processor time")
    beside(rivals(), options.entries, options.repeats, options.folder)
    ours_alone(options.entries, options.repeats, options.folder)
    on_disk(options.folder)
    exchange(options.entries, options.folder)


if __name__ == "__main__":
    main()
