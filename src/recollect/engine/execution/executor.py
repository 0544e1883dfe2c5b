"""Runs a plan: trials and calls concurrently, each with a limit of its own; one trial is run step by step."""

from __future__ import annotations

import asyncio
import shutil
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from recollect.domain.errors import BusyError, InterruptedRunError, UsageError
from recollect.domain.steps import Ask
from recollect.engine.execution.answering import Answerer
from recollect.engine.execution.asking import Asker, oracle, why_not
from recollect.engine.execution.states import StateBrokenError, States
from recollect.engine.faults import DivergedError
from recollect.engine.feeding.visibility import all_visible
from recollect.engine.plan import Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.rows import Conditions, ExecutionContext, ProgressCallback, Roles, ignore_progress
from recollect.store import files
from recollect.store.journal import Journal
from recollect.store.locks import hold
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Concurrency. Changes no result."""

    trials: int = 2
    """Histories in memory."""
    calls: int = 8
    """Calls to readers and judges in flight."""


def execute(
    trials: Sequence[Trial],
    folder: RunFolder,
    *,
    roles: Roles,
    conditions: Conditions,
    limits: Limits,
    watch: ProgressCallback = ignore_progress,
    stop: threading.Event | None = None,
    interrupted: Callable[[int], None] = lambda _times: None,
) -> list[Finished]:
    """Run all *trials* to their end.

    *stop*, once set, ends the run after the calls in flight; Ctrl-C sets it, and *interrupted* gets the number of
    times it was pressed.

    Raises:
        BusyError: Another process works on one of them; the others were done.
        InterruptedRunError: Ctrl-C; what is recorded stays.
    """
    names = [trial.trial_id for trial in trials]
    doubled = sorted({trial.row.label for trial in trials if names.count(trial.trial_id) > 1})
    if doubled:
        raise UsageError(f"rows {', '.join(doubled)} are one and the same system; leave one out.")
    stop = stop or threading.Event()
    with ThreadPoolExecutor(limits.calls, "call") as calls, ThreadPoolExecutor(limits.trials, "trial") as workers:
        execution = ExecutionContext(
            folder=folder, roles=roles, conditions=conditions, calls=calls, watch=watch, stop=stop
        )
        return asyncio.run(_run_all(trials, execution, workers, interrupted))


async def _run_all(
    trials: Sequence[Trial],
    execution: ExecutionContext,
    workers: ThreadPoolExecutor,
    interrupted: Callable[[int], None],
) -> list[Finished]:
    loop, times = asyncio.get_running_loop(), count(1)

    def stop() -> None:
        execution.stop.set()
        interrupted(next(times))

    with suppress(ValueError, NotImplementedError, RuntimeError):  # not the main thread: whoever called handles signals
        loop.add_signal_handler(signal.SIGINT, stop)
        loop.add_signal_handler(signal.SIGTERM, stop)

    def run(trial: Trial) -> Finished:
        execution.check_stop()
        try:
            return run_trial(trial, execution)
        except BusyError:
            raise
        except BaseException:
            execution.stop.set()  # a full disk, a bug, an interrupt: no use in starting more
            raise

    runs = (loop.run_in_executor(workers, run, trial) for trial in trials)
    results = await asyncio.gather(*runs, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    # the error that stopped the run comes before those of what was stopped
    for error in sorted(errors, key=lambda e: (isinstance(e, InterruptedRunError), isinstance(e, BusyError))):
        raise error
    return [result for result in results if isinstance(result, Finished)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a trial ended."""

    trial: Trial
    complete: bool
    faults: int
    voided: int


def run_trial(trial: Trial, execution: ExecutionContext) -> Finished:
    """Run what is left of *trial*.

    Raises:
        BusyError: Another process works on it.
        InterruptedRunError: The run was stopped; what is recorded stays.
    """
    home = execution.folder.trial(trial.trial_id)
    with hold(home / "lock", f"trial {trial.trial_id} of {execution.folder.path}"):
        execution.folder.write_trial(trial.trial_id, trial.facts())
        journal = execution.folder.journal(trial.trial_id, write=True)
        try:
            _work(trial, execution, journal)
            complete = is_complete(trial, journal)
            if complete and not trial.row.traits.models_on_write and (home / "snapshots").is_dir():
                # saved states are kept only where making them again would cost model calls
                (home / "snapshots").replace(home / ".snapshots-gone")
            return Finished(trial=trial, complete=complete, faults=len(journal.faults), voided=journal.voids)
        finally:
            journal.close()
            shutil.rmtree(home / "room", ignore_errors=True)
            shutil.rmtree(home / "copy", ignore_errors=True)
            shutil.rmtree(home / ".snapshots-gone", ignore_errors=True)


def is_complete(trial: Trial, journal: Journal) -> bool:
    """Every planned key has a record that counts."""
    return trial.keys() <= journal.done.keys()


def _work(trial: Trial, execution: ExecutionContext, journal: Journal) -> None:
    """Try until an attempt goes through; one that contradicts its records is void, and the next starts over."""
    diverged = not is_complete(trial, journal)
    while diverged:
        shown = all_visible(stage.step for stage in trial.stages)
        for _, state in journal.bodies("state"):
            shown.add_talk(state.talk)
            shown.add_pieces(state.pieces)
        records = RecordsWriter(trial=trial, journal=journal, execution=execution, shown=shown)
        try:
            _attempt(trial, execution, records)
            diverged = False
        except DivergedError as error:
            records.void(str(error))


def _attempt(trial: Trial, execution: ExecutionContext, records: RecordsWriter) -> None:
    if trial.row.kind == "oracle":
        _read_evidence(trial, execution, records)
        return
    files.drop_other_snapshots(
        execution.folder.trial(trial.trial_id) / "snapshots",
        {body.folder for _, body in records.journal.bodies("snapshot")},
    )
    states = States(trial=trial, execution=execution, records=records)
    asker = Asker(trial=trial, execution=execution, records=records, states=states)
    states.replay_ask = asker.replay
    try:
        _walk(trial, states, asker, Answerer(trial=trial, execution=execution, records=records))
    finally:
        states.close()
        records.sync()


def _walk(trial: Trial, states: States, asker: Asker, answerer: Answerer) -> None:
    broken = trial.cannot is not None
    for stage in trial.stages:
        if not broken:
            try:
                if isinstance(stage.step, Ask):
                    asker.ask(stage)
                elif not states.records.has(stage.after):
                    states.pass_through(stage)
            except StateBrokenError:
                broken = True
        else:
            asker.give_up(stage)
        if isinstance(stage.step, Ask):
            answerer.answer(stage)


def _read_evidence(trial: Trial, execution: ExecutionContext, records: RecordsWriter) -> None:
    records.shown.add_talk(trial.keyed.history.messages())
    answerer = Answerer(trial=trial, execution=execution, records=records)
    for stage in trial.stages:
        for cell in stage.cells:
            why = why_not(trial, cell)
            if why is not None:
                records.unavailable(cell, why)
            elif not records.has(cell.recall):
                records.recall(cell, oracle(trial, cell))
        answerer.answer(stage)
