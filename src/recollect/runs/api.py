"""The Python API, as `import recollect` offers it: run a benchmark, load a run, compare two rows."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from recollect import registry
from recollect.domain.errors import MissingExtraError, UnknownNameError
from recollect.records.codec import encode
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.summary import Comparison, Number, Summary, TaskComparison
from recollect.records.tables.supplement import Supplement
from recollect.report.writer import PAGE
from recollect.runs.results.findings import Result, compared, result_named, result_of
from recollect.runs.setup.calls import Spending
from recollect.runs.setup.config import asked
from recollect.runs.setup.folders import RUNS
from recollect.runs.start import Work, start
from recollect.store.run_folder import RunFolder

if TYPE_CHECKING:
    from pandas import DataFrame

Named = str | Mapping[str, Any]
"""As on the command line, such as `bm25:previous=true`; or `name`, `settings` and `label`, as in a config file."""


class Settings(TypedDict, total=False):
    """Settings of `run`: those of a config file, and how to run it."""

    data: str | Path
    """A file or folder; data are generated without it."""
    size: str
    knobs: Sequence[str]
    """`name=value` each: knobs of the generated data."""
    seed: int
    tasks: str | Sequence[str]
    """All by default."""
    memories: Named | Sequence[Named]
    agents: Named | Sequence[Named]
    answers: str | Path | Sequence[str | Path]
    """Files of answers, each scored as a row."""
    arms: str | Sequence[str]
    """`system`, `oracle`, `readback`, `readback_pure`; the first three by default."""
    preset: str
    chunk_tokens: int
    search_limit: int
    context_tokens: int
    reader: Named
    judge: Named
    memory_model: Named
    embedder: Named
    user: Named
    talk: str
    """A run whose dialogues are replayed: `RUN` or `RUN:ROW`."""
    steps: Mapping[str, str]
    fresh: bool
    limit: int
    repeats: int | str
    aa: bool
    """Run everything at least twice, to measure the noise floor."""
    references: bool
    max_cost: float
    prices: str | Path
    replay: bool
    trials: int
    calls: int


_LISTS = ("knobs", "tasks", "memories", "agents", "answers", "arms")
"""Settings that take one value or several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run's numbers, computed from its records."""

    name: str
    folder: Path
    identity: str
    """A digest: runs with equal results have equal digests."""
    summary: Summary
    """All tables, as in `report.json`."""
    beside: Supplement
    """The paper's own columns, states and policies, if the benchmark has them."""
    cells: tuple[CellOutcome, ...]
    """Every planned answer, with retrieval, reply and verdict."""

    @property
    def report(self) -> Path:
        """The page of the report; `run` writes it."""
        return self.folder / "report" / PAGE

    @property
    def scores(self) -> tuple[Number, ...]:
        """The score of each row on each task, with its own search or the oracle."""
        return tuple(one for one in self.summary.numbers if one.arm in {"system", "oracle"} and one.purpose == "score")

    @property
    def finished(self) -> bool:
        """Whether every planned answer exists; faults count as answers, and are retried on resume."""
        return not self.summary.total.unfinished

    def score(self, row: str, task: str | None = None) -> Estimate:
        """The score of a row, with its interval.

        Args:
            row: Its label.
            task: Optional if there is only one.

        Raises:
            UnknownNameError: If there is no such row or task.
        """
        mine = [one for one in self.scores if one.row == row]
        if not mine:
            raise UnknownNameError(f"row of run `{self.name}`", row, {one.row for one in self.scores})
        found = [one for one in mine if task in (None, one.task)]
        if len(found) != 1:
            raise UnknownNameError(f"task of `{row}`", task or "", [one.task for one in mine])
        return found[0].score

    def row(self, label: str) -> str:
        """The name of a row for `compare`."""
        return f"{self.folder}:{label}"

    def as_data(self) -> dict[str, Any]:
        """What `recollect score --json` prints."""
        return {"identity": self.identity, "summary": encode(self.summary), "beside": encode(self.beside)}

    def frame(self) -> DataFrame:
        """One line per score.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        lifts = {(one.task, one.row): one.lift for one in self.summary.headlines if not one.withheld}
        return _frame(
            {
                "task": one.task,
                "row": one.row,
                "arm": str(one.arm),
                "reference": one.reference,
                **_interval("score", one.score),
                "clusters": one.score.clusters,
                "planned": one.counts.planned,
                "counted": one.counts.counted,
                "faults": one.counts.fault,
                **_interval("lift", lifts.get((one.task, one.row))),
            }
            for one in self.scores
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult:
    """Two rows, question by question."""

    comparison: Comparison

    @property
    def tasks(self) -> tuple[TaskComparison, ...]:
        """The difference on each task, with its interval and verdict."""
        return self.comparison.tasks

    def as_data(self) -> Any:
        """What `recollect compare --json` prints."""
        return encode(self.comparison)

    def frame(self) -> DataFrame:
        """One line per task, then one per value of the label, if one was named.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return _frame(
            {
                "task": one.task,
                "value": one.value,
                "first": one.first,
                "second": one.second,
                **_interval("difference", one.difference),
                "p_adjusted": one.p_adjusted,
                "verdict": one.verdict,
                "tie": one.tie,
            }
            for one in (*self.tasks, *self.comparison.parts)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that can be run, by name."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Entries:
    """All entries of one kind."""

    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def names(self) -> tuple[str, ...]:
        """In alphabetical order."""
        return tuple(one.name for one in self.entries)

    def frame(self) -> DataFrame:
        """One line per entry.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return _frame(map(asdict, self.entries))


def run(
    benchmark: str | None = None,
    *,
    config: str | Path | None = None,
    name: str | None = None,
    runs_dir: str | Path = RUNS,
    progress: bool = False,
    **settings: Unpack[Settings],
) -> RunResult:
    """Run a benchmark from data to report; a run of the same name and settings is resumed.

    Too many faults raise no error: check `summary.fault_share` and `finished`.

    Args:
        benchmark: Its name, one of `list_benchmarks`.
        config: A YAML file with settings; arguments override it.
        name: The name of the run's folder; built from the settings by default.
        runs_dir: The folder of runs.
        progress: Show a bar on stderr.
        settings: As for `recollect run`, see `Settings`.

    Raises:
        UsageError: If settings are wrong; lists all problems.
        ChangedConfigError: If there is a run of that name with other settings.
        InterruptedRunError: On Ctrl-C; records are kept, and the same call resumes the run.
    """
    given: dict[str, Any] = {**settings}
    for setting in given:
        if setting not in Settings.__annotations__:
            raise UnknownNameError("setting", setting, Settings.__annotations__)
    for setting in _LISTS:
        if isinstance(given.get(setting), str | Path | Mapping):
            given[setting] = [given[setting]]
    resolved, origins = asked({**given, "benchmark": benchmark, "config": None if config is None else Path(config)})
    stops: list[threading.Event] = []
    prices = Path(given["prices"]) if "prices" in given else None
    spending = Spending(max_cost=given.get("max_cost"), prices=prices)
    how = {setting: given[setting] for setting in ("trials", "calls", "replay") if setting in given}
    work = Work(quiet=not progress, spending=spending, started=stops.append, **how)
    folder = _outside_of_loops(lambda: start(resolved, origins, work, runs_dir=Path(runs_dir), name=name), stops)
    result = result_of(folder)
    result.write_report()
    return _run_result(result)


def load(run: str | Path, *, runs_dir: str | Path = RUNS) -> RunResult:
    """An existing run, by name or by the path of its folder; nothing is run or written.

    Raises:
        UnknownNameError: If there is none; names the known runs.
    """
    return _run_result(result_named(str(run), Path(runs_dir)))


def compare(
    first: str, second: str, *, by: str = "", agents_own: bool = False, runs_dir: str | Path = RUNS
) -> ComparisonResult:
    """Compare two rows, `RUN:ROW` each, paired and clustered by history.

    Args:
        first: The row that wins or loses.
        second: The row it is compared with.
        by: A label: also compare the questions of each of its values.
        agents_own: Compare a memory with an agent although they differ in what the agent decides itself.
        runs_dir: The folder of runs.

    Raises:
        UsageError: If a row has no score, or the two were run under different conditions.
    """
    made = compared(first, second, Path(runs_dir), by=by, agents_own=agents_own)
    return ComparisonResult(comparison=made)


def list_benchmarks() -> Entries:
    """All benchmarks, each with what it measures."""
    names = sorted(registry.BENCHMARKS)
    return Entries(tuple(Entry(name=name, summary=registry.benchmark(name).card.summary) for name in names))


def list_memories() -> Entries:
    """All memories, each with a summary; third-party systems need `recollect install` first."""
    names = sorted((*registry.MEMORIES, *registry.SYSTEMS))
    return Entries(tuple(Entry(name=name, summary=registry.memory(name).summary) for name in names))


def _run_result(result: Result) -> RunResult:
    summary, cells, beside = result.found
    return RunResult(
        name=result.folder.name,
        folder=result.folder.path,
        identity=result.identity,
        summary=summary,
        beside=beside,
        cells=cells,
    )


def _outside_of_loops(call: Callable[[], RunFolder], stops: Sequence[threading.Event]) -> RunFolder:
    """Make the call, in a separate thread if an event loop runs in this one, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        in_main = threading.current_thread() is threading.main_thread()
        # A run handles Ctrl-C itself.
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if in_main}
        try:
            return call()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    with ThreadPoolExecutor(1, "recollect") as thread:
        done = thread.submit(call)
        try:
            return done.result()
        except KeyboardInterrupt:
            for stop in stops:
                stop.set()
            return done.result()


def _interval(name: str, one: Estimate | None) -> dict[str, float | None]:
    if one is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    return {name: one.estimate, f"{name}_low": one.low, f"{name}_high": one.high}


def _frame(lines: Iterator[Mapping[str, Any]]) -> DataFrame:
    try:
        from pandas import DataFrame
    except ImportError:
        raise MissingExtraError("`.frame()`", "pandas", "pip install 'recollect[frame]'") from None
    return DataFrame.from_records(list(lines))
