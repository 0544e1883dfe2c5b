"""Reads, generates, builds and writes data, and says what they hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset, Dialogues, Figure
from recollect.domain.errors import UsageError
from recollect.records.codec import encode
from recollect.runs.setup.assembly import check_tasks
from recollect.runs.setup.config import sized
from recollect.runs.setup.folders import talks_of_run
from recollect.store.files import disk_errors

COLUMNS = ("task", "histories", "messages", "questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A figure, with the paper's."""

    figure: Figure
    paper: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """As JSON; what is not there is left out."""
        said = {name: value for name, value in asdict(self.figure).items() if value not in (None, "")}
        return {**said, **({"paper": dict(self.paper)} if self.paper else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What data hold, by task, and what else they are made of."""

    path: Path
    tasks: Sequence[tuple[str, int, int, int]]
    """Task, histories, messages, questions."""
    origin: str
    figures: Sequence[Line] = ()
    """None where the benchmark has none, or they were not asked for."""

    def as_data(self) -> dict[str, Any]:
        """As JSON."""
        tasks = [dict(zip(COLUMNS, row, strict=True)) for row in self.tasks]
        figures = {"statistics": [line.as_data() for line in self.figures]} if self.figures else {}
        return {"path": str(self.path), "tasks": tasks, "origin": self.origin, **figures}


def checked(
    path: Path, benchmark: str | None, *, runs_dir: Path, questions: Path | None = None, run: str | None = None
) -> Contents:
    """Read data; what they hold.

    Args:
        path: A file or folder.
        benchmark: Whose format it is in; found out by the names of files if not given.
        runs_dir: Where *run* is.
        questions: A file to be written, with all that may be known of the questions.
        run: `RUN` or `RUN:ROW`, whose dialogues are counted, too.

    Raises:
        UsageError: Nothing is there.
        DataError: The data are not what the format promises; all problems.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder.")
    chosen = registry.benchmark(benchmark or format_of(path))
    dataset = chosen.load(path)
    if questions is not None:
        _write_questions(dataset, questions)
    talks = {} if run is None else talks_of_run(run, runs_dir)
    return _contents(dataset, path, _figures(chosen, dataset, talks))


def generated(benchmark: str, size: str, knobs: Sequence[str], seed: int, out: Path) -> Contents:
    """Generate data without a model, and write them; what they hold."""
    chosen = registry.benchmark(benchmark)
    return written(chosen, chosen.generate(sized(chosen, size, knobs), seed), out)


def built(benchmark: str, source: Path, tasks: Sequence[str], seed: int, out: Path) -> Contents:
    """Rebuild published tasks from source data, and write them; what they hold.

    Raises:
        UsageError: The benchmark is not built from source data, or has no such task.
    """
    chosen = registry.benchmark(benchmark)
    if chosen.build is None:
        raise UsageError(
            f"`{benchmark}` is not built from source data; `recollect show {benchmark}` says where its data come from."
        )
    if not source.is_dir():
        raise UsageError(f"--from {source}: there is no such folder.")
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


def _figures(benchmark: Benchmark, dataset: Dataset, talks: Dialogues) -> list[Line]:
    known = benchmark.statistics
    if known is None:
        return []
    return [Line(figure=one, paper=known.paper.get(one.name, {})) for one in known.of(dataset, talks)]


def _write_questions(dataset: Dataset, out: Path) -> None:
    """A line for each question, with all that may be known by who answers it; `run --answers` takes the ids back."""
    with out.open("w", encoding="utf-8") as lines:
        for keyed in dataset.histories:
            for question in keyed.history.questions:
                key = keyed.keys[question.question_id]
                whose = {"task": keyed.task, "history": keyed.original_id, "id": key.original_id}
                lines.write(json.dumps({**whose, **encode(question)}, ensure_ascii=False) + "\n")


def format_of(path: Path) -> str:
    """Whose files end like these."""
    if _is_own(path):
        return "own"
    if _has_bundle(path):
        return "subtlememory"
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    names = [file.name.removesuffix(".gz") for file in files]
    if {"data.json", "v1.base"}.intersection(names):
        return "amemgym"
    other = any(name.endswith((".jsonl", ".parquet")) for name in names)
    return "locomo" if not other and any(name.endswith(".json") for name in names) else "memoryagentbench"


def _is_own(path: Path) -> bool:
    """One of the two files is enough: what is missing is then told."""
    own = {"sessions.jsonl", "questions.jsonl"}
    return path.name in own or any((path / name).is_file() for name in own)


def _has_bundle(path: Path) -> bool:
    """One of a person's two files, at any depth."""
    names = ("history_sessions.json", "bench_instances.json")
    return path.name in names or any(True for name in names for _ in islice(path.rglob(name), 1))
