"""Reads the two files; every problem of both is named at once."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from recollect.benchmarks.own.histories import keyed
from recollect.benchmarks.own.rows import EVERY, Lost, QuestionRow, SessionRow, problems_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, UsageError, listed
from recollect.records.codec import read
from recollect.records.data_files import MARK

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
    by_history: dict[str, tuple[list[SessionRow], list[QuestionRow]]] = defaultdict(lambda: ([], []))
    for _, session in sessions:
        by_history[session.history][0].append(session)
    for _, question in questions:
        by_history[question.history][1].append(question)
    histories = tuple(keyed(name, told, asked) for name, (told, asked) in by_history.items() if asked)
    both = b"\0".join((folder / name).read_bytes() for name in (SESSIONS, QUESTIONS))
    return Dataset(benchmark="own", histories=histories, origin=f"sha256:{sha256(both).hexdigest()}")


def generate(size: str, seed: int) -> Dataset:
    """Own data are never generated."""
    raise UsageError(
        f"`own` is your data: name its folder with `--data`; there is nothing to generate (size {size!r}, seed {seed})."
    )


def _rows(file: Path, kind: type[T]) -> tuple[list[tuple[int, T]], Lost, list[str]]:
    """The rows of a file by line, also those with an unknown key; histories with lost rows; every problem."""
    values, problems = _lines_of(file)
    lost: set[str | None] = {EVERY} if problems else set()
    rows = []
    for number, value in values:
        row, found = read(kind, value)
        problems += [(number, f"{file.name}:{number}: {in_words(problem)}") for problem in found]
        if isinstance(row, kind):
            rows.append((number, row))
        else:
            name = value.get("history", "history") if isinstance(value, dict) else EVERY
            lost.add(name if isinstance(name, str) else EVERY)
    return rows, frozenset(lost), [problem for _, problem in sorted(problems, key=itemgetter(0))]


_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_EACH = "Write one object a line"


def _lines_of(file: Path) -> tuple[list[tuple[int, Any]], list[tuple[int, str]]]:
    """The values of all lines but blank ones, and all problems, each with the number of its line.

    A file that cannot be read at all is one problem with the number 0, not one for each line.
    """
    try:
        data = file.read_bytes().removeprefix(MARK)
    except FileNotFoundError:
        return [], [(0, f"the file {file.name} is missing")]
    except OSError as error:
        return [], [(0, f"{file.name}: it cannot be read ({error.strerror})")]
    filled = [(number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    read = [(number, *_read(line)) for number, line in filled]
    broken = [(number, f"{file.name}:{number}: {why}") for number, _, why in read if why]
    problem = _of_the_whole(data, len(read), broken)
    if problem:
        return [], [(0, f"{file.name}: {problem}")]
    return [(number, value) for number, value, why in read if not why], broken


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
    """The value of *line*, or why it has none."""
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_once_only), ""
    except (ValueError, RecursionError) as error:
        return None, f"not JSON in UTF-8 ({error})"


def _once_only(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without duplicate keys, of which the parser would silently take the last."""
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise ValueError(f"`{name}` stands twice in one object")
        names.add(name)
    return dict(pairs)


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
    """A problem found by `recollect.records.codec.read`, in plain words; an unknown one stays as it is."""
    found = re.fullmatch(r"(`[^`]*`): (.*)", problem, re.S)
    if found is None:
        return problem
    field, text = found.groups()
    for pattern, words in _WORDS:
        if pattern.match(text):
            where = "the line" if field == "`value`" else field
            what, got, value = pattern.sub(words, text, count=1).rpartition(", got ")
            return f"{where} {what}{got}{_JSON.get(value, value)}"
    return problem
