"""Published rows, or our own, as histories with keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.histories import NAME, Asked, keyed
from recollect.benchmarks.memoryagentbench.recover import Finder, finder
from recollect.benchmarks.memoryagentbench.rows import QuestionExtras, Row, row_of
from recollect.benchmarks.memoryagentbench.sources import SOURCES
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, MissingExtraError
from recollect.domain.histories import Keyed

ENDINGS = (".jsonl", ".parquet")


class _Read(NamedTuple):
    row: int
    value: Keyed | None
    origin: str | None
    problems: list[str]


def load(path: Path) -> Dataset:
    """The rows of a file, or of all files of a folder.

    Evidence, stale answers and strata come from the field `recollect` where a row has it; else they are worked out
    where the context allows it, and are absent where it does not.

    Raises:
        DataError: With every problem of the first file that has any, by row and field.
        MissingExtraError: The file is Parquet and pyarrow is not there.
    """
    loaded = [_load_file(file) for file in _files(path)]
    histories = tuple(chain.from_iterable(histories for histories, _ in loaded))
    _refuse_twins(histories, path)
    origins = dict.fromkeys(origin for _, origin in loaded)
    return Dataset(benchmark=NAME, histories=histories, origin="; ".join(origins))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in ENDINGS)
    if not files:
        raise DataError(f"the folder has no file that ends in {' or '.join(ENDINGS)}", path)
    return files


def _load_file(path: Path) -> tuple[list[Keyed], str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"it cannot be read ({error.strerror})", path, fix="Name a file of rows, or its folder."
        ) from None
    rows = _parquet(path) if path.suffix == ".parquet" else _lines(data)
    read = [_read(number, given) for number, given in rows]
    _refuse(path, [f"row {one.row}: {problem}" for one in read for problem in one.problems])
    if not read:
        raise DataError("it holds no row", path)
    origins = dict.fromkeys(one.origin or f"file sha256:{sha256(data).hexdigest()[:16]}" for one in read)
    return [one.value for one in read if one.value is not None], "; ".join(origins)


def _lines(data: bytes) -> Iterator[tuple[int, Any]]:
    filled = (line for line in data.split(b"\n") if line.strip())
    for number, line in enumerate(filled):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, DataError(f"it is not JSON ({error})", "")


def _parquet(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"reading `{path}`", "pyarrow", "pip install 'recollect[parquet]'") from None
    try:
        rows = parquet.read_table(path).to_pylist()
    except (pyarrow.ArrowException, ValueError, OSError) as error:
        raise DataError(f"it is not a Parquet file ({error})", path) from None
    for number, row in enumerate(rows):
        extras = row.get("recollect")
        yield number, {**row, "recollect": json.loads(extras)} if isinstance(extras, str) else row


def _read(number: int, given: Any) -> _Read:
    if isinstance(given, DataError):
        return _Read(number, None, None, [given.problem])
    row, problems = row_of(given)
    if problems:
        return _Read(number, None, None, problems)
    try:
        texts = SOURCES[row.metadata.source].family.texts_of(row.context)
    except ValueError as error:
        return _Read(number, None, None, [f"`context`: {error}"])
    problems = list(_beyond(row, len(texts)))
    value = None if problems else _keyed(number, row, texts)
    return _Read(number, value, row.recollect.origin if row.recollect else None, problems)


def _beyond(row: Row, messages: int) -> Iterator[str]:
    for place, extra in enumerate(row.recollect.questions if row.recollect else ()):
        wrong = [number for number in extra.evidence if not 0 <= number < messages]
        if wrong:
            yield f"`recollect.questions.{place}.evidence`: {wrong[0]} is none of the {messages} messages"


def _keyed(number: int, row: Row, texts: list[str]) -> Keyed:
    source = SOURCES[row.metadata.source]
    find = finder(source.family, texts)
    asked = [_asked(row, place, find) for place in range(len(row.questions))]
    return keyed(source, number if row.recollect is None else row.recollect.row, texts, asked)


def _asked(row: Row, place: int, find: Finder) -> Asked:
    text, gold, pairs = row.questions[place], row.answers[place], row.metadata.qa_pair_ids
    extra = row.recollect.questions[place] if row.recollect is not None else None
    found = None if extra is not None and extra.evidence else find(text, gold)
    if extra is None:
        extra = QuestionExtras() if found is None else QuestionExtras(rejected=found.rejected, labels=found.labels)
    return Asked(
        text=text,
        gold=gold,
        rejected=extra.rejected,
        evidence=extra.evidence if found is None else found.evidence,
        labels=extra.labels,
        pair_id=pairs[place] if pairs is not None else None,
    )


def _refuse(path: Path, problems: list[str]) -> None:
    if problems:
        count = f"{len(problems)} problem{'s' * (len(problems) != 1)}"
        raise DataError(f"{count}: {'; '.join(problems)}", path, fix="Mend the file, or make it again.")


def _refuse_twins(histories: tuple[Keyed, ...], path: Path) -> None:
    seen: dict[str, str] = {}
    for one in histories:
        if one.history.history_id in seen:
            raise DataError(f"row {one.original_id} is there twice", path, fix="Leave one of them out.")
        seen[one.history.history_id] = one.original_id
