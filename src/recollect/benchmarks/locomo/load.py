"""Published files, of either layout, as histories with keys."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.locomo.card import SOURCE
from recollect.benchmarks.locomo.histories import NAME, QA, told
from recollect.benchmarks.locomo.rows import conversation_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, UsageError, listed
from recollect.domain.histories import Keyed

ENDINGS = (".json", ".json.gz")
ORIGINS = "origins"
"""In what all keys share: conversation -> where it is from, and what was mended or left out."""
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8; it says nothing."""


class _Read(NamedTuple):
    file: Path
    place: str = ""
    """Behind the file's name, where it holds several conversations; the first is 0."""
    name: str = ""
    """Of the conversation."""
    histories: tuple[Keyed, ...] = ()
    origin: str = ""
    problems: Sequence[str] = ()


def load(path: Path) -> Dataset:
    """The conversations of a file, or of all files of a folder.

    Takes the flat layout of the first release (a file a conversation), and the later one (a list, sessions below
    `conversation`), plain or gzipped. The origin names each file's digest and whatever was mended or left out.

    Raises:
        DataError: With every problem of every file.
    """
    read = [one for file in _files(path) for one in _of_file(file)]
    _refuse(path, [(one, problem) for one in read for problem in one.problems] or list(_twins(read)))
    histories = tuple(history for one in read for history in one.histories)
    origins = {one.name: one.origin for one in read}
    return Dataset(
        benchmark=NAME, histories=histories, shared={QA: {ORIGINS: origins}}, origin="; ".join(origins.values())
    )


def generate(size: str, seed: int) -> Dataset:
    """LoCoMo is never generated.

    Raises:
        UsageError: Always; it says where the data are.
    """
    raise UsageError(
        f"`{NAME}` is published data that stay with you: name its file or folder with `--data`. They are "
        f"{SOURCE}, under CC BY-NC 4.0, which forbids commercial use. "
        f"Nothing is generated (size {size!r}, seed {seed})."
    )


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS))
    if not files:
        raise DataError(f"the folder has no file that ends in {' or '.join(ENDINGS)}", path)
    return files


def _of_file(file: Path) -> Iterator[_Read]:
    try:
        data = file.read_bytes()
    except OSError as error:
        yield _Read(file, problems=[f"it cannot be read ({error.strerror})"])
        return
    said, why = _said(data)
    if why:
        yield _Read(file, problems=[why])
        return
    name, digest = _stem(file), sha256(data).hexdigest()[:16]
    if not isinstance(said, list):
        yield _conversation(_Read(file), said, name, digest)
    elif not said:
        yield _Read(file, problems=["it holds no conversation"])
    else:
        for place, one in enumerate(said):
            yield _conversation(_Read(file, f"[{place}]"), one, f"{name}-{place}", digest)


def _stem(file: Path) -> str:
    return file.name.removesuffix(".gz").removesuffix(".json")


def _said(data: bytes) -> tuple[Any, str]:
    """The JSON of a file, or why there is none."""
    try:
        plain = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, zlib.error) as error:
        return None, f"it is no whole gzip file ({error})"
    try:
        said = json.loads(plain.removeprefix(_MARK))
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return None, "it holds half a character (a lone surrogate)"
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON ({error})"
    return said, ""


def _conversation(read: _Read, data: Any, name: str, digest: str) -> _Read:
    talk, problems = conversation_of(data, name)
    if talk is None:
        return read._replace(problems=problems)
    found = told(talk)
    published = [f"{talk.name}: file sha256:{digest}", *found.remarks]
    origin = published if talk.extras is None else [talk.extras.origin]
    return read._replace(name=talk.name, histories=found.histories, origin=", ".join([*origin, *found.repairs]))


def _refuse(path: Path, found: Sequence[tuple[_Read, str]]) -> None:
    fix = f"The data are {SOURCE}."
    if len(found) == 1:
        (read, problem) = found[0]
        raise DataError(problem, f"{read.file}{read.place}", fix=fix)
    if found:
        raise DataError(listed([f"{one.file.name}{one.place}: {problem}" for one, problem in found]), path, fix=fix)


def _twins(read: Sequence[_Read]) -> Iterator[tuple[_Read, str]]:
    """Conversations that are there twice, with the place of both."""
    seen: dict[str, _Read] = {}
    for one in read:
        first = seen.setdefault(one.name, one)
        if first is not one:
            yield one, f"the conversation `{one.name}` is there twice, first in {first.file.name}{first.place}"
