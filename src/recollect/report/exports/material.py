"""All that an export is made of, gathered once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.domain.histories import Keyed
from recollect.domain.questions import Key, Question
from recollect.domain.repeats import Take
from recollect.records.calls import CallLine
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Summary
from recollect.records.tables.supplement import Supplement
from recollect.report.text import Asked, asked_of, question_names


class Exchange(NamedTuple):
    """The request and the reply of one model call, both as OpenAI JSON."""

    prompt: str
    reply: bytes


class Written(NamedTuple):
    file: str
    rows: int
    left_out: int = 0
    """Questions that do not fit, such as those without an answer."""


Sent = Callable[[str], Exchange | None]
"""Call (its key in the ledger) -> its exchange, where the replies are still kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A run, its cells, its data and its calls."""

    run: str
    identity: str
    made_at: str
    """When the run's folder was made; ISO 8601, UTC."""
    ended_at: str
    """When its last record was written."""
    summary: Summary
    cells: Sequence[CellOutcome]
    histories: Mapping[str, Keyed]
    calls: Sequence[CallLine] = ()
    sent: Sent = lambda _call: None
    beside: Supplement = field(default_factory=Supplement)
    """Tables of states and policies, which only figures show."""
    names: Mapping[Asked, str] = field(init=False)
    """Question as it was asked -> a unique name."""
    _questions: Mapping[tuple[str, str], Question] = field(init=False)
    _calls: Mapping[tuple[str, str, str, str, int], Sequence[CallLine]] = field(init=False)

    def __post_init__(self) -> None:
        asked = list(dict.fromkeys(map(asked_of, self.cells)))
        named = dict(zip(asked, question_names(asked), strict=True))
        questions = {(n, q.question_id): q for n, one in self.histories.items() for q in one.history.questions}
        calls: dict[tuple[str, str, str, str, int], list[CallLine]] = {}
        for line in sorted(self.calls, key=lambda line: line.status == "cached"):  # paid calls first
            if line.question and line.status != "failed":
                name = (line.trial, line.checkpoint, line.question, line.arm, line.replicate)
                calls.setdefault(name, []).append(line)
        object.__setattr__(self, "names", named)
        object.__setattr__(self, "_questions", questions)
        object.__setattr__(self, "_calls", calls)

    def question(self, cell: CellOutcome) -> Question:
        return self._questions[cell.history, cell.question]

    def key(self, cell: CellOutcome) -> Key:
        return self.histories[cell.history].keys[cell.question]

    def calls_of(self, cell: CellOutcome) -> Sequence[CallLine]:
        """The calls behind a cell's answer and verdict, each once; failed ones are left out."""
        places = {Take(answer=cell.take.answer).replicate_id(cell.replicate), cell.take.replicate_id(cell.replicate)}
        name = (cell.trial, cell.checkpoint, cell.question, str(cell.arm))
        lines = [line for place in sorted(places) for line in self._calls.get((*name, place), ())]
        return tuple({line.call: line for line in reversed(lines)}.values())[::-1]
