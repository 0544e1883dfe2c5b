"""Where bundles lie: every folder that holds the two files, at any depth; the topmost counts too."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from recollect.benchmarks.subtlememory.rows import OURS
from recollect.domain.errors import DataError

SESSIONS, INSTANCES = FILES = ("history_sessions.json", "bench_instances.json")
ROOT = "root"
"""Key of a bundle that lies in the folder itself."""
FIX = (
    f"The data are folders with `{SESSIONS}` and `{INSTANCES}` each, such as `persona_0`; mend the file, "
    "leave that folder out, or generate data."
)
_NUMBERS = re.compile(r"(\d+)")
EXTRAS_SCHEMA = 1
"""Of the field `recollect` in the first instance."""
_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""
_NAMES = {SESSIONS: "sessions", INSTANCES: "instances"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder with at least one of the two files."""

    key: str
    folder: Path
    name: str
    """Below the folder that was given, with a slash at the end; empty for itself."""

    @property
    def lacks(self) -> tuple[str, ...]:
        """Which of the two files are not there."""
        return tuple(name for name in FILES if not (self.folder / name).is_file())


def places_of(path: Path) -> list[Place]:
    """All folders below *path* with one of the two files, *path* itself too; `persona_2` before `persona_10`.

    Args:
        path: A folder, or one of the two files, which stands for its folder alone.

    Raises:
        DataError: There is no such folder, or two would have one key.
    """
    if path.is_file() and path.name in FILES:
        return [Place(key=ROOT, folder=path.parent, name="")]
    if not path.is_dir():
        raise DataError(f"it is neither a folder nor `{SESSIONS}` or `{INSTANCES}`", path, fix=FIX)
    found = sorted(below(path), key=lambda place: (in_order(place.key), place.name))
    for first, second in pairwise(found):
        if first.key == second.key:
            names = f"`{first.name or '.'}` and `{second.name or '.'}`"
            raise DataError(f"the folders {names} have one key, `{first.key}`", path, fix="Rename one of them.")
    if not found:
        raise DataError(f"no folder in it holds `{SESSIONS}` and `{INSTANCES}`", path, fix=FIX)
    return found


def key_of(parts: Sequence[str]) -> str:
    """The key of a folder by the names on the way to it, as the authors make it."""
    cleaned = ["".join(sign if sign.isalnum() else "_" for sign in part.lower()) for part in parts]
    return "__".join(cleaned) or ROOT


def in_order(key: str) -> tuple[tuple[str, int, str], ...]:
    """What keys are sorted by: numbers in them count as numbers."""
    split = _NUMBERS.split(key)
    words, numbers = split[::2], [*split[1::2], "-1"]
    return tuple((word, int(number), number) for word, number in zip(words, numbers, strict=True))


def folder_names(persona_ids: Iterable[str]) -> dict[str, str]:
    """Persona -> its folder in the published layout: numbered in the order of the ids as texts."""
    return {name: f"persona_{rank}" for rank, name in enumerate(sorted(set(persona_ids)))}


def digest_of(files: Iterable[tuple[str, bytes, bytes]]) -> str:
    """Origin of data that say none, by key, sessions and instances of each bundle in order."""
    whole = sha256()
    for key, sessions, instances in files:
        for part in (key.encode(), sessions, instances):
            whole.update(len(part).to_bytes(8, "big"))
            whole.update(part)
    return f"files sha256:{whole.hexdigest()[:16]}"


def below(path: Path) -> Iterator[Place]:
    """Folders with one of the two files, in no order."""
    for folder, _, names in os.walk(path):
        if not set(FILES).isdisjoint(names):
            parts = Path(folder).relative_to(path).parts
            yield Place(key=key_of(parts), folder=Path(folder), name="".join(f"{part}/" for part in parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What the two files of a folder hold."""

    place: Place
    data: Mapping[str, bytes]
    """File -> its bytes."""
    rows: Mapping[str, list[Any]]
    """File -> its rows, without what our own files add to the first instance."""
    ascii: bool
    """Signs beyond ASCII are escaped."""
    origin: str = ""
    """As our own files say it."""


def files_of(place: Place, problems: list[str]) -> Files | None:
    """Both files of a folder; `None` where *problems* learns why one cannot be read."""
    data: dict[str, bytes] = {}
    rows: dict[str, list[Any]] = {}
    escaped: list[bool] = []
    for name in FILES:
        try:
            data[name] = (place.folder / name).read_bytes()
            rows[name], one = _read(data[name])
            escaped.append(one)
        except FileNotFoundError:
            problems.append(f"{place.name}{name}: the file is missing")
        except OSError as error:
            problems.append(f"{place.name}{name}: it cannot be read ({error.strerror})")
        except (ValueError, RecursionError) as error:
            problems.append(f"{place.name}{name}: {_why(error)}")
        else:
            if type(rows[name]) is not list:
                problems.append(f"{place.name}{name}: it is no list of {_NAMES[name]}")
                del rows[name]
    if len(rows) < len(FILES):
        return None
    origin, rows[INSTANCES] = _parted(rows[INSTANCES])
    plain = all(map(bytes.isascii, data.values()))
    return Files(place=place, data=data, rows=rows, ascii=plain and any(escaped), origin=origin)


def with_origin(instances: Sequence[Mapping[str, Any]], origin: str) -> list[Mapping[str, Any]]:
    """The instances, of which the first says the origin; other readers pass over it."""
    first = {**instances[0], OURS: {"schema": EXTRAS_SCHEMA, "origin": origin}}
    return [first, *instances[1:]]


def _parted(instances: list[Any]) -> tuple[str, list[Any]]:
    """What the first instance says of the origin, and the instances without it."""
    first = instances[0] if instances and type(instances[0]) is dict else {}
    ours = first.get(OURS)
    said = ours.get("origin") if type(ours) is dict and ours.get("schema") == EXTRAS_SCHEMA else None
    if type(said) is not str:
        return "", instances
    return said, [{name: one for name, one in first.items() if name != OURS}, *instances[1:]]


def _read(data: bytes) -> tuple[Any, bool]:
    """The value that a file says, and whether it escapes signs beyond ASCII."""
    said = json.loads(data.removeprefix(_MARK).decode("utf-8"), parse_constant=_no_number)
    if b"\\u" not in data:
        return said, False
    text = json.dumps(said, ensure_ascii=False)
    text.encode()
    return said, data.isascii() and not text.isascii()


def _no_number(said: str) -> NoReturn:
    raise ValueError(f"{said} is no number of JSON")


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "it holds half a character (a lone surrogate)"
    return f"it is not JSON in UTF-8 ({error})"
