"""Sets the clock of this process to another day, for all Python code that is imported afterwards.

Only the standard library is imported here, for what was imported before may hold the true clock already; and Python
3.9 is enough, since this is loaded into workers, too. Clocks that compiled code reads for itself stay as they are.
"""

from __future__ import annotations

import datetime as dates
import time
from abc import ABCMeta
from collections.abc import Callable
from typing import Any

TEN_YEARS_S = 3653 * 86400.0


def put_ahead(seconds: float) -> None:
    """From now on `time` and `datetime` are *seconds* ahead; clocks that only measure are left alone."""
    _shift_time(seconds)
    _shift_dates()


def _shift_time(seconds: float) -> None:
    real, real_ns, at, at_ns = time.time, time.time_ns, time.clock_gettime, time.clock_gettime_ns
    nanoseconds = int(seconds * 1e9)
    now = lambda: real() + seconds  # noqa: E731
    shifted: dict[str, Callable[..., Any]] = {
        "time": now,
        "time_ns": lambda: real_ns() + nanoseconds,
        "clock_gettime": lambda clock: at(clock) + (seconds if clock == time.CLOCK_REALTIME else 0),
        "clock_gettime_ns": lambda clock: at_ns(clock) + (nanoseconds if clock == time.CLOCK_REALTIME else 0),
    }
    for name in ("localtime", "gmtime", "ctime"):
        shifted[name] = _of_now(getattr(time, name), now)
    local, asctime, strftime = shifted["localtime"], time.asctime, time.strftime
    shifted["asctime"] = lambda moment=None: asctime(moment if moment is not None else local())
    shifted["strftime"] = lambda form, moment=None: strftime(form, moment if moment is not None else local())
    for name, clock in shifted.items():
        setattr(time, name, clock)


def _of_now(of: Callable[[float], Any], now: Callable[[], float]) -> Callable[..., Any]:
    return lambda seconds=None: of(now() if seconds is None else seconds)


class _AsTheReal(ABCMeta):
    """What is a true date is one of the shifted class, too; classes made of that are asked as always.

    Packages mix dates with abstract classes, whose metaclass this one must be.
    """

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, cls.__mro__[1]) if cls.__dict__.get("_stands_in") else super().__instancecheck__(thing)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.__mro__[1]) if cls.__dict__.get("_stands_in") else super().__subclasscheck__(kind)


def _shift_dates() -> None:
    """Replace `datetime.datetime` and `datetime.date` by classes that ask the shifted `time`."""

    class Datetime(dates.datetime, metaclass=_AsTheReal):
        _stands_in = True

        @classmethod
        def now(cls, tz: dates.tzinfo | None = None) -> Any:
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(time.time(), dates.timezone.utc).replace(tzinfo=None)  # noqa: UP017  # Python 3.9

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(time.time())

    class Date(dates.date, metaclass=_AsTheReal):
        _stands_in = True

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(time.time())

    for name, kind in (("datetime", Datetime), ("date", Date)):
        kind.__module__, kind.__name__, kind.__qualname__ = "datetime", name, name
        setattr(dates, name, kind)
