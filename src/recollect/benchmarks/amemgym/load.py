"""The published file, or our own, as histories with keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.histories import dataset_of
from recollect.benchmarks.amemgym.items import Item, problems_of
from recollect.benchmarks.amemgym.rows import item_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, listed

FILE = "data.json"
SPLIT = "v1.base"
OURS = "recollect"
"""The one field that our own files add; other readers ignore it."""
EXTRAS_SCHEMA = 1
_FIX = (
    f"The data are a list of users, such as `{SPLIT}/{FILE}` of AGI-Eval/AMemGym; mend the file, "
    "leave that user out, or generate data."
)
_MARK = b"\xef\xbb\xbf"
"""The byte order mark that some editors write."""


def load(path: Path) -> Dataset:
    """The users of a file, or of the file `data.json` or `v1.base/data.json` of a folder.

    What a score rests on, such as one right choice at every period, must hold; other oddities are told by the origin.

    Raises:
        DataError: With every problem of every user.
    """
    file = path
    if path.is_dir():
        found = next((place for place in (path / FILE, path / SPLIT / FILE) if place.is_file()), None)
        if found is None:
            raise DataError(f"the folder holds neither `{FILE}` nor `{SPLIT}/{FILE}`", path, fix=_FIX)
        file = found
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DataError(f"it cannot be read ({error.strerror})", file, fix=_FIX) from None
    origin, rows = _without_origin(_users(data, file))
    items, problems, remarks = _read(rows)
    if problems:
        raise DataError(listed(problems), file, fix=_FIX)
    if not origin:
        count = "one thing that changes" if len(remarks) == 1 else f"{len(remarks)} things that change"
        origin = ", ".join([digest_of(data), *(f"{count} no score, such as {remark}" for remark in remarks[:1])])
    return dataset_of(items, origin, rows)


def digest_of(data: bytes) -> str:
    """Origin of a file that does not name its own."""
    return f"file sha256:{sha256(data).hexdigest()[:16]}"


def _users(data: bytes, file: Path) -> list[Any]:
    try:
        users = json.loads(data.removeprefix(_MARK).decode("utf-8"))
        json.dumps(users, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise DataError("it holds half a character (a lone surrogate)", file, fix=_FIX) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"it is not JSON in UTF-8 ({error})", file, fix=_FIX) from None
    if not isinstance(users, list) or not users:
        raise DataError("it is no list of users", file, fix=_FIX)
    return users


def _without_origin(users: list[Any]) -> tuple[str, list[Any]]:
    """The origin that a file of our own names, and the users without it."""
    ours = next((user[OURS] for user in users if isinstance(user, dict) and OURS in user), None)
    origin = ours.get("origin") if isinstance(ours, dict) and ours.get("schema") == EXTRAS_SCHEMA else None
    if not isinstance(origin, str):
        return "", users
    return origin, [
        {name: value for name, value in user.items() if name != OURS} if isinstance(user, dict) else user
        for user in users
    ]


def _read(rows: Sequence[Any]) -> tuple[list[Item], list[str], list[str]]:
    """Users, problems, and remarks on what is odd and changes no score."""
    items: list[Item] = []
    problems: list[str] = []
    remarks: list[str] = []
    twins: list[str] = []
    first: dict[str, int] = {}
    for index, row in enumerate(rows):
        item, broken = item_of(row, f"[{index}]")
        problems += broken
        if item is None:
            continue
        items.append(item)
        for problem in problems_of(item):
            (problems if problem.grave else remarks).append(str(problem))
        if first.setdefault(item.id, index) != index:
            twins.append(f"[{index}]: user `{item.id}` is there twice, first in [{first[item.id]}]")
    return items, problems or twins, remarks
