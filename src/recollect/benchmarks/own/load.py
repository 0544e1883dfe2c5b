"""Reads the two files; every problem of both is named at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

from recollect.benchmarks.own.checks import EVERY, Lost, Questions, Sessions, problems_of
from recollect.benchmarks.own.histories import keyed
from recollect.benchmarks.own.lines import lines_of
from recollect.benchmarks.own.rows import QuestionRow, SessionRow
from recollect.benchmarks.own.wording import in_words
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, UsageError, listed
from recollect.domain.histories import Keyed
from recollect.records.codec import read

T = TypeVar("T", SessionRow, QuestionRow)
SESSIONS, QUESTIONS = "sessions.jsonl", "questions.jsonl"


def load(folder: Path) -> Dataset:
    """The histories of *folder*.

    Raises:
        DataError: With every problem of both files, each with its line.
    """
    if not folder.is_dir():
        what = "it is a file" if folder.exists() else "there is no such folder"
        raise DataError(what, folder, fix=f"Own data are a folder with {SESSIONS} and {QUESTIONS}.")
    sessions, lost, wrong = _rows(folder / SESSIONS, SessionRow)
    questions, _, also_wrong = _rows(folder / QUESTIONS, QuestionRow)
    problems = [*wrong, *also_wrong, *problems_of(sessions, questions, lost)]
    if problems:
        raise DataError(listed(problems), folder, fix="docs/own_data.md shows the format.")
    return Dataset(benchmark="own", histories=tuple(_histories(sessions, questions)), origin=_digest(folder))


def generate(size: str, seed: int) -> Dataset:
    """Own data are never generated."""
    raise UsageError(
        f"`own` is your data: name its folder with `--data`; there is nothing to generate (size {size!r}, seed {seed})."
    )


def _rows(file: Path, kind: type[T]) -> tuple[list[tuple[int, T]], Lost, list[str]]:
    """The rows of a file by line, also those with an unknown key; what is lost; every problem."""
    lines = lines_of(file)
    problems, rows = list(lines.problems), []
    lost: set[str | None] = set() if lines.whole else {EVERY}
    for number, value in lines.values:
        row, found = read(kind, value)
        problems += [(number, f"{file.name}:{number}: {in_words(problem)}") for problem in found]
        if isinstance(row, kind):
            rows.append((number, row))
        else:
            lost.add(_history_of(value))
    return rows, frozenset(lost), [problem for _, problem in sorted(problems, key=itemgetter(0))]


def _history_of(value: object) -> str | None:
    """The history that a line which is no row belongs to."""
    name = value.get("history", "history") if isinstance(value, dict) else EVERY
    return name if isinstance(name, str) else EVERY


def _histories(sessions: Sessions, questions: Questions) -> Iterator[Keyed]:
    by_history: dict[str, tuple[list[SessionRow], list[QuestionRow]]] = defaultdict(lambda: ([], []))
    for _, session in sessions:
        by_history[session.history][0].append(session)
    for _, question in questions:
        by_history[question.history][1].append(question)
    for name, (those, asked) in by_history.items():
        if asked:
            yield keyed(name, those, asked)


def _digest(folder: Path) -> str:
    both = b"\0".join((folder / name).read_bytes() for name in (SESSIONS, QUESTIONS))
    return f"sha256:{sha256(both).hexdigest()}"
