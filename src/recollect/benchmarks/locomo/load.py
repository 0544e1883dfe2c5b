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
from recollect.benchmarks.locomo.histories import NAME, QA, histories_of
from recollect.benchmarks.locomo.rows import conversation_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UsageError
from recollect.domain.histories import Keyed
from recollect.records.data_files import MARK, Place, files_of, refuse, twice

ENDINGS = (".json", ".json.gz")
ORIGINS = "origins"
"""In the shared data: conversation -> its origin, and what was mended or left out."""
_GZIP = b"\x1f\x8b"


class _Read(NamedTuple):
    place: Place
    """With its number from 0, where a file holds several conversations."""
    name: str = ""
    histories: tuple[Keyed, ...] = ()
    origin: str = ""
    problems: Sequence[str] = ()


def load(path: Path) -> Dataset:
    """The conversations of a file, or of all files of a folder.

    Reads the flat layout of the first release (one file per conversation), and the later one (a list, sessions below
    `conversation`), plain or gzipped. The origin names each file's digest and whatever was mended or left out.

    Raises:
        DataError: With every problem of every file.
    """
    read = [one for file in files_of(path, ENDINGS) for one in _of_file(file)]
    problems = [(one.place, problem) for one in read for problem in one.problems]
    named = ((one.name, one.place) for one in read)
    fix = f"The data are {SOURCE}."
    refuse(path, problems or list(twice(named, lambda name: f"the conversation `{name}`")), fix=fix)
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


def _of_file(file: Path) -> Iterator[_Read]:
    try:
        data = file.read_bytes()
    except OSError as error:
        yield _Read(Place(file), problems=[f"it cannot be read ({error.strerror})"])
        return
    value, problem = _value(data)
    if value == []:
        problem = "it holds no conversation"
    if problem:
        yield _Read(Place(file), problems=[problem])
        return
    name, digest = file.name.removesuffix(".gz").removesuffix(".json"), sha256(data).hexdigest()[:16]
    if not isinstance(value, list):
        yield _conversation(Place(file), value, name, digest)
        return
    for place, one in enumerate(value):
        yield _conversation(Place(file, f"[{place}]"), one, f"{name}-{place}", digest)


def _value(data: bytes) -> tuple[Any, str]:
    try:
        plain = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, zlib.error) as error:
        return None, f"it is no whole gzip file ({error})"
    try:
        value = json.loads(plain.removeprefix(MARK))
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return None, "it holds half a character (a lone surrogate)"
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON ({error})"
    return value, ""


def _conversation(place: Place, data: Any, name: str, digest: str) -> _Read:
    conversation, problems = conversation_of(data, name)
    if conversation is None:
        return _Read(place, problems=problems)
    histories, repairs, remarks = histories_of(conversation)
    published = [f"{conversation.name}: file sha256:{digest}", *remarks]
    origin = published if conversation.extras is None else [conversation.extras.origin]
    return _Read(place, conversation.name, histories, ", ".join([*origin, *repairs]))
