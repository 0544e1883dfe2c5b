"""What came of a run: a line for everything that did not pass at the first try, and pass rates of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from recollect.making.run import Entry, ItemResult, LeftOut, RunResult
from recollect.making.steps import Loop, Pipeline, Rule, Step
from recollect.records.codec import encode
from recollect.records.digests import canonical
from recollect.records.kinds import FailedTry, FaultRecord, MadeRecord, RejectedRecord

Outcome = Literal["repaired", "rejected", "dropped", "unfinished"]
Costs = Literal["nothing", "part", "item"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """Something that did not pass at the first try."""

    item: str
    step: str
    part: str = ""
    outcome: Outcome
    check: str
    """The last one that it did not pass; the cause, where a call failed."""
    tries: int = 0
    """Calls that were made for it; 0 where a rule left it out."""
    failed: tuple[FailedTry, ...] = ()
    problem: str = ""
    """Where there was no try to tell it."""
    costs: Costs
    """What is missing for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCount:
    """How one step went, over all items."""

    step: str
    first_try: int = 0
    repaired: int = 0
    rejected: int = 0
    dropped: int = 0
    """Left out by rule, or by a loop that did not end."""
    unfinished: int = 0
    tries: int = 0
    """Replies that were read."""
    checks: Mapping[str, int] = field(default_factory=dict)
    """Check -> replies that did not pass it."""
    passed: float | None = None
    """Share of its parts that came out; `None` for rules, and where it settled none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a run went."""

    pipeline: str
    items: int
    made: int
    rejected: int
    unfinished: int
    steps: tuple[StepCount, ...]


def log_of(ending: RunResult) -> Iterator[LogLine]:
    """The lines in the order of items, steps and parts."""
    for course in ending.courses:
        known = {stage.name: stage for stage in ending.pipeline.stages}
        placed: list[tuple[Any, LogLine]] = []
        for entry in course.entries:
            line = _of_entry(course, entry, _needed(ending.pipeline, entry.step))
            placed += [(entry.place, line)] if line is not None else []
        placed += [(fall.place, _of_fall(course, fall, known[fall.step])) for fall in course.falls]
        yield from (line for _, line in sorted(placed, key=lambda pair: pair[0]))


def summary_of(ending: RunResult) -> Summary:
    """The counts; the same results give the same counts."""
    states = Counter(course.state for course in ending.courses)
    return Summary(
        pipeline=ending.pipeline.name,
        items=len(ending.courses),
        made=states["made"],
        rejected=states["rejected"],
        unfinished=states["unfinished"],
        steps=tuple(_count(ending, step) for step in ending.pipeline.names),
    )


def as_lines(ending: RunResult) -> bytes:
    """The reject log as JSON lines."""
    return "".join(f"{canonical(encode(line))}\n" for line in log_of(ending)).encode()


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary with its rates, as JSON."""
    said: dict[str, Any] = encode(summary)
    return {**said, "steps": [{**encode(step), "passed": step.passed} for step in summary.steps]}


def _of_entry(course: ItemResult, entry: Entry, needed: bool) -> LogLine | None:
    result = entry.result
    line = partial(LogLine, item=course.item.key, step=entry.step, part=entry.part)
    if isinstance(result, FaultRecord):
        told = f"{result.error}: {result.message}"
        return line(outcome="unfinished", check=result.cause, problem=told, costs="item")
    if isinstance(result, RejectedRecord):
        costs: Costs = "item" if needed else "part"
        return line(outcome="rejected", check=result.check, tries=len(result.failed), failed=result.failed, costs=costs)
    if not result.failed:
        return None
    check = result.failed[-1].checks[0]
    return line(outcome="repaired", check=check, tries=len(result.failed) + 1, failed=result.failed, costs="nothing")


def _of_fall(course: ItemResult, fall: LeftOut, stage: Step | Rule | Loop) -> LogLine:
    needed = course.at == stage.name if isinstance(stage, Rule) else stage.needed
    return LogLine(
        item=course.item.key,
        step=fall.step,
        part=fall.part,
        outcome="dropped",
        check=fall.check,
        problem=fall.problem,
        costs="item" if needed else "part",
    )


def _needed(pipeline: Pipeline, step: str) -> bool:
    """A rejected part of *step* costs the item."""
    for stage in pipeline.stages:
        if isinstance(stage, Loop) and step in {stage.check.name, stage.mend.name}:
            return stage.needed
        if isinstance(stage, Step) and stage.name == step:
            return stage.needed
    return True


def _count(ending: RunResult, step: str) -> StepCount:
    looped = next((stage for stage in ending.pipeline.stages if isinstance(stage, Loop) and stage.name == step), None)
    return _count_loop(ending.courses, looped) if looped else _count_step(ending.courses, step)


def _count_loop(courses: Sequence[ItemResult], loop: Loop) -> StepCount:
    """Drafts that held at once, after mending, or not at all; the calls are counted at the steps inside."""
    held = [(course, part) for course in courses for part in course.results.get(loop.name, {})]
    mended = {
        (course.item.key, entry.part.rpartition("#")[0])
        for course in courses
        for entry in course.entries
        if entry.step == loop.mend.name
    }
    repaired = sum((course.item.key, part) in mended for course, part in held)
    dropped = sum(fall.step == loop.name for course in courses for fall in course.falls)
    passed = _ratio(len(held), len(held) + dropped)
    return StepCount(step=loop.name, first_try=len(held) - repaired, repaired=repaired, dropped=dropped, passed=passed)


def _ratio(made: int, settled: int) -> float | None:
    return made / settled if settled else None


def _count_step(courses: Sequence[ItemResult], step: str) -> StepCount:
    results = [entry.result for course in courses for entry in course.entries if entry.step == step]
    made = [one for one in results if isinstance(one, MadeRecord)]
    rejected = [one for one in results if isinstance(one, RejectedRecord)]
    failed = [one for several in (*(m.failed for m in made), *(r.failed for r in rejected)) for one in several]
    checks = Counter(check for one in failed for check in one.checks)
    return StepCount(
        step=step,
        first_try=sum(not one.failed for one in made),
        repaired=sum(bool(one.failed) for one in made),
        rejected=len(rejected),
        dropped=sum(fall.step == step for course in courses for fall in course.falls),
        unfinished=sum(isinstance(one, FaultRecord) for one in results),
        tries=len(failed) + len(made),
        checks=dict(sorted(checks.items())),
        passed=_ratio(len(made), len(made) + len(rejected)),
    )
