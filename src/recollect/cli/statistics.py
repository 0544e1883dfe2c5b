"""What data are made of, beside what the paper says of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues, Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A figure, with the paper's."""

    figure: Figure
    paper: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """As JSON; what is not there is left out."""
        said = {name: value for name, value in asdict(self.figure).items() if value not in (None, "")}
        return {**said, **({"paper": dict(self.paper)} if self.paper else {})}


MadeOf = Sequence[Line]


def statistics_of(benchmark: Benchmark, dataset: Dataset, talks: Dialogues) -> MadeOf:
    """A line for each figure; none where the benchmark has none."""
    known = benchmark.statistics
    if known is None:
        return ()
    return [Line(figure=one, paper=known.paper.get(one.name, {})) for one in known.of(dataset, talks)]


def print_statistics(lines: MadeOf) -> None:
    """The table, and why a figure is missing; nothing without lines."""
    from recollect.cli.output import print_table

    if not lines:
        return
    rows = [[line.figure.name, *_said(line.figure), paper_said(line.paper)] for line in lines]
    print_table("made of; tokens by the bundled tokenizer", ["figure", "value", "range", "the paper's"], rows)
    for line in lines:
        if line.figure.why:
            print(f"{line.figure.name}: {line.figure.why}")


def paper_said(paper: Mapping[str, str]) -> str:
    """What the paper says, by configuration."""
    return ", ".join(f"{name} {said}" if name != "both" else said for name, said in paper.items())


def _said(figure: Figure) -> tuple[str, str]:
    ends = "" if figure.low is None or figure.high is None else f"{figure.low:,g} to {figure.high:,g}"
    return ("-" if figure.value is None else f"{figure.value:,.10g}"), ends
