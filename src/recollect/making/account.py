"""Account of a run: a line for everything that did not pass at the first try, and pass rates of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from recollect.making.run import Entry, ItemResult, Position, RunResult
from recollect.making.steps import Loop, Rule, Stage
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
    """Calls made; 0 where a rule left it out."""
    failed: tuple[FailedTry, ...] = ()
    problem: str = ""
    costs: Costs


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCount:
    """Counts of one step over all items."""

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
    """Share of its parts that were made; `None` for rules, and where none was settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of a run."""

    pipeline: str
    items: int
    made: int
    rejected: int
    unfinished: int
    steps: tuple[StepCount, ...]


def log_of(ending: RunResult) -> Iterator[LogLine]:
    """The lines in the order of items, steps and parts."""
    stages = {stage.name: stage for stage in ending.pipeline.stages}
    loops = [stage for stage in stages.values() if isinstance(stage, Loop)]
    stage_of = {**stages, **{step.name: loop for loop in loops for step in (loop.check, loop.mend)}}
    for course in ending.courses:
        placed: list[tuple[Position, LogLine]] = []
        for entry in course.entries:
            costs = _costs(course, stage_of[entry.step])
            placed += [(entry.position, line) for line in _of_entry(course.item.key, entry, costs)]
        for left in course.left_out:
            line = LogLine(
                item=course.item.key,
                step=left.step,
                part=left.part,
                outcome="dropped",
                check=left.check,
                problem=left.problem,
                costs=_costs(course, stages[left.step]),
            )
            placed.append((left.position, line))
        yield from (line for _, line in sorted(placed, key=lambda pair: pair[0]))


def _costs(course: ItemResult, stage: Stage) -> Costs:
    needed = course.at == stage.name if isinstance(stage, Rule) else stage.needed
    return "item" if needed else "part"


def _of_entry(item: str, entry: Entry, costs: Costs) -> Iterator[LogLine]:
    result = entry.result
    line = partial(LogLine, item=item, step=entry.step, part=entry.part)
    if isinstance(result, FaultRecord):
        problem = f"{result.error}: {result.message}"
        yield line(outcome="unfinished", check=result.cause, problem=problem, costs="item")
    elif isinstance(result, RejectedRecord):
        failed = result.failed
        yield line(outcome="rejected", check=result.check, tries=len(failed), failed=failed, costs=costs)
    elif result.failed:
        failed, check = result.failed, result.failed[-1].checks[0]
        yield line(outcome="repaired", check=check, tries=len(failed) + 1, failed=failed, costs="nothing")


def summary_of(ending: RunResult) -> Summary:
    """The counts; the same results give the same counts."""
    states = Counter(course.state for course in ending.courses)
    loops = {stage.name: stage for stage in ending.pipeline.stages if isinstance(stage, Loop)}
    return Summary(
        pipeline=ending.pipeline.name,
        items=len(ending.courses),
        made=states["made"],
        rejected=states["rejected"],
        unfinished=states["unfinished"],
        steps=tuple(
            _count_loop(ending.courses, loops[name]) if name in loops else _count_step(ending.courses, name)
            for name in ending.pipeline.names
        ),
    )


def as_lines(ending: RunResult) -> bytes:
    """The reject log as JSON lines."""
    return "".join(f"{canonical(encode(line))}\n" for line in log_of(ending)).encode()


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary with its rates, as JSON."""
    data: dict[str, Any] = encode(summary)
    return {**data, "steps": [{**encode(step), "passed": step.passed} for step in summary.steps]}


def _count_loop(courses: Sequence[ItemResult], loop: Loop) -> StepCount:
    """Drafts that passed at once, after repair, or not at all; the calls are counted at the steps inside."""
    made = repaired = 0
    for course in courses:
        mended = {entry.part.rpartition("#")[0] for entry in course.entries if entry.step == loop.mend.name}
        parts = course.results.get(loop.name, {})
        made += len(parts)
        repaired += len(mended & parts.keys())
    dropped = _dropped(courses, loop.name)
    passed = made / (made + dropped) if made + dropped else None
    return StepCount(step=loop.name, first_try=made - repaired, repaired=repaired, dropped=dropped, passed=passed)


def _count_step(courses: Sequence[ItemResult], step: str) -> StepCount:
    results = [entry.result for course in courses for entry in course.entries if entry.step == step]
    made = [result for result in results if isinstance(result, MadeRecord)]
    rejected = [result for result in results if isinstance(result, RejectedRecord)]
    failed = [one for tries in (*(m.failed for m in made), *(r.failed for r in rejected)) for one in tries]
    checks = Counter(check for one in failed for check in one.checks)
    repaired, settled = sum(bool(result.failed) for result in made), len(made) + len(rejected)
    return StepCount(
        step=step,
        first_try=len(made) - repaired,
        repaired=repaired,
        rejected=len(rejected),
        dropped=_dropped(courses, step),
        unfinished=len(results) - settled,
        tries=len(failed) + len(made),
        checks=dict(sorted(checks.items())),
        passed=len(made) / settled if settled else None,
    )


def _dropped(courses: Sequence[ItemResult], step: str) -> int:
    return sum(left.step == step for course in courses for left in course.left_out)
