"""Label sheets: items of a benchmark's data, or of a run's judge, drawn for people and read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues
from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.sheets import Sheet, SheetItem
from recollect.diagnose.records.join import read_run
from recollect.diagnose.records.judge_sheet import CANDIDATES, Candidate, JudgeSheet, judge_sheet, label_of
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.making.agreement import SheetFindings, findings
from recollect.making.ratings import default_key_path, read_ratings
from recollect.making.sheets import KEY_SUFFIX, SUFFIX, Drawn, choose_items, lay_out
from recollect.runs.progress import bar, remark
from recollect.runs.setup.calls import Spending, calling
from recollect.runs.setup.config import RunConfig
from recollect.runs.setup.folders import asked_of, cache_of, find, held_data, talks_of_run
from recollect.runs.setup.models import Players, players_of
from recollect.store.files import disk_errors, write_whole
from recollect.store.run_folder import RunFolder

__all__ = ["KEY_SUFFIX", "SUFFIX", "Drawing", "Drawn", "Source", "draw", "read_sheets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How sheets are drawn."""

    sheets: Sequence[str] = ()
    """Empty: all."""
    seed: int = 0
    sample: int | None = None
    """As many as the paper where it is None."""
    raters: int = 2
    spending: Spending = field(default_factory=Spending)


def draw(source: Source, how: Drawing, out: Path, runs_dir: Path) -> tuple[str, list[Drawn]]:
    """Draw sheets, and write each with its key; where the data are from, and what was drawn.

    Raises:
        UnknownNameError: There is no such sheet.
        UsageError: The benchmark has nothing for people to judge.
    """
    found = source.opened(runs_dir)
    drawn = list(_drawn(found, how, runs_dir))
    for one in drawn:
        with disk_errors(out):
            out.mkdir(parents=True, exist_ok=True)
            write_whole(out / f"{one.sheet}{SUFFIX}", one.table)
            write_whole(out / f"{one.sheet}{KEY_SUFFIX}", one.key)
    return found.dataset.origin, drawn


def read_sheets(files: Sequence[Path], key: Path | None, seed: int) -> SheetFindings:
    """What came back: shares and mean of the labels, and how far people, gold and rules agree."""
    return findings(read_ratings(files, key or default_key_path(files[0])), seed=seed)


def _drawn(found: Found, how: Drawing, runs_dir: Path) -> Iterator[Drawn]:
    judged = found.judged.sheet(how.seed) if found.judged else None
    for one in _chosen([*found.sheets(), *([judged.sheet] if judged else [])], how.sheets):
        if not one.items:
            remark(f"left out: {one.name}: {one.why}")
            continue
        items = choose_items(one, seed=how.seed, sample=how.sample)
        if judged and found.judged and one is judged.sheet:
            _remark_short(items)
            items = found.judged.weighed(items, judged.unweighed, runs_dir=runs_dir, spending=how.spending)
        yield lay_out(one, items, raters=how.raters)


def _remark_short(items: Sequence[SheetItem]) -> None:
    """Questions that have not as many answers as wanted, with those of the data."""
    groups = Counter(item.group for item in items)
    short = sum(many < CANDIDATES for many in groups.values())
    if short:
        remark(f"{short} of {len(groups)} questions have fewer than {CANDIDATES} distinct answers, the data's included")


