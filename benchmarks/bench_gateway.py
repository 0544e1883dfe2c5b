"""What the gateway costs a call, and how many replies a second it finds in the cache, beside the bare server.

    python benchmarks/bench_gateway.py [--calls 3000] [--in-flight 64] [--delay 0.05] [--rounds 3]

Three processes: a stub server, the gateway in front of it (durable cache, ledger, limits, as in a run), and a caller
that keeps 64 connections busy by writing the same bytes to both, so that as little as possible of what is measured is
the caller. The overhead of a call is the wall time that a call takes longer through the gateway, 64 being in flight:
once of the whole (time for all calls, divided by their number), and once as a caller sees it (median latency). The
rounds are interleaved; medians are printed. On Linux also the CPU that the server took for a call, which other work on
the machine hardly changes: its inverse is what one core would give.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[1]
PROMPT = "Question number {number} of {run}: " + "what did we say about the garden? " * 25
"""About 1 KB."""


def request(url: str, token: str, number: int, run: str) -> bytes:
    """A chat as it goes over the wire."""
    place = urlsplit(url)
    turns = [{"role": "user", "content": PROMPT.format(number=number, run=run)}]
    body = json.dumps({"model": "m", "messages": turns, "max_tokens": 50, "temperature": 0}).encode()
    head = (
        f"POST {place.path}/chat/completions HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes) -> None:
    """One call on an open connection."""
    writer.write(sent)
    head = await reader.readuntil(b"\r\n\r\n")
    status = head.split(b" ", 2)[1]
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    body = await reader.readexactly(int(length.split(b":")[1]))
    if status != b"200":
        raise RuntimeError(body.decode())


async def calls(url: str, sent: Sequence[bytes], in_flight: int) -> tuple[float, float]:
    """Seconds a call of the whole, and the median seconds of one."""
    place = urlsplit(url)
    waiting, latencies = iter(sent), list[float]()
    ends = [await asyncio.open_connection(place.hostname, place.port) for _ in range(in_flight)]

    async def busy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for one in waiting:
            began = time.perf_counter()
            await ask(reader, writer, one)
            latencies.append(time.perf_counter() - began)
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(busy(*end) for end in ends))
    return (time.perf_counter() - began) / len(sent), median(latencies)


def measure(url: str, token: str, said: argparse.Namespace, run: str, pid: int) -> tuple[float, float, float]:
    """All calls of one round, and the server's CPU seconds a call; a few before them open the connections behind."""
    asyncio.run(calls(url, [request(url, token, -n, run) for n in range(1, said.in_flight + 1)], said.in_flight))
    sent = [request(url, token, number, run) for number in range(said.calls)]
    before = spent(pid)
    whole, seen = asyncio.run(calls(url, sent, said.in_flight))
    return whole, seen, (spent(pid) - before) / said.calls


def spent(pid: int) -> float:
    """CPU seconds of a process; 0 where there is no such file."""
    file = Path(f"/proc/{pid}/stat")
    if not file.exists():
        return 0.0
    user, system = file.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def serve(url: str, in_flight: int) -> None:
    """The gateway, as a run has it, until the standard input closes."""
    from recollect.contracts.call_context import CallContext
    from recollect.gateway.embeddings import NoEmbedding
    from recollect.gateway.endpoint import EndpointChatting
    from recollect.gateway.server import GatewayServer
    from recollect.models.cache.calls import CallCache
    from recollect.models.client import Client, Terms
    from recollect.models.endpoints import EndpointChat
    from recollect.models.ledger import Ledger
    from recollect.models.limits.budget import Budget
    from recollect.models.prices import load_prices
    from recollect.models.settings import ModelSettings
    from recollect.store.measures import Ledgers
    from recollect.store.run_folder import RunFolder

    class Doing:
        """A system that writes."""

        now = CallContext(stage="observe", key="k", trial="t", row="r")

        def occasion(self) -> CallContext:
            """Always the same."""
            return self.now

    with TemporaryDirectory() as folder:
        client, ledgers = Client(), Ledgers(RunFolder(Path(folder)))
        ledger = Ledger(write=ledgers.write, prices=load_prices(None))
        client.begin(Terms(ledger=ledger, budget=Budget(), cache=CallCache(Path(folder) / "calls")))
        model = EndpointChat(client, ModelSettings(model="m", base_url=url, in_flight=in_flight), "memory")
        gateway = GatewayServer(EndpointChatting(model), NoEmbedding("a benchmark of chats"))
        access = gateway.open(Doing())
        print(access.base_url, access.token, flush=True)
        sys.stdin.read()
        gateway.shut()
        client.close()


def started(line: Sequence[str]) -> tuple[subprocess.Popen[str], list[str]]:
    """A server in a process of its own, and the words that it says."""
    made = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return made, (made.stdout.readline() if made.stdout else "").split()


def main() -> None:
    """Measure in processes of their own, and print."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--calls", type=int, default=3000)
    arguments.add_argument("--in-flight", type=int, default=64)
    arguments.add_argument("--delay", type=float, default=0.05)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--serve", help=argparse.SUPPRESS)
    said = arguments.parse_args()
    if said.serve:
        serve(said.serve, said.in_flight)
        return
    stub, (bare,) = started([sys.executable, "-m", "tests.fakes.model_server", "--delay", str(said.delay)])
    fast, (instant,) = started([sys.executable, "-m", "tests.fakes.model_server"])
    line = [sys.executable, __file__, "--in-flight", str(said.in_flight), "--serve", bare]
    through, (url, token) = started(line)
    kinds = {
        "bare": (bare, "a", stub.pid),
        "gateway": (url, "b", through.pid),
        "hits": (url, "b", through.pid),
        "bare, no delay": (instant, "c", fast.pid),
    }
    found: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in kinds}
    for turn in range(said.rounds):
        for kind, (place, run, pid) in kinds.items():
            found[kind].append(measure(place, token, said, f"{run}{turn}", pid))
    for process in (through, stub, fast):
        process.communicate("")
    show(found, said)


def show(found: dict[str, list[tuple[float, float, float]]], said: argparse.Namespace) -> None:
    """The medians, and what follows from them."""
    whole, seen, cpu = (
        {kind: median(one[place] for one in rounds) for kind, rounds in found.items()} for place in range(3)
    )
    print(f"{said.calls} calls, {said.in_flight} in flight, {1000 * said.delay:.0f} ms, {said.rounds} rounds")
    for kind in found:
        print(
            f"{kind:15} {1 / whole[kind]:7.0f} calls/s, median latency {1000 * seen[kind]:6.2f} ms, "
            f"{1000 * cpu[kind]:.2f} ms CPU a call"
        )
    print(f"overhead a call {1000 * (whole['gateway'] - whole['bare']):.2f} ms of the whole (at most 1)")
    print(f"overhead a call {1000 * (seen['gateway'] - seen['bare']):.2f} ms of median latency")
    rate, server = 1 / whole["hits"], 1 / whole["bare, no delay"]
    print(f"cache hits {rate:.0f}/s (at least 3000), {rate / server:.2f} of the bare server without delay")


if __name__ == "__main__":
    main()
