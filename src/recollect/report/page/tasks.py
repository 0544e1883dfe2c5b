"""The section of each task: the summary's tables joined with their charts, in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from markupsafe import Markup

from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.costs import CostUnit
from recollect.records.tables.noise import Noise
from recollect.records.tables.summary import (
    Failures,
    FaultGroup,
    Headline,
    Number,
    Reference,
    Retrieval,
    Summary,
    TaskFacts,
    Timing,
    Waterfall,
)
from recollect.report.charts import bars, curves
from recollect.report.numbers import component_said, floor_in_percent, reasons
from recollect.report.status import (
    ARMS,
    OUTCOMES,
    Asked,
    OutcomeName,
    absent_rows,
    card_mark,
    card_of,
    check_worded,
    checks_of,
    is_main,
    no_score,
    outcome_counts,
)
from recollect.report.text import link_to

MARKS: Mapping[str, tuple[str, str]] = {
    "order_dependent": ("order-dependent", "asking changes this system: its answers depend on the questions before"),
    "not_proven": ("state not proven", "nothing shows whether asking left this system as it was"),
    "its_own_context": (
        "own context",
        "an agent: it answers by itself, and budget and hidden options are its own promise",
    ),
    "saturated": ("saturated", "within 2 standard errors of the ceiling: no better than this can be told apart here"),
}
RULES: Mapping[str, str] = {
    "chance": "chance",
    "constant": "one answer for all",
    "longest_option": "always the longest option",
    "shortest_option": "always the shortest option",
    "abstain": "always abstaining",
    "clarify": "always asking back, by rules",
    "refuse": "always saying that nothing is known, by rules",
    "empty": "always an empty reply, by rules",
}


class _OfTaskAndRow(Protocol):
    @property
    def task(self) -> str: ...
    @property
    def row(self) -> str: ...


_T = TypeVar("_T", bound=_OfTaskAndRow)


class ScoreLine(NamedTuple):
    """One bar of the headline table."""

    label: str
    group: str
    """`system`, `reference` or `rule`."""
    score: Estimate
    chart: Markup
    headline: Headline | None = None
    number: Number | None = None
    marks: Sequence[tuple[str, str]] = ()
    note: str = ""
    link: str = ""


class OutcomeLine(NamedTuple):
    number: Number
    group: str
    counts: Sequence[tuple[OutcomeName, int]]
    chart: Markup


class FallLine(NamedTuple):
    waterfall: Waterfall
    steps: Sequence[bars.Fall]


class NoiseLine(NamedTuple):
    noise: Noise
    stages: Sequence[str]
    floor: str


class Stratum(NamedTuple):
    label: str
    value: str
    questions: int
    scores: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSection:
    anchor: str
    facts: TaskFacts
    calibration: str
    """The check of the judge; empty for tasks without a judge."""
    scores: Sequence[ScoreLine]
    no_rules: Sequence[tuple[str, str]]
    """Rule that reads nothing, and why it has no score."""
    axis: Markup
    guides: Sequence[bars.Guide]
    withheld: Mapping[str, Sequence[str]]
    """Why there is no headline -> its rows."""
    method: str
    outcomes: Sequence[OutcomeLine]
    falls: Sequence[FallLine]
    no_falls: Mapping[str, Sequence[str]]
    """Why there is no waterfall -> its rows."""
    failures: Sequence[LossLine]
    retrieval: Sequence[Retrieval]
    curves: Markup | None
    legend: Sequence[tuple[str, Markup]]
    """Rows in the order in which their lines end."""
    strata: Sequence[Stratum]
    strata_rows: Sequence[str]
    parts: Sequence[Number]
    part_names: Sequence[str]
    context: Sequence[Number]
    faults: Sequence[FaultGroup]
    timings: Sequence[Timing]
    noise: Sequence[NoiseLine]
    noise_reasons: Sequence[str]


def sections(summary: Summary, cells: Iterable[CellOutcome]) -> tuple[TaskSection, ...]:
    """One for each task, in the summary's order."""
    counts = outcome_counts(cells)
    return tuple(_Maker(summary, facts, counts).section(number) for number, facts in enumerate(summary.tasks, start=1))


