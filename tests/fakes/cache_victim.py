"""A process that fills a cache of calls: `python -m tests.fakes.cache_victim FOLDER NAME CALLS THREADS POINT SHARED`.

Each acknowledged key is printed at once, with the reply that the cache gave back. POINT counts statements of the
database, those that make the file included: at that one the process sends itself SIGKILL, at 0 it never does, at -1 it
waits for a line on stdin before it opens the cache. SHARED calls have keys that other processes use too.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from recollect.models.cache.calls import CallCache
from recollect.models.cache.entries import Stored
from recollect.records.digests import digest

CONTEXT = "the river runs past an old mill where nobody has ground corn since the flood " * 80


def value(name: str, number: int) -> Stored:
    """What process *name* pays for call *number*."""
    return Stored(
        reply=f"{name} says {number}".encode() * (1 + number % 40),
        prompt=f"{CONTEXT} question {number} of {name}",
        model="m",
        payer=name,
    )


def key_of(name: str, number: int, shared: int) -> str:
    """The first *shared* calls belong to all."""
    return digest(["shared" if number < shared else name, number])


def die_at(point: int) -> None:
    """Let the statement *point* be the last one."""
    real, seen = sqlite3.connect, 0

    def trace(_statement: str) -> None:
        nonlocal seen
        seen += 1
        if seen == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*where: Any, **how: Any) -> sqlite3.Connection:
        base: sqlite3.Connection = real(*where, **how)
        base.set_trace_callback(trace)
        return base

    vars(sqlite3)["connect"] = connect


def main(folder: str, name: str, calls: str, threads: str, point: str, shared: str) -> None:
    """Fill the cache, or die on the way."""
    if int(point) > 0:
        die_at(int(point))
    elif int(point) < 0:
        sys.stdin.readline()
    with CallCache(Path(folder)) as cache, ThreadPoolExecutor(int(threads)) as pool:

        def pay(number: int) -> None:
            key = key_of(name, number, int(shared))
            kept = cache.put(key, value(name, number))
            os.write(1, f"{key} {number} {kept.payer}\n".encode())

        list(pool.map(pay, range(int(calls))))


if __name__ == "__main__":
    main(*sys.argv[1:])
