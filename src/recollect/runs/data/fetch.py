"""Downloads the published files of a benchmark, and installs the environment of a third-party system."""

from __future__ import annotations

import os
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from recollect import registry
from recollect.domain.errors import FetchError, UsageError
from recollect.memories.worker.installations import Installed, install
from recollect.runs.progress import remark
from recollect.store.files import disk_errors

PIECE = 1 << 20
TIMEOUT_S = 60.0


class Fetched(NamedTuple):
    """The fetched files, with their sizes in bytes."""

    revision: str
    sizes: Mapping[str, int]


def fetched(benchmark: str, out: Path, *, revision: str | None, hub: str) -> Fetched:
    """Download the published files of a benchmark; existing files are kept."""
    published = registry.benchmark(benchmark).card.published
    if published is None:
        raise UsageError(
            f"`{benchmark}` has no files to fetch. `recollect show {benchmark}` names the source of its data."
        )
    base = f"{hub.rstrip('/')}/datasets/{published.repo}/resolve/{revision or published.revision}"
    sizes = {}
    for name in published.files:
        target = out / Path(name).name
        if not target.exists():
            remark(f"{target.name} from {base}")
            download(f"{base}/{name}", target)
        sizes[target.name] = target.stat().st_size
    return Fetched(revision or published.revision, sizes)


def installed(name: str, python: str | None) -> Installed:
    """Create the environment of a memory that needs one; an existing one is kept."""
    environment = registry.environment(name)
    if environment is None:
        raise UsageError(f"`{name}` needs no environment. Run it as it is.")
    return install(environment, python, remark)


def download(url: str, target: Path) -> None:
    """Download *url* to *target*, completely or not at all.

    Raises:
        FetchError: If the server does not answer, answers with an error, or closes the connection.
        DiskError: If it cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    try:
        with urlopen(url, timeout=TIMEOUT_S) as answer:  # noqa: S310 - the user's own address, or the hub
            copied, announced = _copy(answer, temporary)
    except (OSError, HTTPException, ValueError) as error:
        temporary.unlink(missing_ok=True)
        raise FetchError(f"{url}: {error}. Check the network, `--revision` and `--hub`, and try again.") from None
    if announced is not None and copied != announced:
        temporary.unlink(missing_ok=True)
        raise FetchError(f"{url}: the connection closed after {copied:,} of {announced:,} bytes. Run it again.")
    temporary.replace(target)


def _copy(answer: HTTPResponse, temporary: Path) -> tuple[int, int | None]:
    """Bytes received, and bytes announced."""
    length = answer.headers.get("Content-Length")
    announced, copied = int(length) if length and length.isdecimal() else None, 0
    with disk_errors(temporary):
        file = temporary.open("wb")
    with file:
        while piece := answer.read(PIECE):
            with disk_errors(temporary):
                file.write(piece)
            copied += len(piece)
            remark(f"{copied:,} of {announced:,} bytes" if announced else f"{copied:,} bytes")
        with disk_errors(temporary):
            file.flush()
            os.fsync(file.fileno())
    return copied, announced
