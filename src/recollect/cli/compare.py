"""`recollect compare`: two rows of a run, or two runs, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.diagnose.compare.pairs import Side as SideOf
    from recollect.records.tables.summary import Comparison, TaskComparison

Side = Annotated[str, typer.Argument(help="RUN:ROW, such as demo:bm25.")]
By = Annotated[str, typer.Option("--by", help="A label: the same for the questions of each of its values too.")]
AgentsOwn = Annotated[
    bool,
    typer.Option("--agents-own", help="Let a memory and an agent differ in what the agent decides for itself."),
]
COLUMNS = ("first", "second", "difference", "p (Holm)", "detectable", "noise floor", "verdict")


def compare(  # noqa: PLR0917  # a flag each
    first: Side,
    second: Side,
    by: By = "",
    agents_own: AgentsOwn = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Compare two rows, paired and clustered; says *tie* where the data or the noise allow no more."""
    from recollect.cli.noise import floors_said
    from recollect.cli.output import print_json, print_table
    from recollect.diagnose.compare.pairs import compare as weigh
    from recollect.records.codec import encode

    result = weigh(_side(first, runs_dir), _side(second, runs_dir), by=by, agents_own=agents_own)
    if as_json:
        print_json(encode(result))
        return
    print_table(f"{first} against {second}", ["task", *COLUMNS], [[one.task, *_line(one)] for one in result.tasks])
    if result.parts:
        rows = [[one.task, one.value or "", *_line(one)] for one in result.parts]
        print_table(f"the same by {by}", ["task", by, *COLUMNS], rows)
    for line in (*floors_said(result.tasks, (first, second)), *_as_papers(result), *_apart(result, (second, first))):
        print(line)


def _line(one: TaskComparison) -> list[str]:
    from recollect.cli.reports import show

    return [
        *(_number(one.first), _number(one.second), show(one.difference), _number(one.p_adjusted)),
        *(_number(one.minimum_detectable_effect), "unknown" if one.floor is None else _number(one.floor)),
        f"tie: {one.tie}" if one.tie else one.verdict or "-",
    ]


def _as_papers(result: Comparison) -> Iterator[str]:
    """What papers tell that take questions for independent, in lines of its own: no verdict goes by it."""
    from recollect.cli.reports import show

    for one in (*result.tasks, *result.parts):
        if one.over_questions is not None and one.mcnemar is not None:
            place = one.task if one.value is None else f"{one.task}, {result.by} {one.value}"
            found = one.mcnemar
            yield (
                f"over questions, taken to be independent, on {place}: {show(one.over_questions)}, exact McNemar "
                f"p {found.p:.3g} ({found.first_only} against {found.second_only} of {one.over_questions.n})"
            )


def _apart(result: Comparison, names: Sequence[str]) -> Iterator[str]:
    """What is not the same on both sides, though it was allowed."""
    for said in result.apart:
        yield f"not the same, from {names[0]} to {names[1]}: {said}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _side(text: str, runs_dir: Path) -> SideOf:
    from recollect import registry
    from recollect.cli.runs import find
    from recollect.diagnose.compare.pairs import side_of
    from recollect.domain.errors import UsageError

    run, colon, row = text.partition(":")
    if not colon or not row:
        raise UsageError(f"`{text}` names no row. Write RUN:ROW, such as demo-memoryagentbench-0:bm25.")
    folder = find(run, runs_dir)
    return side_of(folder, row, registry.benchmark(folder.settings()["asked"]["benchmark"]))
