"""The one runner of generation steps: several items at once, every result in a journal, nothing asked twice.

What comes out depends on the results alone and is ordered by item, step and part: a run that was killed and goes on
gives the same bytes as one that was not.
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
from recollect.making.steps import Drop, DroppedError, Item, Loop, Pipeline, Rule, Sight, Step
from recollect.records.kinds import FailedTry, FaultRecord, MadeRecord, RejectedRecord
from recollect.store.journal import Journal
from recollect.store.locks import hold

JOURNAL = "made.jsonl"
LOCK = ".lock"
FILTERED = "filtered"
"""Cause of a refusal that asking again does not change; also the check that such a part failed."""

Result: TypeAlias = MadeRecord | RejectedRecord | FaultRecord
Position: TypeAlias = tuple[int, int, int]
"""Stage, part, and turn within a loop."""
State = Literal["made", "rejected", "unfinished"]


class Progress(NamedTuple):
    """Something was done."""

    item: str
    step: str
    done: int
    """Parts of the step that are settled for this item."""
    of: int
    state: State


ProgressCallback = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Nobody is looking."""


class Entry(NamedTuple):
    """One result, and where it stands."""

    place: Position
    step: str
    part: str
    result: Result


class LeftOut(NamedTuple):
    """Something that was left out by rule, or by a loop that did not end."""

    place: Position
    step: str
    part: str
    check: str
    problem: str


@dataclass(slots=True, kw_only=True)
class ItemResult:
    """How one item went."""

    item: Item
    state: State = "made"
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    falls: list[LeftOut] = field(default_factory=list)
    at: str = ""
    """Where it ended, if it was not made."""

    def sight(self) -> Sight:
        """What its functions may see."""
        return Sight(item=self.item, results=dict(self.results))


class RunResult(NamedTuple):
    """What came of a run, in the order of item keys."""

    pipeline: Pipeline
    courses: tuple[ItemResult, ...]

    def made(self) -> Mapping[str, Sight]:
        """Item -> all its results, for those that were made."""
        return {course.item.key: course.sight() for course in self.courses if course.state == "made"}

    @property
    def finished(self) -> bool:
        """Every item was made or rejected; else some call failed, and running again tries it again."""
        return all(course.state != "unfinished" for course in self.courses)


def run(
    pipeline: Pipeline,
    items: Sequence[Item],
    *,
    model: ToolModel,
    folder: Path,
    at_once: int = 8,
    watch: ProgressCallback = ignore_progress,
    stop: Event | None = None,
) -> RunResult:
    """Take all *items* through *pipeline*; what the journal of *folder* has is not asked again.

    Args:
        pipeline: The steps.
        items: Their keys differ.
        model: Asked for every step; its cache and ledger are its own matter.
        folder: Holds the journal; one process at a time works in it.
        at_once: Most calls, and items, at a time. Changes no result.
        watch: Told of every part that is settled, by any thread, one at a time.
        stop: Once set, the run ends after the calls in flight.

    Raises:
        BusyError: Another process works in *folder*.
        InterruptedRunError: *stop* was set; what is recorded stays.
        RecollectError: Something that no item is to blame for: a spent budget, a dead endpoint, a full disk.
    """
    keys = [item.key for item in items]
    if len(set(keys)) < len(keys):
        raise ValueError(f"two items of `{pipeline.name}` have one key: {sorted(keys)}")
    ordered = sorted(items, key=lambda item: item.key)
    with hold(folder / LOCK, f"{folder}"), closing(Journal(folder / JOURNAL, write=True)) as journal:
        shop = Runner(pipeline=pipeline, model=model, journal=journal, watch=watch, stop=stop or Event())
        with ThreadPoolExecutor(at_once, "item") as hands, ThreadPoolExecutor(at_once, "part") as shop.calls:
            futures = [hands.submit(shop.stopping, shop.course, item) for item in ordered]
            return RunResult(pipeline, tuple(_results(futures, shop.stop)))


