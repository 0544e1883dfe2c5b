"""`recollect doctor`: does a memory do what its traits say, and leave everything else alone?"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.cli.config import RunConfig
    from recollect.cli.models import Players
    from recollect.cli.purse import Purse
    from recollect.engine.doctor.bench import Bench
    from recollect.engine.doctor.models import CallTally
    from recollect.engine.rows import Row
    from recollect.gateway.server import GatewayServer
    from recollect.records.memory_card import MemoryCard

WIDEST = 120
"""Characters of the last column."""
MEMORY = "A memory, or its file; with settings, such as bm25:previous=true."
Said = Annotated[str, typer.Argument(metavar="MEMORY", help=MEMORY)]
MemoryModel = Annotated[str | None, typer.Option(help=f"For memories that call a model: {MODEL}.")]
Embedder = Annotated[str | None, typer.Option(help="bundled, or openai:model=NAME,base_url=URL,…")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before more than this is spent.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="A YAML file with prices; they go before ours.")]
Date = Annotated[str | None, typer.Option(help="The day that the card bears, such as 2024-03-01; today without it.")]


def doctor(  # noqa: PLR0917  # a flag each
    memory: Said,
    memory_model: MemoryModel = None,
    embedder: Embedder = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    date: Date = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Examine a memory: isolation, promises, faults, clock, files. Its card is kept beside the runs.

    Reports of runs made afterwards name the card beside the row. Exit code 1: a check failed.
    """
    from recollect.cli.config import choice, model_choice, resolve
    from recollect.cli.output import print_json
    from recollect.cli.purse import Purse
    from recollect.cli.runs import cache_of
    from recollect.engine.doctor.cards import keep
    from recollect.records.codec import encode

    models = {"memory_model": memory_model, "embedder": embedder}
    said = {name: model_choice(value) for name, value in models.items() if value is not None}
    config, _ = resolve(None, {"benchmark": "own", "memories": [choice(memory)], **said})
    cache = cache_of(runs_dir)
    card = _examined(config, cache, Purse(max_cost=max_cost, prices=prices), _day(date))
    keep(cache, card)
    if as_json:
        print_json(encode(card))
    else:
        _show(card)
    if card.failed:
        raise typer.Exit(1)


def _day(said: str | None) -> str:
    from datetime import date

    from recollect.domain.errors import UsageError

    try:
        return (date.fromisoformat(said) if said else date.today()).isoformat()  # noqa: DTZ011  # the user's own day
    except ValueError:
        raise UsageError(f"--date {said}: write the day as 2024-03-01.") from None


def _examined(config: RunConfig, cache: Path, purse: Purse, date: str) -> MemoryCard:
    """The card of the memory that *config* names; calls of models have a ledger of their own."""
    from recollect import registry
    from recollect.cli.calling import calling
    from recollect.cli.models import players_of
    from recollect.cli.output import progress
    from recollect.cli.rows import memory_row
    from recollect.engine.doctor.cards import FOLDER
    from recollect.engine.doctor.checks.table import CHECKS
    from recollect.engine.doctor.examination import ExaminedSystem, examine
    from recollect.records.codec import encode
    from recollect.store.run_folder import RunFolder

    (chosen,) = config.memories
    players = players_of(config, cache)
    row, kind = memory_row(chosen, (), players.supplies), registry.memory(chosen.name)
    ledger = RunFolder(cache / FOLDER / "calls")
    patient = ExaminedSystem(
        name=kind.name,
        version=kind.version,
        settings=encode(row.fingerprint["config"]),
        rules=config.memory_model is None or isinstance(config.memory_model, str),
        date=date,
        packages=_inputs(row),
    )
    with (
        calling(players, ledger, cache, purse) if players.client else nullcontext(),
        _bench(config, row, players) as bench,
        progress(len(CHECKS), done=0, quiet=not sys.stderr.isatty()) as bar,
    ):
        return examine(bench, patient, watch=lambda _: bar("check", 1))


def _inputs(row: Row) -> Mapping[str, str]:
    """Versions of what was installed for it."""
    from recollect.cli.systems import NO_VERSIONS

    said: Mapping[str, str] = row.fingerprint.get("inputs", {})
    return {name: value for name, value in said.items() if name not in NO_VERSIONS}


@contextmanager
def _bench(config: RunConfig, row: Row, players: Players) -> Iterator[Bench]:
    """Where the memory is examined; all that was made for it is gone afterwards."""
    from tempfile import TemporaryDirectory

    from recollect.engine.doctor.bench import Bench

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
    from recollect import registry
    from recollect.engine.doctor.process.runner import ProcessRunner
    from recollect.memories.worker.installations import HOME, home
    from recollect.records.codec import encode

    (chosen,) = config.memories
    name = str(Path(chosen.name).resolve()) if registry.is_file(chosen.name) else chosen.name
    return ProcessRunner(
        command=(sys.executable, "-m", "recollect.cli.doctor_child"),
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
        from recollect.cli.doctor_gateway import WatchedChatting, WatchedEmbedding
        from recollect.cli.gateways import chatting_of, embedding_of
        from recollect.gateway.server import GatewayServer

        supplies = self.players.supplies
        chatting, embedding = chatting_of(supplies.model), embedding_of(supplies)
        self._made.append(GatewayServer(WatchedChatting(chatting, tally), WatchedEmbedding(embedding, tally)))
        return self._made[-1]

    def shut(self) -> None:
        """Stop them all."""
        for server in self._made:
            server.shut()


def _short(why: str) -> str:
    """For a line of a table; a check that failed is told in full below it."""
    return why if len(why) <= WIDEST else f"{why[: WIDEST - 1]}…"


def _stood(card: MemoryCard) -> str:
    """The word, with what it needs beside it."""
    beside = f" ({card.ran_why})" if card.ran_why else ", with rules for its model" if card.model == "rules" else ""
    return f"{card.ran}{beside}"


def _show(card: MemoryCard) -> None:
    from recollect.cli.output import print_table

    rows = [(line.name, line.result, f"{line.seconds:.2f}", _short(line.why)) for line in card.checks]
    said = ", ".join(f"{name}={value}" for name, value in sorted(card.settings.items()))
    print_table(f"card {card.card}", ["check", "result", "seconds", "what was seen"], rows)
    results = [line.result for line in card.checks]
    counts = ", ".join(f"{results.count(word)} {word}" for word in ("pass", "fail", "not available"))
    print(f"{card.name} version {card.version}{f' ({said})' if said else ''}, {card.date}, {_stood(card)}: {counts}")
    packages = ", ".join(f"{name} {version}" for name, version in sorted(card.packages.items()))
    print(f"with {packages}" if packages else "")
    for line in card.checks:
        if line.result == "fail":
            print(f"fail: {line.name}: {line.proves}. {line.why}")
