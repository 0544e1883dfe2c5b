"""Reads completed label sheets; reports every problem at once, with file, row and column."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, get_args

from recollect.contracts.sheets import Best, Scale
from recollect.domain.errors import DataError, listed
from recollect.making.sheets import BETWEEN, ID, KEY_COLUMNS, KEY_SUFFIX, RATER

GOLD, RULES, JUDGE = "gold", "rules", "judge"
"""Raters that are not people: the right label, a checker without a model, and the judge of a run."""
NO_PEOPLE = (GOLD, RULES, JUDGE)
_DELIMITERS = ",;\t"
_FIX = "Fix the file, or write the sheet again with `recollect sheets write`."


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedItem:
    """One item with all its labels."""

    name: str
    item: str
    cluster: str
    scale: Scale
    people: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """A sheet with its ratings."""

    sheet: str
    people: tuple[str, ...]
    items: tuple[RatedItem, ...]
    """All of the sheet, in its order."""


def read_ratings(files: Sequence[Path], key: Path) -> Ratings:
    """The ratings in one or more copies of a sheet, in several columns, files, or both.

    Args:
        files: Copies of the sheet. A column that is filled in several files is a rater of its own in each, named by
            file and column.
        key: The file that was written beside the sheet.

    Raises:
        DataError: With every problem of every file.
    """
    sheet, items, problems = _read_key(key)
    if problems:
        raise DataError(listed(problems), key, fix=_FIX)
    known = {item.name: item for item in items}
    given: list[_Given] = []
    for index, file in enumerate(files):
        table = _read_table(file)
        twice = [f"{file} is named twice"] if file in files[:index] else []
        broken = (*table.problems, *_rows(table, known, given, index))
        problems += [*twice, *(f"{file}{problem}" for problem in broken)]
    if problems:
        raise DataError(listed(problems), files[0] if len(files) == 1 else "label sheets", fix=_FIX)
    names = _names({(one.file, one.column) for one in given}, files)
    labels: dict[str, dict[str, str]] = {}
    for one in given:
        labels.setdefault(one.name, {})[names[one.file, one.column]] = one.label
    rated = tuple(replace(item, people=labels.get(item.name, {})) for item in items)
    return Ratings(sheet=sheet, people=tuple(names.values()), items=rated)


def default_key_path(file: Path) -> Path:
    """The default path of a sheet's key."""
    return file.with_name(f"{file.stem}{KEY_SUFFIX}")


class _Given(NamedTuple):
    file: int
    column: str
    name: str
    label: str


class _Table(NamedTuple):
    columns: Sequence[str] = ()
    rows: Sequence[tuple[int, Mapping[str, str]]] = ()
    """Number of each row in a spreadsheet, with its cells; missing ones are empty."""
    problems: Sequence[str] = ()
    """Each follows the file's name."""


def _read_table(file: Path) -> _Table:
    try:
        text = file.read_bytes().decode("utf-8-sig")
        between = max(_DELIMITERS, key=text.partition("\n")[0].count)
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=between))
    except OSError as error:
        return _Table(problems=[f": it cannot be read ({error.strerror})"])
    except UnicodeDecodeError:
        return _Table(problems=[": it is not UTF-8; save it as `CSV UTF-8`"])
    except csv.Error as error:
        return _Table(problems=[f": it is no CSV ({error})"])
    columns = [name.strip() for name in lines[0]] if lines else []
    twice = [name for name, times in Counter(columns).items() if times > 1 and name]
    rows = []
    for number, row in enumerate(lines[1:], start=2):
        if any(row):
            cells = dict(zip_longest(columns, (cell.strip() for cell in row[: len(columns)]), fillvalue=""))
            rows.append((number, cells))
    return _Table(columns, rows, [f", row 1: column `{name}` is there twice" for name in twice])


def _rows(table: _Table, known: Mapping[str, RatedItem], given: list[_Given], file: int) -> Iterator[str]:
    raters = [column for column in table.columns if column.startswith(RATER)]
    if ID not in table.columns or not raters:
        if not table.problems:
            yield f", row 1: there must be a column `{ID}` and one that begins with `{RATER}`"
        return
    seen: dict[str, int] = {}
    for number, cells in table.rows:
        name = cells[ID]
        if name not in known:
            yield f", row {number}, column `{ID}`: `{name}` is no item of this sheet"
        elif seen.setdefault(name, number) != number:
            yield f", row {number}, column `{ID}`: `{name}` is in row {seen[name]} already"
        else:
            for column in (column for column in raters if cells[column]):
                given.append(_Given(file, column, name, cells[column]))
                if cells[column] not in known[name].scale.points:
                    points = ", ".join(f"`{point}`" for point in known[name].scale.points)
                    where = f", row {number}, column `{column}`"
                    yield f"{where}: `{cells[column]}` is not on the scale; write one of {points}"


def _read_key(file: Path) -> tuple[str, list[RatedItem], list[str]]:
    """The sheet's name and items, and the problems of the file that raters may not see."""
    table = _read_table(file)
    problems = [problem.lstrip(":, ") for problem in table.problems]
    missing = [f"`{name}`" for name in KEY_COLUMNS if name not in table.columns]
    if problems or missing:
        return "", [], problems or [f"row 1: {', '.join(missing)} missing: this is no key of a label sheet"]
    items: list[RatedItem] = []
    for number, cells in table.rows:
        points = cells["points"].split(BETWEEN)
        best: Best | None = next((end for end in get_args(Best) if end == cells["best"]), None)
        if best is None:
            problem = f"column `best`: `{cells['best']}` is none of {', '.join(get_args(Best))}"
            problems.append(f"row {number}, {problem}")
        others = {column: cells[column] for column in NO_PEOPLE if cells.get(column)}
        for column, label in others.items():
            if label not in points:
                problems.append(f"row {number}, column `{column}`: `{label}` is not on the scale `{cells['points']}`")
        scale = Scale(points=dict.fromkeys(points, ""), best=best or "none")
        items.append(
            RatedItem(name=cells[ID], item=cells["item"], cluster=cells["cluster"], scale=scale, others=others)
        )
    sheets = sorted({cells["sheet"] for _, cells in table.rows})
    if len(sheets) != 1:
        problems.append(f"it is of {len(sheets)} sheets instead of one")
    return " ".join(sheets), items, problems


def _names(filled: Set[tuple[int, str]], files: Sequence[Path]) -> dict[tuple[int, str], str]:
    """File and column -> rater: the column alone where no other file fills it, and no more of the path than needed."""
    columns = Counter(column for _, column in filled)
    stems = Counter(file.stem for file in files)
    shown = [file.stem if stems[file.stem] == 1 else str(file) for file in files]
    return {
        (file, column): column if columns[column] == 1 else f"{shown[file]}:{column}" for file, column in sorted(filled)
    }
