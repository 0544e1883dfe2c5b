"""Histories as rows: the published fields, and what they cannot say in one field more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.family import Shared, Source
from recollect.benchmarks.memoryagentbench.histories import NAME, passages_of
from recollect.benchmarks.memoryagentbench.rows import EXTRAS_SCHEMA, Extras, Metadata, QuestionExtras, Row
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, MissingExtraError
from recollect.domain.histories import Keyed
from recollect.domain.questions import Key
from recollect.records.codec import encode
from recollect.records.digests import canonical
from recollect.store.files import write_whole

FILE = f"{NAME}.jsonl"


def write(dataset: Dataset, path: Path) -> None:
    """Write *dataset* as rows that `load` gives back unchanged.

    Args:
        dataset: Histories of this benchmark.
        path: A file; Parquet if its name ends so, else JSON lines. In a folder that exists the file gets a name.

    Raises:
        DataError: The histories are of another benchmark.
        MissingExtraError: Parquet is asked for and pyarrow is not there.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    rows = _rows(dataset)
    target = path / FILE if path.is_dir() else path
    if target.suffix == ".parquet":
        _write_parquet(list(rows), target)
    else:
        write_whole(target, "".join(f"{canonical(row)}\n" for row in rows).encode())


def _rows(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """All rows; what the keys of a task share stands in its first."""
    shared = dict(dataset.shared)
    return (_row(one, dataset.origin, shared.pop(one.task, None)) for one in dataset.histories)


def _row(one: Keyed, origin: str, shared: Shared | None) -> dict[str, Any]:
    """The row as JSON; the published fields are all there, null where unused."""
    source = SOURCES[one.task]
    keys = [one.keys[question.question_id] for question in one.history.questions]
    places = {message.message_id: place for place, message in enumerate(one.history.messages())}
    told = source.family.published(one)
    row = Row(
        context=source.family.context(passages_of(one.history)),
        questions=told.questions,
        answers=told.answers,
        metadata=Metadata(source=source.name, qa_pair_ids=tuple(_pair_ids(keys)), **told.metadata),
    )
    extras = Extras(
        schema=EXTRAS_SCHEMA,
        row=int(one.original_id.partition(":")[0]),
        origin=origin,
        questions=tuple(_extras(source, key, places) for key in keys),
        shared=shared,
    )
    published = asdict(row)
    return {**published, "recollect": encode(extras)}


def _pair_ids(keys: list[Key]) -> Iterator[str]:
    return (key.original_id.partition(":")[2] for key in keys)


def _extras(source: Source, key: Key, places: dict[Any, int]) -> QuestionExtras:
    evidence = () if source.family.evidence_by_rule else tuple(places[name] for name in key.evidence)
    labels = {name: value for name, value in key.labels.items() if name != "task"}
    return QuestionExtras(evidence=evidence, rejected=key.rejected, labels=labels)


def _write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"writing `{path}`", "pyarrow", "pip install 'recollect[parquet]'") from None
    flat = [{**row, "recollect": canonical(row["recollect"])} for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(flat), path)
