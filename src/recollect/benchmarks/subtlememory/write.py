"""Histories in the published layout: a folder with two files for each person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.benchmarks.subtlememory.histories import NAME, ROWS, TASK
from recollect.benchmarks.subtlememory.load.files import INSTANCES, ROOT, SESSIONS, below, digest_of, with_origin
from recollect.benchmarks.subtlememory.rows import ASCII, INSTANCE_ROWS, SESSION_ROWS, Kept
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.store.files import write_whole


def write(dataset: Dataset, path: Path) -> None:
    """Write *dataset* so that `load` gives it back unchanged; files in the published form byte for byte.

    Each bundle goes into the folder of its key, such as `persona_0`; one that lay in no folder goes into *path* itself.
    Where the origin does not begin with the digest of the files, as that of generated data, the first instance has one
    field more, `recollect`, which says it.

    Args:
        dataset: Histories of this benchmark.
        path: A folder, made if it is not there.

    Raises:
        DataError: The histories are of another benchmark or lack their rows, or other bundles lie in the folder.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", path)
    rows = _rows(dataset, path)
    write_rows(rows, dataset.origin, path)


def write_rows(rows: Mapping[str, Kept], origin: str, path: Path) -> None:
    """Write the rows of bundles, by key, in their order.

    Raises:
        DataError: *path* is a file, or other bundles lie in it.
    """
    _refuse_others(rows, path)
    files = {key: _as_files(kept) for key, kept in rows.items()}
    if not origin.startswith(digest_of((key, *both) for key, both in files.items())):
        first = next(iter(rows))
        files[first] = _as_files({**rows[first], INSTANCE_ROWS: with_origin(rows[first][INSTANCE_ROWS], origin)})
    for key, both in files.items():
        folder = path if key == ROOT else path / key
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in zip((SESSIONS, INSTANCES), both, strict=True):
            write_whole(folder / name, data)


def as_file(rows: Sequence[Mapping[str, Any]], *, ascii_only: bool) -> bytes:
    """The bytes of the published form: two spaces a level, sorted keys, a line's end behind."""
    text = json.dumps(list(rows), ensure_ascii=ascii_only, indent=2, sort_keys=True, allow_nan=False)
    return f"{text}\n".encode()


def _as_files(kept: Kept) -> tuple[bytes, bytes]:
    sessions, instances = (as_file(kept[name], ascii_only=kept[ASCII]) for name in (SESSION_ROWS, INSTANCE_ROWS))
    return sessions, instances


def _rows(dataset: Dataset, path: Path) -> dict[str, Kept]:
    kept = dataset.shared.get(TASK, {}).get(ROWS, {})
    missing = [one.original_id for one in dataset.histories if one.original_id not in kept]
    if missing or not dataset.histories:
        raise DataError(f"there are no rows of {', '.join(f'`{name}`' for name in missing) or 'any person'}", path)
    return {one.original_id: kept[one.original_id] for one in dataset.histories}


def _refuse_others(rows: Mapping[str, Kept], path: Path) -> None:
    """What lies there and is not replaced would be read as a part of these data."""
    if path.is_file():
        raise DataError("it is a file, and the data are a folder for each person", path, fix="Name a folder.")
    if not path.is_dir():
        return
    others = sorted(one.name or "." for one in below(path) if one.key not in rows)
    if others:
        raise DataError(f"other data lie there, in `{others[0]}`", path, fix="Name another folder, or remove them.")
