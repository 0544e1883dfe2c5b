"""Examines a memory: does it do what its traits say, and leave everything else alone?"""

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
    """The card of a memory, which is kept beside the runs; calls of models have a ledger of their own.

    Args:
        memory: `NAME`, or `NAME:setting=value`.
        models: `memory_model` and `embedder`, as the command line names them.
        spending: What its calls may cost.
        day: The day that the card bears; today without it.
        runs_dir: Where runs are.
    """
    said = {name: model_choice(value) for name, value in models.items() if value is not None}
    config, _ = resolve(None, {"benchmark": "own", "memories": [choice(memory)], **said})
    cache = cache_of(runs_dir)
    card = _card(config, cache, spending, _iso(day))
    keep(cache, card)
    return card


def _iso(day: str | None) -> str:
    try:
        return (date.fromisoformat(day) if day else date.today()).isoformat()  # noqa: DTZ011  # the user's own day
    except ValueError:
        raise UsageError(f"--date {day}: write the day as 2024-03-01.") from None


def _card(config: RunConfig, cache: Path, spending: Spending, day: str) -> MemoryCard:
    (chosen,) = config.memories
    players = players_of(config, cache)
    row, kind = memory_row(chosen, (), players.supplies), registry.memory(chosen.name)
    ledger = RunFolder(cache / FOLDER / "calls")
    patient = ExaminedSystem(
        name=kind.name,
        version=kind.version,
        settings=encode(row.fingerprint["config"]),
        rules=config.memory_model is None or isinstance(config.memory_model, str),
        date=day,
        packages=versions_of(row.fingerprint.get("inputs", {})),
    )
    with (
        calling(players, ledger, cache, spending),
        _bench(config, row, players) as bench,
        bar(len(CHECKS), "check") as tick,
    ):
        return examine(bench, patient, watch=tick)


@contextmanager
def _bench(config: RunConfig, row: Row, players: Players) -> Iterator[Bench]:
    """Where the memory is examined; all that was made for it is gone afterwards."""
    servers = _Servers(players)
    with TemporaryDirectory(prefix="recollect-doctor-") as scratch:
        try:
            yield Bench(
                row=row,
                folder=Path(scratch).resolve(),
                model=players.supplies.model,
                embedder=players.supplies.embedder,
                serve=servers.make,
                send=_sender(config),
            )
        finally:
            servers.shut()


def _sender(config: RunConfig) -> Any:
    (chosen,) = config.memories
    name = str(Path(chosen.name).resolve()) if registry.is_file(chosen.name) else chosen.name
    return ProcessRunner(
        command=(sys.executable, "-m", "recollect.runs.trust.doctor_process"),
        system={**encode(chosen), "name": name},
        environment={HOME: str(home().resolve())},
    )


@dataclass
class _Servers:
    """Servers for memories that call models over HTTP: one for each count of what was asked."""

    players: Players

    def __post_init__(self) -> None:
        self._made: list[GatewayServer] = []

    def make(self, tally: CallTally) -> GatewayServer:
        """A server whose calls are counted on *tally*."""
        supplies = self.players.supplies
        chatting, embedding = chatting_of(supplies.model), embedding_of(supplies)
        self._made.append(GatewayServer(WatchedChatting(chatting, tally), WatchedEmbedding(embedding, tally)))
        return self._made[-1]

    def shut(self) -> None:
        """Stop them all."""
        for server in self._made:
            server.shut()


# The gateway as a memory gets it while it is examined: calls are counted, and its models fall ill when told to


@dataclass(frozen=True, slots=True)
class WatchedChatting:
    """Chats, counted."""

    chatting: ChatService
    tally: CallTally

    @property
    def model(self) -> str:
        """As it is."""
        return self.chatting.model

    @property
    def fingerprint(self) -> str:
        """As it is."""
        return self.chatting.fingerprint

    async def chat(self, body: Body) -> bytes:
        """A reply, from the tally where it knows one; or what an ill model says."""
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
        """As it is."""
        return self.embedding.model

    @property
    def dimensions(self) -> int:
        """As it is."""
        return self.embedding.dimensions

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """As it is; the texts are noted."""
        keys = [self.tally.begin({"text": text}) for text in texts]
        made = await self.embedding.embed(texts, dimensions, packed=packed)
        for key in keys:
            self.tally.keep(key, True)
        return made


def wants_json(body: Mapping[str, Any]) -> bool:
    """Whether prose would be no answer: a tool must be called, JSON is asked for, or the prompt speaks of it."""
    form, choice = body.get("response_format"), body.get("tool_choice")
    asked = isinstance(form, Mapping) and str(form.get("type", "")).startswith("json")
    return choice not in (None, "auto", "none") or asked or "json" in json.dumps(body.get("messages", "")).casefold()


def _completion(model: str, message: Mapping[str, Any], finish: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    said = {"id": "chatcmpl-ill", "object": "chat.completion", "created": 0, "model": model, "usage": usage}
    return json.dumps({**said, "choices": [choice]}).encode()
