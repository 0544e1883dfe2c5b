"""Published rows, or our own, as histories with keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.family import Family, Shared
from recollect.benchmarks.memoryagentbench.histories import NAME, keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder
from recollect.benchmarks.memoryagentbench.rows import QuestionExtras, Row, parquet, row_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Keyed
from recollect.records.data_files import MARK, Place, files_of, refuse, twice

ENDINGS = (".jsonl", ".parquet")


class _Given(NamedTuple):
    within: str
    """Suffix of the file's name: the line, or the row's number in a file without lines; from 1."""
    data: Any
    broken: str = ""


class _Read(NamedTuple):
    place: Place
    value: Keyed | None = None
    origin: str | None = None
    problems: Sequence[str] = ()
    shared: Shared | None = None
    """What all keys of its task share, if the row has it."""
    published: bool = True
    """Whether it lacks the field `recollect`."""


def load(path: Path) -> Dataset:
    """The rows of a file, or of all files of a folder.

    Evidence, stale answers and strata come from the field `recollect` where a row has it; else they are derived from
    the context where possible, and are absent otherwise.

    Raises:
        DataError: With every problem of every file, by line and field.
        MissingExtraError: The file is Parquet and pyarrow is not installed.
    """
    read = [one for file in files_of(path, ENDINGS) for one in _load_file(file)]
    problems = [(one.place, problem) for one in read for problem in one.problems]
    rows = ((one.value.history.history_id, one.place) for one in read if one.value is not None)
    refuse(path, problems or list(twice(rows, lambda _: "the row")), fix="Mend the file, or make it again.")
    origins = dict.fromkeys(one.origin for one in read if one.origin is not None)
    shared: dict[str, Shared] = {}
    for one in read:  # the first row of a task that has shared data, else the files next to the rows
        if one.value is not None and one.shared is not None:
            shared.setdefault(one.value.task, one.shared)
    for task in dict.fromkeys(one.value.task for one in read if one.value is not None):
        read_shared = SOURCES[task].family.read_shared
        found = read_shared(path if path.is_dir() else path.parent) if read_shared and task not in shared else None
        if found is not None:
            shared[task] = found
    histories = []
    for one in read:
        if one.value is not None:
            complete, data = SOURCES[one.value.task].family.complete, shared.get(one.value.task)
            if complete is not None and data is not None:
                histories.append(complete(one.value, data, one.published))
            else:
                histories.append(one.value)
    return Dataset(benchmark=NAME, histories=tuple(histories), shared=shared, origin="; ".join(origins))


def _load_file(path: Path) -> Iterator[_Read]:
    try:
        data = path.read_bytes()
    except OSError as error:
        yield _Read(Place(path), problems=[f"it cannot be read ({error.strerror})"])
        return
    of_file = f"file sha256:{sha256(data).hexdigest()[:16]}"
    number = -1
    for number, given in enumerate(_parquet(path) if path.suffix == ".parquet" else _lines(data.removeprefix(MARK))):
        read = _read(Place(path, given.within), number, given)
        yield read if read.origin is not None else read._replace(origin=of_file)
    if number < 0:
        yield _Read(Place(path), problems=["it holds no row"])


def _lines(data: bytes) -> Iterator[_Given]:
    head, _, rest = data.lstrip().partition(b"\n")
    if head.startswith(b"[") and (_json(head)[1] or not rest.strip()):  # one array, which may be torn
        yield _Given("", None, "it is a JSON array. Write one object a line, not an array")
        return
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield _Given(f":{number}", *_json(line))


def _json(text: str | bytes) -> tuple[Any, str]:
    """The value of *text*, or why it has none."""
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON ({error})"


def _parquet(path: Path) -> Iterator[_Given]:
    pyarrow, tables = parquet(f"reading `{path}`")
    try:
        rows = tables.read_table(path).to_pylist()
    except (pyarrow.ArrowException, ValueError, OSError) as error:
        yield _Given("", None, f"it is not a Parquet file ({error})")
        return
    for number, row in enumerate(rows, start=1):
        extras, why = _json(row["recollect"]) if isinstance(row.get("recollect"), str) else (row.get("recollect"), "")
        broken = f"`recollect`: {why}" if why else ""
        yield _Given(f" row {number} of {len(rows)}", {**row, "recollect": extras}, broken)


def _read(place: Place, number: int, given: _Given) -> _Read:
    read = _Read(place)
    if given.broken:
        return read._replace(problems=[given.broken])
    row, problems = row_of(given.data, SOURCES)
    if problems:
        return read._replace(problems=problems)
    source, extras = SOURCES[row.metadata.source], row.recollect
    if extras is not None:
        number = extras.row
        read = read._replace(origin=extras.origin, shared=extras.shared, published=False)
    try:
        passages = source.family.passages(row.context)
    except ValueError as error:
        return read._replace(problems=[f"`context`: {error}"])
    wrong = [
        (question, next((at for at in extra.evidence if not 0 <= at < len(passages)), None))
        for question, extra in enumerate(extras.questions if extras else ())
    ]
    where = "`recollect.questions.{}.evidence`: {} is none of the {} messages"
    problems = [where.format(question, at, len(passages)) for question, at in wrong if at is not None]
    if problems:
        return read._replace(problems=problems)
    find = source.family.finder([passage.text for passage in passages])
    asked = []
    for question in range(len(row.questions)):
        try:
            asked.append(_asked(row, question, source.family, find))
        except ValueError as error:
            problems.append(f"`questions.{question}`: {error}")
    if problems:
        return read._replace(problems=problems)
    return read._replace(value=keyed(source, number, passages, asked))


def _asked(row: Row, place: int, family: Family, find: Finder) -> Asked:
    pairs = row.metadata.qa_pair_ids
    asked = replace(family.asked(row, place), pair_id=pairs[place] if pairs is not None else None)
    extra = row.recollect.questions[place] if row.recollect is not None else None
    found = None if asked.evidence or (extra is not None and extra.evidence) else find(asked)
    if extra is None and found is not None:
        extra = QuestionExtras(rejected=found.rejected, labels=found.labels)
    if extra is None:
        return asked
    return replace(
        asked,
        rejected=extra.rejected or asked.rejected,
        evidence=found.evidence if found is not None else extra.evidence or asked.evidence,
        labels={**asked.labels, **extra.labels},
    )
