"""Published rows, or our own, as histories with keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.family import Family, Shared
from recollect.benchmarks.memoryagentbench.histories import NAME, keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Passage
from recollect.benchmarks.memoryagentbench.rows import Extras, QuestionExtras, Row, row_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, MissingExtraError, listed
from recollect.domain.histories import Keyed

ENDINGS = (".jsonl", ".parquet")


MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""


class _Given(NamedTuple):
    place: str
    """Behind the file's name: its line, or its number where a file has no lines; the first is 1."""
    data: Any
    broken: str = ""
    """Why there are no data."""


class _Read(NamedTuple):
    file: Path
    place: str
    value: Keyed | None = None
    origin: str | None = None
    problems: Sequence[str] = ()
    shared: Shared | None = None
    """What the row says that all keys of its task use."""
    published: bool = True
    """It has no field of ours."""


def load(path: Path) -> Dataset:
    """The rows of a file, or of all files of a folder.

    Evidence, stale answers and strata come from the field `recollect` where a row has it; else they are worked out
    where the context allows it, and are absent where it does not.

    Raises:
        DataError: With every problem of every file, by line and field.
        MissingExtraError: The file is Parquet and pyarrow is not there.
    """
    read = [one for file in _files(path) for one in _load_file(file)]
    _refuse(path, [(one, problem) for one in read for problem in one.problems] or list(_twins(read)))
    origins = dict.fromkeys(one.origin for one in read if one.origin is not None)
    shared = _shared(path if path.is_dir() else path.parent, read)
    histories = tuple(_told(one, one.value, shared) for one in read if one.value is not None)
    return Dataset(benchmark=NAME, histories=histories, shared=shared, origin="; ".join(origins))


def _shared(folder: Path, read: Sequence[_Read]) -> dict[str, Shared]:
    """What all keys of a task use: as the first row that has it says, else from files beside the rows."""
    shared: dict[str, Shared] = {}
    for one in read:
        if one.value is not None and one.shared is not None:
            shared.setdefault(one.value.task, one.shared)
    for task in dict.fromkeys(one.value.task for one in read if one.value is not None):
        beside = SOURCES[task].family.beside
        found = beside(folder) if beside is not None and task not in shared else None
        if found is not None:
            shared[task] = found
    return shared


def _told(read: _Read, value: Keyed, shared: Mapping[str, Shared]) -> Keyed:
    told = SOURCES[value.task].family.told
    return value if told is None or value.task not in shared else told(value, shared[value.task], read.published)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in ENDINGS)
    if not files:
        raise DataError(f"the folder has no file that ends in {' or '.join(ENDINGS)}", path)
    return files


def _load_file(path: Path) -> Iterator[_Read]:
    try:
        data = path.read_bytes()
    except OSError as error:
        yield _Read(path, "", problems=[f"it cannot be read ({error.strerror})"])
        return
    of_file = f"file sha256:{sha256(data).hexdigest()[:16]}"
    number = -1
    for number, given in enumerate(_parquet(path) if path.suffix == ".parquet" else _lines(data.removeprefix(MARK))):
        read = _read(path, number, given)
        yield read if read.origin is not None else read._replace(origin=of_file)
    if number < 0:
        yield _Read(path, "", problems=["it holds no row"])


def _lines(data: bytes) -> Iterator[_Given]:
    if _is_array(data):
        yield _Given("", None, "it is a JSON array. Write one object a line, not an array")
        return
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield _Given(f":{number}", *_json(line))


def _is_array(data: bytes) -> bool:
    """The file is one array, also a torn one: its first line is no array that stands alone."""
    head = data.lstrip()
    if not head.startswith(b"["):
        return False
    first, _, rest = head.partition(b"\n")
    return bool(_json(first)[1]) or not rest.strip()


def _json(text: str | bytes) -> tuple[Any, str]:
    """What *text* says, or why it says nothing."""
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON ({error})"


