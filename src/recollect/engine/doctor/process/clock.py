"""Sets the clock of this process to another day, for all Python code that is imported afterwards.

Only the standard library is imported here, for what was imported before may hold the true clock already; and Python
3.9 is enough, since this is loaded into workers, too. Clocks that compiled code reads for itself stay as they are.
"""

from __future__ import annotations

import ctypes
import datetime as dates
import gc
import time
from collections.abc import Callable
from typing import Any

LEEWAY_S = 86400.0
TEN_YEARS_S = 3653 * 86400.0


def put_ahead(seconds: float) -> bool:
    """From now on `time` and `datetime` are *seconds* ahead; clocks that only measure are left alone.

    Returns whether it is so: not every Python lets its dates be changed.
    """
    before = dates.datetime.now().timestamp()  # noqa: DTZ005
    _shift_time(seconds)
    _shift_dates()
    return abs(dates.datetime.now().timestamp() - before - seconds) < LEEWAY_S  # noqa: DTZ005


def _shift_time(seconds: float) -> None:
    real, real_ns, at, at_ns = time.time, time.time_ns, time.clock_gettime, time.clock_gettime_ns
    nanoseconds = int(seconds * 1e9)
    now: Callable[[], float] = lambda: real() + seconds  # noqa: E731
    shifted: dict[str, Callable[..., Any]] = {
        "time": now,
        "time_ns": lambda: real_ns() + nanoseconds,
        "clock_gettime": lambda clock: at(clock) + (seconds if clock == time.CLOCK_REALTIME else 0),
        "clock_gettime_ns": lambda clock: at_ns(clock) + (nanoseconds if clock == time.CLOCK_REALTIME else 0),
    }

    def from_now(convert: Callable[[float], Any]) -> Callable[..., Any]:
        return lambda seconds=None: convert(now() if seconds is None else seconds)

    for name in ("localtime", "gmtime", "ctime"):
        shifted[name] = from_now(getattr(time, name))
    local, asctime, strftime = shifted["localtime"], time.asctime, time.strftime
    shifted["asctime"] = lambda moment=None: asctime(moment if moment is not None else local())
    shifted["strftime"] = lambda form, moment=None: strftime(form, moment if moment is not None else local())
    for name, clock in shifted.items():
        setattr(time, name, clock)


def _shift_dates() -> None:
    """Make `datetime` and `date` use the shifted `time`.

    The types themselves are changed: subclasses in their place, as usual in tests, clash with packages that mix dates
    with metaclasses of their own.
    """
    utc = dates.timezone.utc  # noqa: UP017  # Python 3.9
    asked: dict[str, Callable[..., Any]] = {
        "now": lambda cls, tz=None: cls.fromtimestamp(time.time(), tz),
        "utcnow": lambda cls: cls.fromtimestamp(time.time(), utc).replace(tzinfo=None),
        "today": lambda cls: cls.fromtimestamp(time.time()),
    }
    for kind, names in ((dates.datetime, ("now", "utcnow", "today")), (dates.date, ("today",))):
        (methods,) = (held for held in gc.get_referents(kind.__dict__) if isinstance(held, dict))
        methods.update({name: classmethod(asked[name]) for name in names})
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
