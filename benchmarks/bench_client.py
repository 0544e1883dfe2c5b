"""Calls a second through our client, durable cache on, beside what a user would pick instead.

    python benchmarks/bench_client.py [--calls 4000] [--in-flight 64] [--delay 0.05] [--rounds 3]

A stub server in a process of its own answers after 50 ms; with 64 in flight the ideal is 1,280 calls a second. Our
client is called as the engine calls it: by blocking threads, each reply on the disk before it is seen, a line on the
ledger for each. aiohttp, httpx, openai, litellm and Inspect are called bare, where they can be imported: without cache,
ledger or retries. Each measurement has a process of its own, the rounds are interleaved, the median is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread

ROOT = Path(__file__).parents[1]
PROMPT = "Question number {number} of run {run}: " + "what did we say about the garden? " * 25
"""About 1 KB."""
Ask = Callable[[str], Awaitable[object]]


def spent() -> float:
    """CPU seconds of this process."""
    used = getrusage(RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def ours(url: str, calls: int, in_flight: int, run: str) -> dict[str, float]:
    """Our client, 50 equal calls at once, then the same calls from its cache: by it, and by one that begins anew."""
    from recollect.contracts.models import Turn
    from recollect.models.cache.calls import CallCache
    from recollect.models.client import Client, Terms
    from recollect.models.endpoints import EndpointChat
    from recollect.models.ledger import Ledger
    from recollect.models.limits.budget import Budget
    from recollect.models.prices import load_prices
    from recollect.models.settings import ModelSettings
    from recollect.store.measures import Ledgers
    from recollect.store.run_folder import RunFolder

    def opened(folder: str) -> tuple[Client, Callable[[int], str]]:
        client = Client()
        ledger = Ledger(write=Ledgers(RunFolder(Path(folder))).write, prices=load_prices(None))
        client.begin(Terms(ledger=ledger, budget=Budget(), cache=CallCache(Path(folder) / "calls")))
        model = EndpointChat(client, ModelSettings(model="m", base_url=url, in_flight=in_flight), "reader")
        return client, lambda number: model.complete(
            [Turn(role="user", text=PROMPT.format(number=number, run=run))], max_tokens=50
        )

    def again(ask: Callable[[int], str]) -> float:
        began = time.perf_counter()
        for number in range(calls):
            ask(number)
        return calls / (time.perf_counter() - began)

    with TemporaryDirectory() as folder:
        client, ask = opened(folder)

        by_threads(ask, range(-in_flight, 0), in_flight)
        began, used = time.perf_counter(), spent()
        by_threads(ask, range(calls), in_flight)
        took, cpu = time.perf_counter() - began, spent() - used
        by_threads(ask, [calls + 1] * 50, 50)
        hits = again(ask)
        client.close()
        client, ask = opened(folder)
        resumed = again(ask)
        client.close()
    return {"rate": calls / took, "cpu_ms": 1000 * cpu / calls, "hits": hits, "resumed": resumed}


def by_threads(ask: Callable[[int], str], numbers: Sequence[int], count: int) -> None:
    """Ask for all numbers, so many at a time, each from a thread that waits; nothing else is in the threads' way."""
    left, said = iter(numbers), list[str]()

    def work() -> None:
        for number in left:
            said.append(ask(number))

    threads = [Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(said) < len(numbers):
        raise SystemExit(f"calls failed: {len(said)} were answered")


def asynchronously(ask: Ask, calls: int, in_flight: int, run: str) -> dict[str, float]:
    """Calls a second of something asynchronous."""

    async def go() -> tuple[float, float]:
        places = asyncio.Semaphore(in_flight)

        async def one(number: int) -> None:
            async with places:
                await ask(PROMPT.format(number=number, run=run))

        await asyncio.gather(*(one(number) for number in range(-in_flight, 0)))
        began, used = time.perf_counter(), spent()
        await asyncio.gather(*(one(number) for number in range(calls)))
        return time.perf_counter() - began, spent() - used

    took, cpu = asyncio.run(go())
    return {"rate": calls / took, "cpu_ms": 1000 * cpu / calls}


def body(prompt: str) -> dict[str, object]:
    """The request that all send."""
    return {"model": "m", "messages": [{"role": "user", "content": prompt}], "max_tokens": 50, "temperature": 0}


def with_aiohttp(url: str) -> Ask:
    """aiohttp, bare."""
    import aiohttp

    sessions: list[aiohttp.ClientSession] = []

    async def ask(prompt: str) -> object:
        if not sessions:
            sessions.append(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        async with sessions[0].post(f"{url}/chat/completions", json=body(prompt)) as reply:
            return await reply.json()

    return ask


def with_httpx(url: str) -> Ask:
    """httpx, bare."""
    import httpx

    client = httpx.AsyncClient(limits=httpx.Limits(max_connections=None), timeout=60)

    async def ask(prompt: str) -> object:
        return (await client.post(f"{url}/chat/completions", json=body(prompt))).json()

    return ask


def with_openai(url: str) -> Ask:
    """The openai package."""
    import openai

    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)

    async def ask(prompt: str) -> object:
        turns = [{"role": "user", "content": prompt}]
        return await client.chat.completions.create(model="m", messages=turns, max_tokens=50, temperature=0)  # type: ignore[arg-type]

    return ask


def with_litellm(url: str) -> Ask:
    """litellm."""
    import litellm

    async def ask(prompt: str) -> object:
        turns = [{"role": "user", "content": prompt}]
        return await litellm.acompletion(
            model="openai/m", messages=turns, api_base=url, api_key="none", max_tokens=50, temperature=0
        )

    return ask


def with_inspect(url: str) -> Ask:
    """Inspect's models."""
    from inspect_ai.model import GenerateConfig, get_model

    config = GenerateConfig(max_tokens=50, temperature=0, max_connections=64)
    model = get_model("openai-api/stub/m", base_url=url, api_key="none", config=config)

    async def ask(prompt: str) -> object:
        return await model.generate(prompt)

    return ask


OTHERS: dict[str, tuple[str, Callable[[str], Ask]]] = {
    "aiohttp": ("aiohttp", with_aiohttp),
    "httpx": ("httpx", with_httpx),
    "openai": ("openai", with_openai),
    "litellm": ("litellm", with_litellm),
    "inspect": ("inspect_ai", with_inspect),
}


def measure(name: str, url: str, calls: int, in_flight: int, run: str) -> dict[str, float]:
    """One measurement, in this process."""
    if name == "recollect":
        return ours(url, calls, in_flight, run)
    return asynchronously(OTHERS[name][1](url), calls, in_flight, run)


def main() -> None:
    """Measure in processes of their own, and print."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--calls", type=int, default=4000)
    arguments.add_argument("--in-flight", type=int, default=64)
    arguments.add_argument("--delay", type=float, default=0.05)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--one", help=argparse.SUPPRESS)
    arguments.add_argument("--url", help=argparse.SUPPRESS)
    arguments.add_argument("--run", default="0", help=argparse.SUPPRESS)
    said = arguments.parse_args()
    if said.one:
        print(json.dumps(measure(said.one, said.url, said.calls, said.in_flight, said.run)))
        return
    names = ["recollect", *(name for name, (package, _) in OTHERS.items() if find_spec(package))]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    server = [sys.executable, "-m", "tests.fakes.model_server", "--delay", str(said.delay)]
    with subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as stub:
        url = (stub.stdout.readline() if stub.stdout else "").split()[-1]
        for turn in range(said.rounds):
            for name in names:
                try:
                    found[name].append(in_a_process(name, url, said, f"{name}-{turn}"))
                except subprocess.CalledProcessError as error:
                    if name == "recollect":
                        raise
                    print(f"{name:10} does not run here: {error.stderr.strip().splitlines()[-1]}")
        stub.terminate()
    ideal = said.in_flight / said.delay
    print(f"{said.calls} calls, {said.in_flight} in flight, {1000 * said.delay:.0f} ms: ideal {ideal:.0f} calls/s")
    for name, rounds in found.items():
        if not rounds:
            continue
        rate = median(one["rate"] for one in rounds)
        cpu = median(one["cpu_ms"] for one in rounds)
        hits = "".join(
            f", {median(one[kind] for one in rounds):.0f} cache hits/s {where}"
            for kind, where in (("hits", "in the process that paid"), ("resumed", "in the next"))
            if kind in rounds[0]
        )
        print(f"{name:10} {rate:7.0f} calls/s {rate / ideal:5.0%} of ideal, {cpu:.2f} ms CPU a call{hits}")


def in_a_process(name: str, url: str, said: argparse.Namespace, run: str) -> dict[str, float]:
    """One measurement, in a process of its own."""
    line = [sys.executable, __file__, "--one", name, "--url", url, "--run", run]
    line += ["--calls", str(said.calls), "--in-flight", str(said.in_flight)]
    done = subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT)
    numbers: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return numbers


if __name__ == "__main__":
    main()
