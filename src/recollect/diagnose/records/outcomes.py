"""What became of one cell: the rules that keep a fault, a gap and a wrong answer apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.benchmark import Scorer
from recollect.diagnose.records.plan import Episode, PlannedTrial
from recollect.diagnose.records.trials import CellId, CellRecords, TrialRecords
from recollect.diagnose.waterfall.evidence import with_label
from recollect.domain.exchange import Reply
from recollect.domain.ids import RecordKey
from recollect.domain.outcomes import Outcome
from recollect.domain.steps import Arm
from recollect.records.kinds import FaultRecord
from recollect.records.tables.cells import CellOutcome, CellStatus, Recalled


@dataclass
class CellMaker:
    """Makes the outcomes of one trial's cells."""

    plan: PlannedTrial
    records: TrialRecords
    episode: Episode
    score: Scorer
    shared: Mapping[str, Any]
    """Shared by all keys of the task."""
    judged: bool
    """A judge rates every scored question."""
    _recalls: dict[RecordKey, Recalled] = field(default_factory=dict)
    _standing: list[FaultRecord] = field(init=False)

    def __post_init__(self) -> None:
        self._standing = self.records.standing_faults()
        self._exhibit = self.episode.exhibit.of_trial(self.records.states)

    def make(self, name: CellId) -> CellOutcome:
        facts, cell = self.plan.facts, self.records.cell(name)
        key = self.episode.keyed.keys[name.question]
        answer, checked = cell.answer, self.records.checks.get(name.checkpoint)
        place = self.episode.place_of(name, self.records.where)
        fault = self._fault(name, cell, place)
        status, outcome, why = self._became(name, cell, fault)
        by_harness = answer is not None and facts["kind"] != "agent"
        return CellOutcome(
            row=facts["row"],
            kind=facts["kind"],
            reference=facts["reference"],
            task=facts["task"],
            trial=facts["trial"],
            history=facts["history"],
            question=name.question,
            checkpoint=name.checkpoint,
            arm=name.arm,
            replicate=facts["replicate"],
            take=name.take,
            purpose=self.episode.questions[name.checkpoint, name.question].purpose,
            labels=with_label(key.labels, key.evidence, self._exhibit.unshown),
            evidence=key.evidence,
            status=status,
            value=outcome.value if outcome else None,
            parts=outcome.parts if outcome else (),
            why=why,
            cause=fault.cause if fault else "",
            stage=fault.stage if fault else "",
            answer=answer.text if answer else None,
            recall=self._recall(cell),
            verdict=cell.verdict.verdict if cell.verdict else None,
            prompt=answer.prompt if answer else "",
            context_tokens=answer.context_tokens if answer and by_harness else None,
            truncated=answer.truncated if answer else False,
            state=checked.state if checked else "",
            seconds=cell.seconds,
        )

    def _became(
        self, name: CellId, cell: CellRecords, fault: FaultRecord | None
    ) -> tuple[CellStatus, Outcome | None, str]:
        if cell.unavailable is not None and cell.answer is None:
            return "not_available", None, cell.unavailable.why
        if fault is not None:
            return "fault", None, f"{fault.error}: {fault.message}"
        gap = self._gap(name, cell)
        if cell.answer is None or gap:
            return "unfinished", None, gap
        key = self.episode.keyed.keys[name.question]
        reply = Reply(text=cell.answer.text, abstained=cell.answer.abstained)
        verdict = cell.verdict.verdict if cell.verdict else None
        question = self.episode.questions[name.checkpoint, name.question]
        outcome = self.score(question, key, reply, verdict, self.shared)
        return outcome.status.value, outcome, outcome.why

    def _gap(self, name: CellId, cell: CellRecords) -> str:
        """What is missing before the answer may be scored."""
        facts = self.plan.facts
        if cell.answer is None:
            return "nothing is recorded yet"
        needs_check = facts["kind"] != "oracle" and name.arm is not Arm.ORACLE and not facts["order_dependent"]
        if needs_check and name.checkpoint not in self.records.checks:
            return "answered, but whether asking changed the system is not recorded yet"
        scored = self.episode.questions[name.checkpoint, name.question].purpose == "score"
        unjudged = self.judged and scored and cell.verdict is None
        return "answered, but not judged yet" if unjudged else ""

    def _fault(self, name: CellId, cell: CellRecords, place: int) -> FaultRecord | None:
        """The cell's own fault, or that of the state it needs."""
        if cell.unavailable is not None and cell.answer is None:
            return None
        if cell.fault is not None:
            return cell.fault
        if self.plan.facts["kind"] == "oracle" or (name.arm is Arm.ORACLE and cell.answer is not None):
            return None
        # a failed check spoils all that came after it; a broken step all that is not known to be sound
        sound = cell.answer is not None and name.checkpoint in self.records.checks
        before = (fault for fault in self._standing if fault.step <= place)
        return next((fault for fault in before if fault.stage == "check" or not sound), None)

    def _recall(self, cell: CellRecords) -> Recalled | None:
        if cell.recall is None or cell.recall.content is None:
            return None
        content = cell.recall.content
        if content not in self._recalls:
            self._recalls[content] = self._exhibit.recalled(self.records.contents[content], self.records.where)
        return self._recalls[content]