class _Maker:
    def __init__(self, summary: Summary, facts: TaskFacts, counts: Mapping[Asked, Counter[OutcomeName]]) -> None:
        self.summary, self.facts, self.counts = summary, facts, counts
        self.order = {row.row: index for index, row in enumerate(summary.rows)}
        mine = [number for number in summary.numbers if number.task == facts.task]
        self.numbers = sorted(mine, key=lambda one: (self.order.get(one.row, 0), one.purpose, ARMS.index(one.arm)))
        self.main = [number for number in self.numbers if is_main(number)]
        """The number of each row in the headline table."""
        self.references = [one for one in summary.references if one.task == facts.task]

    def section(self, number: int) -> TaskSection:
        retrieval, waterfalls = self._of(self.summary.retrieval), self._of(self.summary.waterfalls)
        noise = self._of(self.summary.noise)
        guides = self._guides()
        scores = self._scores(guides)
        strata_rows, strata = self._strata()
        recalls = {one.row: [curves.Spot(point.at, point.recall) for point in one.points] for one in retrieval}
        lines = {row: spots for row, spots in recalls.items() if any(one.score.estimate is not None for one in spots)}
        return TaskSection(
            anchor=f"task-{number}",
            facts=self.facts,
            calibration=check_worded(checks_of(self.summary).get(self.facts.task, "")),
            scores=scores,
            no_rules=[
                (RULES.get(one.name, one.name), one.score.why) for one in self.references if one.score.estimate is None
            ],
            axis=bars.score_axis(guides),
            guides=guides,
            withheld=_by_reason((one.withheld, one.row) for one in self._of(self.summary.headlines)),
            method=next((one.score.method for one in scores if one.score.low is not None), ""),
            outcomes=[self._outcome(one) for one in self.numbers],
            falls=[FallLine(one, bars.waterfall_steps(one)) for one in waterfalls],
            no_falls=_by_reason((one.why, one.row) for one in waterfalls if one.variant == "readback"),
            failures=[self._failure(one) for one in self._of(self.summary.failures)],
            retrieval=retrieval,
            curves=curves.line_chart(f"evidence recall of {self.facts.task}", lines) if lines else None,
            legend=[(end.row, bars.key_mark(end.number)) for end in curves.ends_of(lines)],
            strata=strata,
            strata_rows=strata_rows,
            parts=[one for one in self.numbers if one.parts],
            part_names=list(dict.fromkeys(part.name for one in self.numbers for part in one.parts)),
            context=[one for one in self.numbers if one.context_tokens is not None],
            faults=[one for one in self.summary.faults if one.task == self.facts.task],
            timings=[one for one in self.summary.timings if one.task == self.facts.task],
            noise=[
                NoiseLine(one, [component_said(part) for part in one.components], floor_in_percent(one.floor))
                for one in noise
            ],
            noise_reasons=list(reasons(noise)),
        )

    def _outcome(self, number: Number) -> OutcomeLine:
        counts = self.counts.get(Asked(number.task, number.row, number.arm, number.purpose), Counter())
        pieces = [(name, counts[name]) for name in OUTCOMES]
        chart = bars.stacked_bar(f"{number.row}, {number.arm}", [bars.Segment(*piece) for piece in pieces])
        return OutcomeLine(number, "reference" if number.reference else "system", pieces, chart)

    def _failure(self, failures: Failures) -> LossLine:
        arms = {one.arm for one in self.numbers if one.row == failures.row or one.arm is Arm.ORACLE}
        return loss_line(failures, floor=self.facts.floor, arms=frozenset(arms))

    def _of(self, tables: Iterable[_T]) -> list[_T]:
        mine = [one for one in tables if one.task == self.facts.task]
        return sorted(mine, key=lambda one: self.order.get(one.row, 0))

    def _guides(self) -> list[bars.Guide]:
        found = {one.row: one.score.estimate for one in self.main}
        chance = next((one.score.estimate for one in self.references if one.name == "chance"), None)
        named = (
            ("floor", found.get(self.facts.floor)),
            ("chance", chance),
            ("ceiling", found.get(self.facts.ceiling)),
        )
        return [bars.Guide(name, at) for name, at in named if at is not None]

    def _scores(self, guides: Sequence[bars.Guide]) -> list[ScoreLine]:
        heads = {one.row: one for one in self._of(self.summary.headlines)}
        lines = [self._score(number, heads.get(number.row), guides) for number in self.main]
        for absent in absent_rows(self.summary):
            score = no_score(absent)
            chart = bars.score_bar(absent.row, score, guides, tone="system")
            lines.append(ScoreLine(label=absent.row, group="system", score=score, chart=chart))
        lines.sort(key=lambda line: line.group == "reference")
        return lines + [self._rule(one, guides) for one in self.references if one.score.estimate is not None]

    def _score(self, number: Number, headline: Headline | None, guides: Sequence[bars.Guide]) -> ScoreLine:
        group = "reference" if number.reference else "system"
        marks = [*number.marks, *(["saturated"] if headline and headline.saturated else [])]
        return ScoreLine(
            label=number.row,
            group=group,
            score=number.score,
            chart=bars.score_bar(number.row, number.score, guides, tone=group),
            headline=headline,
            number=number,
            marks=[*(MARKS.get(mark, (mark, "")) for mark in marks), *card_mark(card_of(self.summary, number.row))],
            note={self.facts.floor: "floor", self.facts.ceiling: "ceiling"}.get(number.row, ""),
            link=link_to(task=number.task, row=number.row, arm=str(number.arm)),
        )

    def _rule(self, reference: Reference, guides: Sequence[bars.Guide]) -> ScoreLine:
        label = RULES.get(reference.name, reference.name)
        chart = bars.score_bar(label, reference.score, guides, tone="rule")
        note = f"“{reference.answer}”" if reference.answer else ""
        return ScoreLine(label=label, group="rule", score=reference.score, chart=chart, note=note)

    def _strata(self) -> tuple[list[str], list[Stratum]]:
        main = {(one.row, one.arm) for one in self.main}
        found: dict[tuple[str, str], dict[str, Estimate]] = {}
        asked: Counter[tuple[str, str]] = Counter()
        for one in self.summary.strata:
            if one.task == self.facts.task and one.purpose == "score" and (one.row, one.arm) in main:
                name = (one.label or "", one.stratum or "")
                found.setdefault(name, {})[one.row] = one.score
                asked[name] = max(asked[name], one.counts.planned // max(1, one.replicates * one.takes))
        rows = sorted({row for scores in found.values() for row in scores}, key=lambda row: self.order.get(row, 0))
        return rows, [Stratum(*name, asked[name], scores) for name, scores in found.items()]


def _by_reason(told: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Reason -> rows; rows without a reason are left out."""
    reasons: dict[str, list[str]] = {}
    for why, row in told:
        if why:
            reasons.setdefault(why, []).append(row)
    return reasons


UNKNOWN = "unknown"
NOTHING_KEPT = "keeps nothing, so nothing could be lost on the way"
NOT_NAMED = "not known: the evidence is not named, or an arm has no answer that counts"


class LossLine(NamedTuple):
    failures: Failures
    chart: Markup
    links: Mapping[str, str]
    """Label -> link to the questions that failed there."""
    behind: str
    """Link to the answers without a known stage: all of a row that keeps nothing."""
    why: str
    """Why *hidden* answers have no known stage; empty where all have one."""
    hidden: int

    @property
    def is_known(self) -> bool:
        """The stage of at least one wrong answer is known, or there are none."""
        return not self.hidden or self.hidden < self.failures.wrong


def loss_line(failures: Failures, *, floor: str, arms: frozenset[Arm]) -> LossLine:
    """The line of a row.

    Args:
        failures: The counts.
        floor: The row that remembers nothing, whose failures have no stage.
        arms: Those that decide the stage for this row: its own, and the oracle's where the task has one.
    """
    about = {"task": failures.task, "row": failures.row}
    if failures.row == floor:
        counts, name, behind, why = {UNKNOWN: failures.wrong}, "wrong", link_to(**about, arm="system"), NOTHING_KEPT
    else:
        counts, name = dict(failures.counts), "lost nobody knows where"
        behind, why = link_to(**about, failure=UNKNOWN), ""
        missing = [str(arm) for arm in (Arm.ORACLE, Arm.READBACK) if arm not in arms]
        if counts.get(UNKNOWN, 0):
            needed = f"not known: needs the arm{'s' if len(missing) > 1 else ''} {' and '.join(missing)}"
            why = needed if missing else NOT_NAMED
    pieces = [
        bars.Segment(f"lost {label}", many, name if label == UNKNOWN else f"lost at {label}")
        for label, many in counts.items()
    ]
    return LossLine(
        failures=failures,
        chart=bars.stacked_bar(failures.row, pieces),
        links={label: link_to(**about, failure=label) for label, many in counts.items() if many},
        behind=behind,
        why=why,
        hidden=counts.get(UNKNOWN, 0),
    )


class Comparison(NamedTuple):
    """The other rows of the task, by how a row compares with them."""

    above: list[str]
    level: list[str]
    """Not significantly different."""
    below: list[str]


class HeadlineLine(NamedTuple):
    headline: Headline
    number: Number
    standing: Comparison
    price: float | None
    unit: CostUnit | None


class HeadlineGroup(NamedTuple):
    anchor: str
    facts: TaskFacts
    lines: Sequence[HeadlineLine]


def headline_groups(summary: Summary, tasks: Sequence[TaskSection]) -> tuple[HeadlineGroup, ...]:
    """One for each task with rows under test; its reference rows where the run has no rows under test."""
    units = summary.costs.units if summary.costs else {}
    costs = {(cost.task, cost.row): cost for cost in summary.costs.rows} if summary.costs else {}
    tested = any(not row.reference for row in summary.rows)
    groups = []
    for task in tasks:
        unit, lines = units.get(task.facts.task), []
        for line in task.scores:
            if line.headline is None or line.number is None or (tested and line.number.reference):
                continue
            cost = costs.get((task.facts.task, line.label))
            price = cost.whole(unit) if cost and unit else None
            lines.append(HeadlineLine(line.headline, line.number, _standing(line, task), price, unit))
        if lines:
            groups.append(HeadlineGroup(task.anchor, task.facts, lines))
    return tuple(groups)


def _standing(line: ScoreLine, task: TaskSection) -> Comparison:
    found = Comparison([], [], [])
    for other in task.scores:
        if other.number is None or other.label in (line.label, task.facts.ceiling):
            continue
        low, high = line.score.low, line.score.high
        other_low, other_high = other.score.low, other.score.high
        if other.label == task.facts.floor and line.headline and line.headline.lift.low is not None:
            low, high, other_low, other_high = line.headline.lift.low, line.headline.lift.high, 0.0, 0.0
        if low is not None and other_high is not None and other_low is not None and high is not None:
            group = found.above if low > other_high else found.below if high < other_low else found.level
        else:
            group = found.level
        group.append(other.label)
    return found
