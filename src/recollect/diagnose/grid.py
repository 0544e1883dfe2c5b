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
from recollect.records.tables.cells import CellOutcome, RowKind


class Block(NamedTuple):
    task: str
    row: str
    arm: Arm
    purpose: Purpose = "score"


class Trialled(NamedTuple):
    """One take of a question in one replicate: the unit on which the arms of a row are joined."""

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
    _joined: dict[Block, dict[Trialled, CellOutcome]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def tasks(self) -> list[str]:
        return sorted({block.task for block in self.blocks})

    def block(self, task: str, row: str, arm: Arm, purpose: Purpose = "score") -> Sequence[CellOutcome]:
        """Empty where the block was not planned."""
        return self.blocks.get(Block(task, row, arm, purpose), ())

    def own(self, task: str, row: str) -> Sequence[CellOutcome]:
        """The scored cells of a row's own arm: those of its own search, or the oracle's."""
        return self.block(task, row, Arm.ORACLE if self.kinds.get(row) == "oracle" else Arm.SYSTEM)

    def joined(self, task: str, row: str, arm: Arm) -> Mapping[Trialled, CellOutcome]:
        name = Block(task, row, arm)
        if name not in self._joined:
            self._joined[name] = {
                Trialled(asked_of(cell), cell.replicate, cell.take): cell for cell in self.blocks.get(name, ())
            }
        return self._joined[name]

    def oracle_for(self, task: str, row: str) -> Mapping[Trialled, CellOutcome]:
        """The oracle's cells for a row: its own where it is an agent, else those of the harness's reader."""
        if own := self.joined(task, row, Arm.ORACLE):
            return own
        names = [name for name, kind in self.kinds.items() if kind == "oracle"]
        found = [self.joined(task, name, Arm.ORACLE) for name in names]
        return found[0] if len(found) == 1 else {key: cell for cells in found for key, cell in cells.items()}


def grid_of(cells: Iterable[CellOutcome]) -> Grid:
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
