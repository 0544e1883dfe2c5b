"""Numbers of finished runs, computed from their records: score, report, verify, compare, rank, explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from recollect import registry
from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.compare.knobs import Knob, knobs
from recollect.diagnose.compare.pairs import Side, compare, side_of
from recollect.diagnose.compare.ranks import rank_change
from recollect.diagnose.records.identity import identity
from recollect.diagnose.summary import Findings, findings
from recollect.domain.errors import UsageError
from recollect.records.codec import encode
from recollect.records.tables.multi_run import RankChange
from recollect.records.tables.summary import Comparison
from recollect.report.verification import Difference, name_in, verify
from recollect.report.writer import files_of, write
from recollect.runs.setup.folders import find
from recollect.store.run_folder import RunFolder

FAULT_BOUND = 0.01
"""Share of faults above which a run has no headline and exits with code 1."""


def benchmark_of(folder: RunFolder) -> Benchmark:
    return registry.benchmark(folder.settings()["asked"]["benchmark"])


def findings_of(folder: RunFolder) -> Findings:
    """All numbers of a run and the cells they are computed from."""
    return findings(folder, benchmark_of(folder))


def findings_named(name: str, runs_dir: Path) -> Findings:
    """The same of a run by name or by the path of its folder."""
    return findings_of(find(name, runs_dir))


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A run's numbers with its identity."""

    folder: RunFolder
    found: Findings
    identity: str

    def write_report(self) -> Path:
        """Write the report, one HTML file with CSV files, and return the path of the page."""
        summary, cells, beside = self.found
        card = registry.benchmark(summary.benchmark).card
        return write(self.folder, summary, cells, card=card, identity=self.identity, beside=beside)


def result_of(folder: RunFolder) -> Result:
    """The numbers of a run, with its identity."""
    found = findings_of(folder)
    return Result(folder=folder, found=found, identity=identity(folder, found.summary))


def result_named(name: str, runs_dir: Path) -> Result:
    """The numbers of a run, by name or by the path of its folder."""
    return result_of(find(name, runs_dir))


class Verified(NamedTuple):
    """A recomputed report, and its differences from the stored one."""

    report: Path
    identity: str
    files: Sequence[str]
    differences: Sequence[Difference]


def verified(name: str, runs_dir: Path) -> Verified:
    """Recompute every number of a report from the records and compare."""
    folder = find(name, runs_dir)
    found = findings_of(folder)
    # A copied run may have another name than its report says.
    summary = replace(found.summary, run=name_in(folder.report) or found.summary.run)
    digest, card = identity(folder, summary), benchmark_of(folder).card
    made = files_of(folder, summary, found.cells, card=card, identity=digest, beside=found.beside)
    return Verified(folder.report, digest, sorted(made), verify(folder.report, made))


def compared(first: str, second: str, runs_dir: Path, *, by: str = "", agents_own: bool = False) -> Comparison:
    """Compare two rows, `RUN:ROW` each, question by question."""
    sides = [_side(text, runs_dir) for text in (first, second)]
    return compare(*sides, by=by, agents_own=agents_own)


def _side(text: str, runs_dir: Path) -> Side:
    run, colon, row = text.partition(":")
    if not colon or not row:
        raise UsageError(f"`{text}` names no row. Write RUN:ROW, such as demo-memoryagentbench-0:bm25.")
    folder = find(run, runs_dir)
    return side_of(folder, row, benchmark_of(folder))


def ranked(first: str, second: str, runs_dir: Path) -> RankChange:
    """Rank the rows of two runs, and test whether their order differs."""
    one, other = find(first, runs_dir), find(second, runs_dir)
    return rank_change((findings_of(one), one.settings()), (findings_of(other), other.settings()))


class KnobsApart(NamedTuple):
    """Two runs, and every setting in which they differ."""

    first: str
    second: str
    knobs: Sequence[Knob]

    def as_data(self) -> Mapping[str, Any]:
        return {"first": self.first, "second": self.second, "knobs": [encode(knob) for knob in self.knobs]}


def knobs_apart(first: str, second: str, runs_dir: Path) -> KnobsApart:
    """Every setting in which two runs differ."""
    one, other = find(first, runs_dir), find(second, runs_dir)
    return KnobsApart(one.name, other.name, knobs(one.settings(), other.settings()))
