"""Catalogues: the texts of the generators, read from the data package and held against the rules of their benchmark."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from recollect.domain.errors import DataError, MissingExtraError
from recollect.records.codec import decode
from recollect.records.digests import digest

PACKAGE = "recollect_catalogues"
NEEDED = (1, 0)
"""The oldest version whose texts the generators can read; of the next major version they know nothing."""

T = TypeVar("T")


def catalogue(name: str) -> Path:
    """The folder of a catalogue in the data package.

    Raises:
        MissingExtraError: The package is not installed, or not in a version that fits.
        DataError: It has no such catalogue.
    """
    wanted = f"recollect-catalogues>={'.'.join(map(str, NEEDED))},<{NEEDED[0] + 1}"
    install = f"pip install --upgrade '{wanted}'"
    try:
        package = import_module(PACKAGE)
    except ModuleNotFoundError:
        raise MissingExtraError(f"generating `{name}`", wanted, install) from None
    found = tuple(int(part) for part in package.__version__.split(".")[:2])
    if not NEEDED <= found < (NEEDED[0] + 1, 0):
        raise MissingExtraError(f"generating `{name}`", f"{wanted}, not {package.__version__}", install)
    try:
        return Path(str(package.folder(name)))
    except LookupError as error:
        raise DataError(str(error), PACKAGE, fix=f"Install it anew: {install}") from None


def parsed(file: Path) -> Any:
    """What a JSON or YAML file says.

    Raises:
        DataError: There is no such file, or it is neither.
    """
    if not file.exists():
        raise DataError("does not exist", file, fix="Add it, or install `recollect-catalogues` anew.")
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".yaml":
        import yaml

        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise DataError(f"is not valid YAML: {error}", file, fix="Correct the file.") from None
    try:
        return json.loads(text)
    except ValueError as error:
        raise DataError(f"is not valid JSON: {error}", file, fix="Correct the file.") from None


def read(form: type[T], file: Path) -> T:
    """The value of a type that a file says.

    Raises:
        DataError: The file is missing, cannot be parsed or has another shape; with every problem and its path.
    """
    return decode(form, parsed(file), where=str(file))


def half(texts: Sequence[T], *, held_out: bool) -> tuple[T, ...]:
    """The half of a list that only held-out sizes use, or the other; drawn by a digest, in the order of the list."""
    drawn = sorted(texts, key=digest)[: len(texts) // 2]
    return tuple(one for one in texts if (one in drawn) is held_out)


def problems_of(
    files: Iterable[Path], read_one: Callable[[Path], T], rules: Callable[[T], Iterable[str]]
) -> Iterator[str]:
    """Every rule that files break, each with its folder and file; a file that cannot be read is one problem.

    Args:
        files: Of a catalogue, or drafts of such.
        read_one: Gives what a file holds.
        rules: Gives what is wrong with that, each with its place in the file.
    """
    for file in files:
        try:
            content = read_one(file)
        except DataError as error:
            yield str(error)
            continue
        yield from (f"{file.parent.name}/{file.name}: {problem}" for problem in rules(content))


def report(arguments: Sequence[str], every: Sequence[Path], problems: Callable[[Sequence[Path]], Iterable[str]]) -> int:
    """Print what is wrong in the files that are named, or in *every* one; 1 where anything is."""
    files = [Path(name) for name in arguments] or list(every)
    found = list(problems(files))
    sys.stdout.write("".join(f"{line}\n" for line in [*found, f"{len(files)} files, {len(found)} problems"]))
    return 1 if found else 0
