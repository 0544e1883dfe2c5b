"""The cells of a run, grouped once for all tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.diagnose.estimates import Asked, asked_of
from recollect.domain.questions import Purpose
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, RowKind


class Block(NamedTuple):
    """What one line of the main table is about."""

    task: str
    row: str
    arm: Arm
    purpose: Purpose = "score"


class Trialled(NamedTuple):
    """One take of a question in one replicate: what the arms of a row are joined on."""

    asked: Asked
    replicate: int
    take: Take = FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells by task, row, arm and purpose."""

    blocks: Mapping[Block, Sequence[CellOutcome]]
    kinds: Mapping[str, RowKind] = field(default_factory=dict)
    """Row -> kind; systems first, then reference rows."""
    references: frozenset[str] = frozenset()
    _seen: dict[Block, dict[Trialled, CellOutcome]] = field(default_factory=dict, repr=False, compare=False)
    """Blocks that were joined before: every row is held against the same oracle."""

    @property
    def tasks(self) -> list[str]:
        """In order of name."""
        return sorted({block.task for block in self.blocks})

    def block(self, task: str, row: str, arm: Arm, purpose: Purpose = "score") -> Sequence[CellOutcome]:
        """The cells of one block; none where it was not planned."""
        return self.blocks.get(Block(task, row, arm, purpose), ())

    def joined(self, task: str, row: str, arm: Arm) -> Mapping[Trialled, CellOutcome]:
        """The scored cells of one arm by question, replicate and take."""
        name = Block(task, row, arm)
        if name not in self._seen:
            cells = self.blocks.get(name, ())
            self._seen[name] = {Trialled(asked_of(cell), cell.replicate, cell.take): cell for cell in cells}
        return self._seen[name]

    def oracle_for(self, task: str, row: str) -> Mapping[Trialled, CellOutcome]:
        """The oracle's cells that belong to a row: its own where it is an agent, else those of the harness's reader."""
        if own := self.joined(task, row, Arm.ORACLE):
            return own
        names = [name for name, kind in self.kinds.items() if kind == "oracle"]
        found = [self.joined(task, name, Arm.ORACLE) for name in names]
        return found[0] if len(found) == 1 else {key: cell for cells in found for key, cell in cells.items()}


def grid_of(cells: Iterable[CellOutcome]) -> Grid:
    """Group the cells."""
    blocks: dict[Block, list[CellOutcome]] = defaultdict(list)
    rows: dict[str, CellOutcome] = {}
    for cell in cells:
        blocks[Block(cell.task, cell.row, cell.arm, cell.purpose)].append(cell)
        rows.setdefault(cell.row, cell)
    order = sorted(rows.values(), key=lambda cell: (cell.reference, cell.row))
    return Grid(
        blocks=dict(sorted(blocks.items())),
        kinds={cell.row: cell.kind for cell in order},
        references=frozenset(cell.row for cell in order if cell.reference),
    )
