"""The published folders, or our own, as histories with keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import Bundle
from recollect.benchmarks.subtlememory.load.bundles import Numbered, Placed, bundle_of, links_of, placed_of, times_of
from recollect.benchmarks.subtlememory.load.files import (
    FIX,
    INSTANCES,
    SESSIONS,
    Files,
    Place,
    digest_of,
    files_of,
    places_of,
)
from recollect.benchmarks.subtlememory.load.mend import mended
from recollect.benchmarks.subtlememory.rows import ASCII, INSTANCE_ROWS, SESSION_ROWS, Findings, Kept
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """All bundles below a folder."""

    bundles: tuple[Bundle, ...]
    """By key, numbers in it as numbers."""
    rows: Mapping[str, Kept]
    """Bundle -> its rows, as they stood in the files or as they were mended."""
    origin: str
    """As our own files say it, or the digest of the files; and what is odd."""


def bundles_of(path: Path, *, lenient: bool = False) -> Read:
    """What `load` makes histories of.

    Args:
        path: A folder with bundles at any depth, a single bundle, or one of its two files.
        lenient: Leave out what cannot be used, and tell it by the origin, instead of refusing the whole.

    Raises:
        DataError: With every problem, each with file and place.
    """
    found, changes = Findings(), list[str]() if lenient else None
    folders = [one for place in places_of(path) if (one := _folder(place, found, changes))]
    links_of([one.placed for one in folders], found)
    problems = found.problems or ([] if folders else ["nothing is left that can be used"])
    if problems:
        raise DataError(listed(problems), path, fix=FIX)
    return Read(
        bundles=tuple(bundle_of(one.placed) for one in folders),
        rows={one.placed.key: one.kept for one in folders},
        origin=_origin([one.files for one in folders], found.remarks, changes or ()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folder:
    files: Files
    sessions: Numbered
    instances: Numbered
    placed: Placed

    @property
    def kept(self) -> Kept:
        rows = {SESSION_ROWS: list(self.sessions.values()), INSTANCE_ROWS: list(self.instances.values())}
        return {**rows, ASCII: self.files.ascii}


def _folder(place: Place, found: Findings, changes: list[str] | None) -> _Folder | None:
    """One folder, read; mended too where there are *changes* to learn."""
    if changes is not None and place.lacks:
        changes.append(f"{place.name}{place.lacks[0]}: the file is missing, and the folder is left out")
        return None
    files = files_of(place, found.problems)
    if files is None:
        return None
    sessions: Numbered = dict(enumerate(files.rows[SESSIONS]))
    instances: Numbered = dict(enumerate(files.rows[INSTANCES]))
    if changes is not None:
        sessions, instances = mended(place.name, sessions, instances, changes)
        if not sessions or not instances:
            changes.append(f"{place.name or place.key}: nothing is left, and the folder is left out")
            return None
    placed = placed_of(place.key, sessions, instances, name=place.name, found=found)
    times_of(placed, name=place.name, found=found)
    return _Folder(files=files, sessions=sessions, instances=instances, placed=placed)


def _origin(read: Sequence[Files], remarks: Sequence[str], changes: Sequence[str]) -> str:
    """As our own files say it, else the digest of all; then what was mended, and what is odd in files of others."""
    said = next((one.origin for one in read if one.origin), "")
    parts = [said or digest_of((one.place.key, one.data[SESSIONS], one.data[INSTANCES]) for one in read)]
    parts += _told(changes, "things mended", "one thing mended")
    parts += [] if said else _told(remarks, "things that change no score", "one thing that changes no score")
    return ", ".join(parts)


def _told(what: Sequence[str], several: str, one: str) -> Iterator[str]:
    if what:
        yield f"{f'{len(what)} {several}' if len(what) > 1 else one}, such as {what[0]}"


def load(path: Path, *, lenient: bool = False) -> Dataset:
    """The persons of all bundles below *path*.

    Args:
        path: A folder with bundles at any depth, a single bundle, or one of its two files.
        lenient: Leave out what cannot be used, and tell it by the origin, instead of refusing the whole.

    Raises:
        DataError: With every problem, each with file and place.
    """
    read = bundles_of(path, lenient=lenient)
    return dataset_of(read.bundles, read.origin, read.rows)
