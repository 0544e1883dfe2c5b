"""`recollect fetch`: the published files of a benchmark, at the revision that its card names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import AsJson

if TYPE_CHECKING:
    from http.client import HTTPResponse

HUB = "https://huggingface.co"
PIECE = 1 << 20
TIMEOUT_S = 60.0


def fetch(
    benchmark: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(help="Folder for the files; files that are there stay.")],
    revision: Annotated[str | None, typer.Option(help="Another revision than the card's.")] = None,
    hub: Annotated[str, typer.Option(envvar="HF_ENDPOINT", help="Where the hub is, or a mirror of it.")] = HUB,
    as_json: AsJson = False,
) -> None:
    """Get the published files of a benchmark; the one command that goes to the internet by itself."""
    from recollect import registry
    from recollect.cli.output import print_json, print_table, remark
    from recollect.domain.errors import UsageError

    published = registry.benchmark(benchmark).card.published
    if published is None:
        raise UsageError(f"`{benchmark}` has no files to fetch; `recollect show {benchmark}` says whose its data are.")
    base = f"{hub.rstrip('/')}/datasets/{published.repo}/resolve/{revision or published.revision}"
    sizes = {}
    for name in published.files:
        target = out / Path(name).name
        if not target.exists():
            remark(f"{target.name} from {base}")
            got(f"{base}/{name}", target, remark)
        sizes[target.name] = target.stat().st_size
    if as_json:
        print_json({"revision": revision or published.revision, "folder": str(out), "bytes": sizes})
        return
    print_table("fetched", ["file", "bytes"], [(name, f"{size:,}") for name, size in sizes.items()])
    print(f"Run it with --data {out}; `recollect check-data {out}` counts it.")


def got(url: str, target: Path, say: Callable[[str], None]) -> None:
    """Write what *url* answers to *target*, whole or not at all.

    Raises:
        FetchError: The server did not answer, answered something else, or broke off.
        DiskError: The disk does not take it.
    """
    from http.client import HTTPException
    from urllib.request import urlopen

    from recollect.domain.errors import FetchError

    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f".{target.name}.part")
    try:
        with urlopen(url, timeout=TIMEOUT_S) as answer:  # noqa: S310 - the user's own address, or the hub
            copied, told = _copied(answer, aside, say)
    except (OSError, HTTPException, ValueError) as error:
        aside.unlink(missing_ok=True)
        raise FetchError(f"{url}: {error}. Check the network, `--revision` and `--hub`, and run it again.") from None
    if told is not None and copied != told:
        aside.unlink(missing_ok=True)
        raise FetchError(f"{url}: it broke off after {copied:,} of {told:,} bytes. Run it again.")
    aside.replace(target)


def _copied(answer: HTTPResponse, aside: Path, say: Callable[[str], None]) -> tuple[int, int | None]:
    """Bytes that came, and bytes that were announced."""
    import os

    from recollect.store.files import disk_errors

    length = answer.headers.get("Content-Length")
    told, copied = int(length) if length and length.isdecimal() else None, 0
    with disk_errors(aside):
        file = aside.open("wb")
    with file:
        while piece := answer.read(PIECE):
            with disk_errors(aside):
                file.write(piece)
            copied += len(piece)
            say(f"{copied:,} of {told:,} bytes" if told else f"{copied:,} bytes")
        with disk_errors(aside):
            file.flush()
            os.fsync(file.fileno())
    return copied, told
