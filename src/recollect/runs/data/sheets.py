"""Label sheets: items of a benchmark's data, or verdicts of a run's judge, drawn for people to rate and read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues
from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.sheets import SheetItem
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
from recollect.runs.setup.models import players_of
from recollect.store.files import disk_errors, write_whole
from recollect.store.run_folder import RunFolder

__all__ = ["KEY_SUFFIX", "SUFFIX", "Drawing", "Drawn", "Source", "draw", "read_sheets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How sheets are drawn."""

    sheets: Sequence[str] = ()
    """All by default."""
    seed: int = 0
    sample: int | None = None
    """The number of the paper by default."""
    raters: int = 2
    spending: Spending = field(default_factory=Spending)


def draw(source: Source, how: Drawing, out: Path, runs_dir: Path) -> tuple[str, list[Drawn]]:
    """Draw sheets and write each with its key; returns the origin of the data and the sheets."""
    found = source.opened(runs_dir)
    benchmark = found.benchmark
    if benchmark.sheets is None and found.judged is None:
        hint = " Name a run with `--run`, to compare its judge with people." if is_judged(benchmark) else ""
        raise UsageError(f"{benchmark.card.name}: no label sheets.{hint}")
    judged = found.judged.sheet(how.seed) if found.judged else None
    of_data = benchmark.sheets(found.dataset, found.talks) if benchmark.sheets else ()
    sheets = {sheet.name: sheet for sheet in [*of_data, *([judged.sheet] if judged else [])]}
    for name in how.sheets:
        if name not in sheets:
            raise UnknownNameError("sheet", name, sheets)
    drawn = []
    for name, sheet in sheets.items():
        if how.sheets and name not in how.sheets:
            continue
        if not sheet.items:
            remark(f"left out: {name}: {sheet.why}")
            continue
        items = choose_items(sheet, seed=how.seed, sample=how.sample)
        if judged and found.judged and sheet is judged.sheet:
            groups = Counter(item.group for item in items)
            few = sum(many < CANDIDATES for many in groups.values())
            if few:
                remark(f"{few} of {len(groups)} questions have fewer than {CANDIDATES} distinct answers")
            items = found.judged.weighed(items, judged.unweighed, runs_dir=runs_dir, spending=how.spending)
        drawn.append(lay_out(sheet, items, raters=how.raters))
    for made in drawn:
        with disk_errors(out):
            out.mkdir(parents=True, exist_ok=True)
            write_whole(out / f"{made.sheet}{SUFFIX}", made.table)
            write_whole(out / f"{made.sheet}{KEY_SUFFIX}", made.key)
    return found.dataset.origin, drawn


def read_sheets(files: Sequence[Path], key: Path | None, seed: int) -> SheetFindings:
    """Shares and means of the labels, and the agreement of people, gold and rules."""
    return findings(read_ratings(files, key or default_key_path(files[0])), seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A benchmark, its data, and dialogues on them."""

    benchmark: Benchmark
    dataset: Dataset
    talks: Dialogues = field(default_factory=dict)
    judged: Judged | None = None
    """The run, if a judge rates any of its tasks."""


def is_judged(benchmark: Benchmark) -> bool:
    """Whether any of its tasks needs a judge."""
    return any(task.judged for task in benchmark.card.tasks.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The data, as given by the user."""

    benchmark: str
    data: Path | None = None
    size: str = "small"
    seed: int = 0
    run: str | None = None
    """`RUN` or `RUN:ROW`."""

    def opened(self, runs_dir: Path) -> Found:
        """Read the data."""
        benchmark = registry.benchmark(self.benchmark)
        if self.run is None:
            dataset = benchmark.generate(self.size, self.seed) if self.data is None else benchmark.load(self.data)
            return Found(benchmark=benchmark, dataset=dataset)
        if self.data is not None:
            raise UsageError("--run brings its own data. Leave out --data or --run.")
        name, _, row = self.run.partition(":")
        folder = find(name, runs_dir)
        config = asked_of(folder)
        if config.benchmark != benchmark.card.name:
            raise UsageError(f"{folder.path} is a run of {config.benchmark}, not of {benchmark.card.name}.")
        stored = held_data(folder, config)
        if stored is None:
            raise UsageError(f"{folder.path} has no data yet. `recollect resume` it first.")
        return Found(
            benchmark=benchmark,
            dataset=stored,
            talks=talks_of_run(self.run, runs_dir) if benchmark.users else {},
            judged=Judged(folder=folder, benchmark=benchmark, row=row) if is_judged(benchmark) else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A run whose judge is compared with people."""

    folder: RunFolder
    benchmark: Benchmark
    row: str

    def sheet(self, seed: int) -> JudgeSheet:
        """The sheet of all its verdicts."""
        run = read_run(self.folder, self.benchmark)
        if self.row and self.row not in run.rows:
            raise UnknownNameError(f"row of run `{run.name}`", self.row, run.rows)
        return judge_sheet(run, self.benchmark.card.tasks, seed=seed, row=self.row)

    def weighed(
        self, items: Sequence[SheetItem], unweighed: Mapping[str, Candidate], *, runs_dir: Path, spending: Spending
    ) -> list[SheetItem]:
        """*items* with the judge's label on those of *unweighed* too; calls of a model have their own ledger."""
        asked = {item.item: unweighed[item.item] for item in items if item.item in unweighed}
        if not asked:
            return list(items)
        cache, config = cache_of(runs_dir), asked_of(self.folder)
        embedder = config.embedder if isinstance(config.embedder, str) else "bundled"
        players = players_of(RunConfig(benchmark=config.benchmark, judge=config.judge, embedder=embedder), cache)
        then, now = self.folder.settings()["config"].get("judge_fingerprint"), players.judge.fingerprint
        if then != now:
            raise UsageError(
                f"{self.folder.path}: its judge was {then}, and here it is {now}, another rater. "
                "Run it again, and draw from that."
            )
        ledger = RunFolder(cache / "sheets" / self.folder.path.name)  # not a cost of the run
        labels: dict[str, str] = {}
        with calling(players, ledger, cache, spending), bar(len(asked), "verdict") as tick:
            for name, candidate in asked.items():
                with in_context(CallContext(stage="judge", key=name)):
                    verdict = players.judge.judge(candidate.question, candidate.key, candidate.reply)
                labels[name] = label_of(verdict)
                tick(name)
        return [replace(item, judge=labels.get(item.item, item.judge)) for item in items]
