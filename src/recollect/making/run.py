"""Runs generation steps: several items at once, every result in a journal, no call made twice.

The output depends on the results alone and is ordered by item, step and part: a run that was killed and resumed gives
the same bytes as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from typing import Any, Literal, NamedTuple, TypeAlias

from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.models import ToolModel
from recollect.domain.errors import CallError, InterruptedRunError, RefusedError
from recollect.making.repair import ask, result_key
from recollect.making.steps import DroppedError, Given, Item, Loop, Pipeline, Rule, Sight, Step
from recollect.records.kinds import FailedTry, FaultRecord, MadeRecord, RejectedRecord
from recollect.store.journal import Journal
from recollect.store.locks import hold

JOURNAL = "made.jsonl"
LOCK = ".lock"
FILTERED = "filtered"
"""Cause of a refusal that another try does not change; also the check that such a part failed."""

Result: TypeAlias = MadeRecord | RejectedRecord | FaultRecord
Position: TypeAlias = tuple[int, int, int]
"""Stage, part, and turn within a loop."""
State = Literal["made", "rejected", "unfinished"]
_KINDS: Mapping[type[Result], str] = {MadeRecord: "made", RejectedRecord: "rejected", FaultRecord: "fault"}


class Progress(NamedTuple):
    """One part is settled."""

    item: str
    step: str
    done: int
    of: int
    state: State


ProgressCallback = Callable[[Progress], None]


class Entry(NamedTuple):
    """The result of one call, and its position."""

    position: Position
    step: str
    part: str
    result: Result


class LeftOut(NamedTuple):
    """Something that was left out by rule, or by a loop that did not end."""

    position: Position
    step: str
    part: str
    check: str
    problem: str


class PartResult(NamedTuple):
    """The result of one part, with its calls."""

    state: State
    value: Any = None
    entries: Sequence[Entry] = ()
    left_out: Sequence[LeftOut] = ()


@dataclass(slots=True, kw_only=True)
class ItemResult:
    """The result of one item."""

    item: Item
    state: State = "made"
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    at: str = ""
    """The stage where it ended, if it was not made."""

    def sight(self) -> Sight:
        """What the functions of the next stage see."""
        return Sight(item=self.item, results=dict(self.results))


class RunResult(NamedTuple):
    """The results of a run, in the order of item keys."""

    pipeline: Pipeline
    courses: tuple[ItemResult, ...]

    def made(self) -> Mapping[str, Sight]:
        """Item -> all its results, for those that were made."""
        return {course.item.key: course.sight() for course in self.courses if course.state == "made"}

    @property
    def finished(self) -> bool:
        """Every item was made or rejected; else some call failed, and another run tries it again."""
        return all(course.state != "unfinished" for course in self.courses)


def run(
    pipeline: Pipeline,
    items: Sequence[Item],
    *,
    model: ToolModel,
    folder: Path,
    at_once: int = 8,
    watch: ProgressCallback | None = None,
    stop: Event | None = None,
) -> RunResult:
    """Take all *items* through *pipeline*; what the journal of *folder* has is not asked again.

    Args:
        pipeline: The steps.
        items: Their keys differ.
        model: Called for every step.
        folder: Has the journal; one process at a time works in it.
        at_once: Most calls, and items, at a time. Changes no result.
        watch: Called for every part that is settled, by any thread, one at a time.
        stop: Once set, the run ends after the calls in flight.

    Raises:
        BusyError: Another process works in *folder*.
        InterruptedRunError: *stop* was set; what is recorded stays.
        RecollectError: The cause is no item: a spent budget, a dead endpoint, a full disk.
    """
    keys = [item.key for item in items]
    if len(set(keys)) < len(keys):
        raise ValueError(f"two items of `{pipeline.name}` have one key: {sorted(keys)}")
    ordered = sorted(items, key=lambda item: item.key)
    with hold(folder / LOCK, f"{folder}"), closing(Journal(folder / JOURNAL, write=True)) as journal:
        runner = _Runner(pipeline=pipeline, model=model, journal=journal, watch=watch, stop=stop or Event())
        with ThreadPoolExecutor(at_once, "item") as threads, ThreadPoolExecutor(at_once, "part") as runner.calls:
            futures = [threads.submit(runner.stopping, runner.run_item, item) for item in ordered]
            return RunResult(pipeline, tuple(_results(futures, runner.stop)))


def _results(futures: Sequence[Future[Any]], stop: Event) -> list[Any]:
    """All results, or the error that stopped the run; interruptions that it caused come last."""
    errors: list[BaseException] = []
    try:
        errors = [error for future in futures if (error := future.exception()) is not None]
    except BaseException:  # asked to stop while waiting
        stop.set()
        raise
    for error in sorted(errors, key=lambda one: isinstance(one, InterruptedRunError)):
        raise error
    return [future.result() for future in futures]


@dataclass(slots=True, kw_only=True)
class _Runner:
    pipeline: Pipeline
    model: ToolModel
    journal: Journal
    watch: ProgressCallback | None
    stop: Event
    calls: ThreadPoolExecutor = field(init=False)
    _writing: Lock = field(default_factory=Lock)

    def stopping(self, work: Callable[..., Any], *given: Any) -> Any:
        """*work* done; an error of it stops all others."""
        try:
            return work(*given)
        except BaseException:
            self.stop.set()
            raise

    def run_item(self, item: Item) -> ItemResult:
        course = ItemResult(item=item)
        for number, stage in enumerate(self.pipeline.stages):
            state = self._rule(course, number, stage) if isinstance(stage, Rule) else self._stage(course, number, stage)
            if state != "made":
                course.state, course.at = state, stage.name
                break
        course.entries.sort(key=lambda entry: entry.position)
        course.left_out.sort(key=lambda left: left.position)
        return course

    def _rule(self, course: ItemResult, number: int, rule: Rule) -> State:
        try:
            ruled = rule.make(course.sight())
        except DroppedError as error:
            course.left_out.append(LeftOut((number, 0, 0), rule.name, "", error.check, error.problem))
            return "rejected"
        course.results[rule.name] = {"": ruled.value}
        course.left_out += [LeftOut((number, index, 0), rule.name, *drop) for index, drop in enumerate(ruled.drops)]
        return "made"

    def _stage(self, course: ItemResult, number: int, stage: Step | Loop) -> State:
        parts = tuple(stage.parts(course.sight()))
        if len(set(parts)) < len(parts):
            raise ValueError(f"step `{stage.name}`: two parts of `{course.item.key}` have one name")
        course.results[stage.name] = {}
        states: list[State] = []
        for part, done in zip(parts, self._parts(course, number, stage, parts), strict=True):
            course.entries.extend(done.entries)
            course.left_out.extend(done.left_out)
            if done.state == "made":
                course.results[stage.name][part] = done.value
            states.append(done.state)
            if self.watch is not None:
                with self._writing:
                    self.watch(Progress(course.item.key, stage.name, len(states), len(parts), done.state))
        if "unfinished" in states:
            return "unfinished"
        return "rejected" if stage.needed and "rejected" in states else "made"

    def _parts(self, course: ItemResult, number: int, stage: Step | Loop, parts: Sequence[str]) -> Iterator[PartResult]:
        run_part = self._loop if isinstance(stage, Loop) else self._call
        positions = [(number, index, 0) for index in range(len(parts))]
        if not isinstance(stage, Step) or not stage.chained:
            sight = course.sight()
            jobs = [
                self.calls.submit(self.stopping, run_part, stage, sight, part, position)
                for part, position in zip(parts, positions, strict=True)
            ]
            yield from (job.result() for job in jobs)
            return
        broken: State = "made"
        for position, part in zip(positions, parts, strict=True):
            if broken == "made":
                done = self._call(stage, course.sight(), part, position)
                broken = done.state
            else:  # a part that follows one that was not made would rest on nothing
                left = LeftOut(position, stage.name, part, "chain", "a part before it was not made")
                done = PartResult(broken, left_out=[left] if broken == "rejected" else [])
            yield done

    def _call(self, step: Step, sight: Sight, part: str, position: Position) -> PartResult:
        entry = Entry(position, step.name, part, self._result(step, sight, part, position))
        if isinstance(entry.result, MadeRecord):
            return PartResult("made", entry.result.value, [entry])
        return PartResult("unfinished" if isinstance(entry.result, FaultRecord) else "rejected", None, [entry])

    def _loop(self, loop: Loop, sight: Sight, part: str, position: Position) -> PartResult:
        draft = loop.start(sight, part)
        entries: list[Entry] = []
        problems: list[str] = []
        for turn in range(loop.rounds + 1):
            at = replace(sight, draft=draft)
            judged = self._call(loop.check, at, f"{part}#{turn}", (*position[:2], 2 * turn))
            entries += judged.entries
            if judged.state != "made":
                return judged._replace(entries=entries)
            problems = list(loop.faults(judged.value, draft))
            if not problems:
                return PartResult("made", draft, entries)
            if turn == loop.rounds:
                break
            at = replace(at, verdict=judged.value)
            mended = self._call(loop.mend, at, f"{part}#{turn}", (*position[:2], 2 * turn + 1))
            entries += mended.entries
            if mended.state != "made":
                return mended._replace(entries=entries)
            draft = loop.mended(draft, judged.value, mended.value)
        left = LeftOut((*position[:2], 2 * loop.rounds + 1), loop.name, part, "rounds", "; ".join(problems))
        return PartResult("rejected", None, entries, [left])

    def _result(self, step: Step, sight: Sight, part: str, position: Position) -> Result:
        given = step.given(sight, part)
        key = result_key(step, sight.item, part, given, self.model.fingerprint)
        with self._writing:
            if key in self.journal.done:
                known: Result = self.journal.body(key)
                return known
        if self.stop.is_set():
            raise InterruptedRunError
        context = CallContext(
            stage="make",
            key=key,
            replicate=sight.item.take,
            row=step.name,
            task=self.pipeline.name,
            history=sight.item.key,
            question=part,
        )
        with in_context(context):
            result = self._ask(step, sight.item, part, given, position)
        with self._writing:
            self.journal.append(key, result, _KINDS[type(result)])
        return result

    def _ask(self, step: Step, item: Item, part: str, given: Given, position: Position) -> Result:
        try:
            return ask(step, item, part, given, self.model)
        except CallError as error:
            if isinstance(error, RefusedError) and error.cause == FILTERED:
                failed = (FailedTry(checks=(FILTERED,), problems=(str(error),)),)
                return RejectedRecord(item=item.key, step=step.name, part=part, check=FILTERED, failed=failed)
            kind = type(error).__name__
            return FaultRecord(
                stage="make", cause=error.cause or kind, error=kind, message=str(error), step=position[0]
            )
