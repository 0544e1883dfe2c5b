"""Reads, generates, builds and writes data, and counts their contents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset, Figure
from recollect.domain.errors import UsageError
from recollect.records.codec import encode
from recollect.runs.setup.assembly import check_tasks
from recollect.runs.setup.config import sized
from recollect.runs.setup.folders import talks_of_run
from recollect.store.files import disk_errors

COLUMNS = ("task", "histories", "messages", "questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A figure, with the paper's value."""

    figure: Figure
    paper: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """As JSON, without empty values."""
        known = {name: value for name, value in asdict(self.figure).items() if value not in (None, "")}
        return {**known, **({"paper": dict(self.paper)} if self.paper else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The contents of data: counts by task, and statistics."""

    path: Path
    tasks: Sequence[tuple[str, int, int, int]]
    """Task, histories, messages, questions."""
    origin: str
    figures: Sequence[Line] = ()
    """Empty if the benchmark has none, or they were not computed."""

    def as_data(self) -> dict[str, Any]:
        tasks = [dict(zip(COLUMNS, row, strict=True)) for row in self.tasks]
        figures = {"statistics": [line.as_data() for line in self.figures]} if self.figures else {}
        return {"path": str(self.path), "tasks": tasks, "origin": self.origin, **figures}


def checked(
    path: Path, benchmark: str | None, *, runs_dir: Path, questions: Path | None = None, run: str | None = None
) -> Contents:
    """Read data, and count their contents.

    Args:
        path: A file or folder.
        benchmark: The benchmark whose format it has; guessed from file names by default.
        runs_dir: The folder of *run*.
        questions: A file to write, with everything that a system may see of the questions.
        run: `RUN` or `RUN:ROW`, whose dialogues are counted too.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder.")
    chosen = registry.benchmark(benchmark or format_of(path))
    dataset = chosen.load(path)
    if questions is not None:
        with questions.open("w", encoding="utf-8") as file:
            for keyed in dataset.histories:
                for question in keyed.history.questions:
                    original_id = keyed.keys[question.question_id].original_id
                    ids = {"task": keyed.task, "history": keyed.original_id, "id": original_id}
                    file.write(json.dumps({**ids, **encode(question)}, ensure_ascii=False) + "\n")
    dialogues = {} if run is None else talks_of_run(run, runs_dir)
    known = chosen.statistics
    figures = known.of(dataset, dialogues) if known else ()
    lines = [Line(figure=figure, paper=known.paper.get(figure.name, {})) for figure in figures] if known else ()
    return _contents(dataset, path, lines)


def generated(benchmark: str, size: str, knobs: Sequence[str], seed: int, out: Path) -> Contents:
    """Generate data without a model, write them, and count their contents."""
    chosen = registry.benchmark(benchmark)
    return written(chosen, chosen.generate(sized(chosen, size, knobs), seed), out)


def built(benchmark: str, source: Path, tasks: Sequence[str], seed: int, out: Path) -> Contents:
    """Rebuild published tasks from source data, write them, and count their contents."""
    chosen = registry.benchmark(benchmark)
    if chosen.build is None:
        raise UsageError(
            f"`{benchmark}` is not built from source data. `recollect show {benchmark}` names the source of its data."
        )
    if not source.is_dir():
        raise UsageError(f"--from {source}: no such folder.")
    check_tasks(chosen, tasks)
    return written(chosen, chosen.build(source, tasks, seed), out)


def written(benchmark: Benchmark, dataset: Dataset, out: Path) -> Contents:
    """Write *dataset* to *out* in the benchmark's own format."""
    with disk_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        benchmark.write(dataset, out)
    return _contents(dataset, out)


def _contents(dataset: Dataset, path: Path, figures: Sequence[Line] = ()) -> Contents:
    histories = Counter(keyed.task for keyed in dataset.histories)
    messages: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for keyed in dataset.histories:
        messages[keyed.task] += sum(1 for _ in keyed.history.messages())
        questions[keyed.task] += len(keyed.history.questions)
    tasks = [(task, histories[task], messages[task], questions[task]) for task in sorted(histories)]
    return Contents(path=path, tasks=tasks, origin=dataset.origin, figures=figures)


def format_of(path: Path) -> str:
    """The benchmark whose format files of these names have."""
    own, bundle = ("sessions.jsonl", "questions.jsonl"), ("history_sessions.json", "bench_instances.json")
    # One of the two files is enough: reading then says which one is missing.
    if path.name in own or any((path / name).is_file() for name in own):
        return "own"
    if path.name in bundle or any(True for name in bundle for _ in islice(path.rglob(name), 1)):
        return "subtlememory"
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    names = [file.name.removesuffix(".gz") for file in files]
    if {"data.json", "v1.base"}.intersection(names):
        return "amemgym"
    other = any(name.endswith((".jsonl", ".parquet")) for name in names)
    return "locomo" if not other and any(name.endswith(".json") for name in names) else "memoryagentbench"
