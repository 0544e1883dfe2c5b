"""The clock of the machine jumps by a year, back and forth, in the middle of a run: no byte of a record changes."""

from __future__ import annotations

import datetime as dates
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.cli import command_line
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.memories.bm25 import Bm25Memory

OWN = Path(__file__).parents[2] / "examples" / "own_data"
YEAR_S = 366 * 24 * 3600.0
_seconds, _nanoseconds = time.time, time.time_ns


@dataclass
class WallClock:
    """The machine's clock, which somebody sets."""

    ahead_s: float = 0.0

    def jump(self) -> None:
        """A year forth, then a year back from where it was, and so on."""
        self.ahead_s = YEAR_S if self.ahead_s <= 0 else -YEAR_S

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """For all that asks `time` or `datetime`, whatever was imported before."""
        monkeypatch.setattr(time, "time", lambda: _seconds() + self.ahead_s)
        monkeypatch.setattr(time, "time_ns", lambda: _nanoseconds() + int(self.ahead_s * 1e9))
        mine = {"datetime": _jumping_datetime(self), "date": _jumping_date(self)}
        for module in [m for name, m in sys.modules.items() if name == "datetime" or name.startswith("recollect")]:
            for name, kind in mine.items():
                if getattr(module, name, None) is kind.__mro__[1]:
                    monkeypatch.setattr(module, name, kind)


def _jumping_datetime(clock: WallClock) -> type[dates.datetime]:
    class Jumping(dates.datetime):
        @classmethod
        def now(cls, tz: dates.tzinfo | None = None) -> Any:
            return cls.fromtimestamp(_seconds() + clock.ahead_s, tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(dates.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    return Jumping


def _jumping_date(clock: WallClock) -> type[dates.date]:
    class Jumping(dates.date):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(_seconds() + clock.ahead_s)

    return Jumping


def jumping(clock: WallClock, call: Callable[..., Any]) -> Callable[..., Any]:
    """*call*, before which the clock jumps."""

    def jumped(*given: Any) -> Any:
        clock.jump()
        return call(*given)

    return jumped


def done(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, list[bytes]]]:
    """The exit code of a small run, and all lines that it recorded and reported but its seconds.

    Calls end in any order, and so stand the records; each is compared byte by byte.
    """
    cwd.mkdir()
    monkeypatch.chdir(cwd)
    code = command_line(["run", "own", "--data", str(OWN), "--memory", "bm25", "--name", "x"])
    files = [*cwd.glob("runs/x/trials/*/*.json*"), *cwd.glob("runs/x/report/*.csv")]
    kept = [file for file in files if file.name not in ("measures.jsonl", "times.csv")]
    return code, {str(file.relative_to(cwd)): sorted(file.read_bytes().splitlines()) for file in kept}


def test_a_clock_that_jumps_in_the_middle_of_a_run_changes_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It jumps at every write and every search of one of the systems."""
    still = done(tmp_path / "still", monkeypatch)
    clock = WallClock()
    clock.install(monkeypatch)
    monkeypatch.setattr(Bm25Memory, "write", jumping(clock, Bm25Memory.write))
    monkeypatch.setattr(Bm25Memory, "search", jumping(clock, Bm25Memory.search))
    assert done(tmp_path / "jumping", monkeypatch) == still
    assert still[0] == 0
    assert any(name.endswith("records.jsonl") for name in still[1])


def test_a_memory_that_reads_the_clock_is_seen_by_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the jumps do arrive: dates of messages that come from the clock are not those of the run before."""

    def stamped(self: Bm25Memory, batch: Batch) -> Receipt:
        now = dates.datetime.now(dates.UTC).isoformat(timespec="minutes")
        return write(self, replace(batch, messages=tuple(replace(m, said_at=now) for m in batch.messages)))

    def found(self: Bm25Memory, cue: Cue) -> Recall:
        clock.jump()
        return search(self, cue)

    write, search, clock = Bm25Memory.write, Bm25Memory.search, WallClock()
    still = done(tmp_path / "still", monkeypatch)
    clock.install(monkeypatch)
    monkeypatch.setattr(Bm25Memory, "write", stamped)
    monkeypatch.setattr(Bm25Memory, "search", found)
    code, kept = done(tmp_path / "jumping", monkeypatch)
    assert code == 1
    assert kept != still[1]
    assert any(b"wall_clock" in line for lines in kept.values() for line in lines)
