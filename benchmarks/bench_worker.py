"""Round trip to a memory in another process, beside what one would pick instead.

    python benchmarks/bench_worker.py [--calls 2000] [--rounds 5]

A write of one message of 2 KB, and a search that finds one, to an adapter that does nothing, over the worker protocol.
Beside it the same dict sent by `multiprocessing` over a pipe (pickle, no checks), and by `xmlrpc`. Rounds are
interleaved; medians of the rounds, and the slowest of a hundred of all.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any
from xmlrpc.client import ServerProxy

from recollect.contracts.memory import Room
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.worker.adapter import AdapterSystem
from recollect.memories.worker.wire import batch_data

ADAPTER = """
class Adapter:
    def __init__(self, config, room): self.last = None
    def write(self, batch): self.last = batch["messages"][0]
    def settle(self): ...
    def search(self, cue): return [{"message": self.last, "score": 1.0}]
    def close(self): ...
"""
MESSAGE = Message(message_id=MessageId("m1"), session_id=SessionId("s1"), text="word " * 400, speaker="Ann")
BATCH = Batch(messages=(MESSAGE,), text="")
Call = Callable[[], object]


@contextmanager
def ours(folder: Path) -> Iterator[dict[str, Call]]:
    """A worker; once with all checks, as a run uses it."""
    (folder / "adapter.py").write_text(ADAPTER)
    room = Room(folder=folder, namespace="n", seed=0)
    memory = AdapterSystem(who="bench", adapter=folder / "adapter.py").open(Traits(provenance="none"), {}, room)
    memory.write(BATCH)
    yield {
        "worker, write 2 KB": lambda: memory.write(BATCH),
        "worker, search 2 KB": lambda: memory.search(Cue(text="word", limit=1)),
        "worker, settle": memory.settle,
    }
    memory.close()


def echo(pipe: Connection) -> None:
    """The other end of `multiprocessing`."""
    while (said := pipe.recv()) is not None:
        pipe.send({"id": said["id"], "ok": {"status": "stored"}})


@contextmanager
def processes() -> Iterator[dict[str, Call]]:
    """A pipe of `multiprocessing`."""
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=echo, args=(there,))
    process.start()
    request = {"id": 1, "do": "write", "batch": batch_data(BATCH)}

    def call() -> Any:
        here.send(request)
        return here.recv()

    call()
    yield {"multiprocessing.Pipe, 2 KB": call}
    here.send(None)
    process.join()


def serve_xmlrpc(pipe: Connection) -> None:
    """A server of `xmlrpc` in a process of its own."""
    from xmlrpc.server import SimpleXMLRPCServer

    with SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False, allow_none=True) as server:
        server.register_function(lambda batch: {"status": "stored"}, "write")
        pipe.send(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        pipe.recv()


@contextmanager
def xmlrpc() -> Iterator[dict[str, Call]]:
    """Calls over `xmlrpc`."""
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve_xmlrpc, args=(there,))
    process.start()
    proxy = ServerProxy(f"http://127.0.0.1:{here.recv()}", allow_none=True)
    data: Any = batch_data(BATCH)
    yield {"xmlrpc, 2 KB": lambda: proxy.write(data)}
    proxy("close")()
    here.send(None)
    process.join()


def times(call: Call, calls: int) -> list[float]:
    """Milliseconds of each call."""
    found = []
    for _ in range(calls):
        started = time.perf_counter()
        call()
        found.append(1000 * (time.perf_counter() - started))
    return found


def main(calls: int, rounds: int) -> None:
    """Print a line for each way."""
    found: dict[str, list[list[float]]] = {}
    with TemporaryDirectory() as folder, ours(Path(folder)) as one, processes() as two, xmlrpc() as three:
        ways = {**one, **two, **three}
        for _ in range(rounds):
            for name, call in ways.items():
                found.setdefault(name, []).append(times(call, calls))
    for name, each in found.items():
        every = [one for rounds_of in each for one in rounds_of]
        print(
            f"{name:28} median {median(map(median, each)):.3f} ms, 99 of 100 below {quantiles(every, n=100)[98]:.3f} ms"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    said = parser.parse_args()
    main(said.calls, said.rounds)
