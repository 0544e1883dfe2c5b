"""The label sheet of a run's judge: its answers, and the judge's verdict on those that stand in from the data."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.errors import UsageError

if TYPE_CHECKING:
    from recollect.cli.config import RunConfig
    from recollect.cli.models import Players
    from recollect.cli.purse import Purse
    from recollect.contracts.benchmark import Benchmark
    from recollect.contracts.reading import Judge
    from recollect.contracts.sheets import SheetItem
    from recollect.diagnose.records.judge_sheet import Candidate, JudgeSheet
    from recollect.store.run_folder import RunFolder


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
        from recollect.diagnose.records.join import read_run
        from recollect.diagnose.records.judge_sheet import judge_sheet
        from recollect.domain.errors import UnknownNameError

        run = read_run(self.folder, self.benchmark)
        if self.row and self.row not in run.rows:
            raise UnknownNameError(f"row of run `{run.name}`", self.row, run.rows)
        return judge_sheet(run, self.benchmark.card.tasks, seed=seed, row=self.row)

    def weighed(
        self, items: Sequence[SheetItem], unweighed: Mapping[str, Candidate], *, runs_dir: Path, purse: Purse
    ) -> list[SheetItem]:
        """*items* with the judge's label on those of *unweighed* too; a model is asked, and its calls have a ledger.

        Raises:
            UsageError: The judge that the run had is not to be had here.
        """
        from recollect.cli.runs import cache_of

        asked = {item.item: unweighed[item.item] for item in items if item.item in unweighed}
        if not asked:
            return list(items)
        players = self._players(cache_of(runs_dir))
        labels = dict(_labels(players, asked, self._ledger(cache_of(runs_dir)), (cache_of(runs_dir), purse)))
        return [replace(item, judge=labels.get(item.item, item.judge)) for item in items]

    def _players(self, cache: Path) -> Players:
        from recollect.cli.config import from_data
        from recollect.cli.models import players_of

        settings = self.folder.settings()
        players = players_of(_only_judge(from_data(settings["asked"], str(self.folder.path / "run.json"))), cache)
        then, now = settings["config"].get("judge_fingerprint"), players.judge.fingerprint
        if then != now:
            raise UsageError(
                f"{self.folder.path}: its judge was {then}, and here it is {now}: they would not be one rater. "
                "Run it again, and draw from that."
            )
        return players

    def _ledger(self, cache: Path) -> RunFolder:
        """What a sheet takes is no cost of the run."""
        from recollect.store.run_folder import RunFolder

        return RunFolder(cache / "sheets" / self.folder.path.name)


def _only_judge(config: RunConfig) -> RunConfig:
    """Nobody else is called."""
    from recollect.cli.config import RunConfig

    embedder = config.embedder if isinstance(config.embedder, str) else "bundled"
    return RunConfig(benchmark=config.benchmark, judge=config.judge, embedder=embedder)


def _labels(
    players: Players, asked: Mapping[str, Candidate], ledger: RunFolder, how: tuple[Path, Purse]
) -> Iterator[tuple[str, str]]:
    from recollect.cli.calling import calling
    from recollect.cli.output import progress
    from recollect.contracts.call_context import CallContext, in_context
    from recollect.diagnose.records.judge_sheet import label_of

    judge: Judge = players.judge
    with (
        calling(players, ledger, *how) if players.client else nullcontext(),
        progress(len(asked), done=0, quiet=not sys.stderr.isatty()) as bar,
    ):
        for item, one in asked.items():
            with in_context(CallContext(stage="judge", key=item)):
                yield item, label_of(judge.judge(one.question, one.key, one.reply))
            bar("verdict", 1)
