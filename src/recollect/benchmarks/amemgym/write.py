"""Histories in the published layout: one list of users."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from recollect.benchmarks.amemgym.histories import NAME, ROWS, TASK
from recollect.benchmarks.amemgym.load import EXTRAS_SCHEMA, FILE, OURS, digest_of
from recollect.benchmarks.amemgym.rows import Row
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.store.files import write_whole


def write(dataset: Dataset, path: Path) -> None:
    """Write *dataset* so that `load` reads it back unchanged; a file in the published form byte for byte.

    Where the origin does not begin with the digest of the file itself, as that of generated data, the first user has
    one more field, `recollect`, that holds it.

    Args:
        dataset: Histories of this benchmark.
        path: A file, or an existing folder for a file of the published name.

    Raises:
        DataError: The histories are of another benchmark, or lack their rows.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    kept = dataset.shared.get(TASK, {}).get(ROWS, {})
    missing = [keyed.original_id for keyed in dataset.histories if keyed.original_id not in kept]
    if missing or not dataset.histories:
        raise DataError(f"there is no row of {', '.join(f'`{name}`' for name in missing) or 'any user'}", path)
    rows = [kept[keyed.original_id] for keyed in dataset.histories]
    data = as_file(rows)
    if not dataset.origin.startswith(digest_of(data)):
        ours = {"schema": EXTRAS_SCHEMA, "origin": dataset.origin}
        data = as_file([{**rows[0], OURS: ours}, *rows[1:]])
    write_whole(path / FILE if path.is_dir() else path, data)


def as_file(rows: Sequence[Row]) -> bytes:
    """The bytes of the published form: UTF-8, indented by two spaces, nothing escaped that need not be."""
    return json.dumps(list(rows), ensure_ascii=False, indent=2, allow_nan=False).encode()
