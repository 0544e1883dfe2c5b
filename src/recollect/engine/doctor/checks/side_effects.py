"""Checks of what a memory does to the rest of the machine, and what the day does to it; seen in another process."""

from __future__ import annotations

from collections.abc import Callable

from recollect.engine.doctor.bench import Bench, ProcessReport
from recollect.engine.doctor.checks.findings import Finding, absent, failed, passed
from recollect.engine.doctor.process.clock import TEN_YEARS_S

_NO_PROCESS = absent("no process of its own can be started for it here")


def sockets(bench: Bench) -> Finding:
    """No connection leaves this machine."""
    seen = bench.seen()
    if seen is None:
        return _NO_PROCESS
    if seen.reached:
        return failed(f"it reached for {_some(seen.reached)}")
    return (
        _unseen(seen, "whom those talk to")
        or _broken(seen)
        or passed(f"no address beyond this machine{f'; on it: {_some(seen.servers)}' if seen.servers else ''}")
    )


def files(bench: Bench) -> Finding:
    """Nothing is left outside its room: not at home, not in the working folder, not among temporary files."""
    seen = bench.seen()
    if seen is None:
        return _NO_PROCESS
    if seen.left:
        return failed(f"outside its room it left {_some(seen.left)}")
    return _broken(seen) or passed("home, working folder and temporary files are as they were")


def clock(bench: Bench) -> Finding:
    """Told the same ten years later it holds, asks and finds the same."""
    now, later = bench.seen(), bench.seen(TEN_YEARS_S)
    if now is None or later is None:
        return _NO_PROCESS
    hidden = _unseen(now, "what their clocks say") or _served(now) or _broken(now)
    return hidden or _compared(bench, now, later)


def _compared(bench: Bench, now: ProcessReport, later: ProcessReport) -> Finding:
    if not later.is_ahead:
        return absent("the clock of this Python cannot be set")
    if later.error:
        return failed(f"ten years later it breaks: {later.error}")
    if now.picture != later.picture:
        return _shifted(bench, now, "lists or finds", lambda seen: seen.picture)
    if now.asked != later.asked:
        return _shifted(bench, now, "asks its models", lambda seen: seen.asked)
    return passed("ten years later it lists, asks and finds the same")


def _shifted(bench: Bench, now: ProcessReport, what: str, of: Callable[[ProcessReport], str]) -> Finding:
    """It differs; only what stays the same under the same clock shows that the clock did that."""
    again = bench.seen(again=True)
    if again is None or of(again) != of(now):
        return absent(f"what it {what} differs under the same clock as well, so that nothing can be told")
    return failed(f"ten years later it {what} something else, though nothing that it was told did change")


def _unseen(seen: ProcessReport, what: str) -> Finding | None:
    if not seen.programs:
        return None
    return absent(f"it starts programs of its own ({_some(seen.programs)}), and {what} cannot be seen")


def _served(seen: ProcessReport) -> Finding | None:
    if not seen.servers:
        return None
    return absent(f"it lives in a server ({_some(seen.servers)}), whose clock cannot be set")


def _broken(seen: ProcessReport) -> Finding | None:
    return failed(f"it broke in a process of its own: {seen.error}") if seen.error else None


def _some(names: tuple[str, ...], most: int = 3) -> str:
    listed = list(dict.fromkeys(names))
    return ", ".join(f"`{name}`" for name in listed[:most]) + (
        f" and {len(listed) - most} more" if len(listed) > most else ""
    )
