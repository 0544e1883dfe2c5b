"""Seeds read from files, with counts of duplicate and unfit records."""

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
"""A chain that shares at least this ratio of its evidence with an earlier one counts as the same."""
_BLANK = frozenset(" \t\r\n")


class Seeds(NamedTuple):
    """Contents of the files."""

    seeds: tuple[Seed, ...]
    """By their keys, none twice."""
    records: Mapping[str, int]
    """Family -> records that were read."""
    unfit: Mapping[str, int]
    """Family -> records with too little evidence, or of a kind that is not taken."""
    doubled: Mapping[str, int]
    """Family -> records that repeat another."""


def read_seeds(source: Path) -> Seeds:
    """The seeds of a file, or of all files of a folder, in the published layouts of the sources.

    Other files, such as persons, are skipped; records may have more fields.

    Raises:
        DataError: There are none, or records do not fit their layout, with every problem.
        MissingExtraError: There is a Parquet file, and the package that reads it is not installed.
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
    first = {seed.key: seed.place for seed in reversed(found)}
    problems += [
        f"{seed.place}: `{seed.name}` is there twice, first at {first[seed.key]}"
        for seed in found
        if first[seed.key] != seed.place
    ]
    if problems:
        raise DataError(listed(problems), source, fix="Give files as they are published.")
    if not records:
        raise DataError(f"there are no records of {', '.join(FAMILIES)}", source, fix="Give files as published.")
    kept = distinct(found)
    doubled = Counter(seed.family for seed in found) - Counter(seed.family for seed in kept)
    return Seeds(kept, records, unfit, doubled)


def holds_seeds(source: Path) -> bool:
    """Whether a file of *source* has a record in one of the layouts; problems with files are ignored."""
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


def seed_files(source: Path) -> list[Path]:
    """The files of a folder that may hold rows, in the order of their paths; a single file is itself."""
    inside = sorted(source.rglob("*")) if source.is_dir() else [source]
    return [one for one in inside if one.is_file() and (one == source or _ending(one) in ENDINGS)]


def rows_of(file: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """Place and value of each row; what cannot be read is added to *problems*."""
    ending, name = _ending(file), file.name
    if ending == ".parquet":
        yield from _parquet_rows(file, problems)
        return
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
        elif file.suffix == ".xz":
            data = lzma.decompress(data)
        text = data.decode("utf-8-sig")
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        problems.append(f"{name}: it cannot be read ({error})")
        return
    if ending != ".jsonl":
        yield from _list_rows(name, text, problems)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield f"{name}:{number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                problems.append(f"{name}:{number}: it is no JSON ({error})")


def _ending(file: Path) -> str:
    return Path(file.stem).suffix if file.suffix in PACKED else file.suffix


def _list_rows(name: str, text: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """The values of a list with their lines; any other value is one row."""
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
    """The next position that is not blank."""
    while text[at : at + 1] in _BLANK:
        at += 1
    return at


def _parquet_rows(file: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
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
