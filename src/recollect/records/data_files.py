"""The files of a data set: which they are, what they say, and all that is wrong with them in one error."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from recollect.domain.errors import DataError, listed

MARK = b"\xef\xbb\xbf"
"""The UTF-8 byte order mark, which is ignored."""


class Place(NamedTuple):
    file: Path
    within: str = ""
    """Follows the file's name: its line, or its number among several."""


def files_of(path: Path, endings: tuple[str, ...]) -> list[Path]:
    """The file itself, or the files of a folder that end so, by name.

    Raises:
        DataError: The folder has none.
    """
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.name.endswith(endings))
    if not files:
        raise DataError(f"the folder has no file that ends in {' or '.join(endings)}", path)
    return files


def text_of(path: Path, *, fix: str) -> str:
    """The text of a file, which may be packed.

    Raises:
        DataError: It cannot be read, or is not UTF-8.
    """
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    try:
        return unpack(path.read_bytes()).decode()
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix=fix) from None
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 ({error})", path, fix=fix) from None


def refuse(path: Path, problems: Sequence[tuple[Place, str]], *, fix: str) -> None:
    """Nothing where there is no problem; one stands at its place, several are listed under *path*.

    Raises:
        DataError: There are problems.
    """
    if len(problems) == 1:
        (place, problem) = problems[0]
        raise DataError(problem, f"{place.file}{place.within}", fix=fix)
    if problems:
        raise DataError(listed([f"{at.file.name}{at.within}: {problem}" for at, problem in problems]), path, fix=fix)


def twice(named: Iterable[tuple[str, Place]], what: Callable[[str], str]) -> Iterator[tuple[Place, str]]:
    """Repeated names, with the place of the second and of the first; *what* describes a name."""
    seen: dict[str, Place] = {}
    for name, place in named:
        first = seen.setdefault(name, place)
        if first is not place:
            yield place, f"{what(name)} is there twice, first in {first.file.name}{first.within}"