def _parquet(path: Path) -> Iterator[_Given]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"reading `{path}`", "pyarrow", "pip install 'recollect[parquet]'") from None
    try:
        rows = parquet.read_table(path).to_pylist()
    except (pyarrow.ArrowException, ValueError, OSError) as error:
        yield _Given("", None, f"it is not a Parquet file ({error})")
        return
    for number, row in enumerate(rows, start=1):
        extras, why = _json(row["recollect"]) if isinstance(row.get("recollect"), str) else (row.get("recollect"), "")
        broken = f"`recollect`: {why}" if why else ""
        yield _Given(f" row {number} of {len(rows)}", {**row, "recollect": extras}, broken)


def _read(file: Path, number: int, given: _Given) -> _Read:
    read = _Read(file, given.place)
    if given.broken:
        return read._replace(problems=[given.broken])
    row, problems = row_of(given.data, SOURCES)
    if problems:
        return read._replace(problems=problems)
    try:
        passages = SOURCES[row.metadata.source].family.passages(row.context)
    except ValueError as error:
        return read._replace(problems=[f"`context`: {error}"])
    beyond = list(_beyond(row, len(passages)))
    if beyond:
        return read._replace(problems=beyond)
    asked, problems = _all_asked(row, passages)
    if problems:
        return read._replace(problems=problems)
    value = keyed(SOURCES[row.metadata.source], number if row.recollect is None else row.recollect.row, passages, asked)
    return _with_extras(read._replace(value=value), row.recollect)


def _with_extras(read: _Read, extras: Extras | None) -> _Read:
    if extras is None:
        return read
    return read._replace(origin=extras.origin, shared=extras.shared, published=False)


def _beyond(row: Row, messages: int) -> Iterator[str]:
    for place, extra in enumerate(row.recollect.questions if row.recollect else ()):
        wrong = [number for number in extra.evidence if not 0 <= number < messages]
        if wrong:
            yield f"`recollect.questions.{place}.evidence`: {wrong[0]} is none of the {messages} messages"


def _all_asked(row: Row, passages: list[Passage]) -> tuple[list[Asked], list[str]]:
    """The questions, or what is wrong with them."""
    family = SOURCES[row.metadata.source].family
    find = family.finder([passage.text for passage in passages])
    asked, problems = [], []
    for place in range(len(row.questions)):
        try:
            asked.append(_asked(row, place, family, find))
        except ValueError as error:
            problems.append(f"`questions.{place}`: {error}")
    return asked, problems


def _asked(row: Row, place: int, family: Family, find: Finder) -> Asked:
    pairs = row.metadata.qa_pair_ids
    asked = replace(family.asked(row, place), pair_id=pairs[place] if pairs is not None else None)
    extra = row.recollect.questions[place] if row.recollect is not None else None
    found = None if asked.evidence or (extra is not None and extra.evidence) else find(asked)
    if extra is None and found is None:
        return asked
    if extra is None:
        extra = QuestionExtras(rejected=found.rejected, labels=found.labels) if found else QuestionExtras()
    return replace(
        asked,
        rejected=extra.rejected or asked.rejected,
        evidence=found.evidence if found is not None else extra.evidence or asked.evidence,
        labels={**asked.labels, **extra.labels},
    )


def _refuse(path: Path, found: Sequence[tuple[_Read, str]]) -> None:
    fix = "Mend the file, or make it again."
    if len(found) == 1:
        (read, problem) = found[0]
        raise DataError(problem, f"{read.file}{read.place}", fix=fix)
    if found:
        raise DataError(listed([f"{one.file.name}{one.place}: {problem}" for one, problem in found]), path, fix=fix)


def _twins(read: Sequence[_Read]) -> Iterator[tuple[_Read, str]]:
    """Rows that are there twice, with the place of both."""
    seen: dict[str, _Read] = {}
    for one in read:
        if one.value is None:
            continue
        first = seen.setdefault(one.value.history.history_id, one)
        if first is not one:
            yield one, f"the row is there twice, first in {first.file.name}{first.place}"
