"""Label sheets as people send them back."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from recollect.contracts.sheets import Best, Scale, Sheet, SheetItem
from recollect.making.sheets import KEY_SUFFIX, Drawn, choose_items, lay_out

POINTS = {"0": "not reflected", "1": "partly", "2": "fully"}


def draw(sheet: Sheet, *, seed: int, sample: int | None = None, raters: int = 2) -> Drawn:
    """A seeded sample of a sheet."""
    return lay_out(sheet, choose_items(sheet, seed=seed, sample=sample), raters=raters)


def sheet(count: int = 6, *, best: Best = "last", by: int = 1, **said: Sequence[str]) -> Sheet:
    """A sheet of *count* items, *by* to a group, two groups to a cluster; *said*: `gold` and `rules`, item by item."""
    items = [
        SheetItem(
            item=f"user-{place // (2 * by)}/{place}",
            group=f"g{place // by}",
            cluster=f"c{place // (2 * by)}",
            text=f"What is said in {place}",
            question=f"Is state {place} shown?",
            scale=Scale(points=POINTS, best=best),
            **{name: labels[place] for name, labels in said.items()},
        )
        for place in range(count)
    ]
    return Sheet(name="exposure", meaning="Are states shown?", sample=count, items=tuple(items))


def write(folder: Path, made: Sheet, *, raters: int = 2, seed: int = 0) -> Path:
    """The sheet in *folder*, its key beside it."""
    drawn = draw(made, seed=seed, raters=raters)
    (folder / f"{made.name}{KEY_SUFFIX}").write_bytes(drawn.key)
    file = folder / f"{made.name}.csv"
    file.write_bytes(drawn.table)
    return file


def rows_of(file: Path) -> list[dict[str, str]]:
    """What stands in a file."""
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))


def fill(file: Path, label: Callable[[Mapping[str, str]], Mapping[str, str]], out: Path | None = None) -> Path:
    """Writes what *label* says of each row into its columns."""
    rows = [{**row, **label(row)} for row in rows_of(file)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    (out or file).write_text(text.getvalue(), encoding="utf-8", newline="")
    return out or file


def place_of(row: Mapping[str, str]) -> int:
    """Which item a row is about; it says so in words that only these sheets have."""
    return int(row["text"].rpartition(" ")[2])
