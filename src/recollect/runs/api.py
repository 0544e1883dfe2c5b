"""Recollect in Python: run a benchmark, load a run, compare two rows; what `import recollect` offers."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from recollect import registry
from recollect.domain.errors import MissingExtraError, UnknownNameError
from recollect.records.codec import encode
from recollect.records.tables.summary import CellOutcome, Comparison, Estimate, Number, Summary, TaskComparison
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
    """What `run` can be told beside the benchmark: the settings of a config file, and how to go about it."""

    data: str | Path
    """A file or folder; without it, data are generated."""
    size: str
    knobs: Sequence[str]
    """`name=value` each: what else a benchmark lets be set of what is generated."""
    seed: int
    tasks: str | Sequence[str]
    """Without it, all."""
    memories: Named | Sequence[Named]
    agents: Named | Sequence[Named]
    answers: str | Path | Sequence[str | Path]
    """Files of answers, each scored as a row."""
    arms: str | Sequence[str]
    """`system`, `oracle`, `readback`, `readback_pure`; without it, the first three."""
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
    """Run everything twice at least, which states the noise floor."""
    references: bool
    max_cost: float
    prices: str | Path
    replay: bool
    trials: int
    calls: int


LISTS = ("knobs", "tasks", "memories", "agents", "answers", "arms")
"""Settings that take one value or several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run's numbers, computed from its records."""

    name: str
    folder: Path
    identity: str
    """A digest: two runs that came to the same have the same."""
    summary: Summary
    """All tables, as in `report.json`."""
    beside: Supplement
    """The paper's own columns, states and policies, where the benchmark has such."""
    cells: tuple[CellOutcome, ...]
    """Every planned answer, with what was found, said and judged."""

    @property
    def report(self) -> Path:
        """The page of the report; `run` writes it."""
        return self.folder / "report" / PAGE

    @property
    def scores(self) -> tuple[Number, ...]:
        """The score of each row on each task, by its own search or under the oracle."""
        return tuple(one for one in self.summary.numbers if one.arm in {"system", "oracle"} and one.purpose == "score")

    @property
    def finished(self) -> bool:
        """Every planned answer is there; faults count, for they are tried again when the run is resumed."""
        return not self.summary.total.unfinished

    def score(self, row: str, task: str | None = None) -> Estimate:
        """The score of a row, with its interval.

        Args:
            row: Its label.
            task: May be left out where there is only one.

        Raises:
            UnknownNameError: There is no such row or task.
        """
        mine = [one for one in self.scores if one.row == row]
        if not mine:
            raise UnknownNameError(f"row of run `{self.name}`", row, {one.row for one in self.scores})
        found = [one for one in mine if task in (None, one.task)]
        if len(found) != 1:
            raise UnknownNameError(f"task of `{row}`", task or "", [one.task for one in mine])
        return found[0].score

    def row(self, label: str) -> str:
        """One row as `compare` takes it."""
        return f"{self.folder}:{label}"

    def as_data(self) -> dict[str, Any]:
        """What `recollect score --json` prints."""
        return {"identity": self.identity, "summary": encode(self.summary), "beside": encode(self.beside)}

    def frame(self) -> DataFrame:
        """A line for each score.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        lifts = {(one.task, one.row): one.lift for one in self.summary.headlines if not one.withheld}
        return _frame(self._line(one, lifts.get((one.task, one.row))) for one in self.scores)

    @staticmethod
    def _line(one: Number, lift: Estimate | None) -> dict[str, Any]:
        named = {"task": one.task, "row": one.row, "arm": str(one.arm), "reference": one.reference}
        counts = {"planned": one.counts.planned, "counted": one.counts.counted, "faults": one.counts.fault}
        return {
            **named,
            **_interval("score", one.score),
            "clusters": one.score.clusters,
            **counts,
            **_interval("lift", lift),
        }


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
        """A line for each task, then one for each value of the label, if one was named.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return _frame(self._line(one) for one in (*self.tasks, *self.comparison.parts))

    @staticmethod
    def _line(one: TaskComparison) -> dict[str, Any]:
        numbers = {"task": one.task, "value": one.value, "first": one.first, "second": one.second}
        weighed = {"p_adjusted": one.p_adjusted, "verdict": one.verdict, "tie": one.tie}
        return {**numbers, **_interval("difference", one.difference), **weighed}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that can be run, by name."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Entries:
    """What there is of a kind."""

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
        """A line for each.

        Raises:
            MissingExtraError: pandas is not installed.
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

    Faults above the bound are no error: look at `summary.fault_share`, and at `finished`.

    Args:
        benchmark: Its name; `list_benchmarks` has all.
        config: A YAML file with settings; arguments override it.
        name: Of the run's folder; made of the settings if left out.
        runs_dir: Where runs are.
        progress: Show a bar on stderr.
        settings: As `recollect run` takes them, see `Settings`.

    Raises:
        UsageError: A setting is not what it should be; all problems at once.
        ChangedConfigError: There is a run of that name with other settings.
        InterruptedRunError: Ctrl-C; what is recorded stays, and the same call resumes the run.
    """
    said = _said(settings)
    resolved, origins = asked({**said, "benchmark": benchmark, "config": None if config is None else Path(config)})
    stops: list[threading.Event] = []
    prices = Path(said["prices"]) if "prices" in said else None
    spending = Spending(max_cost=said.get("max_cost"), prices=prices)
    how = {setting: said[setting] for setting in ("trials", "calls", "replay") if setting in said}
    work = Work(quiet=not progress, spending=spending, started=stops.append, **how)
    folder = _outside_of_loops(lambda: start(resolved, origins, work, runs_dir=Path(runs_dir), name=name), stops)
    result = result_of(folder)
    result.write_report()
    return _run_result(result)


