"""Runs a plan: trials side by side, calls side by side, each with a bound of its own."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from recollect.domain.errors import BusyError, InterruptedRunError, UsageError
from recollect.engine.context import ExecutionContext, ProgressCallback, ignore_progress
from recollect.engine.execution.trial import Finished, run_trial
from recollect.engine.plan import Trial
from recollect.engine.rows import Conditions, Roles
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much goes on at once. Changes no result."""

    trials: int = 2
    """Histories in memory."""
    calls: int = 8
    """Calls to readers and judges in flight."""


def execute(
    trials: Sequence[Trial],
    folder: RunFolder,
    *,
    cast: Roles,
    conditions: Conditions,
    limits: Limits,
    watch: ProgressCallback = ignore_progress,
    stop: threading.Event | None = None,
    interrupted: Callable[[int], None] = lambda _times: None,
) -> list[Finished]:
    """Run all *trials* to their end.

    *stop*, once set, ends the run after the calls in flight; Ctrl-C sets it, and *interrupted* is told how often it
    was pressed.

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
        place = ExecutionContext(folder=folder, cast=cast, conditions=conditions, calls=calls, watch=watch, stop=stop)
        return asyncio.run(_all(trials, place, workers, interrupted))


async def _all(
    trials: Sequence[Trial], place: ExecutionContext, workers: ThreadPoolExecutor, interrupted: Callable[[int], None]
) -> list[Finished]:
    loop, times = asyncio.get_running_loop(), count(1)

    def stop() -> None:
        place.stop.set()
        interrupted(next(times))

    with suppress(ValueError, NotImplementedError, RuntimeError):  # not the main thread: whoever called handles signals
        loop.add_signal_handler(signal.SIGINT, stop)
        loop.add_signal_handler(signal.SIGTERM, stop)
    results = await asyncio.gather(
        *(loop.run_in_executor(workers, _one, trial, place) for trial in trials), return_exceptions=True
    )
    return _sorted_out(results)


def _one(trial: Trial, place: ExecutionContext) -> Finished:
    place.check_stop()
    try:
        return run_trial(trial, place)
    except BusyError:
        raise
    except BaseException:
        place.stop.set()  # a full disk, a bug, an interrupt: no use in starting more
        raise


def _sorted_out(results: Sequence[Finished | BaseException]) -> list[Finished]:
    """All that finished, or the error that says most: what stopped the run, before what was stopped by it."""
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in sorted(errors, key=lambda e: (isinstance(e, InterruptedRunError), isinstance(e, BusyError))):
        raise error
    return [result for result in results if isinstance(result, Finished)]
