"""Reads the two files; every problem of both is named at once."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from recollect.benchmarks.own.histories import keyed
from recollect.benchmarks.own.rows import EVERY, Lost, QuestionRow, Questions, SessionRow, Sessions, problems_of
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


_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_EACH = "Write one object a line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A file, line by line."""

    values: tuple[tuple[int, Any], ...] = ()
    """Number of the line, the first is 1, and what it says; broken lines are left out."""
    problems: tuple[tuple[int, str], ...] = ()
    """Number of the line, 0 for the whole file, and what is wrong with it; each names the file."""
    whole: bool = False
    """No line is missing from the values."""


def lines_of(file: Path) -> Lines:
    """All lines of *file* but blank ones; a file that cannot be read at all is one problem, not one for each line."""
    try:
        data = file.read_bytes().removeprefix(_MARK)
    except FileNotFoundError:
        return Lines(problems=((0, f"the file {file.name} is missing"),))
    except OSError as error:
        return Lines(problems=((0, f"{file.name}: it cannot be read ({error.strerror})"),))
    filled = [(number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    read = [(number, *_read(line)) for number, line in filled]
    broken = tuple((number, f"{file.name}:{number}: {why}") for number, _, why in read if why)
    problem = _of_the_whole(data, len(read), broken)
    if problem:
        return Lines(problems=((0, f"{file.name}: {problem}"),))
    return Lines(
        values=tuple((number, value) for number, value, why in read if not why), problems=broken, whole=not broken
    )


def _of_the_whole(data: bytes, lines: int, broken: Sequence[tuple[int, str]]) -> str:
    """Why no line of a file can be used; empty where some can."""
    if data.startswith(_UTF16):
        return "it is UTF-16. Save it as UTF-8"
    if not lines:
        return "it holds no line"
    value, why = _read(data)
    if isinstance(value, list) or (data.lstrip().startswith(b"[") and len(broken) == lines):
        return f"it is a JSON array. {_EACH}, not an array"
    if lines == 1 or len(broken) < lines:
        return ""
    if not why:
        return f"it is one JSON object over {lines} lines. {_EACH}"
    return f"no line of it is JSON in UTF-8; the first problem is {broken[0][1]}. {_EACH}"


def _read(line: bytes) -> tuple[Any, str]:
    """What *line* says, or why it says nothing."""
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_once_only), ""
    except (ValueError, RecursionError) as error:
        return None, f"not JSON in UTF-8 ({error})"


def _once_only(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key stands twice: the parser would silently take the last."""
    doubled = next(_doubled(name for name, _ in pairs), None)
    if doubled is not None:
        raise ValueError(f"`{doubled}` stands twice in one object")
    return dict(pairs)


def _doubled(names: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)


_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"Field required, got .*", "is missing"),
        (r"Input should be a valid string(?=, got )", "must be a text in quotes"),
        (r"Input should be a valid (?:tuple|list)(?=, got )", "must be a list in brackets"),
        (r"Input should be a valid (?:dictionary|mapping)(?=, got )", "must be an object of names and texts"),
        (r"Input should be a valid boolean.*?(?=, got )", "must be true or false"),
        (r"Input should be a dictionary or an instance of MessageRow", "must be an object that has at least `text`"),
        (r"Input should be a dictionary or an instance of \w+", "must be an object"),
        (r"Input should be (?=')", "must be "),
    )
)
_JSON = {"None": "null", "True": "true", "False": "false"}


def in_words(problem: str) -> str:
    """A problem that `recollect.records.codec.read` found; one that is not known here stays as it is."""
    found = re.fullmatch(r"(`[^`]*`): (.*)", problem, re.S)
    if found is None:
        return problem
    field, said = found.groups()
    for pattern, words in _WORDS:
        if pattern.match(said):
            where = "the line" if field == "`value`" else field
            return _as_json(f"{where} {pattern.sub(words, said, count=1)}")
    return problem


def _as_json(text: str) -> str:
    """Its value at the end as the file spells it."""
    said, got, value = text.rpartition(", got ")
    return f"{said}{got}{_JSON.get(value, value)}"
