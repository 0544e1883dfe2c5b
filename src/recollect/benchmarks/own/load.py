"""Reads the two files; every problem of both is named at once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from recollect.benchmarks.own.checks import problems_of
from recollect.benchmarks.own.histories import keyed
from recollect.benchmarks.own.rows import QuestionRow, SessionRow
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, UsageError
from recollect.records.codec import read

T = TypeVar("T")
Numbered = tuple[int, T]
SESSIONS, QUESTIONS = "sessions.jsonl", "questions.jsonl"


def load(folder: Path) -> Dataset:
    """The histories of *folder*.

    Raises:
        DataError: With every problem of both files, each with its line.
    """
    for name in (SESSIONS, QUESTIONS):
        if not (folder / name).is_file():
            raise DataError(
                f"the file {name} is missing", folder, fix="Own data are two files: sessions.jsonl and questions.jsonl."
            )
    problems: list[str] = []
    sessions = _rows(folder / SESSIONS, SessionRow, problems)
    questions = _rows(folder / QUESTIONS, QuestionRow, problems)
    problems += problems_of(sessions, questions)
    if problems:
        raise DataError("; ".join(problems), folder, fix="docs/own_data.md shows the format.")
    return Dataset(benchmark="own", histories=tuple(_histories(sessions, questions)), origin=_digest(folder))


def generate(size: str, seed: int) -> Dataset:
    """Own data are never generated."""
    raise UsageError(
        f"`own` is your data: name its folder with `--data`; there is nothing to generate (size {size!r}, seed {seed})."
    )


def _rows(file: Path, kind: type[T], problems: list[str]) -> list[Numbered[T]]:
    rows = []
    for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row, found = read(kind, json.loads(line.decode("utf-8")))
        except (ValueError, RecursionError) as error:
            row, found = None, (f"not JSON in UTF-8 ({error})",)
        problems.extend(f"{file.name}:{number}: {problem}" for problem in found)
        if not found and row is not None:
            rows.append((number, row))
    if not rows and not problems:
        problems.append(f"{file.name}: holds no line")
    return rows


def _histories(sessions: list[Numbered[SessionRow]], questions: list[Numbered[QuestionRow]]) -> Iterator[Any]:
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
