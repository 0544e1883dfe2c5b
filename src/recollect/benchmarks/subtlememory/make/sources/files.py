"""The seeds of files: their rows with the line on which each begins, and what is doubled or unfit."""

from __future__ import annotations

import gzip
import json
import lzma
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.subtlememory.make.sources.layouts import layout_of
from recollect.benchmarks.subtlememory.make.sources.seeds import FAMILIES, Seed
from recollect.domain.errors import DataError, MissingExtraError, listed
from recollect.text.normal import normalise

PACKED = (".gz", ".xz")
ENDINGS = (".json", ".jsonl", ".parquet")
SHARED = 0.75
"""Share of its evidence that a chain has in common with one before it, from which on it counts as the same."""
_BLANK = " \t\r\n"


class Seeds(NamedTuple):
    """What was found in files."""

    seeds: tuple[Seed, ...]
    """By their keys, none twice."""
    records: Mapping[str, int]
    """Family -> records that were read."""
    unfit: Mapping[str, int]
    """Family -> records with too little evidence, or of a kind that is not taken."""
    doubled: Mapping[str, int]
    """Family -> records that say what another says."""


def read_seeds(source: Path) -> Seeds:
    """The seeds of a file, or of all files of a folder, in the layouts in which the sources are published.

    Files of other kinds, such as persons, are passed over; records may have fields more.

    Raises:
        DataError: There are none, or records are not what their layout says, with every problem.
        MissingExtraError: A Parquet file is there, and the package that reads it is not.
    """
    problems: list[str] = []
    records, unfit = Counter[str](), Counter[str]()
    found: list[Seed] = []
    for file in seed_files(source):
        others: list[str] = []
        before = records.total()
        for place, row in rows_of(file, problems):
            layout = layout_of(row, file)
            if layout is None:
                others.append(place)
                continue
            records[layout.family] += 1
            told = len(problems)
            seed = layout.read(row, place, problems)
            if seed is not None:
                found.append(seed)
            elif len(problems) == told:
                unfit[layout.family] += 1
        if records.total() > before:
            problems += [f"{place}: it is of no layout that is known, as others of the file are" for place in others]
    problems += _clashes(found)
    if problems:
        raise DataError(listed(problems), source, fix="Give files as they are published.")
    if not records:
        raise DataError(f"there are no records of {', '.join(FAMILIES)}", source, fix="Give files as published.")
    kept = distinct(found)
    doubled = Counter(seed.family for seed in found) - Counter(seed.family for seed in kept)
    return Seeds(kept, records, unfit, doubled)


def holds_seeds(source: Path) -> bool:
    """A file of *source* has a record in one of the layouts; what is wrong with files is not looked at."""
    return any(layout_of(row, file) is not None for file in seed_files(source) for _, row in rows_of(file, []))


def distinct(seeds: Sequence[Seed]) -> tuple[Seed, ...]:
    """Those that no earlier one repeats, in the order of their keys.

    A seed repeats another that asks the same, or, among chains, that shares three of four links with it: chains of
    MuSiQue are composed of the same single hops over and over.
    """
    asked: set[str] = set()
    links: dict[tuple[str, str], list[frozenset[tuple[str, str]]]] = {}
    kept: list[Seed] = []
    for seed in sorted(seeds, key=lambda one: one.key):
        plain = normalise(seed.question)
        mine = frozenset((normalise(one.asked), normalise(one.accepted[0])) for one in seed.evidence)
        others = [other for link in mine for other in links.get(link, ())] if seed.family == "musique" else []
        if plain in asked or any(len(mine & other) >= SHARED * len(mine) for other in others):
            continue
        asked.add(plain)
        for link in mine:
            links.setdefault(link, []).append(mine)
        kept.append(seed)
    return tuple(kept)


def _clashes(seeds: Sequence[Seed]) -> Iterator[str]:
    first: dict[str, str] = {}
    for seed in seeds:
        if first.setdefault(seed.key, seed.place) != seed.place:
            yield f"{seed.place}: `{seed.name}` is there twice, first at {first[seed.key]}"


def seed_files(source: Path) -> list[Path]:
    """The files of a folder that may hold rows, in the order of their paths; a single file is itself."""
    inside = sorted(source.rglob("*")) if source.is_dir() else [source]
    return [one for one in inside if one.is_file() and (one == source or _ending(one) in ENDINGS)]


def rows_of(file: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """Place and value of each row; what cannot be read is told to *problems*."""
    if _ending(file) == ".parquet":
        yield from _of_parquet(file, problems)
        return
    try:
        text = _bytes(file).decode("utf-8-sig")
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        problems.append(f"{file.name}: it cannot be read ({error})")
        return
    if _ending(file) == ".jsonl":
        yield from _of_lines(file.name, text, problems)
    else:
        yield from _of_list(file.name, text, problems)


def _ending(file: Path) -> str:
    return Path(file.stem).suffix if file.suffix in PACKED else file.suffix


def _bytes(file: Path) -> bytes:
    said = file.read_bytes()
    if file.suffix == ".gz":
        return gzip.decompress(said)
    return lzma.decompress(said) if file.suffix == ".xz" else said


def _of_lines(name: str, text: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield f"{name}:{number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                problems.append(f"{name}:{number}: it is no JSON ({error})")


def _of_list(name: str, text: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """The values of a list one by one, for their lines; any other value is one row."""
    decoder = json.JSONDecoder()
    at = _past(text, 0)
    listed = text[at : at + 1] == "["
    at = _past(text, at + 1) if listed else at
    line, counted = 1, 0
    while text[at : at + 1] != "]" or not listed:
        line, counted = line + text.count("\n", counted, at), at
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            problems.append(f"{name}:{line}: it is no JSON ({error})")
            return
        yield f"{name}:{line}", row
        at = _past(text, at)
        if not listed:
            return
        if text[at : at + 1] == ",":
            at = _past(text, at + 1)
        elif text[at : at + 1] != "]":
            problems.append(f"{name}:{line + text.count(chr(10), counted, at)}: the list has no end")
            return


def _past(text: str, at: int) -> int:
    """The next place that is not blank."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _of_parquet(file: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"reading `{file}`", "pyarrow", "pip install 'recollect[parquet]'") from None
    try:
        rows = parquet.read_table(file).to_pylist()
    except (pyarrow.ArrowException, ValueError, OSError) as error:
        problems.append(f"{file.name}: it cannot be read ({error})")
        return
    yield from ((f"{file.name}[{number}]", row) for number, row in enumerate(rows))
