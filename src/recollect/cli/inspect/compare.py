"""`recollect compare`: two rows of a run, or two runs, question by question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table, show

if TYPE_CHECKING:
    from recollect.runs.results.wording import Comparison, TaskComparison

Side = Annotated[str, typer.Argument(help="RUN:ROW, such as demo:bm25.")]
By = Annotated[str, typer.Option("--by", help="A label: also compare the questions of each of its values.")]
AgentsOwn = Annotated[
    bool,
    typer.Option(
        "--agents-own", help="Allow differences in what an agent decides itself, to compare it with a memory."
    ),
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
    """Compare two rows, paired and clustered by history; *tie* means no significant difference."""
    from recollect.cli.inspect.headline import floors_said
    from recollect.runs.results.findings import compared

    result = compared(first, second, runs_dir, by=by, agents_own=agents_own)
    if as_json:
        print_json(result)
        return
    print_table(f"{first} against {second}", ["task", *COLUMNS], [[one.task, *_line(one)] for one in result.tasks])
    if result.parts:
        rows = [[one.task, one.value or "", *_line(one)] for one in result.parts]
        print_table(f"the same by {by}", ["task", by, *COLUMNS], rows)
    for line in (*floors_said(result.tasks, (first, second)), *_over_questions(result)):
        print(line)
    for difference in result.apart:
        print(f"not the same, from {second} to {first}: {difference}")


def _line(one: TaskComparison) -> list[str]:

    return [
        *(_number(one.first), _number(one.second), show(one.difference), _number(one.p_adjusted)),
        *(_number(one.minimum_detectable_effect), "unknown" if one.floor is None else _number(one.floor)),
        f"tie: {one.tie}" if one.tie else one.verdict or "-",
    ]


def _over_questions(result: Comparison) -> Iterator[str]:
    """The comparison of papers, with questions taken to be independent; the verdict does not depend on it."""

    for one in (*result.tasks, *result.parts):
        if one.over_questions is not None and one.mcnemar is not None:
            where = one.task if one.value is None else f"{one.task}, {result.by} {one.value}"
            found = one.mcnemar
            yield (
                f"over questions, taken to be independent, on {where}: {show(one.over_questions)}, exact McNemar "
                f"p {found.p:.3g} ({found.first_only} against {found.second_only} of {one.over_questions.n})"
            )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
