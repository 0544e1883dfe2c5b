"""`recollect compare`: two rows of a run, or two runs, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.diagnose.compare import Side as SideOf

Side = Annotated[str, typer.Argument(help="RUN:ROW, such as demo:bm25.")]


def compare(first: Side, second: Side, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Compare two rows, paired and clustered; says *tie* where the data or the noise allow no more."""
    from recollect.cli.noise import floors_said
    from recollect.cli.output import print_json, print_table
    from recollect.cli.reports import show
    from recollect.diagnose.compare import compare as weigh
    from recollect.records.codec import encode

    result = weigh(_side(first, runs_dir), _side(second, runs_dir))
    if as_json:
        print_json(encode(result))
        return
    columns = ["task", "first", "second", "difference", "p (Holm)", "detectable", "noise floor", "verdict"]
    print_table(
        f"{first} against {second}",
        columns,
        [
            [
                task.task, _number(task.first), _number(task.second), show(task.difference), _number(task.p_adjusted),
                _number(task.minimum_detectable_effect), "unknown" if task.floor is None else _number(task.floor),
                f"tie: {task.tie}" if task.tie else task.verdict or "-",
            ]
            for task in result.tasks
        ],
    )  # fmt: skip
    for line in floors_said(result.tasks, (first, second)):
        print(line)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _side(text: str, runs_dir: Path) -> SideOf:
    from recollect import registry
    from recollect.cli.runs import find
    from recollect.diagnose.compare import side_of
    from recollect.domain.errors import UsageError

    run, colon, row = text.partition(":")
    if not colon or not row:
        raise UsageError(f"`{text}` names no row. Write RUN:ROW, such as demo-memoryagentbench-0:bm25.")
    folder = find(run, runs_dir)
    return side_of(folder, row, registry.benchmark(folder.settings()["asked"]["benchmark"]))
