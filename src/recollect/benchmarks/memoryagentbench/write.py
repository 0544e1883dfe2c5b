"""Histories as rows: the published fields, and one more field for what they cannot express."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.benchmarks.memoryagentbench.histories import NAME, passages_of
from recollect.benchmarks.memoryagentbench.rows import EXTRAS_SCHEMA, Extras, Metadata, QuestionExtras, Row, parquet
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
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
        MissingExtraError: Parquet is requested and pyarrow is not installed.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    shared = dict(dataset.shared)
    rows = (_row(one, dataset.origin, shared.pop(one.task, None)) for one in dataset.histories)
    target = path / FILE if path.is_dir() else path
    if target.suffix != ".parquet":
        write_whole(target, "".join(f"{canonical(row)}\n" for row in rows).encode())
        return
    pyarrow, tables = parquet(f"writing `{target}`")
    flat = [{**row, "recollect": canonical(row["recollect"])} for row in rows]
    target.parent.mkdir(parents=True, exist_ok=True)
    tables.write_table(pyarrow.Table.from_pylist(flat), target)


def _row(one: Keyed, origin: str, shared: Shared | None) -> dict[str, Any]:
    """The row as JSON; the published fields are all there, null where unused."""
    source = SOURCES[one.task]
    keys = [one.keys[question.question_id] for question in one.history.questions]
    places = {message.message_id: place for place, message in enumerate(one.history.messages())}
    published = source.family.published(one)
    pair_ids = tuple(key.original_id.partition(":")[2] for key in keys)
    row = Row(
        context=source.family.context(passages_of(one.history)),
        questions=published.questions,
        answers=published.answers,
        metadata=Metadata(source=source.name, qa_pair_ids=pair_ids, **published.metadata),
    )
    questions = []
    for key in keys:
        evidence = () if source.family.evidence_by_rule else tuple(places[name] for name in key.evidence)
        labels = {name: value for name, value in key.labels.items() if name != "task"}
        questions.append(QuestionExtras(evidence=evidence, rejected=key.rejected, labels=labels))
    number = int(one.original_id.partition(":")[0])
    extras = Extras(schema=EXTRAS_SCHEMA, row=number, origin=origin, questions=tuple(questions), shared=shared)
    return {**asdict(row), "recollect": encode(extras)}
