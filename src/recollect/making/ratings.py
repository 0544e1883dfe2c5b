"""Reads label sheets that people filled in: every problem at once, with file, row and column."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, get_args

from recollect.contracts.sheets import Best, Scale
from recollect.domain.errors import DataError, listed
from recollect.making.sheets import BETWEEN, ID, KEY_COLUMNS, KEY_SUFFIX, RATER

GOLD, RULES, JUDGE = "gold", "rules", "judge"
"""Raters that are no people: the right label, a checker without a model, and the judge of a run."""
NO_PEOPLE = (GOLD, RULES, JUDGE)
_DELIMITERS = ",;\t"
_FIX = "Mend the file, or write the sheet again with `recollect sheets write`."


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedItem:
    """One item with all that was said of it."""

    name: str
    item: str
    cluster: str
    scale: Scale
    people: Mapping[str, str] = field(default_factory=dict)
    """Rater -> label; who gave none is not there."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The same of `NO_PEOPLE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """A sheet that came back."""

    sheet: str
    people: tuple[str, ...]
    """Who rated anything."""
    items: tuple[RatedItem, ...]
    """All that were handed out, in that order."""


def read_ratings(files: Sequence[Path], key: Path) -> Ratings:
    """What one or more copies of a sheet say; ratings may stand in several columns, files, or both.

    Args:
        files: Each a copy of the sheet that one or more raters filled in. A column that is filled in several files is
            a rater of its own in each, named by file and column.
        key: The file that was written beside the sheet.

    Raises:
        DataError: With every problem of every file.
    """
    answers = _Key.of(key)
    if answers.problems:
        raise DataError(listed(answers.problems), key, fix=_FIX)
    known = {item.name: item for item in answers.items}
    given: list[_Given] = []
    problems: list[str] = []
    for place, file in enumerate(files):
        table = _Table.of(file)
        twice = [f"{file} is named twice"] if file in files[:place] else []
        problems += [*twice, *(f"{file}{problem}" for problem in (*table.problems, *_rows(table, known, given, place)))]
    if problems:
        raise DataError(listed(problems), files[0] if len(files) == 1 else "label sheets", fix=_FIX)
    return _joined(answers, given, files)


def default_key_path(file: Path) -> Path:
    """Where the key of a sheet is if nobody says where."""
    return file.with_name(f"{file.stem}{KEY_SUFFIX}")


class _Given(NamedTuple):
    """One rating."""

    file: int
    column: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class _Table:
    """A file as it was read."""

    columns: Sequence[str] = ()
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    """Each with its number as a spreadsheet counts it."""
    problems: Sequence[str] = ()
    """Each to be put behind the file's name."""

    @classmethod
    def of(cls, file: Path) -> _Table:
        """The table of *file*, however a spreadsheet saved it."""
        try:
            text = file.read_bytes().decode("utf-8-sig")
            between = max(_DELIMITERS, key=text.partition("\n")[0].count)
            lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=between))
        except OSError as error:
            return cls(problems=[f": it cannot be read ({error.strerror})"])
        except UnicodeDecodeError:
            return cls(problems=[": it is not UTF-8; save it as `CSV UTF-8`"])
        except csv.Error as error:
            return cls(problems=[f": it is no CSV ({error})"])
        columns = [name.strip() for name in lines[0]] if lines else []
        twice = [name for name, times in Counter(columns).items() if times > 1 and name]
        return cls(
            columns=columns,
            rows=[(number, row) for number, row in enumerate(lines[1:], start=2) if any(row)],
            problems=[f", row 1: column `{name}` is there twice" for name in twice],
        )

    def cells(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Number of each row, with its cells; those that are cut off are empty."""
        for number, row in self.rows:
            padded = [*row, *([""] * (len(self.columns) - len(row)))]
            yield number, dict(zip(self.columns, (cell.strip() for cell in padded), strict=False))


def _rows(table: _Table, known: Mapping[str, RatedItem], given: list[_Given], file: int) -> Iterator[str]:
    """Adds the ratings of a file to those *given*, and tells its problems."""
    raters = [column for column in table.columns if column.startswith(RATER)]
    if ID not in table.columns or not raters:
        if not table.problems:
            yield f", row 1: there must be a column `{ID}` and one that begins with `{RATER}`"
        return
    seen: dict[str, int] = {}
    for number, cells in table.cells():
        name = cells[ID]
        if name not in known:
            yield f", row {number}, column `{ID}`: `{name}` is no item of this sheet"
        elif seen.setdefault(name, number) != number:
            yield f", row {number}, column `{ID}`: `{name}` is in row {seen[name]} already"
        else:
            yield from _labels(known[name], cells, raters, f", row {number}")
            given += [_Given(file, column, name, cells[column]) for column in raters if cells[column]]


def _labels(item: RatedItem, cells: Mapping[str, str], raters: Sequence[str], where: str) -> Iterator[str]:
    for column in raters:
        if cells[column] and cells[column] not in item.scale.points:
            points = ", ".join(f"`{point}`" for point in item.scale.points)
            yield f"{where}, column `{column}`: `{cells[column]}` is not on the scale; write one of {points}"


class _Key(NamedTuple):
    """The file of what raters may not see."""

    sheet: str
    items: Sequence[RatedItem]
    problems: Sequence[str]

    @classmethod
    def of(cls, file: Path) -> _Key:
        """What *file* says."""
        table = _Table.of(file)
        problems = [problem.lstrip(":, ") for problem in table.problems]
        missing = [f"`{name}`" for name in KEY_COLUMNS if name not in table.columns]
        if problems or missing:
            return cls("", (), problems or [f"row 1: {', '.join(missing)} missing: this is no key of a label sheet"])
        rows = list(table.cells())
        problems = [f"row {number}, {flaw}" for number, cells in rows for flaw in _flaws(cells)]
        sheets = sorted({cells["sheet"] for _, cells in rows})
        if len(sheets) != 1:
            problems.append(f"it is of {len(sheets)} sheets instead of one")
        return cls(" ".join(sheets), () if problems else [_item(cells) for _, cells in rows], problems)


def _flaws(cells: Mapping[str, str]) -> Iterator[str]:
    points = cells["points"].split(BETWEEN)
    if cells["best"] not in get_args(Best):
        yield f"column `best`: `{cells['best']}` is none of {', '.join(get_args(Best))}"
    for column in NO_PEOPLE:
        if cells.get(column) and cells[column] not in points:
            yield f"column `{column}`: `{cells[column]}` is not on the scale `{cells['points']}`"


def _item(cells: Mapping[str, str]) -> RatedItem:
    best: Best = next(end for end in get_args(Best) if end == cells["best"])
    return RatedItem(
        name=cells[ID],
        item=cells["item"],
        cluster=cells["cluster"],
        scale=Scale(points=dict.fromkeys(cells["points"].split(BETWEEN), ""), best=best),
        others={column: cells[column] for column in NO_PEOPLE if cells.get(column)},
    )


def _joined(key: _Key, given: Sequence[_Given], files: Sequence[Path]) -> Ratings:
    names = _names({(one.file, one.column) for one in given}, files)
    said: dict[str, dict[str, str]] = {}
    for one in given:
        said.setdefault(one.name, {})[names[one.file, one.column]] = one.label
    return Ratings(
        sheet=key.sheet,
        people=tuple(names.values()),
        items=tuple(replace(item, people=said.get(item.name, {})) for item in key.items),
    )


def _names(filled: Set[tuple[int, str]], files: Sequence[Path]) -> dict[tuple[int, str], str]:
    """File and column -> rater: the column alone where no other file fills it, and no more of the path than needed."""
    columns = Counter(column for _, column in filled)
    stems = Counter(file.stem for file in files)
    shown = [file.stem if stems[file.stem] == 1 else str(file) for file in files]
    return {
        (file, column): column if columns[column] == 1 else f"{shown[file]}:{column}" for file, column in sorted(filled)
    }
