"""Everything that can go wrong, as one tree.

RecollectError
├── UsageError              your input: config, flag, name        exit 2, no traceback
│   ├── ConfigError         all problems of one place at once
│   ├── UnknownNameError    with the nearest names
│   └── MissingExtraError   with the install line
├── DataError               a file is not what its schema or checksum says   exit 2
├── StoreError              a run folder that cannot be used as asked        exit 3
│   ├── BusyError           another process holds it
│   ├── ChangedConfigError  made under another config; the difference is shown
│   ├── NewerSchemaError    made by a newer version
│   ├── ClashError          two different records under one key
│   └── DiskError           the disk is full or read-only                    exit 4
├── OverBudgetError         the next call would cost more than allowed        exit 3
├── DeadModelError          an endpoint no longer answers                     exit 4
├── FetchError              published files could not be downloaded           exit 4
├── CallError               a model or memory system failed: a fault, never a score
│   ├── RetryableError      time-out, rate limit
│   ├── RefusedError        not allowed offline, over budget, filtered
│   └── MalformedError      a reply that is not what was asked for
├── NotAvailableError       a cell that a system or reader cannot fill, with the reason
└── InterruptedRunError     the user asked to stop                           exit 130

A message says where, what is wrong with the value, and what to do next. All of them pickle.
Anything else that ends a command is an internal error: exit 70, with its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path


def listed(problems: Sequence[str], what: str = "problems") -> str:
    """One problem as it is; several with their number, each on a line of its own."""
    lines = [" ".join(line.strip() for line in problem.splitlines()) for problem in problems]
    if len(lines) == 1:
        return lines[0]
    return "\n  ".join([f"{len(lines)} {what}:", *lines])


def _sentence(problem: str, fix: str) -> str:
    return f"{problem}\n{fix}".rstrip() if "\n" in problem else f"{problem}. {fix}".rstrip()


class RecollectError(Exception):
    """Base of all errors that Recollect raises on purpose."""

    exit_code = 1


class UsageError(RecollectError):
    """Your input is not what the command takes."""

    exit_code = 2


class ConfigError(UsageError):
    """A config has problems; all of them are listed at once."""

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        super().__init__(where, tuple(problems))
        self.where, self.problems = where, tuple(problems)

    def __str__(self) -> str:
        return _sentence(f"{self.where}: {listed(self.problems)}", "")


class UnknownNameError(UsageError):
    """A name is not registered; the nearest ones are offered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = tuple(sorted(known))
        super().__init__(kind, name, known)
        self.kind, self.name, self.known = kind, name, known

    def __str__(self) -> str:
        from difflib import get_close_matches

        near = get_close_matches(self.name, self.known, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(f'`{n}`' for n in near)}? " if near else ""
        return f"{self.kind} `{self.name}` is not known. {hint}Known: {', '.join(self.known) or 'none'}."


class MissingExtraError(UsageError):
    """An optional package is needed; the install line is in the message."""

    def __init__(self, what: str, package: str, install: str) -> None:
        super().__init__(what, package, install)
        self.what, self.package, self.install = what, package, install

    def __str__(self) -> str:
        return f"{self.what} needs package `{self.package}`. Install it with `{self.install}`."


class DataError(RecollectError):
    """A file is not what its schema or checksum says."""

    exit_code = 2

    def __init__(self, problem: str, path: Path | str, *, line: int | None = None, fix: str = "") -> None:
        super().__init__(problem, str(path))
        self.problem, self.path, self.line, self.fix = problem, str(path), line, fix

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), line=self.line, fix=self.fix), (self.problem, self.path)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return _sentence(f"{place}: {self.problem}", self.fix)


class StoreError(RecollectError):
    """A run folder cannot be used as asked."""

    exit_code = 3


class BusyError(StoreError):
    """Another process uses the folder."""


class ChangedConfigError(StoreError):
    """The folder was made under another config; the difference is in the message."""

    FIX = "Give the new run another `--name`, or go back to the stored config."

    def __init__(self, place: str, differences: Sequence[str], fix: str = FIX) -> None:
        super().__init__(place, tuple(differences), fix)
        self.place, self.differences, self.fix = place, tuple(differences), fix

    def __str__(self) -> str:
        differences = listed(self.differences, "differences")
        return _sentence(f"{self.place}: this run was made under another config: {differences}", self.fix)


class NewerSchemaError(StoreError):
    """A record was written by a newer version of Recollect."""


class ClashError(StoreError):
    """Two different records claim the same key."""


class DiskError(StoreError):
    """The disk is full, read-only or gone; what was acknowledged is kept."""

    exit_code = 4


class OverBudgetError(RecollectError):
    """The next call would cost more than `--max-cost` allows; what was paid for is kept."""

    exit_code = 3


class FetchError(RecollectError):
    """Published files could not be downloaded; finished downloads are kept."""

    exit_code = 4


class DeadModelError(RecollectError):
    """An endpoint no longer answers: the run would only collect faults; what was recorded is kept."""

    exit_code = 4


class CallError(RecollectError):
    """A model or a memory system failed: a fault, never a score."""

    exit_code = 4

    def __init__(self, message: str, *, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause
        """A short name from the list of causes; may be empty."""

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), cause=self.cause), (str(self),)


class RetryableError(CallError):
    """A time-out or a rate limit: the same call may succeed later."""

    def __init__(self, message: str, *, cause: str = "", retry_after: float = 0.0) -> None:
        super().__init__(message, cause=cause)
        self.retry_after = retry_after
        """Seconds that the server asks to wait; 0 if it does not."""

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), cause=self.cause, retry_after=self.retry_after), (str(self),)


class RefusedError(CallError):
    """Not allowed: offline, over budget or filtered."""


class MalformedError(CallError):
    """A reply is not what was asked for."""


class NotAvailableError(RecollectError):
    """This system or reader cannot fill a cell; never a zero."""


class InterruptedRunError(RecollectError):
    """The user asked the run to stop; what was recorded is kept."""

    exit_code = 130

    def __str__(self) -> str:
        return "interrupted; all that was recorded is kept. Run the same command again to go on."
