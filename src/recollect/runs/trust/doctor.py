"""Examines a memory: does it do what its traits promise, and nothing else?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from recollect import registry
from recollect.contracts.gateway import Body, ChatService, EmbeddingService
from recollect.domain.errors import UsageError
from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.cards import FOLDER, keep
from recollect.engine.doctor.checks.table import CHECKS
from recollect.engine.doctor.examination import ExaminedSystem, examine
from recollect.engine.doctor.models import PROSE, CallTally
from recollect.engine.doctor.process.runner import ProcessRunner
from recollect.engine.rows import Row
from recollect.gateway.server import GatewayServer
from recollect.memories.worker.installations import HOME, home
from recollect.records.codec import encode
from recollect.records.memory_card import MemoryCard
from recollect.runs.progress import bar
from recollect.runs.results.catalogue import versions_of
from recollect.runs.setup.calls import Spending, calling, chatting_of, embedding_of
from recollect.runs.setup.config import RunConfig, choice, model_choice, resolve
from recollect.runs.setup.folders import cache_of
from recollect.runs.setup.models import Players, players_of
from recollect.runs.setup.rows import memory_row
from recollect.store.run_folder import RunFolder

ABOUT_THE_CALLER = frozenset({"stream", "stream_options", "user", "safety_identifier", "prompt_cache_key"})
"""Fields that change no reply."""


def examined(
    memory: str, models: Mapping[str, str | None], spending: Spending, *, day: str | None, runs_dir: Path
) -> MemoryCard:
    """Examine a memory and store its card in the cache of the runs; calls of models have their own ledger.

    Args:
        memory: `NAME`, or `NAME:setting=value`.
        models: `memory_model` and `embedder`, as on the command line.
        spending: Limit of the cost of its calls.
        day: The date of the card; today by default.
        runs_dir: The folder of runs.
    """
    named = {name: model_choice(value) for name, value in models.items() if value is not None}
    config, _ = resolve(None, {"benchmark": "own", "memories": [choice(memory)], **named})
    cache = cache_of(runs_dir)
    try:
        written = (date.fromisoformat(day) if day else date.today()).isoformat()  # noqa: DTZ011  # the user's own day
    except ValueError:
        raise UsageError(f"--date {day}: write the date as 2024-03-01.") from None
    (chosen,) = config.memories
    players = players_of(config, cache)
    row, kind = memory_row(chosen, (), players.supplies), registry.memory(chosen.name)
    ledger = RunFolder(cache / FOLDER / "calls")
    system = ExaminedSystem(
        name=kind.name,
        version=kind.version,
        settings=encode(row.fingerprint["config"]),
        rules=config.memory_model is None or isinstance(config.memory_model, str),
        date=written,
        packages=versions_of(row.fingerprint.get("inputs", {})),
    )
    with (
        calling(players, ledger, cache, spending),
        _bench(config, row, players) as bench,
        bar(len(CHECKS), "check") as tick,
    ):
        card = examine(bench, system, watch=tick)
    keep(cache, card)
    return card


@contextmanager
def _bench(config: RunConfig, row: Row, players: Players) -> Iterator[Bench]:
    """The bench of an examination; its folder and servers are removed afterwards."""
    (chosen,) = config.memories
    name = str(Path(chosen.name).resolve()) if registry.is_file(chosen.name) else chosen.name
    runner = ProcessRunner(
        command=(sys.executable, "-m", "recollect.runs.trust.doctor_process"),
        system={**encode(chosen), "name": name},
        environment={HOME: str(home().resolve())},
    )
    servers: list[GatewayServer] = []

    def serve(tally: CallTally) -> GatewayServer:
        """A server for a memory that calls models over HTTP, its calls counted."""
        chatting = WatchedChatting(chatting_of(players.supplies.model), tally)
        servers.append(GatewayServer(chatting, WatchedEmbedding(embedding_of(players.supplies), tally)))
        return servers[-1]

    with TemporaryDirectory(prefix="recollect-doctor-") as scratch:
        try:
            yield Bench(
                row=row,
                folder=Path(scratch).resolve(),
                model=players.supplies.model,
                embedder=players.supplies.embedder,
                serve=serve,
                send=runner,
            )
        finally:
            for server in servers:
                server.shut()


# The gateway of an examined memory: calls are counted, and models can be made to fail


@dataclass(frozen=True, slots=True)
class WatchedChatting:
    """Chats, counted."""

    chatting: ChatService
    tally: CallTally

    @property
    def model(self) -> str:
        return self.chatting.model

    @property
    def fingerprint(self) -> str:
        return self.chatting.fingerprint

    async def chat(self, body: Body) -> bytes:
        """The reply, the tally's if it knows one; or that of a model made to fail."""
        self.tally.note_chat()
        key = self.tally.begin({name: value for name, value in body.items() if name not in ABOUT_THE_CALLER})
        if wants_json(body) and self.tally.strikes("prose"):
            return _completion(self.model, {"content": PROSE}, "stop")
        if body.get("tools") and self.tally.strikes("empty_call"):
            called = {"name": str(body["tools"][0].get("function", {}).get("name", "tool")), "arguments": ""}
            call = {"id": "call-1", "type": "function", "function": called}
            return _completion(self.model, {"content": None, "tool_calls": [call]}, "tool_calls")
        if not self.tally.knows(key):
            self.tally.keep(key, await self.chatting.chat(body))
        reply: bytes = self.tally.known(key)
        return reply


@dataclass(frozen=True, slots=True)
class WatchedEmbedding:
    """Embeddings, counted by text."""

    embedding: EmbeddingService
    tally: CallTally

    @property
    def model(self) -> str:
        return self.embedding.model

    @property
    def dimensions(self) -> int:
        return self.embedding.dimensions

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        keys = [self.tally.begin({"text": text}) for text in texts]
        made = await self.embedding.embed(texts, dimensions, packed=packed)
        for key in keys:
            self.tally.keep(key, True)
        return made


def wants_json(body: Mapping[str, Any]) -> bool:
    """Whether prose is not an answer: a tool must be called, or the request or prompt asks for JSON."""
    form, choice = body.get("response_format"), body.get("tool_choice")
    asked = isinstance(form, Mapping) and str(form.get("type", "")).startswith("json")
    return choice not in (None, "auto", "none") or asked or "json" in json.dumps(body.get("messages", "")).casefold()


def _completion(model: str, message: Mapping[str, Any], finish: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    reply = {"id": "chatcmpl-ill", "object": "chat.completion", "created": 0, "model": model, "usage": usage}
    return json.dumps({**reply, "choices": [choice]}).encode()