def _chosen(found: Sequence[Sheet], names: Sequence[str]) -> list[Sheet]:
    known = {one.name: one for one in found}
    for name in names:
        if name not in known:
            raise UnknownNameError("sheet", name, known)
    return [one for one in found if not names or one.name in names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A benchmark, its data, and what was said about them."""

    benchmark: Benchmark
    dataset: Dataset
    talks: Dialogues = field(default_factory=dict)
    judged: Judged | None = None
    """The run, where a judge weighs any of its tasks."""

    def sheets(self) -> Sequence[Sheet]:
        """What people should judge of the data.

        Raises:
            UsageError: The benchmark has nothing for people to judge.
        """
        if self.benchmark.sheets is not None:
            return self.benchmark.sheets(self.dataset, self.talks)
        if self.judged is not None:
            return ()
        hint = " Name a run with `--run`, to compare its judge with people." if is_judged(self.benchmark) else ""
        raise UsageError(f"{self.benchmark.card.name}: it has no label sheets.{hint}")


def is_judged(benchmark: Benchmark) -> bool:
    """Any of its tasks needs a judge."""
    return any(task.judged for task in benchmark.card.tasks.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where data are, as a user says it."""

    benchmark: str
    data: Path | None = None
    size: str = "small"
    seed: int = 0
    run: str | None = None
    """`RUN` or `RUN:ROW`."""

    def opened(self, runs_dir: Path) -> Found:
        """What it says.

        Raises:
            UsageError: Both a file and a run are named, or the run is of another benchmark.
        """
        choose_items = registry.benchmark(self.benchmark)
        if self.run is not None:
            if self.data is not None:
                raise UsageError("--run brings its own data. Leave out --data or --run.")
            return _of_run(choose_items, self.run, runs_dir)
        dataset = choose_items.generate(self.size, self.seed) if self.data is None else choose_items.load(self.data)
        return Found(benchmark=choose_items, dataset=dataset)


def _of_run(benchmark: Benchmark, said: str, runs_dir: Path) -> Found:
    folder = find(said.partition(":")[0], runs_dir)
    config = asked_of(folder)
    if config.benchmark != benchmark.card.name:
        raise UsageError(f"{folder.path} is a run of {config.benchmark}, not of {benchmark.card.name}.")
    dataset = held_data(folder, config)
    if dataset is None:
        raise UsageError(f"{folder.path} holds no data yet. `recollect resume` it first.")
    return Found(
        benchmark=benchmark,
        dataset=dataset,
        talks=talks_of_run(said, runs_dir) if benchmark.users else {},
        judged=Judged(folder=folder, benchmark=benchmark, row=said.partition(":")[2]) if is_judged(benchmark) else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A run whose judge people may be compared with."""

    folder: RunFolder
    benchmark: Benchmark
    row: str

    def sheet(self, seed: int) -> JudgeSheet:
        """All items there are.

        Raises:
            UnknownNameError: The run has no such row.
        """
        run = read_run(self.folder, self.benchmark)
        if self.row and self.row not in run.rows:
            raise UnknownNameError(f"row of run `{run.name}`", self.row, run.rows)
        return judge_sheet(run, self.benchmark.card.tasks, seed=seed, row=self.row)

    def weighed(
        self, items: Sequence[SheetItem], unweighed: Mapping[str, Candidate], *, runs_dir: Path, spending: Spending
    ) -> list[SheetItem]:
        """*items* with the judge's label on those of *unweighed* too; a model is asked, and its calls have a ledger.

        Raises:
            UsageError: The judge that the run had is not to be had here.
        """
        asked = {item.item: unweighed[item.item] for item in items if item.item in unweighed}
        if not asked:
            return list(items)
        players = self._players(cache_of(runs_dir))
        labels = dict(_labels(players, asked, self._ledger(cache_of(runs_dir)), (cache_of(runs_dir), spending)))
        return [replace(item, judge=labels.get(item.item, item.judge)) for item in items]

    def _players(self, cache: Path) -> Players:
        settings = self.folder.settings()
        players = players_of(_only_judge(asked_of(self.folder)), cache)
        then, now = settings["config"].get("judge_fingerprint"), players.judge.fingerprint
        if then != now:
            raise UsageError(
                f"{self.folder.path}: its judge was {then}, and here it is {now}: they would not be one rater. "
                "Run it again, and draw from that."
            )
        return players

    def _ledger(self, cache: Path) -> RunFolder:
        """What a sheet takes is no cost of the run."""
        return RunFolder(cache / "sheets" / self.folder.path.name)


def _only_judge(config: RunConfig) -> RunConfig:
    """Nobody else is called."""
    embedder = config.embedder if isinstance(config.embedder, str) else "bundled"
    return RunConfig(benchmark=config.benchmark, judge=config.judge, embedder=embedder)


def _labels(
    players: Players, asked: Mapping[str, Candidate], ledger: RunFolder, how: tuple[Path, Spending]
) -> Iterator[tuple[str, str]]:
    with calling(players, ledger, *how), bar(len(asked), "verdict") as tick:
        for item, one in asked.items():
            with in_context(CallContext(stage="judge", key=item)):
                yield item, label_of(players.judge.judge(one.question, one.key, one.reply))
            tick(item)
