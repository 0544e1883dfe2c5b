"""Every breach of the rules in the catalogue.

`python -m recollect.benchmarks.subtlememory.generate.rules.check [FILE ...]` prints them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    THREADS,
    USER,
    WORLD,
    Kind,
    Topic,
    files,
    read_file,
)
from recollect.benchmarks.subtlememory.generate.catalogue.words import world_words
from recollect.benchmarks.subtlememory.generate.rules.kinds import kind_problems, link_problems
from recollect.benchmarks.subtlememory.generate.rules.topics import topic_problems
from recollect.worlds.catalogues import problems_of, report


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong in the given files, or in the whole catalogue; 1 where anything is."""
    return report(arguments, files(USER, WORLD), _problems if arguments else lambda _: check_catalogue())


def check_catalogue(folder: Path | None = None) -> tuple[str, ...]:
    """Every breach of the catalogue's rules in a folder, each with file and sentence; in the bundled one, links too."""
    links = () if folder else link_problems(world_words().links)
    return (*_problems(files(USER, WORLD, folder=folder)), *(f"{THREADS}/links.json: {one}" for one in links))


def _problems(given: Iterable[Path]) -> Iterator[str]:
    return problems_of(given, _read, _of_file)


def _read(file: Path) -> Topic | Kind:
    return read_file(file, Topic) if file.parent.name == USER else read_file(file, Kind)


def _of_file(given: Topic | Kind) -> Iterator[str]:
    return topic_problems(given) if isinstance(given, Topic) else kind_problems(given)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
