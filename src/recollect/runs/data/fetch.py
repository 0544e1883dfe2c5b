"""Gets what lies elsewhere: the published files of a benchmark, and the environment of a third-party system."""

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
    """Files that are there now, with their sizes in bytes."""

    revision: str
    sizes: Mapping[str, int]


def fetched(benchmark: str, out: Path, *, revision: str | None, hub: str) -> Fetched:
    """Get the published files of a benchmark; files that are there stay.

    Raises:
        UsageError: It has no files to fetch.
        FetchError: The server did not answer, answered something else, or broke off.
    """
    published = registry.benchmark(benchmark).card.published
    if published is None:
        raise UsageError(f"`{benchmark}` has no files to fetch; `recollect show {benchmark}` says whose its data are.")
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
    """Make the environment of a memory that runs apart from Recollect; one that is there is left.

    Raises:
        UsageError: It needs none, or it cannot be made.
    """
    environment = registry.environment(name)
    if environment is None:
        raise UsageError(f"`{name}` needs no environment of its own; it can be run as it is.")
    return install(environment, python, remark)


def download(url: str, target: Path) -> None:
    """Write what *url* answers to *target*, whole or not at all.

    Raises:
        FetchError: The server did not answer, answered something else, or broke off.
        DiskError: The disk does not take it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f".{target.name}.part")
    try:
        with urlopen(url, timeout=TIMEOUT_S) as answer:  # noqa: S310 - the user's own address, or the hub
            copied, told = _copied(answer, aside)
    except (OSError, HTTPException, ValueError) as error:
        aside.unlink(missing_ok=True)
        raise FetchError(f"{url}: {error}. Check the network, `--revision` and `--hub`, and run it again.") from None
    if told is not None and copied != told:
        aside.unlink(missing_ok=True)
        raise FetchError(f"{url}: it broke off after {copied:,} of {told:,} bytes. Run it again.")
    aside.replace(target)


def _copied(answer: HTTPResponse, aside: Path) -> tuple[int, int | None]:
    """Bytes that came, and bytes that were announced."""
    length = answer.headers.get("Content-Length")
    told, copied = int(length) if length and length.isdecimal() else None, 0
    with disk_errors(aside):
        file = aside.open("wb")
    with file:
        while piece := answer.read(PIECE):
            with disk_errors(aside):
                file.write(piece)
            copied += len(piece)
            remark(f"{copied:,} of {told:,} bytes" if told else f"{copied:,} bytes")
        with disk_errors(aside):
            file.flush()
            os.fsync(file.fileno())
    return copied, told