def load(run: str | Path, *, runs_dir: str | Path = RUNS) -> RunResult:
    """A run that is there, by name or by the path of its folder; only read, and free.

    Raises:
        UnknownNameError: With the runs there are.
    """
    return _run_result(result_named(str(run), Path(runs_dir)))


def compare(
    first: str, second: str, *, by: str = "", agents_own: bool = False, runs_dir: str | Path = RUNS
) -> ComparisonResult:
    """Compare two rows, `RUN:ROW` each, paired and clustered by history.

    Args:
        first: The one that wins or loses.
        second: The one it is measured against.
        by: A label: the same for the questions of each of its values too.
        agents_own: Let a memory and an agent differ in what the agent decides for itself.
        runs_dir: Where runs are.

    Raises:
        UsageError: A row has no score, or the two were run under different conditions.
    """
    made = compared(first, second, Path(runs_dir), by=by, agents_own=agents_own)
    return ComparisonResult(comparison=made)


def list_benchmarks() -> Entries:
    """Every benchmark, with what it measures."""
    names = sorted(registry.BENCHMARKS)
    return Entries(tuple(Entry(name=name, summary=registry.benchmark(name).card.summary) for name in names))


def list_memories() -> Entries:
    """Every memory, with what it does; third-party systems need `recollect install` first."""
    names = sorted((*registry.MEMORIES, *registry.SYSTEMS))
    return Entries(tuple(Entry(name=name, summary=registry.memory(name).summary) for name in names))


def _said(settings: Settings) -> dict[str, Any]:
    """Settings by name, those that list something as lists."""
    said: dict[str, Any] = {**settings}
    for name in said:
        if name not in Settings.__annotations__:
            raise UnknownNameError("setting", name, Settings.__annotations__)
    for name in LISTS:
        if isinstance(said.get(name), str | Path | Mapping):
            said[name] = [said[name]]
    return said


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
    """Make the call, in a thread of its own where an event loop runs in this one, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with _handlers_restored():
            return call()
    with ThreadPoolExecutor(1, "recollect") as thread:
        done = thread.submit(call)
        try:
            return done.result()
        except KeyboardInterrupt:
            for stop in stops:
                stop.set()
            return done.result()


@contextmanager
def _handlers_restored() -> Iterator[None]:
    """A run handles Ctrl-C itself; afterwards signals are handled as before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