def _results(futures: Sequence[Future[Any]], stop: Event) -> list[Any]:
    """What all gave, or the error that says most: what stopped the run, before what was stopped by it."""
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
class Runner:
    """Shared by all items of a run."""

    pipeline: Pipeline
    model: ToolModel
    journal: Journal
    watch: ProgressCallback
    stop: Event
    calls: ThreadPoolExecutor = field(init=False)
    _writing: Lock = field(default_factory=Lock)

    def stopping(self, work: Callable[..., Any], *given: Any) -> Any:
        """*work* done; what it raises stops all others."""
        try:
            return work(*given)
        except BaseException:
            self.stop.set()
            raise

    def course(self, item: Item) -> ItemResult:
        """*item* taken through all stages, or as far as it goes."""
        course = ItemResult(item=item)
        for number, stage in enumerate(self.pipeline.stages):
            state = (
                self._ruled(course, number, stage) if isinstance(stage, Rule) else self._asked(course, number, stage)
            )
            if state != "made":
                course.state, course.at = state, stage.name
                break
        course.entries.sort(key=lambda entry: entry.place)
        course.falls.sort(key=lambda fall: fall.place)
        return course

    def _ruled(self, course: ItemResult, number: int, rule: Rule) -> State:
        try:
            ruled = rule.make(course.sight())
        except DroppedError as error:
            course.falls.append(_fall((number, 0, 0), rule, Drop("", error.check, error.problem)))
            return "rejected"
        course.results[rule.name] = {"": ruled.value}
        course.falls.extend(_fall((number, place, 0), rule, drop) for place, drop in enumerate(ruled.drops))
        return "made"

    def _asked(self, course: ItemResult, number: int, stage: Step | Loop) -> State:
        parts = tuple(stage.parts(course.sight()))
        if len(set(parts)) < len(parts):
            raise ValueError(f"step `{stage.name}`: two parts of `{course.item.key}` have one name")
        course.results[stage.name] = {}
        states: list[State] = []
        for part, done in zip(parts, self._done(course, number, stage, parts), strict=True):
            course.entries.extend(done.entries)
            course.falls.extend(done.falls)
            if done.state == "made":
                course.results[stage.name][part] = done.value
            states.append(done.state)
            with self._writing:
                self.watch(Progress(course.item.key, stage.name, len(states), len(parts), done.state))
        if "unfinished" in states:
            return "unfinished"
        return "rejected" if stage.needed and "rejected" in states else "made"

    def _done(self, course: ItemResult, number: int, stage: Step | Loop, parts: Sequence[str]) -> Iterator[PartDone]:
        """What came of each part, in order."""
        places = [(number, place, 0) for place in range(len(parts))]
        if isinstance(stage, Step) and stage.chained:
            for place, part in zip(places, parts, strict=True):
                done = self._part(stage, course.sight(), part, place)
                yield done
                if done.state != "made":
                    yield from _left(stage, done.state, places[place[1] + 1 :], parts[place[1] + 1 :])
                    return
            return
        sight = course.sight()
        jobs = [
            self.calls.submit(self.stopping, self._part, stage, sight, part, place)
            for part, place in zip(parts, places, strict=True)
        ]
        for job in jobs:
            yield job.result()

    def _part(self, stage: Step | Loop, sight: Sight, part: str, place: Position) -> PartDone:
        return (
            self._looped(stage, sight, part, place)
            if isinstance(stage, Loop)
            else self._once(stage, sight, part, place)
        )

    def _once(self, step: Step, sight: Sight, part: str, place: Position) -> PartDone:
        entry = Entry(place, step.name, part, self._result(step, sight, part, place))
        if isinstance(entry.result, MadeRecord):
            return PartDone("made", entry.result.value, [entry])
        return PartDone("unfinished" if isinstance(entry.result, FaultRecord) else "rejected", None, [entry])

    def _looped(self, loop: Loop, sight: Sight, part: str, place: Position) -> PartDone:
        draft, entries, problems = loop.start(sight, part), list[Entry](), list[str]()
        for turn in range(loop.rounds + 1):
            at = replace(sight, draft=draft)
            judged = self._once(loop.check, at, f"{part}#{turn}", (*place[:2], 2 * turn))
            entries += judged.entries
            if judged.state != "made":
                return judged._replace(entries=entries)
            problems = list(loop.faults(judged.value, draft))
            if not problems:
                return PartDone("made", draft, entries)
            if turn == loop.rounds:
                break
            at = replace(at, verdict=judged.value)
            mended = self._once(loop.mend, at, f"{part}#{turn}", (*place[:2], 2 * turn + 1))
            entries += mended.entries
            if mended.state != "made":
                return mended._replace(entries=entries)
            draft = loop.mended(draft, judged.value, mended.value)
        fall = LeftOut((*place[:2], 2 * loop.rounds + 1), loop.name, part, "rounds", "; ".join(problems))
        return PartDone("rejected", None, entries, [fall])

    def _result(self, step: Step, sight: Sight, part: str, place: Position) -> Result:
        """From the journal, or from the model and then in the journal."""
        given = step.given(sight, part)
        key = result_key(step, sight.item, part, given, self.model.fingerprint)
        with self._writing:
            if key in self.journal.done:
                known: Result = self.journal.body(key)
                return known
        if self.stop.is_set():
            raise InterruptedRunError
        occasion = CallContext(
            stage="make",
            key=key,
            replicate=sight.item.take,
            row=step.name,
            task=self.pipeline.name,
            history=sight.item.key,
            question=part,
        )
        with in_context(occasion):
            result, kind = self._tried(step, sight.item, part, given, place)
        with self._writing:
            self.journal.append(key, result, kind)
        return result

    def _tried(
        self, step: Step, item: Item, part: str, given: Mapping[str, Any], place: Position
    ) -> tuple[Result, str]:
        try:
            result = ask(step, item, part, given, self.model)
        except RefusedError as error:
            if error.cause == FILTERED:
                failed = (FailedTry(checks=(FILTERED,), problems=(str(error),)),)
                return RejectedRecord(
                    item=item.key, step=step.name, part=part, check=FILTERED, failed=failed
                ), "rejected"
            return _fault(error, place), "fault"
        except CallError as error:
            return _fault(error, place), "fault"
        return result, "made" if isinstance(result, MadeRecord) else "rejected"


class PartDone(NamedTuple):
    """What came of one part."""

    state: State
    value: Any = None
    entries: Sequence[Entry] = ()
    falls: Sequence[LeftOut] = ()


def _left(step: Step, state: State, places: Sequence[Position], parts: Sequence[str]) -> Iterator[PartDone]:
    """What would come after a part that was not made would rest on nothing."""
    for place, part in zip(places, parts, strict=True):
        told = LeftOut(place, step.name, part, "chain", "a part before it was not made")
        yield PartDone(state, falls=[told] if state == "rejected" else [])


def _fall(place: Position, rule: Rule, drop: Drop) -> LeftOut:
    return LeftOut(place, rule.name, drop.part, drop.check, drop.problem)


def _fault(error: CallError, place: Position) -> FaultRecord:
    cause = error.cause or type(error).__name__
    return FaultRecord(stage="make", cause=cause, error=type(error).__name__, message=str(error), step=place[0])
