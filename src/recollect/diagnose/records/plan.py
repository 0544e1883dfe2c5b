"""Every cell that a run planned, also those of trials that never began: what is missing must not shrink a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.diagnose.records.conditions import StepsOf
from recollect.diagnose.records.trials import CellId
from recollect.diagnose.records.visibility import VisibleHistory
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.ids import HistoryId
from recollect.domain.questions import Question
from recollect.domain.repeats import FIRST, Repeats, Take
from recollect.domain.steps import Arm, Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A history with the steps that the run made of it; shared by all its trials."""

    keyed: Keyed
    exhibit: VisibleHistory
    asks: tuple[tuple[int, Ask], ...]
    asked_at: Mapping[tuple[str, str], int]
    """(Checkpoint, question) -> index of its Ask among the steps."""
    questions: Mapping[tuple[str, str], Question]
    """As the steps word them."""

    def place_of(self, cell: CellId, where: str) -> int:
        place = self.asked_at.get((cell.checkpoint, cell.question))
        if place is None:
            fix = "The run was made with other steps: use the version and the settings that it was made with."
            raise DataError(f"question `{cell.question}` is not asked at `{cell.checkpoint}`", where, fix=fix)
        return place


class PlannedTrial(NamedTuple):
    facts: Mapping[str, Any]
    cells: tuple[CellId, ...]
    begun: bool


def episode_of(keyed: Keyed, steps_of: StepsOf) -> Episode:
    """An episode from the steps of a history."""
    steps = tuple(steps_of(keyed))
    asks = tuple((place, step) for place, step in enumerate(steps) if isinstance(step, Ask))
    return Episode(
        keyed=keyed,
        exhibit=VisibleHistory(keyed.history, steps),
        asks=asks,
        asked_at={(ask.checkpoint, q.question_id): place for place, ask in asks for q in ask.questions},
        questions={(ask.checkpoint, q.question_id): q for _, ask in asks for q in ask.questions},
    )


def planned_trials(
    trials: Sequence[Mapping[str, Any]],
    episodes: Mapping[HistoryId, Episode],
    config: Mapping[str, Any],
    judged: Set[str] = frozenset(),
) -> Iterator[PlannedTrial]:
    """The trials that there are, then those that must still come: every row goes through every history.

    Args:
        trials: What is said of those that have begun.
        episodes: All histories of the run.
        config: Says which rows and how many repeats there are.
        judged: Tasks whose answers a judge weighs.
    """
    for facts in trials:
        cells = (
            CellId(checkpoint, question, Arm(arm), Take(answer=take[0], judge=take[1]) if take else FIRST)
            for checkpoint, question, arm, *take in facts["cells"]
        )
        yield PlannedTrial(facts, tuple(cells), True)
    repeats = Repeats.of(config.get("repeats", 1))
    begun = {(facts["row"], facts["history"], facts["replicate"]) for facts in trials}
    for row, facts in _rows(trials, config).items():
        mine = [other for other in trials if other["row"] == row]
        arms = {Arm(cell[2]) for other in mine for cell in other["cells"]}
        arms = arms or {Arm.ORACLE if facts["kind"] == "oracle" else Arm.SYSTEM}
        replicates = {*range(repeats.ingest), *(other["replicate"] for other in mine)}
        for replicate in sorted(replicates):
            for history, made in episodes.items():
                if (row, history, replicate) not in begun:
                    task = made.keyed.task
                    planned = {**facts, "trial": "", "history": history, "task": task, "replicate": replicate}
                    yield PlannedTrial(
                        planned, tuple(_cells(made, sorted(arms), repeats, judged=task in judged)), False
                    )


def _rows(trials: Sequence[Mapping[str, Any]], config: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The facts of the first trial of each row; of a row that has not begun, those of the config."""
    found: dict[str, Mapping[str, Any]] = {}
    for row in config.get("rows", ()):
        named = {"row": row["label"], "kind": "oracle" if row["label"] == "oracle" else "memory"}
        found[row["label"]] = {"reference": False, "order_dependent": False, "models_on_write": False, **row, **named}
    return {**found, **{facts["row"]: facts for facts in reversed(trials)}}


def _cells(episode: Episode, arms: Sequence[Arm], repeats: Repeats, *, judged: bool) -> Iterator[CellId]:
    for _, ask in episode.asks:
        for question in ask.questions:
            takes = repeats.takes(judged=judged and question.purpose == "score")
            for arm in arms:
                probed = question.purpose == "probe" and arm is not Arm.SYSTEM
                if not probed and (ask.arms is None or arm in ask.arms):
                    yield from (CellId(ask.checkpoint, question.question_id, arm, take) for take in takes)
