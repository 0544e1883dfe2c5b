"""The published file, or our own, as histories with keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.amemgym.histories import dataset_of
from recollect.benchmarks.amemgym.items import Item, problems_of
from recollect.benchmarks.amemgym.rows import Row, item_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, listed

FILE = "data.json"
SPLIT = "v1.base"
"""The published one; its folder holds the file."""
OURS = "recollect"
"""The one field that our own files add; other readers pass over it."""
EXTRAS_SCHEMA = 1
_FIX = (
    f"The data are a list of users, such as `{SPLIT}/{FILE}` of AGI-Eval/AMemGym; mend the file, "
    "leave that user out, or generate data."
)
_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""


class _Read(NamedTuple):
    item: Item | None
    row: Row
    problems: Sequence[str]
    remarks: Sequence[str] = ()
    """What is odd, and changes no score."""


def load(path: Path) -> Dataset:
    """The users of a file, or of the file `data.json` or `v1.base/data.json` of a folder.

    A promise of the format that a score rests on, such as one right choice at every period, must hold; what else is
    odd is told by the origin.

    Raises:
        DataError: With every problem of every user.
    """
    file = _file(path)
    data = _bytes(file)
    origin, rows = _parted(_users(data, file))
    read = [_read(row, f"[{place}]") for place, row in enumerate(rows)]
    problems = [problem for one in read for problem in one.problems] or list(_twins(read))
    if problems:
        raise DataError(listed(problems), file, fix=_FIX)
    remarks = [remark for one in read for remark in one.remarks]
    told = origin or ", ".join([digest_of(data), *_odd(remarks)])
    return dataset_of([one.item for one in read if one.item], told, [one.row for one in read])


def digest_of(data: bytes) -> str:
    """Origin of a file that says none."""
    return f"file sha256:{sha256(data).hexdigest()[:16]}"


def _odd(remarks: Sequence[str]) -> Iterator[str]:
    if remarks:
        counted = (
            f"{len(remarks)} things that change no score" if len(remarks) > 1 else "one thing that changes no score"
        )
        yield f"{counted}, such as {remarks[0]}"


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    places = (path / FILE, path / SPLIT / FILE)
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise DataError(f"the folder holds neither `{FILE}` nor `{SPLIT}/{FILE}`", path, fix=_FIX)
    return found


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataError(f"it cannot be read ({error.strerror})", file, fix=_FIX) from None


def _users(data: bytes, file: Path) -> list[Any]:
    try:
        said = json.loads(data.removeprefix(_MARK).decode("utf-8"))
        json.dumps(said, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise DataError("it holds half a character (a lone surrogate)", file, fix=_FIX) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"it is not JSON in UTF-8 ({error})", file, fix=_FIX) from None
    if not isinstance(said, list) or not said:
        raise DataError("it is no list of users", file, fix=_FIX)
    return said


def _parted(users: list[Any]) -> tuple[str, list[Any]]:
    """What our own files say of their origin, and the users without it."""
    ours = next((user[OURS] for user in users if isinstance(user, dict) and OURS in user), None)
    origin = ours.get("origin") if isinstance(ours, dict) and ours.get("schema") == EXTRAS_SCHEMA else None
    if not isinstance(origin, str):
        return "", users
    bare = [
        {name: one for name, one in user.items() if name != OURS} if isinstance(user, dict) else user for user in users
    ]
    return origin, bare


def _read(row: Any, place: str) -> _Read:
    item, problems = item_of(row, place)
    if item is None:
        return _Read(None, {}, problems)
    found = problems_of(item)
    grave = [str(problem) for problem in found if problem.grave]
    return _Read(item, row, grave, [str(problem) for problem in found if not problem.grave])


def _twins(read: Sequence[_Read]) -> Iterator[str]:
    """Users that are there twice."""
    seen: dict[str, int] = {}
    for place, one in enumerate(read):
        if one.item is not None and seen.setdefault(one.item.id, place) != place:
            yield f"[{place}]: user `{one.item.id}` is there twice, first in [{seen[one.item.id]}]"
