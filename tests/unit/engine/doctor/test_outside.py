"""The other process: its clock, its guard, and the workers that it starts; what goes wrong on the way."""

from __future__ import annotations

import datetime as dates
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.engine.doctor.bench import Bench, ProcessTask
from recollect.engine.doctor.process import worker_monitor
from recollect.engine.doctor.process.clock import TEN_YEARS_S
from recollect.engine.doctor.process.guard import Guard, is_loopback
from recollect.engine.doctor.process.runner import ProcessRunner
from recollect.memories.worker.process import DOCTOR_VARIABLE

from tests.unit.engine.doctor.test_examination import ROOT, bench

LATER = """
import sys
sys.path.insert(0, sys.argv[1])
from recollect.engine.doctor.process.clock import put_ahead
put_ahead(float(sys.argv[2]))
import datetime, time, json, pickle
from datetime import date, datetime as moment
now = moment.now()
assert isinstance(now, datetime.datetime) and isinstance(now, date)
assert pickle.loads(pickle.dumps(now)) == now
assert moment.fromisoformat("2024-05-01T10:00:00") < now
class Mine(moment): pass
class Meta(type): pass
class Odd(date, metaclass=Meta): pass
assert not isinstance(now, Mine) and isinstance(Mine(2024, 1, 1), moment)
assert json.dumps(str(now))
years = [now.year, moment.utcnow().year, moment.today().year, date.today().year, time.localtime().tm_year,
         time.gmtime().tm_year, int(time.strftime("%Y")), int(time.ctime()[-4:]), int(time.asctime()[-4:]),
         moment.fromtimestamp(time.time()).year, moment.fromtimestamp(time.time_ns() / 1e9).year,
         time.gmtime(time.clock_gettime(time.CLOCK_REALTIME)).tm_year, time.gmtime(0).tm_year]
print(years)
"""


def test_every_python_clock_is_ahead_and_dates_stay_dates() -> None:
    """A moment that is given is not shifted: 1970 stays 1970."""
    command = [sys.executable, "-W", "ignore", "-c", LATER, str(ROOT / "src"), str(TEN_YEARS_S)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    then = (dates.datetime.now(dates.UTC) + dates.timedelta(seconds=TEN_YEARS_S)).year
    *years, epoch = json.loads(done.stdout)
    assert set(years) == {then}
    assert epoch == 1970


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("localhost", True),
        ("192.0.2.1", False),
        ("example.org", False),
        ("fe80::1%eth0", False),
        ("10.0.0.1", False),
    ],
)
def test_only_this_machine_is_loopback(host: str, is_near: bool) -> None:
    assert is_loopback(host) is is_near


def test_the_guard_tells_reaching_out_from_talking_at_home(tmp_path: Path) -> None:
    guard = Guard(own=tmp_path, home_servers=frozenset({"127.0.0.1:8000"}))
    guard.hear("socket.connect", (None, ("127.0.0.1", 8000)))
    guard.hear("socket.connect", (None, ("127.0.0.1", 6333)))
    guard.hear("socket.connect", (None, "/run/some.socket"))
    guard.hear("socket.getaddrinfo", ("localhost", 80, 0, 0, 0))
    for event, about in (
        ("socket.connect", (None, ("192.0.2.7", 443))),
        ("socket.sendto", (None, ("192.0.2.8", 53))),
        ("socket.getaddrinfo", ("telemetry.example.org", 443, 0, 0, 0)),
    ):
        with pytest.raises(PermissionError):
            guard.hear(event, about)
    assert guard.servers == ["127.0.0.1:6333"]
    assert guard.reached == ["192.0.2.7:443", "192.0.2.8:53", "telemetry.example.org"]


def test_the_guard_notes_what_is_written_outside_only(tmp_path: Path) -> None:
    own = tmp_path / "task"
    guard = Guard(own=own)
    guard.hear("open", (str(own / "room" / "index"), "w", os.O_WRONLY | os.O_CREAT))
    guard.hear("open", (str(tmp_path / "read"), "r", os.O_RDONLY))
    guard.hear("open", ("/dev/null", "w", os.O_WRONLY))
    guard.hear("open", (7, "w", os.O_WRONLY))
    guard.hear("open", (str(tmp_path / "a"), "w", os.O_WRONLY | os.O_CREAT))
    guard.hear("os.mkdir", (os.fsencode(tmp_path / "b"), 0o777, -1))
    guard.hear("os.rename", (str(own / "x"), str(tmp_path / "c"), -1, -1))
    guard.hear("sqlite3.connect", (str(tmp_path / "d.db"),))
    assert guard.written == [str(tmp_path / name) for name in ("a", "b", "c", "d.db")]


def test_the_guard_names_programs(tmp_path: Path) -> None:
    guard = Guard(own=tmp_path)
    guard.hear("subprocess.Popen", ("/usr/bin/node", ["node"], None, None))
    guard.hear("os.system", (b"ls -l",))
    guard.hear("subprocess.Popen", ("uname", ["uname", "-p"], None, None))
    guard.hear("os.fork", ())
    assert guard.programs == ["node", "ls", "a copy of itself"]


def test_worker_and_doctor_mean_the_same_variable() -> None:
    assert worker_monitor.VARIABLE == DOCTOR_VARIABLE


def test_what_a_worker_loads_needs_the_standard_library_and_python_3_9_only() -> None:
    folder = Path(worker_monitor.__file__).parent
    for name in ("worker_monitor.py", "guard.py", "clock.py"):
        text = (folder / name).read_text(encoding="utf-8")
        compile(text, name, "exec")
        assert "import recollect" not in text
        assert "from recollect" not in text
        assert "dates.UTC" not in text
        assert "isinstance(path, str |" not in text


def test_a_process_that_dies_is_told_with_its_last_words(tmp_path: Path) -> None:
    dying = ProcessRunner(command=(sys.executable, "-c", "raise SystemExit('no such weights')"), system={})
    seen = dying(ProcessTask(folder=str(tmp_path / "e")), bench("honest", tmp_path))
    assert "no such weights" in seen.error


def test_a_process_that_hangs_is_ended(tmp_path: Path) -> None:
    hanging = ProcessRunner(command=(sys.executable, "-c", "import time; time.sleep(600)"), system={}, patience_s=0.5)
    seen = hanging(ProcessTask(folder=str(tmp_path / "e")), bench("honest", tmp_path))
    assert "ended without an answer" in seen.error


def test_its_models_are_those_of_the_doctor(tmp_path: Path) -> None:
    """A memory that asks a model in the other process asks the one here, which counts it."""
    here: Bench = bench("extractor", tmp_path, outside=True)
    seen = here.report()
    assert seen is not None
    assert seen.error == ""
    assert seen.picture
    assert here.tally.paid == 12
    assert {"python", "recollect"} <= set(seen.packages)
