"""Writes a dataset and says what it holds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from recollect.cli.output import print_json, print_table
from recollect.cli.statistics import MadeOf, print_statistics
from recollect.contracts.benchmark import Benchmark, Dataset
from recollect.store.files import disk_errors


def written(benchmark: Benchmark, dataset: Dataset, out: Path, *, as_json: bool) -> None:
    """Write *dataset* to *out* in the benchmark's own format, and print the counts."""
    with disk_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        benchmark.write(dataset, out)
    say(dataset, out, as_json=as_json)


def say(dataset: Dataset, path: Path, *, as_json: bool, made_of: MadeOf = ()) -> None:
    """Histories, messages and questions per task, and what else the data are made of."""
    histories = Counter(keyed.task for keyed in dataset.histories)
    messages: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for keyed in dataset.histories:
        messages[keyed.task] += sum(1 for _ in keyed.history.messages())
        questions[keyed.task] += len(keyed.history.questions)
    rows = [[task, histories[task], messages[task], questions[task]] for task in sorted(histories)]
    columns = ["task", "histories", "messages", "questions"]
    if as_json:
        tasks = [dict(zip(columns, row, strict=True)) for row in rows]
        figures = {"statistics": [line.as_data() for line in made_of]} if made_of else {}
        print_json({"path": str(path), "tasks": tasks, "origin": dataset.origin, **figures})
        return
    print_table(str(path), columns, [[str(value) for value in row] for row in rows])
    print_statistics(made_of)
    if dataset.origin:
        print(f"from {dataset.origin}")
